// Package core computes: by libkuaimi through cgo (files *_c.go), or by what another module registers where cgo is off, the tag purego is
// set, or there is no libkuaimi for the platform (implementation.go, calls.go, handle_go.go). Both have the same functions, and the
// packages above do not know which one it is.
package core

import "slices"

// Once is a copy of the caller's bytes, for those that are read more than once: keys, identities, points, digests, signatures. The
// caller's may change during a call, as another goroutine or process writes them (a mapped file), and would then be one thing where they
// are checked, and another where they are used.
func Once(data []byte) []byte { return slices.Clone(data) }

// IsDeviceSignature says whether this is an ECCSignature of GM/T 0018 (SDF) or GM/T 0016 (SKF): r and s in 64 bytes each.
func IsDeviceSignature(data []byte) bool {
	return len(data) == 128 && [32]byte(data[:32]) == [32]byte{} && [32]byte(data[64:96]) == [32]byte{}
}

// A Code says how an operation ended. The numbers are those of kuaimi_error in kuaimi.h.
type Code uint32

// The codes that Go code names; kuaimi.Error documents all of them.
const (
	OK                     Code = 0
	InvalidSignature       Code = 1
	DecryptionFailed       Code = 2
	ConfirmationFailed     Code = 3
	NotRecoverable         Code = 4
	CertificateRefused     Code = 5
	Closed                 Code = 11
	InvalidArgument        Code = 13
	AlreadyUsed            Code = 14
	UnknownBackend         Code = 15
	Random                 Code = 16
	Internal               Code = 17
	SelfCheck              Code = 18
	KeyLength              Code = 20
	PrivateKeyRange        Code = 21
	PointEncoding          Code = 22
	PointNotOnCurve        Code = 23
	IdentityTooLong        Code = 24
	EmptyIdentity          Code = 25
	SignatureEncoding      Code = 26
	CiphertextEncoding     Code = 27
	EmptyMessage           Code = 28
	MessageTooLong         Code = 29
	DerivedKeyLength       Code = 30
	RecoveryID             Code = 31
	UnusableMasterKey      Code = 40
	UserKeyMismatch        Code = 41
	DER                    Code = 50
	TrailingBytes          Code = 51
	Text                   Code = 52
	NotAKey                Code = 53
	OtherKey               Code = 54
	OtherAlgorithm         Code = 55
	PublicKeyMismatch      Code = 56
	MasterPublicKeyMissing Code = 57
	PasswordNeeded         Code = 58
	WrongPassword          Code = 59
	UnsupportedEncryption  Code = 60
	EncryptionCost         Code = 61
	EqualHalves            Code = 70
	EmptyNonce             Code = 71
	PartialBlock           Code = 72
	DataTooShort           Code = 73
)

// A Form is the form of a signature: a constant KUAIMI_SIGNATURE_….
type Form uint32

// The forms of a signature.
const (
	Raw        Form = 1
	ASN1       Form = 2
	LenientDER Form = 3
	Any        Form = 4
)

// A KeyForm is the form of a key in a file: a constant KUAIMI_KEY_….
type KeyForm uint32

// The forms of a key.
const (
	KeyRaw          KeyForm = 1
	KeyPKCS8PEM     KeyForm = 2
	KeyPKCS8        KeyForm = 3
	KeySEC1PEM      KeyForm = 4
	KeySEC1         KeyForm = 5
	KeySPKIPEM      KeyForm = 6
	KeySPKI         KeyForm = 7
	KeyUncompressed KeyForm = 8
	KeyCompressed   KeyForm = 9
	KeyDER          KeyForm = 10
)

// A CiphertextForm is the form of an SM2 ciphertext: a constant KUAIMI_SM2_CIPHERTEXT_….
type CiphertextForm uint32

// The forms of an SM2 ciphertext.
const (
	C1C3C2     CiphertextForm = 1
	C1C2C3     CiphertextForm = 2
	ASN1C1C3C2 CiphertextForm = 5
	AnyC       CiphertextForm = 7
)

// Sizes of SM2 and SM9 results.
const (
	SM2SignatureMax       = 72
	SM2CiphertextOverhead = 124
	SM9SignatureMax       = 104
	SM9CiphertextOverhead = 192
	PointSize             = 65
)

// CacheStats is what a cache holds and has done.
type CacheStats struct {
	Entries, Bytes          int
	Hits, Misses, Evictions uint64
}

// PoolStats is what a pool of nonces holds and has done.
type PoolStats struct {
	Ready          int
	Served, Missed uint64
}

// A SignItem is one signature to be made: of a message, or of the digest of SM2.
type SignItem struct {
	Key      *Handle
	Content  []byte
	IsDigest bool
}

// A VerifyItem is one signature to be verified.
type VerifyItem struct {
	Key       *Handle
	Content   []byte
	IsDigest  bool
	Signature []byte
	Form      Form
}

// A GCMItem is one message to encrypt or to decrypt, with its tag behind it.
type GCMItem struct {
	Key, Nonce, Beside, Data []byte
}

// A PairItem is a private key and another party's public key.
type PairItem struct {
	Key, Peer *Handle
}

// A RespondItem is a key exchange to answer. Identities may be nil for the default one.
type RespondItem struct {
	Key, Peer         *Handle
	ID, PeerID, Point []byte
}

// An SM9Kind tells the two sides of SM9 apart, whose keys have the same functions: for signatures, or for encryption.
type SM9Kind int

// The kinds of SM9's master keys.
const (
	SM9Signing SM9Kind = iota
	SM9Encryption
)

// A UserKind is what a key of a user of SM9 is for.
type UserKind int

// The kinds of keys of users.
const (
	UserSigning UserKind = iota
	UserDecryption
	UserExchange
)
