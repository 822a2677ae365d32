//! The primitives of PBES2, from their crates.

use alloc::vec::Vec;

use aes::{Aes128, Aes192, Aes256};
use cbc::cipher::block_padding::Pkcs7;
use cbc::cipher::consts::U16;
use cbc::cipher::{
    Array, BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, InnerIvInit,
    KeyInit,
};
use pbkdf2::pbkdf2_hmac;
use zeroize::Zeroizing;

use super::parameters::{Cipher, KeyDerivation, Prf};
use crate::encoding::Error;
use crate::memory::zeroed;
use crate::sm3::Sm3;
use crate::sm4::{Sm4, padding_length};

/// The block length of all ciphers, in bytes, and so the length of an initialization vector.
pub(super) const BLOCK_LEN: usize = 16;

impl Cipher {
    /// Decrypts `ciphertext` in CBC mode and removes the padding of PKCS #7. Constant time in the
    /// key and the padding; `None` if the padding or a length is wrong.
    ///
    /// An attacker who learns for many ciphertexts whether the padding was right can decrypt
    /// without the key (a padding oracle). So report a wrong padding as a wrong key.
    ///
    /// ```
    /// use kuaimi::encoding::Cipher;
    ///
    /// let (key, iv) = ([7; 16], [8; 16]);
    /// let encrypted = Cipher::Sm4Cbc.encrypt_padded(&key, &iv, b"a secret").unwrap();
    /// let decrypted = Cipher::Sm4Cbc.decrypt_padded(&key, &iv, &encrypted).unwrap();
    /// assert_eq!(decrypted.as_slice(), b"a secret");
    /// ```
    pub fn decrypt_padded(
        self,
        key: &[u8],
        iv: &[u8; 16],
        ciphertext: &[u8],
    ) -> Option<Zeroizing<Vec<u8>>> {
        let mut data = Zeroizing::new(ciphertext.to_vec());
        let length = self.decrypt(key, iv, &mut data)?;
        data.truncate(length);
        Some(data)
    }

    /// Encrypts `plaintext` in CBC mode with the padding of PKCS #7; `None` if the key has another
    /// length than [`key_len`](Self::key_len).
    ///
    /// ```
    /// use kuaimi::encoding::Cipher;
    ///
    /// let encrypted = Cipher::Aes256Cbc.encrypt_padded(&[7; 32], &[8; 16], b"a secret").unwrap();
    /// assert_eq!(encrypted.len(), 16);
    /// assert_eq!(Cipher::Aes256Cbc.encrypt_padded(&[7; 16], &[8; 16], b"a secret"), None);
    /// ```
    pub fn encrypt_padded(self, key: &[u8], iv: &[u8; 16], plaintext: &[u8]) -> Option<Vec<u8>> {
        let mut data = Zeroizing::new(alloc::vec![0; plaintext.len() + BLOCK_LEN]);
        data.get_mut(..plaintext.len())?.copy_from_slice(plaintext);
        let length = self.encrypt(key, iv, &mut data, plaintext.len())?;
        data.truncate(length);
        Some(core::mem::take(&mut *data))
    }

    /// Decrypts in place. The result is the plaintext's length, or nothing if the padding is wrong.
    fn decrypt(self, key: &[u8], iv: &[u8; BLOCK_LEN], data: &mut [u8]) -> Option<usize> {
        fn run<C: BlockCipherDecrypt<BlockSize = U16> + KeyInit>(
            key: &[u8],
            iv: &[u8; BLOCK_LEN],
            data: &mut [u8],
        ) -> Option<usize> {
            let (blocks, rest) = Array::slice_as_chunks_mut(data);
            if !rest.is_empty() {
                return None;
            }
            cbc::Decryptor::inner_iv_init(C::new_from_slice(key).ok()?, iv.into())
                .decrypt_blocks(blocks);
            data.len().checked_sub(padding_length(data.last_chunk()?)?)
        }
        match self {
            Self::Aes128Cbc => run::<Aes128>(key, iv, data),
            Self::Aes192Cbc => run::<Aes192>(key, iv, data),
            Self::Aes256Cbc => run::<Aes256>(key, iv, data),
            Self::Sm4Cbc => run::<Sm4>(key, iv, data),
        }
    }

    /// Encrypts the first `length` bytes of `data`, which has room for one block more. The result
    /// is the ciphertext's length.
    fn encrypt(
        self,
        key: &[u8],
        iv: &[u8; BLOCK_LEN],
        data: &mut [u8],
        length: usize,
    ) -> Option<usize> {
        fn run<C: BlockCipherEncrypt<BlockSize = U16> + KeyInit>(
            key: &[u8],
            iv: &[u8; BLOCK_LEN],
            data: &mut [u8],
            length: usize,
        ) -> Option<usize> {
            cbc::Encryptor::inner_iv_init(C::new_from_slice(key).ok()?, iv.into())
                .encrypt_padded::<Pkcs7>(data, length)
                .ok()
                .map(<[u8]>::len)
        }
        match self {
            Self::Aes128Cbc => run::<Aes128>(key, iv, data, length),
            Self::Aes192Cbc => run::<Aes192>(key, iv, data, length),
            Self::Aes256Cbc => run::<Aes256>(key, iv, data, length),
            Self::Sm4Cbc => run::<Sm4>(key, iv, data, length),
        }
    }
}

impl Prf {
    /// The bytes of one output, `hLen`.
    const fn output_len(self) -> u64 {
        match self {
            Self::HmacSha1 => 20,
            Self::HmacSha224 => 28,
            Self::HmacSha256 | Self::HmacSm3 => 32,
            Self::HmacSha384 => 48,
            Self::HmacSha512 => 64,
        }
    }
}

impl KeyDerivation {
    /// Derives a key of `length` bytes from a password and a salt.
    ///
    /// A key that was made so is no stronger than the password. The salt should be random and new
    /// for each use, with 16 bytes or more. PBKDF2 is constant time in the password except for its
    /// length. scrypt is not: the addresses that it reads depend on the password.
    ///
    /// # Errors
    /// [`Error::IterationCount`] and [`Error::ScryptCost`] as [`check`](Self::check);
    /// [`Error::EncryptionParameters`] for a length that the function cannot make.
    ///
    /// ```
    /// use kuaimi::encoding::{Error, KeyDerivation, Prf};
    ///
    /// let pbkdf2 = KeyDerivation::Pbkdf2 { prf: Prf::HmacSm3, iterations: 1000 };
    /// let key = pbkdf2.derive(b"password", &[7; 16], 32)?;
    /// assert_eq!(key.len(), 32);
    /// let scrypt = KeyDerivation::Scrypt { log_n: 40, r: 8, p: 1 };
    /// assert_eq!(scrypt.derive(b"password", &[7; 16], 32), Err(Error::ScryptCost));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// Source: RFC 8018, clause 5.2 (PBKDF2); RFC 7914 (scrypt).
    pub fn derive(
        self,
        password: &[u8],
        salt: &[u8],
        length: usize,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.check()?;
        // RFC 8018, clause 5.2, step 1.
        if let Self::Pbkdf2 { prf, .. } = self
            && length as u64 > u64::from(u32::MAX) * prf.output_len()
        {
            return Err(Error::EncryptionParameters);
        }
        let mut key = zeroed(length).ok_or(Error::EncryptionParameters)?;
        match self {
            Self::Pbkdf2 { prf, iterations } => {
                let derive = match prf {
                    Prf::HmacSha1 => pbkdf2_hmac::<sha1::Sha1>,
                    Prf::HmacSha224 => pbkdf2_hmac::<sha2::Sha224>,
                    Prf::HmacSha256 => pbkdf2_hmac::<sha2::Sha256>,
                    Prf::HmacSha384 => pbkdf2_hmac::<sha2::Sha384>,
                    Prf::HmacSha512 => pbkdf2_hmac::<sha2::Sha512>,
                    Prf::HmacSm3 => pbkdf2_hmac::<Sm3>,
                };
                derive(password, salt, iterations, &mut key);
            }
            Self::Scrypt { log_n, r, p } => {
                let parameters = scrypt::Params::new(log_n, r, p).map_err(|_| Error::ScryptCost)?;
                scrypt::scrypt(password, salt, &parameters, &mut key)
                    .map_err(|_| Error::EncryptionParameters)?;
            }
        }
        Ok(key)
    }
}
