//! The two AEADs of RFC 8998, clause 3.4, for records of TLS 1.3 (RFC 8446, clause 5.2): keys of
//! 16 bytes, nonces of 12, tags of 16.

use kuaimi::sm4::{Error, KEY_LEN, Sm4Ccm, Sm4Gcm};

/// The length of a tag.
pub(crate) const TAG_LEN: usize = 16;

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Gcm,
    Ccm,
}

/// An AEAD with its key.
pub(crate) enum Aead {
    Gcm(Box<Sm4Gcm>),
    Ccm(Box<Sm4Ccm>),
    /// A key of another length, which rustls does not give: it seals and opens nothing.
    NoKey,
}

impl Aead {
    pub(crate) fn new(mode: Mode, key: &[u8]) -> Self {
        let Ok(key) = <&[u8; KEY_LEN]>::try_from(key) else {
            return Self::NoKey;
        };
        match mode {
            Mode::Gcm => Self::Gcm(Box::new(Sm4Gcm::new(key))),
            Mode::Ccm => Self::Ccm(Box::new(Sm4Ccm::new(key))),
        }
    }

    /// Encrypts in place, and gives the tag.
    pub(crate) fn seal(
        &self,
        nonce: &[u8; 12],
        associated_data: &[u8],
        data: &mut [u8],
    ) -> Result<[u8; TAG_LEN], Error> {
        match self {
            Self::Gcm(cipher) => cipher.seal_in_place(nonce, associated_data, data),
            Self::Ccm(cipher) => {
                let mut tag = [0; TAG_LEN];
                cipher.seal_in_place(nonce, associated_data, data, &mut tag)?;
                Ok(tag)
            }
            Self::NoKey => Err(Error::DecryptionFailed),
        }
    }

    /// Decrypts a ciphertext with its tag in place, and gives the length of the plaintext.
    pub(crate) fn open(
        &self,
        nonce: &[u8; 12],
        associated_data: &[u8],
        sealed: &mut [u8],
    ) -> Result<usize, Error> {
        let Some(length) = sealed.len().checked_sub(TAG_LEN) else {
            return Err(Error::DecryptionFailed);
        };
        let (data, tag) = sealed.split_at_mut(length);
        match self {
            Self::Gcm(cipher) => cipher.open_in_place(nonce, associated_data, data, tag)?,
            Self::Ccm(cipher) => cipher.open_in_place(nonce, associated_data, data, tag)?,
            Self::NoKey => return Err(Error::DecryptionFailed),
        }
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_altered_is_refused_and_stays_sealed() {
        for mode in [Mode::Gcm, Mode::Ccm] {
            let aead = Aead::new(mode, &[1; 16]);
            let mut sealed = b"a record".to_vec();
            let tag = aead.seal(&[2; 12], b"header", &mut sealed).unwrap();
            sealed.extend(tag);
            for at in 0..sealed.len() {
                let mut altered = sealed.clone();
                altered[at] ^= 1;
                let before = altered.clone();
                assert!(aead.open(&[2; 12], b"header", &mut altered).is_err());
                assert_eq!(altered, before, "{mode:?}, {at}");
            }
            for length in 0..sealed.len() {
                let mut shorter = sealed[..length].to_vec();
                assert!(aead.open(&[2; 12], b"header", &mut shorter).is_err());
            }
            assert!(aead.open(&[3; 12], b"header", &mut sealed.clone()).is_err());
            assert!(aead.open(&[2; 12], b"other", &mut sealed.clone()).is_err());
            assert_eq!(aead.open(&[2; 12], b"header", &mut sealed), Ok(8));
            assert_eq!(&sealed[..8], b"a record");
        }
    }

    #[test]
    fn a_key_of_another_length_seals_nothing() {
        let aead = Aead::new(Mode::Gcm, &[1; 32]);
        assert!(aead.seal(&[0; 12], b"", &mut []).is_err());
        assert!(aead.open(&[0; 12], b"", &mut [0; 16]).is_err());
    }
}
