//! Private keys that travel encrypted: under a password, and enveloped for another key.

use crate::common::keys::*;
use kuaimi::encoding::{
    Cipher, Error, KeyDerivation, PasswordEncryption, Prf, PrivateKeyStructure, read_private_key,
};
use kuaimi::sm2::{self, PrivateKey, parameters};
use sm4::Sm4;
use sm4::cipher::{BlockCipherEncrypt, KeyInit};

/// RFC 7914, clause 12, and what `openssl kdf … PBKDF2` computes; and no key for parameters that
/// are out of range.
#[test]
fn keys_from_passwords() {
    let scrypt = |log_n| KeyDerivation::Scrypt { log_n, r: 8, p: 16 };
    let key = scrypt(10).derive(b"password", b"NaCl", 64).expect("scrypt");
    assert_eq!(
        hex::encode(&*key),
        "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162\
         2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
    );
    let pbkdf2 = |iterations| KeyDerivation::Pbkdf2 {
        prf: Prf::HmacSm3,
        iterations,
    };
    let key = pbkdf2(1000).derive(b"password", b"NaCl-NaCl-NaCl-1", 32);
    assert_eq!(
        hex::encode(&*key.expect("PBKDF2")),
        "e40fe5493d2a5148ffa4f06e152548f8983c73df41f151ac79d7e0979eb2253d"
    );
    for (bad, error) in [
        (scrypt(30), Error::ScryptCost),
        (pbkdf2(0), Error::IterationCount(0)),
    ] {
        assert_eq!(bad.check(), Err(error.clone()));
        assert_eq!(bad.derive(b"", b"", 16), Err(error));
    }
    // Longer than there is memory for.
    for length in [usize::MAX, usize::MAX / 2 + 1] {
        for function in [pbkdf2(1), scrypt(1)] {
            let key = function.derive(b"password", b"salt", length);
            assert_eq!(key, Err(Error::EncryptionParameters), "{length}");
        }
    }
}

#[test]
fn every_mix_of_password_encryption() {
    use Cipher::{Aes128Cbc, Aes192Cbc, Aes256Cbc, Sm4Cbc};
    use Prf::{HmacSha1, HmacSha224, HmacSha256, HmacSha384, HmacSha512, HmacSm3};
    let mut derivations: Vec<_> = [
        HmacSha1, HmacSha224, HmacSha256, HmacSha384, HmacSha512, HmacSm3,
    ]
    .map(|prf| KeyDerivation::Pbkdf2 { prf, iterations: 5 })
    .into();
    derivations.push(KeyDerivation::Scrypt {
        log_n: 4,
        r: 8,
        p: 2,
    });
    for cipher in [Aes128Cbc, Aes192Cbc, Aes256Cbc, Sm4Cbc] {
        for &derivation in &derivations {
            let encryption = PasswordEncryption::AES
                .with_cipher(cipher)
                .with_key_derivation(derivation);
            let pem = secret()
                .to_encrypted_pkcs8_pem(b"", encryption, &mut getrandom::SysRng)
                .expect("encrypts");
            let (key, form) = read_private_key(pem.as_bytes(), Some(b"")).expect("decrypts");
            same(Ok(key));
            assert_eq!(
                form.structure,
                PrivateKeyStructure::EncryptedPkcs8(encryption)
            );
            refused(pem.as_bytes(), Error::PasswordNeeded);
            let wrong = read_private_key(pem.as_bytes(), Some(b"wrong"));
            assert_eq!(wrong.map(|_| ()), Err(Error::WrongPassword));
        }
    }
}

/// One in 256 wrong passwords leaves padding that is right: these too must be found out.
#[test]
fn a_thousand_wrong_passwords() {
    let encryption = PasswordEncryption::AES.with_iterations(1);
    let der = secret()
        .to_encrypted_pkcs8_der(b"right", encryption, &mut getrandom::SysRng)
        .expect("encrypts");
    for i in 0..1000u32 {
        let wrong = read_private_key(&der, Some(&i.to_le_bytes()));
        assert_eq!(wrong.map(|_| ()), Err(Error::WrongPassword));
    }
}

/// `EncryptedPrivateKeyInfo` with these parameters of PBKDF2 or scrypt and AES-128-CBC.
fn encrypted(kdf: &[u8]) -> Vec<u8> {
    let scheme = unhex("301d060960864801650304010204100000000000000000000000000000000000");
    let scheme = &scheme[..31];
    let algorithm = element(
        0x30,
        &[
            &unhex("06092a864886f70d01050d"),
            &element(0x30, &[kdf, scheme]),
        ],
    );
    element(0x30, &[&algorithm, &element(4, &[&[0; 32]])])
}

/// Later versions of OpenSSL name HMAC-SM3 otherwise, some give it NULL for parameters, and GmSSL
/// says the key's length.
#[test]
fn other_ways_to_name_sm3() {
    let encryption = PasswordEncryption::SHANGMI.with_iterations(9);
    let made = secret()
        .to_encrypted_pkcs8_der(b"secret", encryption, &mut getrandom::SysRng)
        .expect("encrypts");
    let octets = |at: usize| {
        let rest = &made[at..];
        let start = rest
            .windows(2)
            .position(|pair| pair == [4, 16])
            .expect("16 octets");
        (&rest[start..start + 18], at + start + 18)
    };
    let (salt, at) = octets(0);
    let (iv, at) = octets(at);
    let data = &made[at..];
    let rebuild = |more: &str| {
        let fields = element(0x30, &[salt, &[2, 1, 9], &unhex(more)]);
        let kdf = element(0x30, &[&unhex("06092a864886f70d01050c"), &fields]);
        let scheme = element(0x30, &[&unhex("06082a811ccf55016802"), iv]);
        let both = element(0x30, &[&kdf, &scheme]);
        let algorithm = element(0x30, &[&unhex("06092a864886f70d01050d"), &both]);
        element(0x30, &[&algorithm, data])
    };
    // What GmSSL reads.
    assert_eq!(rebuild("300b06092a811ccf5501831102"), made);
    for named in [
        "300e060a2a811ccf5501831103010500",
        "300d06092a811ccf55018311020500",
        "020110300b06092a811ccf5501831102",
    ] {
        let (key, form) = read_private_key(&rebuild(named), Some(b"secret")).expect(named);
        same(Ok(key));
        assert_eq!(
            form.structure,
            PrivateKeyStructure::EncryptedPkcs8(encryption)
        );
    }
    // No hash named is SHA-1.
    let absent = read_private_key(&rebuild(""), Some(b"secret")).map(|_| ());
    assert_eq!(absent, Err(Error::WrongPassword));
}

#[test]
fn a_hostile_file_cannot_keep_its_reader_busy() {
    let pbkdf2 = |fields: &[&[u8]]| {
        let salt = element(4, &[&[0; 8]]);
        let fields = element(0x30, &[&salt, &fields.concat()]);
        encrypted(&element(0x30, &[&unhex("06092a864886f70d01050c"), &fields]))
    };
    let read = |bytes: &[u8]| read_private_key(bytes, Some(b"x")).map(|_| ());
    assert_eq!(read(&pbkdf2(&[&[2, 1, 1]])), Err(Error::WrongPassword));
    assert_eq!(read(&pbkdf2(&[&[2, 1, 0]])), Err(Error::IterationCount(0)));
    assert_eq!(
        read(&pbkdf2(&[&[2, 4, 0, 0x98, 0x96, 0x81]])),
        Err(Error::IterationCount(10_000_001))
    );
    assert_eq!(
        read(&pbkdf2(&[&[2, 5, 0, 0xff, 0xff, 0xff, 0xff]])),
        Err(Error::IterationCount(0xffff_ffff))
    );
    assert_eq!(
        read(&pbkdf2(&[&[
            2, 8, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff
        ]])),
        Err(Error::IterationCount(u64::MAX >> 1))
    );
    assert!(read(&pbkdf2(&[&[2, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0]])).is_err());
    // It is refused before a password is asked for.
    refused(&pbkdf2(&[&[2, 1, 0]]), Error::IterationCount(0));
    // The length of the key, if said, is the cipher's.
    assert_eq!(
        read(&pbkdf2(&[&[2, 1, 1], &[2, 1, 16]])),
        Err(Error::WrongPassword)
    );
    assert_eq!(
        read(&pbkdf2(&[&[2, 1, 1], &[2, 1, 32]])),
        Err(Error::EncryptionParameters)
    );
    // An unknown hash.
    assert!(matches!(
        read(&pbkdf2(&[
            &[2, 1, 1],
            &unhex("300c06082a864886f70d02050500")
        ])),
        Err(Error::UnsupportedEncryption(_))
    ));

    let scrypt = |fields: &[&[u8]]| {
        let salt = element(4, &[&[0; 8]]);
        let fields = element(0x30, &[&salt, &fields.concat()]);
        encrypted(&element(0x30, &[&unhex("06092b06010401da47040b"), &fields]))
    };
    let (n16, r8, p1): (&[u8], &[u8], &[u8]) = (&[2, 1, 16], &[2, 1, 8], &[2, 1, 1]);
    assert_eq!(read(&scrypt(&[n16, r8, p1])), Err(Error::WrongPassword));
    assert_eq!(
        read(&scrypt(&[&[2, 1, 15], r8, p1])),
        Err(Error::EncryptionParameters)
    );
    let huge_n: &[u8] = &[2, 8, 0x40, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(read(&scrypt(&[huge_n, r8, p1])), Err(Error::ScryptCost));
    let huge: &[u8] = &[2, 4, 0x7f, 0xff, 0xff, 0xff];
    assert_eq!(read(&scrypt(&[n16, huge, p1])), Err(Error::ScryptCost));
    assert_eq!(read(&scrypt(&[n16, r8, huge])), Err(Error::ScryptCost));
    assert_eq!(
        read(&scrypt(&[n16, &[2, 1, 0], p1])),
        Err(Error::ScryptCost)
    );
    assert_eq!(
        read(&scrypt(&[n16, r8, &[2, 1, 0]])),
        Err(Error::ScryptCost)
    );
    // scrypt holds 128·r·p bytes beside its 128·r·N: with N = 2, r = 2^20 and p = 8 that would be a
    // gigabyte.
    let (n2, r20, p8): (&[u8], &[u8], &[u8]) = (&[2, 1, 2], &[2, 3, 0x10, 0, 0], &[2, 1, 8]);
    refused(&scrypt(&[n2, r20, p8]), Error::ScryptCost);
    assert_eq!(read(&scrypt(&[n2, r20, p8])), Err(Error::ScryptCost));
    // The largest p that is accepted with N = 2 and r = 2^15, and one more: 128·r·(N + p) is 2^28.
    let r15: &[u8] = &[2, 3, 0, 0x80, 0];
    refused(&scrypt(&[n2, r15, &[2, 1, 62]]), Error::PasswordNeeded);
    refused(&scrypt(&[n2, r15, &[2, 1, 63]]), Error::ScryptCost);
    let encryption = PasswordEncryption::AES
        .with_cipher(Cipher::Aes128Cbc)
        .with_key_derivation(KeyDerivation::Scrypt {
            log_n: 1,
            r: 1 << 15,
            p: 63,
        });
    let made = secret().to_encrypted_pkcs8_der(b"x", encryption, &mut getrandom::SysRng);
    assert_eq!(made, Err(Error::ScryptCost));
    // And nothing is written that would not be read.
    for (iterations, count) in [(0, 0), (10_000_001, 10_000_001)] {
        let made = secret().to_encrypted_pkcs8_der(
            b"x",
            PasswordEncryption::AES.with_iterations(iterations),
            &mut getrandom::SysRng,
        );
        assert_eq!(made, Err(Error::IterationCount(count)));
    }
}

#[test]
fn enveloped_keys() {
    let recipient = PrivateKey::generate().expect("random");
    let made = secret()
        .to_enveloped_key(recipient.public_key(), &mut getrandom::SysRng)
        .expect("wraps");
    same(recipient.open_enveloped_key(&made));
    let failed = secret().open_enveloped_key(&made).map(|_| ());
    assert_eq!(failed, Err(Error::Sm2(sm2::Error::DecryptionFailed)));
    refused(&made, Error::UnexpectedEnvelopedKey);
    assert_eq!(public(&made), Err(Error::UnexpectedEnvelopedKey));

    let mut other_public = made.clone();
    let at = made.len() - 2 - 1 - 32 - 65;
    let g = [&[4][..], &parameters::gx(), &parameters::gy()].concat();
    other_public[at..at + 65].copy_from_slice(&g);
    // Whatever was altered, the error is the same.
    let decryption_failed = Err(Error::Sm2(sm2::Error::DecryptionFailed));
    let open = |bytes: &[u8]| recipient.open_enveloped_key(bytes).map(|_| ());
    assert_eq!(open(&other_public), decryption_failed);
    // Some encrypt 64 bytes, the first 32 of them zero; and nothing else than zero may they be.
    let by_hand = |encrypted: &[u8], algorithm: &str| {
        let key = recipient
            .public_key()
            .encrypt(&[0x5a; 16])
            .expect("encrypts");
        let point = secret().public_key().to_sec1_bytes();
        element(
            0x30,
            &[
                &unhex(algorithm),
                &key.to_der(),
                &element(3, &[&[0], &point]),
                &element(3, &[&[0], encrypted]),
            ],
        )
    };
    let sm4_ecb = "300a06082a811ccf55016801";
    let sm4 = "300906072a811ccf550168";
    let encrypt = |plain: &[u8]| {
        let cipher = Sm4::new(&[0x5a; 16].into());
        let mut out = plain.to_vec();
        for block in out.as_chunks_mut::<16>().0 {
            cipher.encrypt_block(block.into());
        }
        out
    };
    let d = secret().to_bytes();
    for algorithm in [sm4_ecb, sm4] {
        same(recipient.open_enveloped_key(&by_hand(&encrypt(&d[..]), algorithm)));
    }
    let long = [&[0; 32], &d[..]].concat();
    same(recipient.open_enveloped_key(&by_hand(&encrypt(&long), sm4_ecb)));
    assert_eq!(
        open(&by_hand(&encrypt(&[0xff; 32]), sm4_ecb)),
        decryption_failed
    );
    let garbage = [&[0; 31], &[1][..], &d[..]].concat();
    assert_eq!(
        open(&by_hand(&encrypt(&garbage), sm4_ecb)),
        decryption_failed
    );
    assert_eq!(
        open(&by_hand(&encrypt(&d[..16]), sm4_ecb)),
        Err(Error::Sm2(sm2::Error::PrivateKeyLength(16)))
    );
    let sm4_cbc = "300a06082a811ccf55016802";
    assert!(matches!(
        open(&by_hand(&encrypt(&d[..]), sm4_cbc)),
        Err(Error::UnsupportedEncryption(_))
    ));

    for length in 0..made.len() {
        assert!(recipient.open_enveloped_key(&made[..length]).is_err());
    }
    for bit in 0..8 * made.len() {
        let mut altered = made.clone();
        altered[bit / 8] ^= 1 << (bit % 8);
        // The parameters of SM4 in ECB mode say nothing.
        if let Ok(key) = recipient.open_enveloped_key(&altered) {
            same(Ok(key));
        }
    }
}
