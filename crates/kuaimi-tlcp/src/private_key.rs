//! The encrypting key of a pair: in memory, or in a device.

use kuaimi::sm2::exchange::{Initiator, Opening, Party, Peer, Responder};
use kuaimi::sm2::{Ciphertext, DEFAULT_ID, PrivateKey, PublicKey};
use kuaimi_pki::Error;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

/// The length of the premaster secret in bytes.
pub const PREMASTER_LEN: usize = 48;

/// The holder of an encrypting key. [`PrivateKey`] is one. A program with a hardware module writes
/// another; for the signing key there is [`kuaimi_pki::Signer`].
///
/// Every function may be called from several threads. Errors end the handshake with
/// `internal_error`, so a wrong ciphertext is no error: see
/// [`decrypt_premaster`](Self::decrypt_premaster).
pub trait EncryptionKey: Send + Sync {
    /// The public key, which is that of the encrypting certificate.
    fn public_key(&self) -> &PublicKey;

    /// Decrypts the premaster secret of ECC. `premaster` has random bytes, and they stay if the
    /// ciphertext is wrong, or the plaintext does not have 48 bytes or does not begin with
    /// `version`: then the handshake fails later, and the peer cannot tell why. Neither the result
    /// nor the time may depend on which of these it is.
    ///
    /// # Errors
    /// That the key cannot be used at all, such as a module that does not answer.
    fn decrypt_premaster(
        &self,
        ciphertext: &Ciphertext,
        version: [u8; 2],
        premaster: &mut [u8; PREMASTER_LEN],
    ) -> Result<(), Error>;

    /// Begins SM2's key exchange as its initiator, under the default identity: a server of ECDHE.
    /// The result is the ephemeral public key, and what finishes the exchange.
    ///
    /// # Errors
    /// That the key cannot be used.
    fn begin_exchange(&self) -> Result<(PublicKey, Box<dyn PendingExchange>), Error>;

    /// Answers SM2's key exchange as its responder, under the default identity: a client of ECDHE.
    /// `peer` is the public key of the initiator's certificate and `ephemeral` its point. The
    /// result is the own ephemeral public key, and 48 bytes, which nobody has confirmed.
    ///
    /// # Errors
    /// That the key cannot be used, or that there is no such key.
    fn answer_exchange(
        &self,
        peer: &PublicKey,
        ephemeral: &PublicKey,
    ) -> Result<(PublicKey, Zeroizing<[u8; PREMASTER_LEN]>), Error>;
}

/// A key exchange that waits for the responder.
pub trait PendingExchange: Send + Sync {
    /// The 48 bytes, which nobody has confirmed. `peer` is the public key of the responder's
    /// certificate and `ephemeral` its point.
    ///
    /// # Errors
    /// That the key cannot be used, or that there is no such key.
    fn finish(
        self: Box<Self>,
        peer: &PublicKey,
        ephemeral: &PublicKey,
    ) -> Result<Zeroizing<[u8; PREMASTER_LEN]>, Error>;
}

impl EncryptionKey for PrivateKey {
    fn public_key(&self) -> &PublicKey {
        self.public_key()
    }

    fn decrypt_premaster(
        &self,
        ciphertext: &Ciphertext,
        version: [u8; 2],
        premaster: &mut [u8; PREMASTER_LEN],
    ) -> Result<(), Error> {
        // The length of the plaintext is that of the ciphertext, and public.
        if ciphertext.masked().len() != PREMASTER_LEN {
            return Ok(());
        }
        let (plaintext, right) = self.decrypt_with_verdict(ciphertext);
        let right: Choice = right & plaintext[..2].ct_eq(&version);
        for (byte, decrypted) in premaster.iter_mut().zip(plaintext.iter()) {
            byte.conditional_assign(decrypted, right);
        }
        Ok(())
    }

    fn begin_exchange(&self) -> Result<(PublicKey, Box<dyn PendingExchange>), Error> {
        let (opening, point) = Opening::start(Party::new(self, DEFAULT_ID)?)?;
        Ok((point, Box::new(opening)))
    }

    fn answer_exchange(
        &self,
        peer: &PublicKey,
        ephemeral: &PublicKey,
    ) -> Result<(PublicKey, Zeroizing<[u8; PREMASTER_LEN]>), Error> {
        let responder = Responder::new(Party::new(self, DEFAULT_ID)?, Peer::new(peer, DEFAULT_ID)?);
        let response = responder.respond(ephemeral, PREMASTER_LEN)?;
        Ok((*response.point(), array(&response.key_unconfirmed())))
    }
}

impl PendingExchange for Opening {
    fn finish(
        self: Box<Self>,
        peer: &PublicKey,
        ephemeral: &PublicKey,
    ) -> Result<Zeroizing<[u8; PREMASTER_LEN]>, Error> {
        let initiator: Initiator = self.with_peer(Peer::new(peer, DEFAULT_ID)?);
        Ok(array(
            &initiator.finish_unconfirmed(ephemeral, PREMASTER_LEN)?,
        ))
    }
}

fn array(key: &[u8]) -> Zeroizing<[u8; PREMASTER_LEN]> {
    let mut out = Zeroizing::new([0; PREMASTER_LEN]);
    out.copy_from_slice(key);
    out
}
