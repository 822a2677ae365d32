//! Cipher block chaining (GB/T 17964-2021, clause 6; NIST SP 800-38A, 6.2).

#![forbid(unsafe_code)]

use alloc::vec::Vec;

use subtle::{Choice, ConstantTimeEq, ConstantTimeGreater};
use zeroize::Zeroize;

use super::backend::{Chaining, Direction, Masks};
use super::block::whole_blocks;
use super::{BLOCK_LEN, Block, Error, KEY_LEN, Sm4};
use kuaimi_platform::declassify;

/// SM4 in CBC mode, for protocols and files that require it.
///
/// The initialization vector (IV) of 16 bytes must be unpredictable: take it from a random
/// generator for each message. CBC does not detect altered data. A program that tells an attacker
/// whether the padding was right lets the attacker decrypt, so authenticate the ciphertext first.
/// If you can choose the mode, use [`Sm4Gcm`](super::Sm4Gcm). Encryption is sequential; decryption
/// takes 64 blocks at a time. Constant time except for lengths, and for whether the padding was
/// right.
///
/// ```
/// use kuaimi::sm4::Sm4Cbc;
///
/// let (cipher, iv) = (Sm4Cbc::new(&[7; 16]), [9; 16]);
/// let ciphertext = cipher.encrypt_padded(&iv, b"any length");
/// assert_eq!(ciphertext.len(), 16);
/// assert_eq!(cipher.decrypt_padded(&iv, &ciphertext)?, b"any length");
/// # Ok::<(), kuaimi::sm4::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sm4Cbc(Sm4);

/// Blocks decrypted at a time.
const CHUNK: usize = 64;

impl Sm4Cbc {
    /// CBC with a key of 16 bytes.
    pub fn new(key: &[u8; KEY_LEN]) -> Self {
        Self(Sm4::new(key))
    }

    /// CBC with a cipher that has its key already.
    ///
    /// ```
    /// use kuaimi::sm4::{Sm4, Sm4Cbc};
    ///
    /// let (cipher, iv) = (Sm4Cbc::with_cipher(Sm4::new(&[7; 16])), [9; 16]);
    /// let mut data = [5; 32];
    /// cipher.encrypt(&iv, &mut data)?;
    /// assert_ne!(data[..16], data[16..]);
    /// cipher.decrypt(&iv, &mut data)?;
    /// assert_eq!(data, [5; 32]);
    /// # Ok::<(), kuaimi::sm4::Error>(())
    /// ```
    pub const fn with_cipher(cipher: Sm4) -> Self {
        Self(cipher)
    }

    /// Encrypts whole blocks in place, without padding.
    ///
    /// To continue with more data, use the last 16 bytes of this ciphertext as the next IV.
    ///
    /// ```
    /// use kuaimi::sm4::{Sm4, Sm4Cbc};
    ///
    /// let (cipher, iv) = (Sm4Cbc::with_cipher(Sm4::new(&[7; 16])), [9; 16]);
    /// let mut data = [5; 32];
    /// cipher.encrypt(&iv, &mut data)?;
    /// assert_ne!(data[..16], data[16..]);
    /// cipher.decrypt(&iv, &mut data)?;
    /// assert_eq!(data, [5; 32]);
    /// # Ok::<(), kuaimi::sm4::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::PartialBlock`] unless the length is a multiple of 16; then nothing is encrypted.
    pub fn encrypt(&self, iv: &[u8; BLOCK_LEN], data: &mut [u8]) -> Result<(), Error> {
        let mut chain = *iv;
        self.0.chain(Chaining::Cbc, &mut chain, whole_blocks(data)?);
        Ok(())
    }

    /// Decrypts whole blocks in place, and does not remove padding.
    ///
    /// To continue with more data, use the last 16 bytes of this ciphertext as the next IV.
    ///
    /// ```
    /// use kuaimi::sm4::{Sm4, Sm4Cbc};
    ///
    /// let (cipher, iv) = (Sm4Cbc::with_cipher(Sm4::new(&[7; 16])), [9; 16]);
    /// let mut data = [5; 32];
    /// cipher.encrypt(&iv, &mut data)?;
    /// assert_ne!(data[..16], data[16..]);
    /// cipher.decrypt(&iv, &mut data)?;
    /// assert_eq!(data, [5; 32]);
    /// # Ok::<(), kuaimi::sm4::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::PartialBlock`] unless the length is a multiple of 16; then nothing is decrypted.
    pub fn decrypt(&self, iv: &[u8; BLOCK_LEN], data: &mut [u8]) -> Result<(), Error> {
        // What is added to each block: the IV, and then the ciphertext before it.
        let mut masks = [Block::default(); CHUNK + 1];
        masks[0] = (*iv).into();
        for blocks in whole_blocks(data)?.chunks_mut(CHUNK) {
            let length = blocks.len();
            masks[1..=length].copy_from_slice(blocks);
            let before = Masks::After(&masks[..length]);
            self.0
                .crypt_masked(Direction::Decrypt, before, blocks.into());
            masks[0] = masks[length];
        }
        Ok(())
    }

    /// Encrypts a message of any length, with 1 to 16 bytes of padding (PKCS#7).
    pub fn encrypt_padded(&self, iv: &[u8; BLOCK_LEN], message: &[u8]) -> Vec<u8> {
        let padding = BLOCK_LEN - message.len() % BLOCK_LEN;
        let mut data = Vec::with_capacity(message.len() + padding);
        data.extend_from_slice(message);
        data.resize(message.len() + padding, padding as u8);
        // With the padding, the data is whole blocks.
        let result = self.encrypt(iv, &mut data);
        debug_assert!(result.is_ok());
        data
    }

    /// Decrypts a ciphertext of [`encrypt_padded`](Self::encrypt_padded), and removes the padding.
    ///
    /// # Errors
    /// [`Error::PartialBlock`] if the length is not a multiple of 16, and
    /// [`Error::DecryptionFailed`] if the ciphertext is empty or the padding is wrong; then all
    /// that was decrypted is wiped.
    pub fn decrypt_padded(
        &self,
        iv: &[u8; BLOCK_LEN],
        ciphertext: &[u8],
    ) -> Result<Vec<u8>, Error> {
        let mut data = ciphertext.to_vec();
        self.decrypt(iv, &mut data)?;
        let Some(last) = data.last_chunk::<BLOCK_LEN>() else {
            return Err(Error::DecryptionFailed);
        };
        // The return value reveals it; the documentation warns of attackers who learn it.
        if let Some(length) = padding_length(last) {
            data.truncate(data.len() - length);
            Ok(data)
        } else {
            data.zeroize();
            Err(Error::DecryptionFailed)
        }
    }
}

/// How many bytes of padding (PKCS #7) end with this last block, where it is padding. Constant time
/// but for the answer. For other modes and ciphers of the library; no promise of stability.
#[doc(hidden)]
pub fn padding_length(last: &[u8; BLOCK_LEN]) -> Option<usize> {
    // The last byte is the length of the padding, and all bytes of the padding must equal it.
    let padding = last[BLOCK_LEN - 1];
    let mut right = !padding.ct_eq(&0) & !padding.ct_gt(&(BLOCK_LEN as u8));
    for (i, byte) in last.iter().rev().enumerate() {
        let inside: Choice = padding.ct_gt(&(i as u8));
        right &= !inside | byte.ct_eq(&padding);
    }
    // Who decrypts learns it, and the length of the message with it.
    if !declassify(right) {
        return None;
    }
    (1..=BLOCK_LEN).find(|&n| declassify(padding.ct_eq(&(n as u8))))
}
