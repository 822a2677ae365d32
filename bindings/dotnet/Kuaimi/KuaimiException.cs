using System.Security.Cryptography;

namespace Kuaimi
{
    /// <summary>What went wrong, with the numbers of the C library. docs/errors.md has all of them beside other languages'.</summary>
    public enum KuaimiErrorKind
    {
        /// <summary>The signature is not this key's over this message under this identity, or it is no signature at all.</summary>
        InvalidSignature = 1,

        /// <summary>Decryption failed: another key, another form of ciphertext, or altered data. Which of these is not said.</summary>
        DecryptionFailed = 2,

        /// <summary>The other side of a key exchange does not hold the same key.</summary>
        ConfirmationFailed = 3,

        /// <summary>No public key leads to this signature.</summary>
        NotRecoverable = 4,

        /// <summary>A certificate breaks a rule.</summary>
        CertificateRefused = 5,

        /// <summary>An argument is none of those documented.</summary>
        InvalidArgument = 13,

        /// <summary>No implementation has this name on this machine.</summary>
        UnknownBackend = 15,

        /// <summary>The operating system's random generator failed.</summary>
        Random = 16,

        /// <summary>A bug of the library. Please report it.</summary>
        Internal = 17,

        /// <summary>A signature does not verify although it was just made, so it is not given out. Check this machine.</summary>
        SelfCheck = 18,

        /// <summary>A key has the wrong length.</summary>
        KeyLength = 20,

        /// <summary>A private key or a master key is out of range.</summary>
        PrivateKeyRange = 21,

        /// <summary>A point has the wrong length or first byte, or a coordinate that is too large.</summary>
        PointEncoding = 22,

        /// <summary>A point is not on the curve or not in the group, or it is the point at infinity.</summary>
        NotOnCurve = 23,

        /// <summary>An SM2 identity has more than 8191 bytes.</summary>
        IdentityTooLong = 24,

        /// <summary>An SM9 identity is empty.</summary>
        EmptyIdentity = 25,

        /// <summary>The bytes are no signature in this form.</summary>
        SignatureEncoding = 26,

        /// <summary>The bytes are no ciphertext in this form.</summary>
        CiphertextEncoding = 27,

        /// <summary>There is nothing to encrypt.</summary>
        EmptyMessage = 28,

        /// <summary>The message is longer than the algorithm can process.</summary>
        MessageTooLong = 29,

        /// <summary>A key of this length cannot be derived.</summary>
        DerivedKeyLength = 30,

        /// <summary>A recovery identifier is above 3.</summary>
        RecoveryId = 31,

        /// <summary>The bytes are no state of this side of a key exchange, or were altered.</summary>
        ExchangeState = 32,

        /// <summary>The key exchange was started with another private key.</summary>
        ExchangeKey = 33,

        /// <summary>The master key cannot serve this identity. This does not happen by chance.</summary>
        UnusableMasterKey = 40,

        /// <summary>An SM9 user's key was not made for this identity under this master key.</summary>
        UserKeyMismatch = 41,

        /// <summary>A stored table is of another version, was altered, or belongs to another key.</summary>
        Table = 42,

        /// <summary>The DER is malformed, or has another structure.</summary>
        Malformed = 50,

        /// <summary>Bytes follow the end of the DER.</summary>
        TrailingBytes = 51,

        /// <summary>The PEM, Base64 or hexadecimal text is malformed.</summary>
        Text = 52,

        /// <summary>The bytes are no key in any supported form.</summary>
        NotAKey = 53,

        /// <summary>The key is of another kind than the method reads: private, public, encrypted, or another of SM9's.</summary>
        OtherKey = 54,

        /// <summary>The key is of another algorithm, on another curve, or does not name its curve.</summary>
        OtherAlgorithm = 55,

        /// <summary>The public key that is stored with a private key does not belong to it.</summary>
        PublicKeyMismatch = 56,

        /// <summary>An SM9 user's key is stored without the master public key.</summary>
        MasterPublicKeyMissing = 57,

        /// <summary>The private key is encrypted, and no password was given.</summary>
        PasswordNeeded = 58,

        /// <summary>The private key cannot be decrypted with this password.</summary>
        WrongPassword = 59,

        /// <summary>The private key is encrypted in a way that is not supported.</summary>
        UnsupportedEncryption = 60,

        /// <summary>The private key's encryption asks for no iterations, or for more time or memory than is accepted.</summary>
        EncryptionCost = 61,

        /// <summary>The two halves of a key for XTS are equal.</summary>
        EqualHalves = 70,

        /// <summary>The nonce is empty.</summary>
        EmptyNonce = 71,

        /// <summary>The data is not whole blocks of 16 bytes.</summary>
        PartialBlock = 72,

        /// <summary>The data has fewer than the 16 bytes that XTS needs.</summary>
        DataTooShort = 73,

        /// <summary>A nonce for CCM has fewer than 7 or more than 13 bytes.</summary>
        NonceLength = 74,

        /// <summary>A tag has a length that the mode does not have.</summary>
        TagLength = 75,

        /// <summary>Associated data came after the first byte of the message.</summary>
        AssociatedDataLate = 76,
    }

    /// <summary>
    /// A cryptographic failure: a decryption that failed, a key that cannot be read, a wrong password. Wrong arguments are
    /// <see cref="System.ArgumentException"/>, as everywhere in .NET.
    /// </summary>
    public sealed class KuaimiException : CryptographicException
    {
        internal KuaimiException(KuaimiErrorKind kind, string message)
            : base(message)
        {
            Kind = kind;
        }

        /// <summary>What went wrong. Every failed decryption has the same kind and the same message.</summary>
        public KuaimiErrorKind Kind { get; }
    }
}
