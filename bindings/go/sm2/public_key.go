package sm2

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"math/big"
	"sync"

	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
)

// A PublicKey is a public key that was checked: a point on the curve.
type PublicKey struct {
	h        *core.Handle
	point    [core.PointSize]byte
	verifier func() (*VerifyingKey, error)
}

func newPublicKey(h *core.Handle, code core.Code) (*PublicKey, error) {
	if code != core.OK {
		return nil, fault.Of(code)
	}
	k := &PublicKey{
		h:        h,
		verifier: sync.OnceValues(func() (*VerifyingKey, error) { return newVerifyingKey(core.SM2VerifyingNew(h, nil)) }),
	}
	point, code := core.SM2PublicWrite(h, core.KeyUncompressed)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	copy(k.point[:], point)
	return k, nil
}

// NewPublicKey reads a public key from its point: 65 bytes that begin with 04, 64 bytes without this byte, or 33 bytes (compressed).
func NewPublicKey(point []byte) (*PublicKey, error) {
	return newPublicKey(core.SM2PublicFromBytes(core.Once(point)))
}

// NewPublicKeyFromCoordinates makes a public key of its coordinates, such as the fields X and Y of other libraries' keys.
func NewPublicKeyFromCoordinates(x, y *big.Int) (*PublicKey, error) {
	var point [64]byte
	for i, coordinate := range []*big.Int{x, y} {
		if coordinate == nil || coordinate.Sign() < 0 || coordinate.BitLen() > 256 {
			return nil, fault.Of(core.PointEncoding)
		}
		coordinate.FillBytes(point[32*i : 32*i+32])
	}
	return NewPublicKey(point[:])
}

// NewPublicKeyFromECDSA takes a public key from another library that has it as an *ecdsa.PublicKey on SM2's curve. The point is
// checked. The field Curve is not read, as each library has its own object for SM2's curve.
func NewPublicKeyFromECDSA(key *ecdsa.PublicKey) (*PublicKey, error) {
	if key == nil {
		return nil, fault.Of(core.NotAKey)
	}
	return NewPublicKeyFromCoordinates(key.X, key.Y)
}

// ParsePublicKey reads a public key from a SubjectPublicKeyInfo, a certificate (of which only the key is read), or a point of 33, 64
// or 65 bytes; in any text that ParsePrivateKey reads. NewPublicKey reads a point only. If the file is something else, and libkuaimi
// computes, the error says what it is (kuaimi.KeyError).
func ParsePublicKey(file []byte) (*PublicKey, error) {
	file = core.Once(file)
	h, code := core.SM2PublicRead(file)
	if code != core.OK {
		return nil, keyError(code, func() string { return core.SM2PublicExplain(file) })
	}
	return newPublicKey(h, code)
}

// Recover is the public key for which a signature of a digest is valid. id is the number that SigningKey.SignDigestRecoverable
// returned.
func Recover(digest, signature []byte, form SignatureForm, id byte) (*PublicKey, error) {
	if len(digest) != 32 {
		return nil, fault.Of(core.InvalidArgument)
	}
	own := [32]byte(digest)
	return newPublicKey(core.SM2Recover(&own, form.core(), core.Once(signature), id))
}

// Marshal writes the key as SPKIPEM, SPKI, Uncompressed or Compressed.
func (k *PublicKey) Marshal(form KeyForm) ([]byte, error) {
	data, code := core.SM2PublicWrite(k.handle(), core.KeyForm(form))
	return data, fault.Of(code)
}

// Bytes is the point as 65 bytes that begin with 04.
func (k *PublicKey) Bytes() []byte {
	return append([]byte(nil), k.point[:]...)
}

// ToECDSA is the same key as an *ecdsa.PublicKey on the given curve, for libraries that have SM2's curve as an elliptic.Curve: for
// github.com/emmansun/gmsm, give the P256() of its package sm2. For a curve other than SM2's, the error is kuaimi.ErrOtherAlgorithm.
func (k *PublicKey) ToECDSA(curve elliptic.Curve) (*ecdsa.PublicKey, error) {
	if k == nil {
		return nil, fault.Of(core.Closed)
	}
	if curve == nil || !isSM2(curve.Params()) {
		return nil, fault.Of(core.OtherAlgorithm)
	}
	return &ecdsa.PublicKey{
		Curve: curve,
		X:     new(big.Int).SetBytes(k.point[1:33]),
		Y:     new(big.Int).SetBytes(k.point[33:]),
	}, nil
}

// isSM2 says whether these are the parameters of SM2's curve (GB/T 32918.5, 2), whose coefficient a is p - 3 as crypto/elliptic has it.
func isSM2(curve *elliptic.CurveParams) bool {
	is := func(number *big.Int, hex string) bool { return number != nil && number.Text(16) == hex }
	return curve != nil &&
		is(curve.P, "fffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff") &&
		is(curve.N, "fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123") &&
		is(curve.B, "28e9fa9e9d9f5e344d5a9e4bcf6509a7f39789f515ab8f92ddbcbd414d940e93") &&
		is(curve.Gx, "32c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7") &&
		is(curve.Gy, "bc3736a2f4f6779c59bdcee36b692153d0a9877cc62a474002df32e52139f0a0")
}

// Equal says whether the other is a *PublicKey of the same value.
func (k *PublicKey) Equal(other crypto.PublicKey) bool {
	that, ok := other.(*PublicKey)
	return ok && k != nil && that != nil && k.point == that.point
}

// Z is the digest of the key and an identity, nil for the default one. It is hashed before the message: the digest that is signed is
// SM3(Z, message).
func (k *PublicKey) Z(id []byte) (z [32]byte, err error) {
	return z, fault.Of(core.SM2Z(k.handle(), core.Once(id), &z))
}

// VerifyingKey is the key with an identity. nil stands for the default identity; an identity of no bytes is another one.
func (k *PublicKey) VerifyingKey(id []byte) (*VerifyingKey, error) {
	return newVerifyingKey(core.SM2VerifyingNew(k.handle(), core.Once(id)))
}

// Prepare makes the table of the key now, 52 KiB, which it would make at its second use: Verify takes about a third of the time with
// it, and Encrypt, for a short message, about half. Keys from VerifyingKey share it.
func (k *PublicKey) Prepare() error { return fault.Of(core.SM2PublicPrepare(k.handle())) }

// Verify verifies the signature of a message in DER, under the default identity. It returns nil or kuaimi.ErrInvalidSignature.
func (k *PublicKey) Verify(message, signature []byte) error {
	if k.handle().IsClosed() {
		return fault.Of(core.Closed)
	}
	verifier, err := k.verifier()
	if err != nil {
		return err
	}
	return verifier.Verify(message, signature)
}

// Close frees the key. Verifying keys that VerifyingKey made from it stay open.
func (k *PublicKey) Close() {
	if k == nil || k.h == nil || k.h.IsClosed() {
		return
	}
	k.h.Close()
	if verifier, err := k.verifier(); err == nil {
		verifier.Close()
	}
}

func (k *PublicKey) handle() *core.Handle {
	if k == nil {
		return nil
	}
	return k.h
}
