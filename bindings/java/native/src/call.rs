//! The border to the JVM: a call, in which panics and failures become exceptions.

use std::any::Any;
use std::ffi::c_void;

use jni::errors::ErrorPolicy;
use jni::strings::{JNIStr, JNIString};
use jni::{Env, EnvUnowned, jni_str};

use kuaimi::{encoding, sm2, sm4, sm9};

/// A function as Java knows it: its name, its type and its address.
pub(crate) type Entry = (&'static JNIStr, &'static JNIStr, *mut c_void);

/// The exceptions that a call may throw.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// `InvalidKeyException`
    Key,
    /// `SignatureException`
    Signature,
    /// `BadPaddingException`: a decryption failed, for whatever reason.
    Decryption,
    /// `AEADBadTagException`, which is a `BadPaddingException`.
    Tag,
    /// `IllegalArgumentException`
    Argument,
    /// `ProviderException`: the random generator failed, or this library is wrong.
    Provider,
}

impl Kind {
    fn class(self) -> &'static JNIStr {
        match self {
            Self::Key => jni_str!("java/security/InvalidKeyException"),
            Self::Signature => jni_str!("java/security/SignatureException"),
            Self::Decryption => jni_str!("javax/crypto/BadPaddingException"),
            Self::Tag => jni_str!("javax/crypto/AEADBadTagException"),
            Self::Argument => jni_str!("java/lang/IllegalArgumentException"),
            Self::Provider => jni_str!("java/security/ProviderException"),
        }
    }
}

/// Why a call fails.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The JVM refused something: its own exception may be pending.
    Jvm(jni::errors::Error),
    /// An exception to be thrown.
    Throw(Kind, String),
}

impl Failure {
    pub(crate) fn argument(reason: impl ToString) -> Self {
        Self::Throw(Kind::Argument, reason.to_string())
    }
}

impl From<jni::errors::Error> for Failure {
    fn from(error: jni::errors::Error) -> Self {
        Self::Jvm(error)
    }
}

impl From<sm2::Error> for Failure {
    fn from(error: sm2::Error) -> Self {
        use sm2::Error as E;
        let kind = match error {
            E::SecretKeyLength(_)
            | E::SecretKeyRange
            | E::PointFormat(_)
            | E::PointLength(_)
            | E::CoordinateRange
            | E::NotOnCurve
            | E::PointAtInfinity => Kind::Key,
            E::SignatureLength(_)
            | E::SignatureEncoding
            | E::SignatureR
            | E::SignatureS
            | E::SignatureT
            | E::InvalidSignature => Kind::Signature,
            E::DecryptionFailed | E::CiphertextLength(_) => Kind::Decryption,
            E::Random => Kind::Provider,
            _ => Kind::Argument,
        };
        Self::Throw(kind, error.to_string())
    }
}

impl From<sm9::Error> for Failure {
    fn from(error: sm9::Error) -> Self {
        use sm9::Error as E;
        let kind = match error {
            E::InvalidSignature => Kind::Signature,
            E::DecryptionFailed => Kind::Decryption,
            E::Random => Kind::Provider,
            E::EmptyIdentity | E::EmptyMessage | E::MessageTooLong | E::KeyLength => Kind::Argument,
            _ => Kind::Key,
        };
        Self::Throw(kind, error.to_string())
    }
}

impl From<sm4::Error> for Failure {
    fn from(error: sm4::Error) -> Self {
        let kind = match error {
            sm4::Error::DecryptionFailed => Kind::Tag,
            sm4::Error::KeyLength { .. } => Kind::Key,
            _ => Kind::Argument,
        };
        Self::Throw(kind, error.to_string())
    }
}

impl From<encoding::Error> for Failure {
    fn from(error: encoding::Error) -> Self {
        match error {
            encoding::Error::Sm2(error) => error.into(),
            encoding::Error::Sm9(error) => error.into(),
            error => Self::Throw(Kind::Key, error.to_string()),
        }
    }
}

/// Failures and panics become exceptions; what is returned then is not looked at.
struct Throw;

impl<T: Default> ErrorPolicy<T, Failure> for Throw {
    type Captures<'unowned_env_local: 'native_method, 'native_method> = ();

    fn on_error<'unowned_env_local: 'native_method, 'native_method>(
        env: &mut Env<'unowned_env_local>,
        (): &mut (),
        failure: Failure,
    ) -> jni::errors::Result<T> {
        let (kind, reason) = match failure {
            Failure::Throw(kind, reason) => (kind, reason),
            Failure::Jvm(error) => (Kind::Provider, error.to_string()),
        };
        // An exception of the JVM's own, such as OutOfMemoryError, says more than any of ours.
        if !env.exception_check() {
            throw(env, kind, &reason);
        }
        Ok(T::default())
    }

    fn on_panic<'unowned_env_local: 'native_method, 'native_method>(
        env: &mut Env<'unowned_env_local>,
        (): &mut (),
        _: Box<dyn Any + Send + 'static>,
    ) -> jni::errors::Result<T> {
        if !env.exception_check() {
            let reason =
                "Kuaimi's native library met a condition that it must not meet: please report it";
            throw(env, Kind::Provider, reason);
        }
        Ok(T::default())
    }
}

fn throw(env: &mut Env<'_>, kind: Kind, reason: &str) {
    // The error says that an exception is pending, which is what was asked for.
    let _pending = env.throw_new(kind.class(), JNIString::new(reason));
}

/// Runs the body of a function that Java calls.
pub(crate) fn call<'local, T: Default>(
    mut env: EnvUnowned<'local>,
    body: impl FnOnce(&mut Env<'local>) -> Result<T, Failure>,
) -> T {
    env.with_env(body).resolve::<Throw>()
}
