//! What an error is about: one enumeration for all errors of the library, from which other
//! languages take theirs.

use core::ffi::CStr;
use core::fmt;

/// Defines the kinds: what each means, its name and its sentence.
macro_rules! kinds {
    (
        $(#[doc = $about:literal])+
        pub enum ErrorKind { $($(#[doc = $doc:literal])+ $name:ident = $sentence:literal,)+ }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ErrorKind {
            $($(#[doc = $doc])+ $name,)+
        }

        impl ErrorKind {
            /// All kinds, in the order of `docs/errors.md`.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The kind's name, which is that of the variant: for logs, and for languages that have
            /// no enumeration of kinds.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)+
                }
            }

            /// What the kind means and what to do, as `Display` shows it.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $sentence,)+
                }
            }

            /// The same for C.
            pub const fn as_c_str(self) -> &'static CStr {
                match self {
                    $(Self::$name => const { terminated(concat!($sentence, "\0")) },)+
                }
            }
        }
    };
}

kinds! {
    /// What an error is about: what a program can act on.
    ///
    /// Every error of the library has a kind, which its method `kind()` returns. An error says more
    /// than its kind, such as the length that was found, and its `Display` says all of it. A
    /// program that treats some causes in its own way matches on the kind, and shows the error for
    /// the others.
    ///
    /// The other languages have the same kinds: the C library's codes and Go's errors are one for
    /// each kind, and the exceptions of Python and Java, OpenSSL's reasons and the program's exit
    /// statuses are groups of them. `docs/errors.md` is the table.
    ///
    /// | what to do | kinds |
    /// | --- | --- |
    /// | take no for an answer: the data is not authentic | [`InvalidSignature`](Self::InvalidSignature), [`NotRecoverable`](Self::NotRecoverable), [`CertificateRefused`](Self::CertificateRefused), [`DecryptionFailed`](Self::DecryptionFailed), [`ConfirmationFailed`](Self::ConfirmationFailed) |
    /// | get the bytes again, or convert them: they are damaged or in another form | [`Malformed`](Self::Malformed), [`TrailingBytes`](Self::TrailingBytes), [`Text`](Self::Text), [`PointEncoding`](Self::PointEncoding), [`NotOnCurve`](Self::NotOnCurve), [`SignatureEncoding`](Self::SignatureEncoding), [`CiphertextEncoding`](Self::CiphertextEncoding), [`ExchangeState`](Self::ExchangeState), [`Table`](Self::Table), [`PublicKeyMismatch`](Self::PublicKeyMismatch) |
    /// | give another key | [`KeyLength`](Self::KeyLength), [`PrivateKeyRange`](Self::PrivateKeyRange), [`NotAKey`](Self::NotAKey), [`OtherKey`](Self::OtherKey), [`OtherAlgorithm`](Self::OtherAlgorithm), [`UserKeyMismatch`](Self::UserKeyMismatch), [`UnusableMasterKey`](Self::UnusableMasterKey), [`ExchangeKey`](Self::ExchangeKey), [`EqualHalves`](Self::EqualHalves), [`MasterPublicKeyMissing`](Self::MasterPublicKeyMissing) |
    /// | ask for the password | [`PasswordNeeded`](Self::PasswordNeeded), [`WrongPassword`](Self::WrongPassword) |
    /// | encrypt the key's file in another way | [`UnsupportedEncryption`](Self::UnsupportedEncryption), [`EncryptionCost`](Self::EncryptionCost) |
    /// | give another argument | [`IdentityTooLong`](Self::IdentityTooLong), [`EmptyIdentity`](Self::EmptyIdentity), [`EmptyMessage`](Self::EmptyMessage), [`MessageTooLong`](Self::MessageTooLong), [`DerivedKeyLength`](Self::DerivedKeyLength), [`RecoveryId`](Self::RecoveryId), [`EmptyNonce`](Self::EmptyNonce), [`NonceLength`](Self::NonceLength), [`TagLength`](Self::TagLength), [`PartialBlock`](Self::PartialBlock), [`DataTooShort`](Self::DataTooShort), [`AssociatedDataLate`](Self::AssociatedDataLate), [`InvalidArgument`](Self::InvalidArgument), [`UnknownBackend`](Self::UnknownBackend), [`FeatureNeeded`](Self::FeatureNeeded) |
    /// | look at the machine or its files | [`Random`](Self::Random), [`SelfCheck`](Self::SelfCheck), [`Io`](Self::Io), [`InputChanged`](Self::InputChanged) |
    pub enum ErrorKind {
        /// The signature is not this key's over this message under this identity.
        InvalidSignature = "the signature does not fit this message, key and identity",
        /// No public key leads to this signature over this digest with this recovery identifier.
        NotRecoverable = "no public key can be recovered from this signature",
        /// A certificate breaks a rule: it expired, is another host's, its issuer is not trusted.
        CertificateRefused = "the certificate is refused: it, or one above it, breaks a rule",
        /// Decryption failed: another key, another form of ciphertext, or altered data. Which of
        /// these is not said.
        DecryptionFailed = "decryption failed: another key, another form of ciphertext, or altered data",
        /// The other side of a key exchange does not hold the same key.
        ConfirmationFailed = "the other side of the key exchange does not hold the same key",
        /// The DER is malformed, or has another structure.
        Malformed = "the DER is malformed, or another kind of file",
        /// Bytes follow the end of the DER.
        TrailingBytes = "bytes follow the end of the DER encoding: remove them, or read it leniently if its maker is known to add them",
        /// The PEM, Base64 or hexadecimal text is malformed.
        Text = "the PEM, Base64 or hexadecimal text is malformed",
        /// A point has the wrong length or first byte, or a coordinate that is too large.
        PointEncoding = "the bytes are no point: 33 (compressed), 64 or 65 bytes are expected for SM2",
        /// A point is not on the curve or not in the group, or it is the point at infinity.
        NotOnCurve = "the point is not on the curve, or not in its group",
        /// The bytes are no signature in this form.
        SignatureEncoding = "the bytes are no signature in this form",
        /// The bytes are no ciphertext in this form.
        CiphertextEncoding = "the bytes are no ciphertext in this form",
        /// The bytes are no state of this side of a key exchange, or were altered.
        ExchangeState = "this is not the state of this side of a key exchange, or it was altered",
        /// A stored table is of another version, was altered, or belongs to another key.
        Table = "the table is of another version, was altered, or belongs to another key: prepare the key again",
        /// The public key that is stored with a private key does not belong to it.
        PublicKeyMismatch = "the public key stored with the private key does not belong to it: the file was altered or put together wrongly",
        /// A key has the wrong length.
        KeyLength = "the key has the wrong length: see the function's documentation",
        /// A private key or a master key is out of range.
        PrivateKeyRange = "the private key is out of range: it must be at least 1 and at most n - 2 (SM2) or N - 1 (SM9)",
        /// The bytes are no key in any supported form.
        NotAKey = "this is no key in any supported form",
        /// The key is of another kind than the function reads: private, public, enveloped, or
        /// another of SM9's.
        OtherKey = "this key is of another kind than the function reads",
        /// The key is of another algorithm, on another curve, or does not name its curve.
        OtherAlgorithm = "the key is of another algorithm or on another curve, or does not name its curve",
        /// An SM9 user's key was not made for this identity under this master key.
        UserKeyMismatch = "the user's key was not made for this identity under this master key",
        /// The master key cannot serve this identity. This does not happen by chance.
        UnusableMasterKey = "the master key cannot serve this identity: make a new master key, and all users' keys anew",
        /// The key exchange was started with another private key.
        ExchangeKey = "the key exchange was started with another private key",
        /// The two halves of a key for XTS are equal.
        EqualHalves = "the two halves of the XTS key are equal: they must be independent keys",
        /// An SM9 user's key is stored without the master public key.
        MasterPublicKeyMissing = "the user's key is stored without the master public key: give that too",
        /// The private key is encrypted, and no password was given.
        PasswordNeeded = "the private key is encrypted: give its password",
        /// The private key cannot be decrypted with this password.
        WrongPassword = "the private key does not decrypt with this password: give the right one, or the file was altered",
        /// The private key is encrypted in a way that is not supported.
        UnsupportedEncryption = "the private key's encryption is not supported: encrypt it with PBES2, AES-CBC or SM4-CBC",
        /// The private key's encryption asks for no iterations, or for more time or memory than is
        /// accepted.
        EncryptionCost = "the private key's encryption asks for no iterations, or for more time or memory than is accepted",
        /// An SM2 identity has more than 8191 bytes.
        IdentityTooLong = "an SM2 identity has at most 8191 bytes",
        /// An SM9 identity is empty.
        EmptyIdentity = "the identity is empty: give the user's name, mail address or number",
        /// There is nothing to encrypt.
        EmptyMessage = "an empty message cannot be encrypted with SM2 or SM9",
        /// The message is longer than the algorithm can process.
        MessageTooLong = "the message is too long: encrypt it in pieces",
        /// A key of this length cannot be derived.
        DerivedKeyLength = "the length of the derived key must be at least one byte and below 128 GiB, and must fit in memory",
        /// A recovery identifier is above 3.
        RecoveryId = "a recovery identifier is 0, 1, 2 or 3",
        /// The nonce is empty.
        EmptyNonce = "the nonce is empty: use 12 bytes, never the same twice with a key",
        /// A nonce for CCM has fewer than 7 or more than 13 bytes.
        NonceLength = "a nonce for CCM has 7 to 13 bytes: use 12, never the same twice with a key",
        /// A tag has a length that the mode does not have.
        TagLength = "a tag has 16 bytes; in CCM also 4, 6, 8, 10, 12 or 14",
        /// The data is not whole blocks of 16 bytes.
        PartialBlock = "the length of the data must be a multiple of 16 bytes",
        /// The data has fewer than the 16 bytes that XTS needs.
        DataTooShort = "XTS needs at least 16 bytes of data",
        /// Associated data came after the first byte of the message.
        AssociatedDataLate = "all associated data must come before the message",
        /// An argument is none of the values documented for it.
        InvalidArgument = "an argument is none of the values documented for it",
        /// No implementation has this name on this machine.
        UnknownBackend = "no implementation has this name on this machine",
        /// The library was built without a feature that this input needs.
        FeatureNeeded = "this needs a feature of the library, which was built without it",
        /// The random generator failed.
        Random = "the random generator failed",
        /// A signature does not verify although it was just made, so it is not given out: the
        /// machine erred.
        SelfCheck = "a signature that was just made is wrong and is not given out; check this machine",
        /// A file or stream could not be read or written. The error's source is that of the
        /// operating system.
        Io = "reading or writing failed",
        /// The input changed while it was read.
        InputChanged = "the input was changed while it was read: try again with a copy of it",
    }
}

/// A text with a zero byte at its end, as C has it.
const fn terminated(text: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("a zero byte is the last and the only one"),
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::ErrorKind;

    #[test]
    fn every_kind_says_something_else() {
        for (i, kind) in ErrorKind::ALL.iter().enumerate() {
            assert!(
                ErrorKind::ALL[..i]
                    .iter()
                    .all(|other| other.as_str() != kind.as_str()),
                "{kind:?}"
            );
            assert_eq!(kind.as_c_str().to_str(), Ok(kind.as_str()));
            assert_eq!(kind.to_string(), kind.as_str());
        }
    }
}
