//! Verifying (GB/T 38635.2-2020, clause 6.3). Variable time, as all data is public.

use kuaimi_math::sm9::group::{self, Gt, GtTable, Lines};

use super::{Error, MessageHash, Signature, VerifyingKey};

/// The lines of Miller's loop through `P`, and the table of `g`.
pub(super) type VerifyingTables<'a> = (&'a Lines, &'a GtTable);

impl VerifyingKey {
    /// Verifies `signature` over `message`.
    ///
    /// # Errors
    /// [`Error::InvalidSignature`] if it is not this identity's signature over this message under
    /// this master public key.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::{Error, MasterSigningKey};
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
    /// # let signature = master.extract("alice")?.sign(b"a message")?;
    /// let alice = master.public_key().verifying_key("alice")?;
    /// alice.verify(b"a message", &signature)?;
    /// assert_eq!(alice.verify(b"a massage", &signature), Err(Error::InvalidSignature));
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    ///
    /// Source: GB/T 38635.2-2020, clause 6.3.
    pub fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
        self.verify_hash(&MessageHash::of(message), signature)
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
    /// let alice = master.public_key().verifying_key("alice")?;
    /// alice.verify_hash(&MessageHash::of(b"a message"), &signature)?;
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn verify_hash(&self, message: &MessageHash, signature: &Signature) -> Result<(), Error> {
        self.verify_in(self.used_tables(), message, signature)
    }

    /// Step B8. A `Signature` has `h ∈ [1, N − 1]` (B1) and `S` in `G1` (B2).
    pub(super) fn verify_in(
        &self,
        tables: Option<VerifyingTables<'_>>,
        message: &MessageHash,
        signature: &Signature,
    ) -> Result<(), Error> {
        // B3 to B7: w' = e(S, P)·g^h with P = [H1(ID ‖ hid)]P2 + Ppub-s
        let w = match tables {
            Some(tables) => w_with(tables, signature),
            None => self.w_without(signature),
        };
        if message.h2(&w) == signature.h_integer() {
            Ok(())
        } else {
            Err(Error::InvalidSignature)
        }
    }

    /// `w'` as `e([h1]S, P2)·e(S + [h]P1, Ppub-s)`: both points that are not known before are in
    /// `G1`, and nothing is computed in `G2` or `GT`. Two products in `G1`, two Miller loops with
    /// precomputed lines, and one final exponentiation.
    fn w_without(&self, signature: &Signature) -> Gt {
        let s = &signature.s().0;
        let product = group::g1_mul(self.key_identity().h1(), s);
        let first = (product, group::g2_generator_lines());
        match group::g1_generator_mul_add_vartime(&signature.h_integer(), s) {
            Some(sum) => {
                let second = (sum, self.master_public_key().lines());
                group::pairing_product_with(&[], &[first, second])
            }
            // S = −[h]P1, whose pairing is 1.
            None => group::pairing_product_with(&[], &[first]),
        }
    }
}

/// `w'` as the standard has it: one Miller loop, and a power of `g` from its table.
fn w_with((lines, g_table): VerifyingTables<'_>, signature: &Signature) -> Gt {
    // B4: t = g^h
    let t = g_table.pow_vartime(&signature.h_integer());
    // B6, B7: w' = e(S, P)·t
    let u = group::pairing_with(&signature.s().0, lines);
    group::gt_mul(&u, &t)
}
