//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/pem"
	"math/big"

	"github.com/emmansun/gmsm/sm2"
	"github.com/emmansun/gmsm/sm3"
	"github.com/emmansun/gmsm/smx509"
)

// SM2Generate makes a private key.
func SM2Generate() (*Handle, Code) {
	key, err := sm2.GenerateKey(rand.Reader)
	return made(key, err, Random)
}

// SM2PrivateFromBytes is the private key that is a number of 32 bytes.
func SM2PrivateFromBytes(number []byte) (*Handle, Code) {
	if len(number) != 32 {
		return nil, KeyLength
	}
	key, err := sm2.NewPrivateKey(number)
	return made(key, err, PrivateKeyRange)
}

// SM2PrivateOpen reads a private key that was encrypted for the recipient's key (GB/T 35276).
func SM2PrivateOpen(recipient *Handle, data []byte) (*Handle, Code) {
	key, code := valueOf[*sm2.PrivateKey](recipient)
	if code != OK {
		return nil, code
	}
	opened, err := sm2.ParseEnvelopedPrivateKey(key, data)
	return made(opened, err, DecryptionFailed)
}

// SM2PrivateWrite writes a private key.
func SM2PrivateWrite(h *Handle, form KeyForm) ([]byte, Code) {
	key, code := valueOf[*sm2.PrivateKey](h)
	if code != OK {
		return nil, code
	}
	switch form {
	case KeyRaw:
		return key.D.FillBytes(make([]byte, 32)), OK
	case KeySEC1, KeySEC1PEM:
		der, err := smx509.MarshalSM2PrivateKey(key)
		if err != nil {
			return nil, Internal
		}
		if form == KeySEC1PEM {
			return pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), OK
		}
		return der, OK
	}
	return writePrivate(key, nil, form)
}

// SM2PrivateWriteEncrypted writes a private key under a password.
func SM2PrivateWriteEncrypted(h *Handle, password []byte, form KeyForm) ([]byte, Code) {
	key, code := valueOf[*sm2.PrivateKey](h)
	if code != OK {
		return nil, code
	}
	return writePrivate(key, append([]byte{}, password...), form)
}

// SM2PrivateSeal encrypts a private key for the recipient's (GB/T 35276).
func SM2PrivateSeal(h, recipient *Handle) ([]byte, Code) {
	key, code := valueOf[*sm2.PrivateKey](h)
	if code != OK {
		return nil, code
	}
	public, code := valueOf[*ecdsa.PublicKey](recipient)
	if code != OK {
		return nil, code
	}
	der, err := sm2.MarshalEnvelopedPrivateKey(rand.Reader, public, key)
	if err != nil {
		return nil, Random
	}
	return der, OK
}

// SM2PublicOf is the public key of a private key.
func SM2PublicOf(h *Handle) (*Handle, Code) {
	key, code := valueOf[*sm2.PrivateKey](h)
	if code != OK {
		return nil, code
	}
	return newHandle(&key.PublicKey), OK
}

// SM2PublicFromBytes is the public key that is a point of 33, 64 or 65 bytes.
func SM2PublicFromBytes(point []byte) (*Handle, Code) {
	var x, y *big.Int
	switch {
	case len(point) == 33 && (point[0] == 2 || point[0] == 3):
		x, y = elliptic.UnmarshalCompressed(sm2.P256(), point)
		if x == nil {
			return nil, PointNotOnCurve
		}
		return newHandle(&ecdsa.PublicKey{Curve: sm2.P256(), X: x, Y: y}), OK
	case len(point) == 64:
		point = append([]byte{4}, point...)
	case len(point) == 65 && point[0] == 4:
	case len(point) == 65 && (point[0] == 6 || point[0] == 7):
		// The hybrid form of SEC 1, whose first byte says what y's last bit is, too.
		if point[0]&1 != point[64]&1 {
			return nil, PointNotOnCurve
		}
		point = append([]byte{4}, point[1:]...)
	default:
		return nil, PointEncoding
	}
	key, err := sm2.NewPublicKey(point)
	return made(key, err, PointNotOnCurve)
}

// SM2PublicPrepare is the same key: gmsm has no tables.
func SM2PublicPrepare(h *Handle) (*Handle, Code) {
	key, code := valueOf[*ecdsa.PublicKey](h)
	if code != OK {
		return nil, code
	}
	return newHandle(key), OK
}

// SM2PublicWrite writes a public key.
func SM2PublicWrite(h *Handle, form KeyForm) ([]byte, Code) {
	key, code := valueOf[*ecdsa.PublicKey](h)
	if code != OK {
		return nil, code
	}
	switch form {
	case KeyUncompressed:
		return uncompressed(key), OK
	case KeyCompressed:
		return elliptic.MarshalCompressed(sm2.P256(), key.X, key.Y), OK
	case KeySPKI, KeySPKIPEM:
		der, err := smx509.MarshalPKIXPublicKey(key)
		if err != nil {
			return nil, Internal
		}
		if form == KeySPKIPEM {
			return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), OK
		}
		return der, OK
	}
	return nil, InvalidArgument
}

func uncompressed(key *ecdsa.PublicKey) []byte {
	point := make([]byte, PointSize)
	point[0] = 4
	key.X.FillBytes(point[1:33])
	key.Y.FillBytes(point[33:])
	return point
}

// SM2Z is the digest of an identity and a public key that is hashed before a message. A nil identity is the usual one.
func SM2Z(h *Handle, id []byte, z *[32]byte) Code {
	key, code := valueOf[*ecdsa.PublicKey](h)
	if code != OK {
		return code
	}
	return identityDigest(key, id, z)
}

// usualID is the identity of a nil one.
const usualID = "1234567812345678"

// identityDigest is Z (GB/T 32918.2, 5.5). gmsm takes an empty identity for the usual one, so it is computed here.
func identityDigest(key *ecdsa.PublicKey, id []byte, z *[32]byte) Code {
	if id == nil {
		id = []byte(usualID)
	}
	if len(id) > 8191 {
		return IdentityTooLong
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
	return OK
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

// SM2SigningNew is a private key with an identity. A nil identity is the usual one.
func SM2SigningNew(h *Handle, id []byte) (*Handle, Code) {
	key, code := valueOf[*sm2.PrivateKey](h)
	if code != OK {
		return nil, code
	}
	s := &signing{key: key}
	if code := identityDigest(&key.PublicKey, id, &s.z); code != OK {
		return nil, code
	}
	return newHandle(s), OK
}

// SM2VerifyingNew is a public key with an identity. A nil identity is the usual one.
func SM2VerifyingNew(h *Handle, id []byte) (*Handle, Code) {
	key, code := valueOf[*ecdsa.PublicKey](h)
	if code != OK {
		return nil, code
	}
	v := &verifying{key: key}
	if code := identityDigest(key, id, &v.z); code != OK {
		return nil, code
	}
	return newHandle(v), OK
}

// SM2VerifyingPrepare is the same key: gmsm has no tables.
func SM2VerifyingPrepare(h *Handle) (*Handle, Code) {
	v, code := valueOf[*verifying](h)
	if code != OK {
		return nil, code
	}
	return newHandle(v), OK
}
