package kuaimi

import "github.com/kuaimi/kuaimi/bindings/go/internal/core"

// An Error is why an operation failed. Compare it with errors.Is. The numbers below 900 are those of the C library.
type Error uint32

// What an operation may fail with.
const (
	// The signature is not valid for this message, key and identity. If the bytes are not a signature at all, verifications return an
	// error that says why, for which errors.Is(err, ErrInvalidSignature) is also true.
	ErrInvalidSignature = Error(core.InvalidSignature)
	// Decryption failed: another key, another form of ciphertext, or altered data. The error does not say which.
	ErrDecryptionFailed = Error(core.DecryptionFailed)
	// The other side of a key exchange does not hold the same key.
	ErrConfirmationFailed = Error(core.ConfirmationFailed)
	// No public key verifies this signature of this digest with this recovery identifier.
	ErrNotRecoverable = Error(core.NotRecoverable)
	// A certificate breaks a rule: it expired, it is another host's, its issuer is not trusted.
	ErrCertificateRefused = Error(core.CertificateRefused)
	// The key or other object was closed, or is nil.
	ErrClosed = Error(core.Closed)
	// An argument is not one of the documented values, or a length is too large.
	ErrInvalidArgument = Error(core.InvalidArgument)
	// This step of a key exchange was done before. Each step can be done once.
	ErrAlreadyUsed = Error(core.AlreadyUsed)
	// No implementation has this name on this machine.
	ErrUnknownBackend = Error(core.UnknownBackend)
	// The operating system's random generator failed.
	ErrRandom = Error(core.Random)
	// A bug in this library. Please report it.
	ErrInternal = Error(core.Internal)
	// A signature does not verify although it was just made, so it is not given out. Check this machine.
	ErrSelfCheck = Error(core.SelfCheck)
	// A key has the wrong length.
	ErrKeyLength = Error(core.KeyLength)
	// A private key or a master key is out of range.
	ErrPrivateKeyRange = Error(core.PrivateKeyRange)
	// A point has the wrong length or first byte, or a coordinate that is too large.
	ErrPointEncoding = Error(core.PointEncoding)
	// A point is not on the curve or not in the group, or it is the point at infinity.
	ErrPointNotOnCurve = Error(core.PointNotOnCurve)
	// An SM2 identity has more than 8191 bytes.
	ErrIdentityTooLong = Error(core.IdentityTooLong)
	// An SM9 identity is empty.
	ErrEmptyIdentity = Error(core.EmptyIdentity)
	// The bytes are not a signature in this form.
	ErrSignatureEncoding = Error(core.SignatureEncoding)
	// The bytes are not a ciphertext in this form.
	ErrCiphertextEncoding = Error(core.CiphertextEncoding)
	// There is nothing to encrypt.
	ErrEmptyMessage = Error(core.EmptyMessage)
	// The message is longer than the algorithm can process.
	ErrMessageTooLong = Error(core.MessageTooLong)
	// A key of this length cannot be derived.
	ErrDerivedKeyLength = Error(core.DerivedKeyLength)
	// A recovery identifier is above 3.
	ErrRecoveryID = Error(core.RecoveryID)
	// The master key cannot serve this identity. This does not happen by chance.
	ErrUnusableMasterKey = Error(core.UnusableMasterKey)
	// An SM9 user's key was not made for this identity under this master key.
	ErrUserKeyMismatch = Error(core.UserKeyMismatch)
	// The DER is malformed, or has another structure.
	ErrDER = Error(core.DER)
	// Bytes follow the end of the DER.
	ErrTrailingBytes = Error(core.TrailingBytes)
	// The PEM, Base64 or hexadecimal text is malformed.
	ErrText = Error(core.Text)
	// The bytes are not a key in a supported form.
	ErrNotAKey = Error(core.NotAKey)
	// The key is of another kind than the function reads: private, public, enveloped, or another kind of SM9.
	ErrOtherKey = Error(core.OtherKey)
	// The key is of another algorithm, on another curve, or does not name its curve.
	ErrOtherAlgorithm = Error(core.OtherAlgorithm)
	// The public key that is stored with a private key does not belong to it.
	ErrPublicKeyMismatch = Error(core.PublicKeyMismatch)
	// An SM9 user's key is stored without the master public key.
	ErrMasterPublicKeyMissing = Error(core.MasterPublicKeyMissing)
	// The private key is encrypted, and no password was given.
	ErrPasswordNeeded = Error(core.PasswordNeeded)
	// The private key cannot be decrypted with this password.
	ErrWrongPassword = Error(core.WrongPassword)
	// The private key is encrypted in a way that is not supported.
	ErrUnsupportedEncryption = Error(core.UnsupportedEncryption)
	// The private key's encryption asks for no iterations, or for more time or memory than is allowed.
	ErrEncryptionCost = Error(core.EncryptionCost)
	// The two halves of a key for XTS are equal.
	ErrEqualHalves = Error(core.EqualHalves)
	// The nonce is empty.
	ErrEmptyNonce = Error(core.EmptyNonce)
	// The data is not a multiple of 16 bytes.
	ErrPartialBlock = Error(core.PartialBlock)
	// The data has fewer than the 16 bytes that XTS needs.
	ErrDataTooShort = Error(core.DataTooShort)
	// Chains, messages and files with certificates need libkuaimi, without which this program was built: see docs/go.md.
	ErrNeedsLibkuaimi = Error(core.NeedsLibkuaimi)
)

// Why bytes are no signature in the form that was asked for. Verifications return these, too: errors.Is says of each of them, and of
// ErrSignatureEncoding, that it is ErrInvalidSignature.
const (
	// The signature is text, such as hexadecimal or Base64.
	ErrSignatureText Error = 1000 + iota
	// The signature is an ECCSignature of a cryptographic device.
	ErrSignatureOfDevice
	// The signature is 64 bytes, and DER was expected.
	ErrSignatureIsRaw
	// The signature is DER, and 64 bytes were expected.
	ErrSignatureIsDER
	// A number in the signature's DER is negative.
	ErrSignatureNegative
	// The signature's DER breaks the rules of DER.
	ErrSignatureNotStrict
	// A number of the signature is out of range.
	ErrSignatureRange
)

// Is says that each error about bytes that are not a signature is also ErrInvalidSignature.
func (e Error) Is(target error) bool {
	return target == ErrInvalidSignature && (e >= ErrSignatureText && e <= ErrSignatureRange || e == ErrSignatureEncoding)
}

// The texts of the Rust library are here again, so that they are the same with libkuaimi and with gmsm.
var texts = map[Error]string{
	ErrInvalidSignature:       "the signature does not fit this message, key and identity",
	ErrDecryptionFailed:       "decryption failed: another key, another form of ciphertext, or altered data",
	ErrConfirmationFailed:     "the other side of the key exchange does not hold the same key",
	ErrCertificateRefused:     "the certificate is refused: it, or one above it, breaks a rule",
	ErrNotRecoverable:         "no public key can be recovered from this signature",
	ErrClosed:                 "the key or handle was closed, or is none at all",
	ErrInvalidArgument:        "an argument is none of the values documented for it",
	ErrAlreadyUsed:            "this step was taken already, and can be taken once: start a new exchange or message",
	ErrUnknownBackend:         "no implementation has this name on this machine",
	ErrRandom:                 "the random generator failed",
	ErrInternal:               "an error inside libkuaimi: please report it",
	ErrSelfCheck:              "a signature that was just made is wrong and is not given out; check this machine",
	ErrKeyLength:              "the key has the wrong length: see the function's documentation",
	ErrPrivateKeyRange:        "the private key is out of range: it must be at least 1 and at most n - 2 (SM2) or N - 1 (SM9)",
	ErrPointEncoding:          "the bytes are no point: 33 (compressed), 64 or 65 bytes are expected for SM2",
	ErrPointNotOnCurve:        "the point is not on the curve, or not in its group",
	ErrIdentityTooLong:        "an SM2 identity has at most 8191 bytes",
	ErrEmptyIdentity:          "the identity is empty: give the user's name, mail address or number",
	ErrSignatureEncoding:      "the bytes are no signature in this form",
	ErrCiphertextEncoding:     "the bytes are no ciphertext in this form",
	ErrEmptyMessage:           "an empty message cannot be encrypted with SM2 or SM9",
	ErrMessageTooLong:         "the message is too long: encrypt it in pieces",
	ErrDerivedKeyLength:       "the length of the derived key must be at least one byte and below 128 GiB, and must fit in memory",
	ErrRecoveryID:             "a recovery identifier is 0, 1, 2 or 3",
	ErrUnusableMasterKey:      "the master key cannot serve this identity: make a new master key, and all users' keys anew",
	ErrUserKeyMismatch:        "the user's key was not made for this identity under this master key",
	ErrDER:                    "the DER is malformed, or another kind of file",
	ErrTrailingBytes:          "bytes follow the end of the DER encoding: remove them, or read it leniently if its maker is known to add them",
	ErrText:                   "the PEM, Base64 or hexadecimal text is malformed",
	ErrNotAKey:                "this is no key in any supported form",
	ErrOtherKey:               "this key is of another kind than the function reads",
	ErrOtherAlgorithm:         "the key is of another algorithm or on another curve, or does not name its curve",
	ErrPublicKeyMismatch:      "the public key stored with the private key does not belong to it: the file was altered or put together wrongly",
	ErrMasterPublicKeyMissing: "the user's key is stored without the master public key: give that too",
	ErrPasswordNeeded:         "the private key is encrypted: give its password",
	ErrWrongPassword:          "the private key does not decrypt with this password: give the right one, or the file was altered",
	ErrUnsupportedEncryption:  "the private key's encryption is not supported: encrypt it with PBES2, AES-CBC or SM4-CBC",
	ErrEncryptionCost:         "the private key's encryption asks for no iterations, or for more time or memory than is accepted",
	ErrEqualHalves:            "the two halves of the XTS key are equal: they must be independent keys",
	ErrEmptyNonce:             "the nonce is empty: use 12 bytes, never the same twice with a key",
	ErrPartialBlock:           "the length of the data must be a multiple of 16 bytes",
	ErrDataTooShort:           "XTS needs at least 16 bytes of data",
	ErrNeedsLibkuaimi:         "only libkuaimi has this, and this program is built without it: CGO_ENABLED=1 and a C compiler, see docs/go.md",
	ErrSignatureText:          "this is text in place of a signature (hexadecimal, Base64): give the bytes that it stands for",
	ErrSignatureOfDevice:      "this is an ECCSignature of a cryptographic device (SDF, SKF): r is its bytes 32 to 63 and s its bytes 96 to 127; give these 64 bytes as sm2.Raw",
	ErrSignatureIsRaw:         "this is a signature of 64 bytes, r and s, and DER is expected: verify it as sm2.Raw or sm2.DEROrRaw",
	ErrSignatureIsDER:         "this is a signature in DER, and 64 bytes, r and s, are expected: verify it as sm2.DER or sm2.DEROrRaw",
	ErrSignatureNegative:      "an integer in the signature's DER is negative: read it as sm2.LenientDER if its maker is known to omit leading zero bytes",
	ErrSignatureNotStrict:     "the signature's DER is not in its shortest form, or bytes follow its end: read it as sm2.LenientDER if its maker is known to write so",
	ErrSignatureRange:         "a number of the signature, or the sum of both, is zero or too large",
}

// Error says what an error means and what to do.
func (e Error) Error() string {
	if text, known := texts[e]; known {
		return "kuaimi: " + text
	}
	return "kuaimi: " + texts[ErrInternal]
}

// A KeyError is the error for a file that is not the expected key. It says what the file is, for example a certificate request, and
// what to do. errors.Is compares it with Err.
type KeyError struct {
	Err  Error
	Text string
}

// Error is the text.
func (e *KeyError) Error() string { return "kuaimi: " + e.Text }

// Unwrap is Err.
func (e *KeyError) Unwrap() error { return e.Err }
