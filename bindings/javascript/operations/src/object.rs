//! What JavaScript holds a handle of.

#[cfg(any(feature = "pki", feature = "sm2"))]
use alloc::boxed::Box;
#[cfg(feature = "pki")]
use alloc::sync::Arc;
#[cfg(feature = "native")]
use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(feature = "sm2")]
use kuaimi::external::hmac::{Hmac, KeyInit, Mac};
#[cfg(feature = "sm2")]
use kuaimi::sm3::Sm3;
#[cfg(feature = "sm2")]
use kuaimi::sm4::{Sm4Ccm, Sm4Gcm, Sm4GcmStream};
#[cfg(not(feature = "native"))]
use spin::{Mutex, MutexGuard};

#[cfg(feature = "sm2")]
use crate::symmetric::Stream;
use crate::{Failure, Result};

/// Something with a state or a secret.
#[allow(missing_docs, reason = "the types say it")]
pub enum Object {
    #[cfg(feature = "sm2")]
    Sm3(Sm3),
    #[cfg(feature = "sm2")]
    Hmac(Hmac<Sm3>),
    #[cfg(feature = "sm2")]
    // In the heap: a move leaves a copy that nobody wipes.
    Stream(Box<Stream>),
    #[cfg(feature = "sm2")]
    Gcm(Box<Sm4Gcm>),
    #[cfg(feature = "sm2")]
    Ccm(Box<Sm4Ccm>, usize),
    #[cfg(feature = "sm2")]
    Seal(Box<Sm4GcmStream>),
    #[cfg(feature = "sm2")]
    Sm2Private(kuaimi::sm2::SigningKey),
    #[cfg(feature = "sm2")]
    Sm2Public(kuaimi::sm2::VerifyingKey),
    #[cfg(feature = "sm2")]
    Sm2Initiator(kuaimi::sm2::exchange::Initiator, kuaimi::sm2::PublicKey),
    #[cfg(feature = "sm2")]
    Sm2Response(kuaimi::sm2::exchange::Response),
    #[cfg(feature = "sm9")]
    Sm9(crate::sm9::Key),
    #[cfg(feature = "sm9")]
    Sm9Initiator(kuaimi::sm9::exchange::Initiator, kuaimi::sm9::G1Point),
    #[cfg(feature = "sm9")]
    Sm9Response(kuaimi::sm9::exchange::Response),
    #[cfg(feature = "pki")]
    Unsigned(crate::pki::Unsigned),
    #[cfg(feature = "pki")]
    // In the heap, as it is far larger than the others.
    Message(Box<crate::pki::Message>),
    #[cfg(feature = "pki")]
    Verifier(Arc<kuaimi_pki::chain::Verifier>),
    #[cfg(feature = "pki")]
    Crl(kuaimi_pki::crl::Crl),
    // Files alone need no objects.
    #[cfg(not(any(feature = "pki", feature = "sm2", feature = "sm9")))]
    Nothing,
}

/// An object until it is disposed of or used up. Threads may share it.
pub struct Handle(Mutex<Option<Object>>);

impl Handle {
    /// A handle of an object.
    pub fn new(object: impl Into<Object>) -> Self {
        Self(Mutex::new(Some(object.into())))
    }

    /// Wipes what the object holds. The handle is of no use afterwards.
    pub fn dispose(&self) {
        self.lock().take();
    }

    // A panic does not leave an object half changed: panics end the program or the addon's call.
    fn lock(&self) -> MutexGuard<'_, Option<Object>> {
        let guard = self.0.lock();
        #[cfg(feature = "native")]
        let guard = guard.unwrap_or_else(PoisonError::into_inner);
        guard
    }

    /// Does `work` with the object.
    ///
    /// # Errors
    /// The object was disposed of or used up, or `work` fails.
    pub fn with<T>(&self, work: impl FnOnce(&mut Object) -> Result<T>) -> Result<T> {
        work(self.lock().as_mut().ok_or_else(gone)?)
    }

    /// Takes the object, so that it is used up.
    ///
    /// # Errors
    /// The object was disposed of or used up, or does not fit: it then stays.
    pub fn take(&self, fits: impl FnOnce(&Object) -> bool) -> Result<Object> {
        let mut place = self.lock();
        if !fits(place.as_ref().ok_or_else(gone)?) {
            return Err(other());
        }
        place.take().ok_or_else(gone)
    }
}

fn gone() -> Failure {
    finished!("this object was disposed of, or is used up")
}

/// A handle of another kind than the operation takes.
pub(crate) fn other() -> Failure {
    argument!("this object is of another kind than the function takes")
}

/// A function that gives a clone of what a variant holds. Clones share keys and tables, so that no
/// lock is held while the operation works.
macro_rules! holds {
    ($($(#[$attribute:meta])* $variant:ident($type:ty) $name:ident;)*) => {$(
        $(#[$attribute])*
        impl From<$type> for Object {
            fn from(value: $type) -> Self {
                Self::$variant(value)
            }
        }

        $(#[$attribute])*
        impl Handle {
            pub(crate) fn $name(&self) -> Result<$type> {
                self.with(|object| match object {
                    Object::$variant(value) => Ok(value.clone()),
                    _ => Err(other()),
                })
            }
        }
    )*};
}
holds! {
    #[cfg(feature = "sm2")]
    Hmac(Hmac<Sm3>) hmac;
    #[cfg(feature = "sm2")]
    Sm2Private(kuaimi::sm2::SigningKey) sm2_private;
    #[cfg(feature = "sm2")]
    Sm2Public(kuaimi::sm2::VerifyingKey) sm2_public;
    #[cfg(feature = "sm9")]
    Sm9(crate::sm9::Key) sm9;
    #[cfg(feature = "pki")]
    Unsigned(crate::pki::Unsigned) unsigned;
    #[cfg(feature = "pki")]
    Verifier(Arc<kuaimi_pki::chain::Verifier>) verifier;
    #[cfg(feature = "pki")]
    Crl(kuaimi_pki::crl::Crl) crl;
}

#[cfg(feature = "sm2")]
impl From<Sm3> for Object {
    fn from(hash: Sm3) -> Self {
        Self::Sm3(hash)
    }
}

#[cfg(feature = "sm2")]
impl From<Stream> for Object {
    fn from(stream: Stream) -> Self {
        Self::Stream(Box::new(stream))
    }
}

#[cfg(feature = "sm2")]
impl From<Sm4Gcm> for Object {
    fn from(cipher: Sm4Gcm) -> Self {
        Self::Gcm(Box::new(cipher))
    }
}

#[cfg(feature = "sm2")]
/// HMAC-SM3 under a key.
pub(crate) fn hmac(key: &[u8]) -> Result<Hmac<Sm3>> {
    Hmac::new_from_slice(key).map_err(|_| argument!("no HMAC key"))
}

#[cfg(feature = "sm2")]
/// The code of an HMAC.
pub(crate) fn code(hmac: Hmac<Sm3>) -> [u8; 32] {
    hmac.finalize().into_bytes().into()
}
