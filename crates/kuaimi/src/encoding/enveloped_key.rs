//! Enveloped keys, `SM2EnvelopedKey` (GB/T 35276-2017, clause 7.4; GM/T 0009-2012): how a
//! certificate authority sends an encryption key pair to the holder of a signing key.
//!
//! `SEQUENCE { symAlgID AlgorithmIdentifier, symEncryptedKey SM2Cipher, sm2PublicKey BIT STRING,
//! sm2EncryptedPrivateKey BIT STRING }`. The private key is encrypted with SM4 in ECB mode, without
//! padding, under a random key, and that key is encrypted with SM2.

use alloc::vec::Vec;

use der::asn1::BitStringRef;
use der::{Reader, SliceReader};
use rand_core::TryCryptoRng;
use spki::AlgorithmIdentifierRef;
use zeroize::Zeroizing;

use super::public_key::whole_bytes;
use super::tlv::{BIT_STRING, NULL, OBJECT_IDENTIFIER, SEQUENCE, element};
use super::{Error, oid};
use crate::sm2::{self, Ciphertext, PrivateKey, PublicKey};
use crate::sm4::Sm4;

impl PrivateKey {
    /// This key pair as an enveloped key, in DER, which the holder of `recipient`'s private key can
    /// open. The symmetric key and the nonce come from `rng`. Constant time in the key.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use kuaimi::sm2::PrivateKey;
    ///
    /// let (pair, recipient) = (PrivateKey::generate()?, PrivateKey::generate()?);
    /// let enveloped = pair.to_enveloped_key(recipient.public_key(), &mut getrandom::SysRng)?;
    /// let opened = recipient.open_enveloped_key(&enveloped)?;
    /// assert_eq!(opened.public_key(), pair.public_key());
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    pub fn to_enveloped_key<R: TryCryptoRng + ?Sized>(
        &self,
        recipient: &PublicKey,
        rng: &mut R,
    ) -> Result<Vec<u8>, Error> {
        let mut key = Zeroizing::new([0; 16]);
        rng.try_fill_bytes(key.as_mut())
            .map_err(|_| Error::Random)?;
        let mut private = self.to_bytes();
        let cipher = Sm4::new(&key);
        for block in private.as_chunks_mut::<16>().0 {
            cipher.encrypt(block);
        }
        let encrypted_key = recipient.encrypt_with_rng(rng, key.as_ref())?;
        let algorithm = element(
            SEQUENCE,
            &[
                &element(OBJECT_IDENTIFIER, &[oid::SM4_ECB.as_bytes()]),
                &element(NULL, &[]),
            ],
        );
        Ok(element(
            SEQUENCE,
            &[
                &algorithm,
                &encrypted_key.to_der(),
                &element(BIT_STRING, &[&[0], &self.public_key().to_sec1_bytes()]),
                &element(BIT_STRING, &[&[0], private.as_ref()]),
            ],
        ))
    }

    /// The key pair in the enveloped key `bytes`, in DER, which was made for this private key.
    /// Constant time in the keys.
    ///
    /// The private key may be encrypted as 32 bytes, or as 64 bytes of which the first 32 are zero.
    /// The public key in the enveloped key must belong to it.
    ///
    /// ```
    /// # #[cfg(feature = "getrandom")] {
    /// use kuaimi::sm2::PrivateKey;
    ///
    /// let (pair, recipient) = (PrivateKey::from_bytes(&[7; 32])?, PrivateKey::from_bytes(&[8; 32])?);
    /// let enveloped = pair.to_enveloped_key(recipient.public_key(), &mut getrandom::SysRng)?;
    /// assert_eq!(recipient.open_enveloped_key(&enveloped)?, pair);
    /// assert!(pair.open_enveloped_key(&enveloped).is_err(), "another key");
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Sm2`] with [`sm2::Error::DecryptionFailed`] if the enveloped key is for another key
    /// or was altered; [`Error::UnsupportedEncryption`] for another symmetric algorithm than SM4 in
    /// ECB mode; and the errors of malformed DER.
    pub fn open_enveloped_key(&self, bytes: &[u8]) -> Result<Self, Error> {
        let mut reader = SliceReader::new(bytes)?;
        let (algorithm, encrypted_key, public, private) =
            reader.sequence(|fields| -> Result<_, Error> {
                let algorithm: AlgorithmIdentifierRef<'_> = fields.decode()?;
                let encrypted_key = fields.tlv_bytes()?;
                let public: BitStringRef<'_> = fields.decode()?;
                let private: BitStringRef<'_> = fields.decode()?;
                Ok((algorithm, encrypted_key, public, private))
            })?;
        reader.finish()?;

        if ![oid::SM4_ECB, oid::SM4].contains(&algorithm.oid) {
            return Err(Error::UnsupportedEncryption(algorithm.oid));
        }
        let public = PublicKey::from_sec1_bytes(whole_bytes(&public)?)?;
        let key = self.decrypt(&Ciphertext::from_der(encrypted_key)?)?;
        // A key of another length does not follow the standard.
        let cipher = Sm4::from_slice(&key).map_err(|_| sm2::Error::DecryptionFailed)?;

        let mut private = Zeroizing::new(whole_bytes(&private)?.to_vec());
        let wrong_length = sm2::Error::PrivateKeyLength(private.len());
        if ![32, 64].contains(&private.len()) {
            return Err(wrong_length.into());
        }
        for block in private.as_chunks_mut::<16>().0 {
            cipher.decrypt(block);
        }
        let (padding, private) = private.split_last_chunk::<32>().ok_or(wrong_length)?;
        // Whatever is wrong with what was decrypted: one error, and it does not say what.
        let zero = padding.iter().fold(0, |all, byte| all | byte) == 0;
        match Self::from_bytes(private) {
            Ok(secret) if zero && *secret.public_key() == public => Ok(secret),
            _ => Err(sm2::Error::DecryptionFailed.into()),
        }
    }
}
