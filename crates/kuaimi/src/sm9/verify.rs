//! Verifying (GB/T 38635.2-2020, clause 6.3). Variable time: all of it is public.

use super::points::{self, G2, Gt};
use super::{Error, HID_SIGN, Identity, MasterSigningPublicKey, MessageHash, Signature};
use kuaimi_math::arith::U256;

impl MasterSigningPublicKey {
    /// Verifies `signature` over `message` by `identity`, with [`HID_SIGN`] by default.
    ///
    /// Two products in `G1`, two Miller loops with kept lines, and one final exponentiation. For an identity whose signatures come again and
    /// again see [`prepare`](Self::prepare).
    ///
    /// # Errors
    /// [`Error::InvalidSignature`] if it is not this identity's signature over this message; [`Error::EmptyIdentity`].
    pub fn verify<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), Error> {
        self.verify_hashed(identity, &MessageHash::of(message), signature)
    }

    /// As [`verify`](Self::verify), of a message in pieces.
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub fn verify_hashed<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
        message: &MessageHash,
        signature: &Signature,
    ) -> Result<(), Error> {
        // B3 to B7: w' = e(S, P)·g^h with P = [h1]P2 + Ppub-s is e([h1]S, P2)·e(S + [h]P1, Ppub-s): two points that are not known
        // before, both in G1, and nothing in G2 or GT.
        let h1 = identity.into().h1(HID_SIGN)?;
        let s = &signature.s().0;
        let first = (points::g1_mul(&h1, s), points::g2_generator_lines());
        let w = match points::g1_generator_mul_add_vartime(&signature.h_integer(), s) {
            Some(sum) => points::pairing_product_with(&[], &[first, (sum, self.lines())]),
            // S = −[h]P1, whose pairing is 1.
            None => points::pairing_product_with(&[], &[first]),
        };
        conclude(message, signature, &w)
    }

    /// Steps B4 and B5: `P = [H1(ID ‖ hid)]P2 + Ppub-s`, by `h1 = H1(ID ‖ hid)`.
    pub(super) fn point_for(&self, h1: &U256) -> Result<G2, Error> {
        // Infinity would need a master key that has no key for this identity, so that no signature is valid.
        points::g2_generator_mul_add_vartime(h1, self.point()).ok_or(Error::InvalidSignature)
    }
}

/// Step B8. That `h ∈ [1, N − 1]` (B1) and that `S` is in `G1` (B2), a `Signature` is proof of.
pub(super) fn conclude(message: &MessageHash, signature: &Signature, w: &Gt) -> Result<(), Error> {
    if message.h2(w) == signature.h_integer() {
        Ok(())
    } else {
        Err(Error::InvalidSignature)
    }
}
