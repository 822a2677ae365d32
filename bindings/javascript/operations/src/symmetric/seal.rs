//! SM4-GCM of a message that comes in pieces: sealing alone, as opening would hand out what nobody
//! has verified.

use alloc::vec::Vec;

use kuaimi::sm4::{Sm4Gcm, Sm4GcmStream};

use crate::Result;
use crate::object::{Handle, Object, other};

/// A message under a key and a nonce, which no other message of that key may have.
pub fn sm4_seal_new(key: &[u8], nonce: &[u8], associated: &[u8]) -> Result<Object> {
    let mut stream = Sm4GcmStream::new(&Sm4Gcm::from_slice(key)?, nonce)?;
    stream.associated_data(associated)?;
    Ok(Object::Seal(stream.into()))
}

/// The ciphertext of the next piece.
pub fn sm4_seal_update(stream: &Handle, data: &[u8]) -> Result<Vec<u8>> {
    stream.with(|object| match object {
        Object::Seal(stream) => {
            let mut out = data.to_vec();
            stream.encrypt(&mut out)?;
            Ok(out)
        }
        _ => Err(other()),
    })
}

/// The tag; the stream is used up.
pub fn sm4_seal_finish(stream: &Handle) -> Result<[u8; Sm4Gcm::TAG_LEN]> {
    match stream.take(|object| matches!(object, Object::Seal(_)))? {
        Object::Seal(stream) => Ok(stream.tag()),
        _ => Err(other()),
    }
}
