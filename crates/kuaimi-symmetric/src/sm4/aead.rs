//! The `aead` crate's traits for [`Sm4Gcm`] and [`Sm4Ccm`], with nonces of 12 bytes and tags of 16,
//! as TLS 1.3 has them (RFC 8998).

#![forbid(unsafe_code)]

use aead::consts::{U12, U16};
use aead::{AeadCore, AeadInOut, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};
use cipher::InOutBuf;

use super::{Sm4Ccm, Sm4Gcm};

macro_rules! implement {
    ($mode:ty) => {
        impl KeySizeUser for $mode {
            type KeySize = U16;
        }

        impl KeyInit for $mode {
            fn new(key: &Key<Self>) -> Self {
                Self::new(key.as_ref())
            }
        }

        impl AeadCore for $mode {
            type NonceSize = U12;
            type TagSize = U16;
            const TAG_POSITION: TagPosition = TagPosition::Postfix;
        }

        impl AeadInOut for $mode {
            fn encrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                associated_data: &[u8],
                data: InOutBuf<'_, '_, u8>,
            ) -> aead::Result<Tag<Self>> {
                self.seal_inout(nonce, associated_data, data)
                    .map(Into::into)
                    .map_err(|_| aead::Error)
            }

            fn decrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                associated_data: &[u8],
                data: InOutBuf<'_, '_, u8>,
                tag: &Tag<Self>,
            ) -> aead::Result<()> {
                self.open_inout(nonce, associated_data, data, tag.as_ref())
                    .map_err(|_| aead::Error)
            }
        }
    };
}

implement!(Sm4Gcm);
implement!(Sm4Ccm);
