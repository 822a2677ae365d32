//! The border to the JVM: a call, in which panics and failures become exceptions.

use std::any::Any;
use std::ffi::c_void;

use jni::errors::ErrorPolicy;
use jni::strings::{JNIStr, JNIString};
use jni::{Env, EnvUnowned, jni_str};

use kuaimi::{ErrorKind, encoding, sm2, sm3, sm4, sm9};

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
    /// `GmMessageException`: what is read is no such message. It is this library's own.
    Message,
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
            Self::Message => jni_str!("io/github/kuaimi/cms/GmMessageException"),
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

/// `docs/errors.md` has the same table, and a test compares them.
impl From<ErrorKind> for Kind {
    fn from(kind: ErrorKind) -> Self {
        use ErrorKind as K;
        match kind {
            K::InvalidSignature
            | K::NotRecoverable
            | K::CertificateRefused
            | K::SignatureEncoding => Self::Signature,
            K::DecryptionFailed | K::CiphertextEncoding | K::InputChanged => Self::Decryption,
            K::Malformed
            | K::TrailingBytes
            | K::Text
            | K::PointEncoding
            | K::NotOnCurve
            | K::Table
            | K::PublicKeyMismatch
            | K::KeyLength
            | K::PrivateKeyRange
            | K::NotAKey
            | K::OtherKey
            | K::OtherAlgorithm
            | K::UserKeyMismatch
            | K::UnusableMasterKey
            | K::ExchangeKey
            | K::MasterPublicKeyMissing
            | K::PasswordNeeded
            | K::WrongPassword
            | K::UnsupportedEncryption
            | K::EncryptionCost => Self::Key,
            K::ConfirmationFailed
            | K::ExchangeState
            | K::EqualHalves
            | K::IdentityTooLong
            | K::EmptyIdentity
            | K::EmptyMessage
            | K::MessageTooLong
            | K::DerivedKeyLength
            | K::RecoveryId
            | K::EmptyNonce
            | K::NonceLength
            | K::TagLength
            | K::PartialBlock
            | K::DataTooShort
            | K::AssociatedDataLate
            | K::InvalidArgument
            | K::UnknownBackend => Self::Argument,
            _ => Self::Provider,
        }
    }
}

/// The library's errors, by their kinds.
macro_rules! by_kind {
    ($($error:ty),*) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::Throw(error.kind().into(), error.to_string())
            }
        }
    )*};
}
by_kind!(sm2::Error, sm3::KdfError, sm9::Error, encoding::Error);

impl From<sm4::Error> for Failure {
    fn from(error: sm4::Error) -> Self {
        let kind = match error.kind() {
            // JCA has an exception of its own for tags, which is a `BadPaddingException`, too.
            ErrorKind::DecryptionFailed => Kind::Tag,
            kind => kind.into(),
        };
        Self::Throw(kind, error.to_string())
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

#[cfg(test)]
mod tests {
    use kuaimi::ErrorKind;

    use super::Kind;

    #[test]
    fn exceptions_are_those_of_the_page() {
        kuaimi_testing::error_table::check("Java", ErrorKind::ALL, |kind| {
            let class = Kind::from(kind).class().to_string();
            class.rsplit('/').next().unwrap_or_default().to_owned()
        });
    }
}
