//! Verifying (GB/T 38635.2-2020, clause 6.3). Variable time, as all data is public.

use kuaimi_math::sm9::group::{self, Gt};

use super::{Error, MessageHash, PreparedVerifyingKey, Signature, VerifyingKey};

/// What verifying needs of a key, prepared or not.
pub(super) trait VerifyOps {
    /// Steps B3 to B7: `w' = e(S, P)·g^h` with `P = [H1(ID ‖ hid)]P2 + Ppub-s`; nothing where `P` is infinity, so that no signature is
    /// valid.
    fn w(&self, signature: &Signature) -> Option<Gt>;
}

impl VerifyOps for VerifyingKey {
    /// As `e([h1]S, P2)·e(S + [h]P1, Ppub-s)`: both points that are not known before are in `G1`, and nothing is computed in `G2` or
    /// `GT`. Two products in `G1`, two Miller loops with precomputed lines, and one final exponentiation.
    fn w(&self, signature: &Signature) -> Option<Gt> {
        let s = &signature.s().0;
        let product = group::g1_mul(self.key_identity().h1(), s);
        let first = (product, group::g2_generator_lines());
        Some(
            match group::g1_generator_mul_add_vartime(&signature.h_integer(), s) {
                Some(sum) => {
                    let second = (sum, self.master_public_key().lines());
                    group::pairing_product_with(&[], &[first, second])
                }
                // S = −[h]P1, whose pairing is 1.
                None => group::pairing_product_with(&[], &[first]),
            },
        )
    }
}

/// Step B8. A `Signature` has `h ∈ [1, N − 1]` (B1) and `S` in `G1` (B2).
pub(super) fn verify(
    key: &dyn VerifyOps,
    message: &MessageHash,
    signature: &Signature,
) -> Result<(), Error> {
    match key.w(signature) {
        Some(w) if message.h2(&w) == signature.h_integer() => Ok(()),
        _ => Err(Error::InvalidSignature),
    }
}

/// The methods that verify, of a key that is prepared or not.
macro_rules! verifying_methods {
    ($key:ident, $alice:literal) => {
        impl $key {
            /// Verifies `signature` over `message`.
            ///
            /// # Errors
            /// [`Error::InvalidSignature`] if it is not this identity's signature over this message under this master public key.
            ///
            /// ```
            /// # #[cfg(feature = "std")] {
            /// # use kuaimi::sm9::{Error, MasterSigningKey};
            /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
            /// # let signature = master.extract("alice")?.sign(b"a message")?;
            #[doc = concat!("let alice = ", $alice, ";")]
            /// alice.verify(b"a message", &signature)?;
            /// assert_eq!(alice.verify(b"a massage", &signature), Err(Error::InvalidSignature));
            /// # }
            /// # Ok::<(), kuaimi::sm9::Error>(())
            /// ```
            ///
            /// Source: GB/T 38635.2-2020, clause 6.3.
            pub fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
                self.verify_prehash(&MessageHash::of(message), signature)
            }

            /// As [`verify`](Self::verify), for a message that is already hashed.
            ///
            /// # Errors
            /// As [`verify`](Self::verify).
            ///
            /// ```
            /// # #[cfg(feature = "std")] {
            /// # use kuaimi::sm9::{MasterSigningKey, MessageHash};
            /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
            /// # let signature = master.extract("alice")?.sign(b"a message")?;
            #[doc = concat!("let alice = ", $alice, ";")]
            /// alice.verify_prehash(&MessageHash::of(b"a message"), &signature)?;
            /// # }
            /// # Ok::<(), kuaimi::sm9::Error>(())
            /// ```
            pub fn verify_prehash(
                &self,
                message: &MessageHash,
                signature: &Signature,
            ) -> Result<(), Error> {
                verify(self, message, signature)
            }
        }
    };
}

verifying_methods!(
    VerifyingKey,
    "master.public_key().verifying_key(\"alice\")?"
);
verifying_methods!(
    PreparedVerifyingKey,
    "master.public_key().verifying_key(\"alice\")?.prepare()"
);
