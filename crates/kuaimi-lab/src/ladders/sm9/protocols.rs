//! SM9's protocols as a whole: plain code, assembly, lanes inside one operation, and what is
//! computed in advance. All of it is the library itself, whose implementations are chosen one after
//! the other.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use crate::harness::implementation::with_implementation;
use crate::ladders::backend::implementations;
use crate::ladders::rung::{Ladder, Rung};
use crate::ours::Ours;

/// A protocol: the ladder's name and title, and its operation without and with what is computed in
/// advance.
type Protocol = (&'static str, &'static str, [&'static str; 2]);

pub(in crate::ladders) const SIGN: &str = "sm9-sign";
pub(in crate::ladders) const VERIFY: &str = "sm9-verify";
pub(in crate::ladders) const ENCAPSULATE: &str = "sm9-encapsulate";
pub(in crate::ladders) const DECAPSULATE: &str = "sm9-decapsulate";
pub(in crate::ladders) const ENCRYPT: &str = "sm9-encrypt";
pub(in crate::ladders) const DECRYPT: &str = "sm9-decrypt";
pub(in crate::ladders) const EXCHANGE: &str = "sm9-exchange";

const PROTOCOLS: [Protocol; 7] = [
    (SIGN, "SM9: a signature", ["sm9-sign", "sm9-sign-prepared"]),
    (
        VERIFY,
        "SM9: a verification",
        ["sm9-verify", "sm9-verify-prepared"],
    ),
    (
        ENCAPSULATE,
        "SM9: an encapsulation",
        ["sm9-encap", "sm9-encap-prepared"],
    ),
    (
        DECAPSULATE,
        "SM9: a decapsulation",
        ["sm9-decap", "sm9-decap-prepared"],
    ),
    (
        ENCRYPT,
        "SM9: an encryption",
        ["sm9-encrypt", "sm9-encrypt-prepared"],
    ),
    (
        DECRYPT,
        "SM9: a decryption",
        ["sm9-decrypt", "sm9-decrypt-prepared"],
    ),
    (
        EXCHANGE,
        "SM9: a key exchange, both sides",
        ["sm9-exchange", "sm9-exchange-prepared"],
    ),
];

pub(in crate::ladders) fn ladder(wanted: &str) -> Ladder {
    let found = PROTOCOLS.into_iter().find(|(name, ..)| *name == wanted);
    let (name, title, [plain, prepared]) = found.unwrap_or(PROTOCOLS[0]);
    let ours = match Ours::new(&["sm9"]) {
        Ok(ours) => Rc::new(RefCell::new(ours)),
        Err(error) => unreachable!("keys are made: {error:#}"),
    };
    let rung = |name: &'static str,
                what: &'static str,
                implementation: &'static str,
                work: &'static str| {
        let ours = Rc::clone(&ours);
        let run = move |count| {
            let repeat = || ours.borrow_mut().repeat(work, count, Duration::ZERO);
            let done = with_implementation(implementation, repeat);
            // The operations verify what they compute.
            assert!(done.is_ok(), "{work}: {:?}", done.err());
        };
        Rung::new(name, what, "kuaimi, sm9", Box::new(run))
    };
    let implementations = implementations();
    let mut rungs: Vec<Rung> = implementations
        .iter()
        .map(|&implementation| match implementation {
            "portable64" => rung(
                "portable64",
                "Plain Rust, 64-bit limbs; nothing is computed in advance.",
                implementation,
                plain,
            ),
            "adx" => rung(
                "adx",
                "MULX with two chains of carries; nothing is computed in advance.",
                implementation,
                plain,
            ),
            _ => rung(
                "library",
                "All that this CPU has, lanes inside one pairing and one power among it.",
                implementation,
                plain,
            )
            .used_by_library()
            .depends_on_cpu(),
        })
        .collect();
    if let Some(&implementation) = implementations.last() {
        let what = "The same with tables of keys and of powers of g, and lines of the Miller loop, made before.";
        rungs.push(
            rung("library-prepared", what, implementation, prepared)
                .used_by_library()
                .depends_on_cpu(),
        );
    }
    Ladder {
        name,
        title,
        about: "One operation is the protocol's, on a message or a key of 16 or 32 bytes, with the system's random numbers. Published for a Python SM9, all \
                of its optimisations together: 1.32 to 4.52 ×, the range over the seven protocols (Xie, Liu, Cai and Luo, Performance optimization method \
                for domestic cryptographic algorithm SM9, 2025; a figure for each is not in its abstract).",
        rungs,
    }
}

#[cfg(test)]
mod tests {
    use kuaimi::precompute::Precompute;
    use kuaimi::sm9::{EncryptionKey, MasterEncryptionKey, MasterSigningKey, VerifyingKey};

    use super::{PROTOCOLS, ladder};
    use crate::harness::implementation::with_implementation;
    use crate::ladders::backend::implementations;

    /// Rungs differ in what computes, never in what comes out: what one implementation makes each
    /// one reads, prepared or not.
    #[test]
    fn all_implementations_read_what_each_makes() {
        let signing = MasterSigningKey::from_bytes(&[7; 32]).unwrap();
        let encryption = MasterEncryptionKey::from_bytes(&[9; 32]).unwrap();
        let signer = signing.extract("a").unwrap();
        let reader = encryption.extract("b").unwrap();
        for name in implementations() {
            let (signatures, ciphertext) = with_implementation(name, || {
                let key = EncryptionKey::new(encryption.public_key(), "b").unwrap();
                let signatures = [
                    signer.sign(b"m").unwrap(),
                    signer
                        .with_precompute(Precompute::AtOnce)
                        .sign(b"m")
                        .unwrap(),
                ];
                (signatures, key.encrypt(b"secret").unwrap())
            });
            for other in implementations() {
                with_implementation(other, || {
                    let key = VerifyingKey::new(signing.public_key(), "a").unwrap();
                    for signature in &signatures {
                        key.verify(b"m", signature).unwrap();
                        key.with_precompute(Precompute::AtOnce)
                            .verify(b"m", signature)
                            .unwrap();
                        assert!(key.verify(b"n", signature).is_err());
                    }
                    assert_eq!(*reader.decrypt(&ciphertext).unwrap(), b"secret"[..]);
                    assert_eq!(
                        *reader
                            .with_precompute(Precompute::AtOnce)
                            .decrypt(&ciphertext)
                            .unwrap(),
                        b"secret"[..]
                    );
                });
            }
        }
    }

    #[test]
    fn every_protocol_has_its_rungs() {
        for (name, ..) in PROTOCOLS {
            let ladder = ladder(name);
            assert_eq!(ladder.name, name);
            assert_eq!(ladder.rungs.len(), implementations().len() + 1);
        }
    }
}
