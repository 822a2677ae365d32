//! What is written is read as the same.

use kuaimi_pki::Error;
use kuaimi_pki::external::rand_core::{TryCryptoRng, TryRng};
use kuaimi_pki::pkcs12::{Attributes, Content, Entry, Key, Pkcs12, Profile, Protection, Secret};

use crate::{certificate, key};

pub const PROFILES: [Profile; 4] = [
    Profile::ShangMi,
    Profile::ShangMiOpenssl,
    Profile::Compatible,
    Profile::Legacy,
];

/// A pair of keys to sign and one to encrypt, with their chain.
pub fn pair() -> Pkcs12 {
    let mut file = Pkcs12::new();
    let (sign, encrypt) = (certificate("sign"), certificate("encrypt"));
    file.push_identity(&key("sign"), &sign, Some("签名"))
        .unwrap();
    file.push_identity(&key("encrypt"), &encrypt, Some("加密🔑"))
        .unwrap();
    file.push_certificate(&certificate("middle"));
    file.push_certificate(&certificate("root"));
    file
}

/// As many entries of each kind as `pair`, in the order of a file.
fn sorted(file: &Pkcs12) -> Pkcs12 {
    let mut out = Pkcs12::new();
    let is_key = |entry: &&Entry| matches!(entry.content, Content::Key(_));
    let (keys, others): (Vec<_>, Vec<_>) = file.entries().iter().partition(is_key);
    others
        .into_iter()
        .chain(keys)
        .for_each(|entry| out.push(entry.clone()));
    out
}

#[test]
fn two_pairs_of_keys_in_every_profile() {
    for profile in PROFILES {
        for password in [
            "密码",
            "",
            "🔑",
            "a password that is longer than a block of any of the hashes, which is 128 bytes for SHA-512 and 64 for all others",
        ] {
            let protection = Protection::from(profile).with_iterations(3);
            let der = pair()
                .to_der(password, protection, &mut getrandom::SysRng)
                .unwrap();
            let read = Pkcs12::from_bytes(&der, password).unwrap();
            assert_eq!(read, sorted(&pair()), "{profile:?}");
            let identities = read.identities();
            assert_eq!(identities.len(), 2);
            for (found, name) in identities.iter().zip(["sign", "encrypt"]) {
                assert_eq!(found.key.sm2().unwrap(), key(name));
                assert_eq!(found.certificate, Some(&certificate(name)));
                let chain = [certificate("middle"), certificate("root")];
                assert!(found.chain.iter().copied().eq(&chain));
            }
            assert!(Pkcs12::from_bytes(&der, "other").is_err());
            // Salts are new.
            let again = pair()
                .to_der(password, protection, &mut getrandom::SysRng)
                .unwrap();
            assert_ne!(again, der);
        }
    }
}

#[test]
fn default_iterations() {
    for profile in PROFILES {
        let der = pair()
            .to_der("密码", profile, &mut getrandom::SysRng)
            .unwrap();
        let started = std::time::Instant::now();
        assert_eq!(Pkcs12::from_bytes(&der, "密码").unwrap(), sorted(&pair()));
        eprintln!("{profile:?}: read in {:?}", started.elapsed());
    }
}

#[test]
fn every_kind_of_entry() {
    let mut file = Pkcs12::new();
    let mut attributes = Attributes::default();
    attributes.friendly_name = Some("name".into());
    attributes.others = vec![("1.2.3.4".parse().unwrap(), vec![4, 1, 7])];
    let secret = Secret::new("1.2.3".parse().unwrap(), &[4, 2, 1, 2]).unwrap();
    for content in [
        Content::Secret(secret),
        Content::Crl(vec![0x30, 0]),
        Content::Other("1.2.5".parse().unwrap(), vec![0x30, 0].into()),
    ] {
        file.push(Entry::new(content).with_attributes(attributes.clone()));
    }
    for profile in PROFILES {
        let protection = Protection::from(profile).with_iterations(1);
        let der = file
            .to_der("x", protection, &mut getrandom::SysRng)
            .unwrap();
        assert_eq!(Pkcs12::from_bytes(&der, "x").unwrap(), file);
    }
    assert!(Secret::new("1.2.3".parse().unwrap(), &[4, 2, 1]).is_err());
    let der = Pkcs12::new()
        .to_der("x", Profile::Legacy, &mut getrandom::SysRng)
        .unwrap();
    assert_eq!(Pkcs12::from_bytes(&der, "x").unwrap(), Pkcs12::new());
}

#[test]
fn what_a_reader_would_refuse_is_not_written() {
    let write = |iterations| {
        let protection = Protection::from(Profile::ShangMi).with_iterations(iterations);
        pair().to_der("x", protection, &mut getrandom::SysRng)
    };
    assert!(matches!(write(0), Err(Error::Encoding(_))));
    assert!(matches!(write(10_000_001), Err(Error::Encoding(_))));
    // Four derivations of 2.6 million are more than ten million.
    assert!(matches!(write(2_600_000), Err(Error::Limit(_))));
    let mut file = Pkcs12::new();
    let other = file.push_identity(&key("sign"), &certificate("encrypt"), None);
    assert_eq!(
        other,
        Err(Error::Argument("the certificate is of another key"))
    );
    assert_eq!(file, Pkcs12::new());
}

/// A generator that fails.
struct Broken;

impl TryRng for Broken {
    type Error = std::fmt::Error;
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Err(std::fmt::Error)
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Err(std::fmt::Error)
    }
    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
        Err(std::fmt::Error)
    }
}

impl TryCryptoRng for Broken {}

#[test]
fn a_broken_generator_is_reported() {
    for profile in PROFILES {
        let protection = Protection::from(profile).with_iterations(1);
        assert_eq!(
            pair().to_der("x", protection, &mut Broken),
            Err(Error::Random)
        );
    }
}

/// A key without a certificate stands between those that have one, in the order of the keys.
#[test]
fn a_key_without_a_certificate() {
    let mut file = Pkcs12::new();
    let mut alone = Attributes::default();
    alone.friendly_name = Some("alone".into());
    let content = Content::Key(Key::of_sm2(&key("encrypt")).unwrap());
    file.push(Entry::new(content).with_attributes(alone));
    file.push_identity(&key("sign"), &certificate("sign"), None)
        .unwrap();
    let protection = Protection::from(PROFILES[0]).with_iterations(1);
    let der = file
        .to_der("x", protection, &mut getrandom::SysRng)
        .unwrap();
    let read = Pkcs12::from_bytes(&der, "x").unwrap();
    let found = read.identities();
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].key.sm2().unwrap(), key("encrypt"));
    assert_eq!(found[0].certificate, None);
    assert_eq!(found[0].friendly_name, Some("alone"));
    assert_eq!(found[1].certificate, Some(&certificate("sign")));
}
