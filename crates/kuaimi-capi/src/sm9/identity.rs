//! Identities: a name is a public key.

use kuaimi::sm9::Identity;

use crate::buffer::kuaimi_bytes;
use crate::error::Error;

/// A user among many: the identity, and the function identifier.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct kuaimi_sm9_identity {
    /// The identity: a name, a mail address, a number. Not empty.
    pub id: kuaimi_bytes,
    /// The function identifier; 0 means the usual one for the operation.
    pub hid: u8,
}

impl kuaimi_sm9_identity {
    pub(crate) fn get(&self) -> Result<Identity<'_>, Error> {
        Ok(identity(self.id.get()?, self.hid))
    }
}

/// An identity with a function identifier, or with the usual one.
pub(crate) fn identity(id: &[u8], hid: u8) -> Identity<'_> {
    match hid {
        0 => Identity::new(id),
        hid => Identity::new(id).with_hid(hid),
    }
}
