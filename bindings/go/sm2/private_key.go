// Package sm2 has SM2's signatures, encryption and key exchange (GB/T 32918).
//
// A PrivateKey signs under the default identity 1234567812345678, a SigningKey under another one; a PublicKey and a VerifyingKey
// verify. A KeyCache keeps the tables that make keys faster, and SignBatch and VerifyBatch compute many operations at once.
// Signatures are in DER unless a function says otherwise; the form Raw is r and s, 64 bytes.
//
// Nonces are derived from the private key, the message and the operating system's random generator together. So the arguments rand of
// Go's interfaces are not used, and may be nil.
package sm2

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"io"
	"math/big"
	"sync"

	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
)

// DefaultID is the identity that is used where no other one was agreed on.
const DefaultID = "1234567812345678"

// A PrivateKey is an SM2 private key with its public key, in C's memory. It implements crypto.Signer, crypto.MessageSigner and
// crypto.Decrypter, under the default identity.
type PrivateKey struct {
	h      *core.Handle
	public func() (*PublicKey, error)
	signer func() (*SigningKey, error)
}

var (
	_ crypto.Signer        = (*PrivateKey)(nil)
	_ crypto.MessageSigner = (*PrivateKey)(nil)
	_ crypto.Decrypter     = (*PrivateKey)(nil)
)

func newPrivateKey(h *core.Handle, code core.Code) (*PrivateKey, error) {
	if code != core.OK {
		return nil, fault.Of(code)
	}
	k := &PrivateKey{h: h}
	k.public = sync.OnceValues(func() (*PublicKey, error) { return newPublicKey(core.SM2PublicOf(h)) })
	k.signer = sync.OnceValues(func() (*SigningKey, error) { return newSigningKey(k, nil) })
	return k, nil
}

// GenerateKey makes a private key.
func GenerateKey() (*PrivateKey, error) {
	return newPrivateKey(core.SM2Generate())
}

// NewPrivateKey reads a private key from its 32 bytes, most significant byte first.
func NewPrivateKey(number []byte) (*PrivateKey, error) {
	number = core.Once(number)
	defer clear(number)
	return newPrivateKey(core.SM2PrivateFromBytes(number))
}

// NewPrivateKeyFromInt makes a private key of a number, such as the field D of other libraries' keys.
func NewPrivateKeyFromInt(number *big.Int) (*PrivateKey, error) {
	if number == nil || number.Sign() <= 0 || number.BitLen() > 256 {
		return nil, fault.Of(core.PrivateKeyRange)
	}
	var bytes [32]byte
	defer clear(bytes[:])
	return NewPrivateKey(number.FillBytes(bytes[:]))
}

// NewPrivateKeyFromECDSA takes a private key from another library that has it as an *ecdsa.PrivateKey on SM2's curve. The public key
// must belong to it. The field Curve is not read, as each library has its own object for SM2's curve.
func NewPrivateKeyFromECDSA(key *ecdsa.PrivateKey) (*PrivateKey, error) {
	if key == nil {
		return nil, fault.Of(core.NotAKey)
	}
	private, err := NewPrivateKeyFromInt(key.D)
	if err != nil {
		return nil, err
	}
	expected, err := NewPublicKeyFromECDSA(&key.PublicKey)
	if err == nil {
		if public, ownErr := private.PublicKey(); ownErr == nil && public.Equal(expected) {
			return private, nil
		}
		err = fault.Of(core.PublicKeyMismatch)
	}
	private.Close()
	return nil, err
}

// ParsePrivateKey reads a private key from PKCS#8, encrypted PKCS#8, SEC 1, its 32 bytes (or 33, the first of them zero), or the
// output of openssl pkey -text; in PEM, DER, hexadecimal or Base64; also with a byte order mark, in UTF-16, in quotes, or with \n
// written out. NewPrivateKey reads the 32 bytes only. The password may be nil, and is used only if the key is encrypted. If the file
// is something else, and libkuaimi computes, the error says what it is (kuaimi.KeyError).
func ParsePrivateKey(file, password []byte) (*PrivateKey, error) {
	file, password = core.Once(file), core.Once(password)
	defer clear(file)
	defer clear(password)
	h, code := core.SM2PrivateRead(file, password)
	if code != core.OK {
		return nil, keyError(code, func() string { return core.SM2PrivateExplain(file, password) })
	}
	return newPrivateKey(h, code)
}

// A KeyForm is how a key is written to a file.
type KeyForm int

// The forms of keys: PKCS8PEM, PKCS8, SEC1PEM and SEC1 are for private keys, the others for public ones.
const (
	PKCS8PEM KeyForm = KeyForm(core.KeyPKCS8PEM)
	PKCS8    KeyForm = KeyForm(core.KeyPKCS8)
	SEC1PEM  KeyForm = KeyForm(core.KeySEC1PEM)
	SEC1     KeyForm = KeyForm(core.KeySEC1)
	// SPKIPEM is a SubjectPublicKeyInfo in PEM.
	SPKIPEM KeyForm = KeyForm(core.KeySPKIPEM)
	// SPKI is a SubjectPublicKeyInfo in DER.
	SPKI KeyForm = KeyForm(core.KeySPKI)
	// Uncompressed is a point of 65 bytes.
	Uncompressed KeyForm = KeyForm(core.KeyUncompressed)
	// Compressed is a point of 33 bytes.
	Compressed KeyForm = KeyForm(core.KeyCompressed)
)

// Marshal writes the key unencrypted, to Go's memory. Wipe it after use.
func (k *PrivateKey) Marshal(form KeyForm) ([]byte, error) {
	data, code := core.SM2PrivateWrite(k.handle(), core.KeyForm(form))
	return data, fault.Of(code)
}

// MarshalEncrypted writes the key under a password, as PKCS8PEM or PKCS8. It takes some tenths of a second.
func (k *PrivateKey) MarshalEncrypted(password []byte, form KeyForm) ([]byte, error) {
	data, code := core.SM2PrivateWriteEncrypted(k.handle(), password, core.KeyForm(form))
	return data, fault.Of(code)
}

// Bytes is the key as 32 bytes, most significant byte first, in Go's memory. Wipe them after use.
func (k *PrivateKey) Bytes() ([]byte, error) {
	data, code := core.SM2PrivateWrite(k.handle(), core.KeyRaw)
	return data, fault.Of(code)
}

// ToECDSA is the same key as an *ecdsa.PrivateKey on the given curve: see PublicKey.ToECDSA. The number D is in Go's memory, and is
// not wiped.
func (k *PrivateKey) ToECDSA(curve elliptic.Curve) (*ecdsa.PrivateKey, error) {
	own, err := k.PublicKey()
	if err != nil {
		return nil, err
	}
	public, err := own.ToECDSA(curve)
	if err != nil {
		return nil, err
	}
	number, err := k.Bytes()
	if err != nil {
		return nil, err
	}
	defer clear(number)
	return &ecdsa.PrivateKey{PublicKey: *public, D: new(big.Int).SetBytes(number)}, nil
}

// Envelope encrypts the key for a recipient (GB/T 35276). The recipient calls OpenEnvelope.
func (k *PrivateKey) Envelope(recipient *PublicKey) ([]byte, error) {
	data, code := core.SM2PrivateSeal(k.handle(), recipient.handle())
	return data, fault.Of(code)
}

// OpenEnvelope reads a private key that was encrypted for this one.
func (k *PrivateKey) OpenEnvelope(data []byte) (*PrivateKey, error) {
	return newPrivateKey(core.SM2PrivateOpen(k.handle(), core.Once(data)))
}

// PublicKey is the public key.
func (k *PrivateKey) PublicKey() (*PublicKey, error) {
	if k.handle().IsClosed() {
		return nil, fault.Of(core.Closed)
	}
	return k.public()
}

// Public is the public key for crypto.Signer: a *PublicKey, or nil if the key was closed.
func (k *PrivateKey) Public() crypto.PublicKey {
	public, err := k.PublicKey()
	if err != nil {
		return nil
	}
	return public
}

// Equal says whether the other is a *PrivateKey of the same value. It compares the public keys.
func (k *PrivateKey) Equal(other crypto.PrivateKey) bool {
	that, ok := other.(*PrivateKey)
	if !ok {
		return false
	}
	a, err := k.PublicKey()
	if err != nil {
		return false
	}
	b, err := that.PublicKey()
	return err == nil && a.Equal(b)
}

// SigningKey is the key with an identity. nil stands for the default identity; an identity of no bytes is another one.
func (k *PrivateKey) SigningKey(id []byte) (*SigningKey, error) {
	return newSigningKey(k, id)
}

// withDefaultID is the key with the default identity.
func (k *PrivateKey) withDefaultID() (*SigningKey, error) {
	if k.handle().IsClosed() {
		return nil, fault.Of(core.Closed)
	}
	return k.signer()
}

// Sign signs as SigningKey.Sign, under the default identity.
func (k *PrivateKey) Sign(rand io.Reader, digest []byte, opts crypto.SignerOpts) ([]byte, error) {
	signer, err := k.withDefaultID()
	if err != nil {
		return nil, err
	}
	return signer.Sign(rand, digest, opts)
}

// SignMessage signs as SigningKey.SignMessage, under the default identity.
func (k *PrivateKey) SignMessage(rand io.Reader, message []byte, opts crypto.SignerOpts) ([]byte, error) {
	signer, err := k.withDefaultID()
	if err != nil {
		return nil, err
	}
	return signer.SignMessage(rand, message, opts)
}

// Close wipes the key. Signing keys that SigningKey made from it stay open.
func (k *PrivateKey) Close() {
	if k == nil || k.h == nil || k.h.IsClosed() {
		return
	}
	k.h.Close()
	if signer, err := k.signer(); err == nil {
		signer.Close()
	}
}

func (k *PrivateKey) handle() *core.Handle {
	if k == nil {
		return nil
	}
	return k.h
}
