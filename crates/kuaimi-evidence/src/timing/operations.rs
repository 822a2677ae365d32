//! The operations whose times are compared, and three that leak on purpose.

use std::hint::black_box;

use kuaimi::precompute::Precompute;
use kuaimi::sm2::{Ciphertext, PrivateKey, SigningKey};
use kuaimi::sm4::Sm4Gcm;
use kuaimi::{sm3, sm9};
use kuaimi_testing::Repeatable;

use super::{Class, Operation};

fn array<const N: usize>(rng: &mut Repeatable) -> [u8; N] {
    core::array::from_fn(|_| rng.word().to_le_bytes()[0])
}

/// A number below the orders of the groups of both SM2 and SM9.
fn scalar(rng: &mut Repeatable) -> [u8; 32] {
    let mut bytes = array(rng);
    bytes[0] &= 0x7F;
    bytes
}

pub(crate) fn all() -> Vec<Operation> {
    let mut operations = Vec::from(planted());
    operations.extend(sm2());
    operations.extend(sm9());
    operations.extend(symmetric());
    operations
}

fn planted() -> [Operation; 3] {
    const SECRET: [u8; 64] = [0x5A; 64];
    [
        // Random bytes differ at the first byte, so that the comparison ends there.
        Operation::new(
            "planted: a comparison that ends early",
            |rng, class| {
                Ok(match class {
                    Class::Fixed => SECRET,
                    Class::Random => array(rng),
                })
            },
            |guess: &[u8; 64]| {
                let equal = guess
                    .iter()
                    .zip(&SECRET)
                    .all(|(a, b)| black_box(a) == black_box(b));
                black_box(equal);
            },
        )
        .planted(),
        // A branch for each bit of the secret; the fixed one has few ones.
        Operation::new(
            "planted: a branch on a bit",
            |rng, class| {
                Ok(match class {
                    Class::Fixed => 1 << 40,
                    Class::Random => rng.word(),
                })
            },
            |secret: &u64| {
                let mut power = 1u64;
                for bit in 0..64 {
                    power = black_box(power.wrapping_mul(power));
                    if black_box(secret >> bit) & 1 == 1 {
                        power = black_box(power.wrapping_mul(3));
                    }
                }
                black_box(power);
            },
        )
        .planted(),
        // A division, whose time depends on its operands on some CPUs; a quotient of many digits
        // takes long on all of these.
        Operation::new(
            "planted: a quotient in steps",
            |rng, class| {
                Ok(match class {
                    Class::Fixed => 1000,
                    Class::Random => rng.word() >> 1,
                })
            },
            |secret: &u64| {
                let mut rest = *secret;
                while black_box(rest) > 0 {
                    rest /= black_box(10);
                }
            },
        )
        .planted(),
    ]
}

fn sm2() -> Vec<Operation> {
    let pair = |rng: &mut Repeatable, class: Class| {
        let secret = PrivateKey::from_bytes(&scalar(&mut class.secrets(rng)))?;
        let ciphertext = secret
            .public_key()
            .encrypt_with_rng(rng, b"a message of 32 bytes, for a key")?;
        Ok((secret, ciphertext))
    };
    vec![
        Operation::new(
            "SM2 key pair: what the generator gives",
            |rng, class| Ok(class.secrets(rng).0),
            |seed: &u64| {
                black_box(PrivateKey::generate_with_rng(&mut Repeatable(*seed)).ok());
            },
        ),
        Operation::new(
            "SM2 sign: the key",
            |rng, class| {
                let secret = PrivateKey::from_bytes(&scalar(&mut class.secrets(rng)))?;
                Ok((SigningKey::new(secret), array(rng), rng.word()))
            },
            |(key, e, seed): &(SigningKey, [u8; 32], u64)| {
                black_box(key.sign_digest_with_rng(&mut Repeatable(*seed), e).ok());
            },
        ),
        Operation::new(
            "SM2 encrypt: the nonce",
            |rng, class| {
                let secret = PrivateKey::from_bytes(&scalar(rng))?;
                Ok((*secret.public_key(), class.secrets(rng).0))
            },
            |(key, seed)| {
                black_box(
                    key.encrypt_with_rng(
                        &mut Repeatable(*seed),
                        b"a message of 32 bytes, for a key",
                    )
                    .ok(),
                );
            },
        ),
        Operation::new("SM2 decrypt: the key", pair, |(secret, ciphertext)| {
            black_box(secret.decrypt(ciphertext).ok());
        }),
        Operation::new(
            // Whether it was altered at all is the caller's to know, and what is done with the
            // message then takes other code.
            "SM2 decrypt: where the digest was altered",
            move |rng, class| {
                let (secret, ciphertext) = pair(rng, Class::Random)?;
                let mut digest = *ciphertext.digest();
                let (place, bit) = (rng.word() % 32, rng.word() % 8);
                match class {
                    Class::Fixed => digest[0] ^= 1,
                    Class::Random => digest[place as usize] ^= 1 << bit,
                }
                let masked = ciphertext.masked().to_vec();
                Ok((
                    secret,
                    Ciphertext::from_parts(*ciphertext.point(), digest, masked)?,
                ))
            },
            |(secret, ciphertext)| {
                black_box(secret.decrypt(ciphertext).ok());
            },
        ),
    ]
}

fn sm9() -> Vec<Operation> {
    vec![
        Operation::new(
            "SM9 extract a signing key: the master key",
            |rng, class| {
                Ok(sm9::MasterSigningKey::from_bytes(&scalar(
                    &mut class.secrets(rng),
                ))?)
            },
            |master| {
                black_box(master.extract("Alice").ok());
            },
        ),
        Operation::new(
            "SM9 extract an encryption key: the master key",
            |rng, class| {
                Ok(sm9::MasterEncryptionKey::from_bytes(&scalar(
                    &mut class.secrets(rng),
                ))?)
            },
            |master| {
                black_box(master.extract("Bob").ok());
            },
        ),
        Operation::new(
            "SM9 sign: the user's key",
            |rng, class| {
                let master = sm9::MasterSigningKey::from_bytes(&scalar(&mut class.secrets(rng)))?;
                Ok((
                    master.extract("Alice")?.with_precompute(Precompute::AtOnce),
                    rng.word(),
                ))
            },
            |(key, seed)| {
                black_box(key.sign_with_rng(&mut Repeatable(*seed), b"a message").ok());
            },
        ),
        Operation::new(
            "SM9 decapsulate: the user's key",
            |rng, class| {
                let master =
                    sm9::MasterEncryptionKey::from_bytes(&scalar(&mut class.secrets(rng)))?;
                let key = master.extract("Bob")?;
                let (_, c) = key.encryption_key().encapsulate_with_rng(rng, 32)?;
                Ok((key.with_precompute(Precompute::AtOnce), c))
            },
            |(key, c)| {
                black_box(key.decapsulate(c, 32).ok());
            },
        ),
    ]
}

fn symmetric() -> Vec<Operation> {
    let secrets = |rng: &mut Repeatable, class: Class| {
        let mut secrets = class.secrets(rng);
        let data: [u8; 1024] = array(&mut secrets);
        Ok((array(&mut secrets), data))
    };
    vec![
        Operation::new("SM4-GCM 1 KiB: key and message", secrets, |(key, data)| {
            let mut data = *data;
            black_box(
                Sm4Gcm::new(key)
                    .seal_in_place(&[7; 12], b"", &mut data)
                    .ok(),
            );
            black_box(data);
        }),
        Operation::new(
            "HMAC-SM3 1 KiB: key and message",
            secrets,
            |(key, data): &([u8; 16], _)| {
                black_box(sm3::hmac_sm3(key, data));
            },
        ),
    ]
}
