//! Random cases against OpenSSL's library in this process, both ways: `KUAIMI_INTEROP_CASES` of
//! each kind (`make interop`), or some. The program `openssl` would take a hundred times as long a
//! case; the tests of `crates/kuaimi/tests` use it.

use kuaimi::encoding::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use kuaimi::sm2::{Ciphertext, PrivateKey, PublicKey, Signature, SigningKey};
use kuaimi::sm3;
use kuaimi::sm4::{Sm4, Sm4Cbc, Sm4Cfb, Sm4Ctr, Sm4Ofb};
use kuaimi_testing::Repeatable;
use openssl::hash::{MessageDigest, hash};
use openssl::pkey::{PKey, Private, Public};
use openssl::pkey_ctx::PkeyCtx;
use openssl::sign::Signer;
use openssl::symm::{Cipher, Crypter, Mode};

/// Calls `case` as often as asked, with a generator of its own each time, and counts on standard
/// output.
fn each(usual: u64, case: impl Fn(&mut Repeatable)) {
    let number =
        |name| -> Option<u64> { Some(std::env::var(name).ok()?.parse().expect("a number")) };
    let asked = number("KUAIMI_INTEROP_CASES");
    let first = number("KUAIMI_INTEROP_SEED").unwrap_or(0) << 40;
    for round in 0..asked.unwrap_or(usual) {
        case(&mut Repeatable(first + (round << 8)));
    }
    if let Some(count) = asked {
        let test = std::thread::current();
        println!("{count:>9} cases: {}", test.name().unwrap_or("a test"));
    }
}

fn bytes(rng: &mut Repeatable, length: usize) -> Vec<u8> {
    (0..length).map(|_| rng.word().to_le_bytes()[0]).collect()
}

/// Most often short, sometimes of many blocks.
fn message(rng: &mut Repeatable) -> Vec<u8> {
    let most = [4, 70, 300, 300, 3000][(rng.word() % 5) as usize];
    let length = 1 + rng.word() % most;
    bytes(rng, length as usize)
}

fn array<const N: usize>(rng: &mut Repeatable) -> [u8; N] {
    bytes(rng, N).try_into().expect("so many bytes")
}

/// Evenly spread, or with limbs that carries run through.
fn secret(rng: &mut Repeatable) -> PrivateKey {
    loop {
        let number = rng.number();
        let mut bytes = [0; 32];
        for (chunk, limb) in bytes.chunks_mut(8).zip(number.iter().rev()) {
            chunk.copy_from_slice(&limb.to_be_bytes());
        }
        if let Ok(secret) = PrivateKey::from_bytes(&bytes) {
            return secret;
        }
    }
}

fn flipped(rng: &mut Repeatable, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let place = (rng.word() % bytes.len() as u64) as usize;
    bytes[place] ^= 1 << (rng.word() % 8);
    bytes
}

fn private(secret: &PrivateKey) -> PKey<Private> {
    let der = secret.to_pkcs8_der().expect("written");
    PKey::private_key_from_der(der.as_bytes()).expect("OpenSSL reads our keys")
}

fn public(key: &PublicKey) -> PKey<Public> {
    let der = key.to_public_key_der().expect("written");
    PKey::public_key_from_der(der.as_bytes()).expect("OpenSSL reads our keys")
}

#[test]
fn keys() {
    each(200, |rng| {
        let secret = secret(rng);
        let theirs = private(&secret);
        let der = theirs.private_key_to_pkcs8().expect("written");
        assert_eq!(PrivateKey::from_pkcs8_der(&der), Ok(secret.clone()));
        let der = theirs.public_key_to_der().expect("written");
        let ours = secret.public_key().to_public_key_der().expect("written");
        assert_eq!(der, ours.as_bytes());
        assert_eq!(
            PublicKey::from_public_key_der(&der),
            Ok(*secret.public_key())
        );
    });
}

#[test]
fn signatures() {
    each(200, |rng| {
        let (secret, e) = (secret(rng), array::<32>(rng));
        let (theirs, public) = (private(&secret), public(secret.public_key()));
        let verify = |e: &[u8], der: &[u8]| {
            let mut context = PkeyCtx::new(&public).expect("memory");
            context.verify_init().expect("OpenSSL has SM2");
            context.verify(e, der).unwrap_or(false)
        };
        let signer = SigningKey::new(secret);
        let ours = signer.sign_digest_with_rng(rng, &e).expect("a signature");
        let der = ours.to_der();
        assert!(verify(&e, der.as_bytes()));
        assert!(!verify(&flipped(rng, &e), der.as_bytes()));
        // Where a bit is flipped in the encoding, both say the same. OpenSSL reads what it wrote
        // again, and compares.
        let other = flipped(rng, der.as_bytes());
        let verdict = Signature::from_der(&other)
            .is_ok_and(|it| signer.verifying_key().verify_digest(&e, &it).is_ok());
        assert_eq!(verify(&e, &other), verdict, "{other:02x?}");

        let mut context = PkeyCtx::new(&theirs).expect("memory");
        context.sign_init().expect("OpenSSL has SM2");
        let mut der = Vec::new();
        context.sign_to_vec(&e, &mut der).expect("a signature");
        let theirs = Signature::from_der(&der).expect("strict DER");
        assert_eq!(signer.verifying_key().verify_digest(&e, &theirs), Ok(()));
    });
}

#[test]
fn ciphertexts() {
    each(200, |rng| {
        let (secret, message) = (secret(rng), message(rng));
        let (theirs, public) = (private(&secret), public(secret.public_key()));
        let decrypt = |der: &[u8]| {
            let mut context = PkeyCtx::new(&theirs).expect("memory");
            context.decrypt_init().expect("OpenSSL has SM2");
            let mut plaintext = Vec::new();
            context.decrypt_to_vec(der, &mut plaintext).ok()?;
            Some(plaintext)
        };
        let ours = secret
            .public_key()
            .encrypt_with_rng(rng, &message)
            .expect("a ciphertext");
        let der = ours.to_der();
        assert_eq!(decrypt(&der), Some(message.clone()));
        let other = flipped(rng, &der);
        let opened = Ciphertext::from_der(&other)
            .ok()
            .and_then(|it| secret.decrypt(&it).ok());
        assert_eq!(opened, None, "{other:02x?}");

        let mut context = PkeyCtx::new(&public).expect("memory");
        context.encrypt_init().expect("OpenSSL has SM2");
        let mut der = Vec::new();
        context
            .encrypt_to_vec(&message, &mut der)
            .expect("a ciphertext");
        let theirs = Ciphertext::from_der(&der).expect("strict DER");
        assert_eq!(*secret.decrypt(&theirs).expect("it is right"), message);
    });
}

#[test]
fn digests() {
    let algorithm = MessageDigest::sm3();
    each(500, |rng| {
        let (key, message) = (message(rng), message(rng));
        let theirs = hash(algorithm, &message).expect("OpenSSL has SM3");
        assert_eq!(*theirs, sm3::digest(&message));
        let key_of_mac = PKey::hmac(&key).expect("any key");
        let mut mac = Signer::new(algorithm, &key_of_mac).expect("OpenSSL has SM3");
        mac.update(&message).expect("a message");
        let theirs = mac.sign_to_vec().expect("a tag");
        assert_eq!(theirs, sm3::hmac_sm3(&key, &message));
    });
}

#[test]
fn ciphers() {
    each(500, |rng| {
        let (key, iv) = (array::<16>(rng), array::<16>(rng));
        let message = message(rng);
        let blocks = &message[..message.len() / 16 * 16];
        let apply = |cipher: Cipher, mode: Mode, data: &[u8]| {
            let mut crypter = Crypter::new(cipher, mode, &key, Some(&iv)).expect("a key");
            crypter.pad(false);
            let mut out = vec![0; data.len() + 16];
            let count = crypter.update(data, &mut out).expect("data");
            let count = count + crypter.finalize(&mut out[count..]).expect("whole blocks");
            out.truncate(count);
            out
        };
        let compare = |cipher, plaintext: &[u8], ours: &[u8]| {
            assert_eq!(apply(cipher, Mode::Encrypt, plaintext), ours);
            assert_eq!(apply(cipher, Mode::Decrypt, ours), plaintext);
        };
        let mut ours = blocks.to_vec();
        Sm4::new(&key).encrypt_ecb(&mut ours).expect("blocks");
        compare(Cipher::sm4_ecb(), blocks, &ours);
        let mut ours = blocks.to_vec();
        Sm4Cbc::new(&key).encrypt(&iv, &mut ours).expect("blocks");
        compare(Cipher::sm4_cbc(), blocks, &ours);
        let mut ours = message.clone();
        Sm4Ctr::new(&key, &iv).apply(&mut ours);
        compare(Cipher::sm4_ctr(), &message, &ours);
        let mut ours = message.clone();
        Sm4Ofb::new(&key, &iv).apply(&mut ours);
        compare(Cipher::sm4_ofb(), &message, &ours);
        let mut ours = message.clone();
        Sm4Cfb::new(&key, &iv).encrypt(&mut ours);
        compare(Cipher::sm4_cfb128(), &message, &ours);
        Sm4Cfb::new(&key, &iv).decrypt(&mut ours);
        assert_eq!(ours, message);
    });
}
