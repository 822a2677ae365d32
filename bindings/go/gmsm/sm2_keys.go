//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package gmsm

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/pem"
	"math/big"

	"github.com/emmansun/gmsm/sm2"
	"github.com/emmansun/gmsm/sm3"
	"github.com/emmansun/gmsm/smx509"

	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
)

// SM2Generate makes a private key.
func (functions) SM2Generate() (*core.Handle, core.Code) {
	key, err := sm2.GenerateKey(rand.Reader)
	return made(key, err, core.Random)
}

// SM2PrivateFromBytes is the private key that is a number of 32 bytes.
func (functions) SM2PrivateFromBytes(number []byte) (*core.Handle, core.Code) {
	return handleOf(privateFromBytes(number))
}

func privateFromBytes(number []byte) (*sm2.PrivateKey, core.Code) {
	if len(number) != 32 {
		return nil, core.KeyLength
	}
	key, err := sm2.NewPrivateKey(number)
	if err != nil {
		return nil, core.PrivateKeyRange
	}
	return key, core.OK
}

// SM2PrivateOpen reads a private key that was encrypted for the recipient's key (GB/T 35276).
func (functions) SM2PrivateOpen(recipient *core.Handle, data []byte) (*core.Handle, core.Code) {
	key, code := valueOf[*sm2.PrivateKey](recipient)
	if code != core.OK {
		return nil, code
	}
	opened, err := sm2.ParseEnvelopedPrivateKey(key, data)
	return made(opened, err, core.DecryptionFailed)
}

// SM2PrivateWrite writes a private key.
func (functions) SM2PrivateWrite(h *core.Handle, form core.KeyForm) ([]byte, core.Code) {
	key, code := valueOf[*sm2.PrivateKey](h)
	if code != core.OK {
		return nil, code
	}
	switch form {
	case core.KeyRaw:
		return key.D.FillBytes(make([]byte, 32)), core.OK
	case core.KeySEC1, core.KeySEC1PEM:
		der, err := smx509.MarshalSM2PrivateKey(key)
		if err != nil {
			return nil, core.Internal
		}
		if form == core.KeySEC1PEM {
			return pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), core.OK
		}
		return der, core.OK
	}
	return writePrivate(key, nil, form)
}

// SM2PrivateWriteEncrypted writes a private key under a password.
func (functions) SM2PrivateWriteEncrypted(h *core.Handle, password []byte, form core.KeyForm) ([]byte, core.Code) {
	key, code := valueOf[*sm2.PrivateKey](h)
	if code != core.OK {
		return nil, code
	}
	return writePrivate(key, append([]byte{}, password...), form)
}

// SM2PrivateSeal encrypts a private key for the recipient's (GB/T 35276).
func (functions) SM2PrivateSeal(h, recipient *core.Handle) ([]byte, core.Code) {
	key, code := valueOf[*sm2.PrivateKey](h)
	if code != core.OK {
		return nil, code
	}
	public, code := valueOf[*ecdsa.PublicKey](recipient)
	if code != core.OK {
		return nil, code
	}
	der, err := sm2.MarshalEnvelopedPrivateKey(rand.Reader, public, key)
	if err != nil {
		return nil, core.Random
	}
	return der, core.OK
}

// SM2PublicOf is the public key of a private key.
func (functions) SM2PublicOf(h *core.Handle) (*core.Handle, core.Code) {
	key, code := valueOf[*sm2.PrivateKey](h)
	if code != core.OK {
		return nil, code
	}
	return core.NewHandle(&key.PublicKey), core.OK
}

// SM2PublicFromBytes is the public key that is a point of 33, 64 or 65 bytes.
func (functions) SM2PublicFromBytes(point []byte) (*core.Handle, core.Code) {
	return handleOf(publicFromBytes(point))
}

func publicFromBytes(point []byte) (*ecdsa.PublicKey, core.Code) {
	switch {
	case len(point) == 33 && (point[0] == 2 || point[0] == 3):
		x, y := elliptic.UnmarshalCompressed(sm2.P256(), point)
		if x == nil {
			return nil, core.PointNotOnCurve
		}
		return &ecdsa.PublicKey{Curve: sm2.P256(), X: x, Y: y}, core.OK
	case len(point) == 64:
		point = append([]byte{4}, point...)
	case len(point) == 65 && point[0] == 4:
	case len(point) == 65 && (point[0] == 6 || point[0] == 7):
		// The hybrid form of SEC 1, whose first byte says what y's last bit is, too.
		if point[0]&1 != point[64]&1 {
			return nil, core.PointNotOnCurve
		}
		point = append([]byte{4}, point[1:]...)
	default:
		return nil, core.PointEncoding
	}
	key, err := sm2.NewPublicKey(point)
	if err != nil {
		return nil, core.PointNotOnCurve
	}
	return key, core.OK
}

// SM2PublicPrepare does nothing: gmsm has no tables.
func (functions) SM2PublicPrepare(h *core.Handle) core.Code {
	_, code := valueOf[*ecdsa.PublicKey](h)
	return code
}

// SM2PublicWrite writes a public key.
func (functions) SM2PublicWrite(h *core.Handle, form core.KeyForm) ([]byte, core.Code) {
	key, code := valueOf[*ecdsa.PublicKey](h)
	if code != core.OK {
		return nil, code
	}
	switch form {
	case core.KeyUncompressed:
		return uncompressed(key), core.OK
	case core.KeyCompressed:
		return elliptic.MarshalCompressed(sm2.P256(), key.X, key.Y), core.OK
	case core.KeySPKI, core.KeySPKIPEM:
		der, err := smx509.MarshalPKIXPublicKey(key)
		if err != nil {
			return nil, core.Internal
		}
		if form == core.KeySPKIPEM {
			return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), core.OK
		}
		return der, core.OK
	}
	return nil, core.InvalidArgument
}

func uncompressed(key *ecdsa.PublicKey) []byte {
	point := make([]byte, core.PointSize)
	point[0] = 4
	key.X.FillBytes(point[1:33])
	key.Y.FillBytes(point[33:])
	return point
}

// SM2Z is the digest of an identity and a public key that is hashed before a message. A nil identity is the default one.
func (functions) SM2Z(h *core.Handle, id []byte, z *[32]byte) core.Code {
	key, code := valueOf[*ecdsa.PublicKey](h)
	if code != core.OK {
		return code
	}
	return identityDigest(key, id, z)
}

// defaultID is the identity of a nil one.
const defaultID = "1234567812345678"

// identityDigest is Z (GB/T 32918.2, 5.5). gmsm takes an empty identity for the default one, so it is computed here.
func identityDigest(key *ecdsa.PublicKey, id []byte, z *[32]byte) core.Code {
	if id == nil {
		id = []byte(defaultID)
	}
	if len(id) > 8191 {
		return core.IdentityTooLong
	}
	curve := sm2.P256().Params()
	h := sm3.New()
	h.Write([]byte{byte(len(id) >> 5), byte(len(id) << 3)})
	h.Write(id)
	three := big.NewInt(3)
	for _, number := range []*big.Int{three.Sub(curve.P, three), curve.B, curve.Gx, curve.Gy, key.X, key.Y} {
		h.Write(number.FillBytes(make([]byte, 32)))
	}
	h.Sum(z[:0])
	return core.OK
}

// A signing is a private key with an identity.
type signing struct {
	key *sm2.PrivateKey
	z   [32]byte
}

// A verifying is a public key with an identity.
type verifying struct {
	key *ecdsa.PublicKey
	z   [32]byte
}

// SM2SigningNew is a private key with an identity. A nil identity is the default one.
func (functions) SM2SigningNew(h *core.Handle, id []byte) (*core.Handle, core.Code) {
	key, code := valueOf[*sm2.PrivateKey](h)
	if code != core.OK {
		return nil, code
	}
	s := &signing{key: key}
	if code := identityDigest(&key.PublicKey, id, &s.z); code != core.OK {
		return nil, code
	}
	return core.NewHandle(s), core.OK
}

// SM2VerifyingNew is a public key with an identity. A nil identity is the default one.
func (functions) SM2VerifyingNew(h *core.Handle, id []byte) (*core.Handle, core.Code) {
	key, code := valueOf[*ecdsa.PublicKey](h)
	if code != core.OK {
		return nil, code
	}
	v := &verifying{key: key}
	if code := identityDigest(key, id, &v.z); code != core.OK {
		return nil, code
	}
	return core.NewHandle(v), core.OK
}

// SM2VerifyingPrepare does nothing: gmsm has no tables.
func (functions) SM2VerifyingPrepare(h *core.Handle) core.Code {
	_, code := valueOf[*verifying](h)
	return code
}
