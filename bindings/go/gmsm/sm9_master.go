//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package gmsm

import (
	"crypto/rand"
	"encoding/asn1"
	"encoding/pem"
	"math/big"

	"github.com/emmansun/gmsm/sm9"

	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
)

// SM9MasterGenerate makes a master key.
func (functions) SM9MasterGenerate(kind core.SM9Kind) (*core.Handle, core.Code) {
	if kind == core.SM9Signing {
		key, err := sm9.GenerateSignMasterKey(rand.Reader)
		return made(key, err, core.Random)
	}
	key, err := sm9.GenerateEncryptMasterKey(rand.Reader)
	return made(key, err, core.Random)
}

// SM9MasterFromBytes is the master key that is a number of 32 bytes.
func (functions) SM9MasterFromBytes(kind core.SM9Kind, number []byte) (*core.Handle, core.Code) {
	if len(number) != 32 {
		return nil, core.KeyLength
	}
	value := new(big.Int).SetBytes(number)
	if value.Sign() == 0 || value.Cmp(sm9Order) >= 0 {
		return nil, core.PrivateKeyRange
	}
	der, err := asn1.Marshal(value)
	if err != nil {
		return nil, core.Internal
	}
	if kind == core.SM9Signing {
		key, err := sm9.UnmarshalSignMasterPrivateKeyASN1(der)
		return made(key, err, core.PrivateKeyRange)
	}
	key, err := sm9.UnmarshalEncryptMasterPrivateKeyASN1(der)
	return made(key, err, core.PrivateKeyRange)
}

// sm9Order is N.
var sm9Order, _ = new(big.Int).SetString("b640000002a3a6f1d603ab4ff58ec74449f2934b18ea8beee56ee19cd69ecf25", 16)

// SM9MasterRead reads the content of a key file. The password may be nil.
func (functions) SM9MasterRead(kind core.SM9Kind, data, password []byte) (*core.Handle, core.Code) {
	key, code := parsePrivate(data, password)
	if code != core.OK {
		return nil, code
	}
	switch key.(type) {
	case *sm9.SignMasterPrivateKey:
		if kind == core.SM9Signing {
			return core.NewHandle(key), core.OK
		}
	case *sm9.EncryptMasterPrivateKey:
		if kind == core.SM9Encryption {
			return core.NewHandle(key), core.OK
		}
	case *sm9.SignPrivateKey, *sm9.EncryptPrivateKey:
	default:
		return nil, core.OtherAlgorithm
	}
	return nil, core.OtherKey
}

// A secretKey of gmsm has bytes and a DER.
type secretKey interface {
	Bytes() []byte
	MarshalASN1() ([]byte, error)
}

func writeSecret(key any, password []byte, form core.KeyForm, raw func([]byte) []byte) ([]byte, core.Code) {
	secret, ok := key.(secretKey)
	if !ok {
		return nil, core.Closed
	}
	switch form {
	case core.KeyRaw:
		return raw(secret.Bytes()), core.OK
	case core.KeyDER:
		der, err := secret.MarshalASN1()
		if err != nil {
			return nil, core.Internal
		}
		return der, core.OK
	}
	return writePrivate(key, password, form)
}

// SM9MasterWrite writes a master key.
func (functions) SM9MasterWrite(_ core.SM9Kind, h *core.Handle, form core.KeyForm) ([]byte, core.Code) {
	key, code := valueOf[secretKey](h)
	if code != core.OK {
		return nil, code
	}
	return writeSecret(key, nil, form, func(number []byte) []byte {
		return new(big.Int).SetBytes(number).FillBytes(make([]byte, 32))
	})
}

// SM9MasterWriteEncrypted writes a master key under a password.
func (functions) SM9MasterWriteEncrypted(_ core.SM9Kind, h *core.Handle, password []byte, form core.KeyForm) ([]byte, core.Code) {
	key, code := valueOf[secretKey](h)
	if code != core.OK {
		return nil, code
	}
	return writePrivate(key, append([]byte{}, password...), form)
}

// SM9MasterPublicOf is the public key of a master key.
func (functions) SM9MasterPublicOf(_ core.SM9Kind, h *core.Handle) (*core.Handle, core.Code) {
	key, code := valueOf[any](h)
	if code != core.OK {
		return nil, code
	}
	switch key := key.(type) {
	case *sm9.SignMasterPrivateKey:
		return core.NewHandle(key.PublicKey()), core.OK
	case *sm9.EncryptMasterPrivateKey:
		return core.NewHandle(key.PublicKey()), core.OK
	}
	return nil, core.Closed
}

// SM9MasterPublicFromBytes is the master public key that is a point.
func (functions) SM9MasterPublicFromBytes(kind core.SM9Kind, point []byte) (*core.Handle, core.Code) {
	full := 65
	if kind == core.SM9Signing {
		full = 129
	}
	if len(point) == full-1 {
		point = append([]byte{4}, point...)
	}
	if len(point) != full && len(point) != full/2+1 {
		return nil, core.PointEncoding
	}
	if kind == core.SM9Signing {
		key, err := sm9.UnmarshalSignMasterPublicKeyRaw(point)
		return made(key, err, core.PointNotOnCurve)
	}
	key, err := sm9.UnmarshalEncryptMasterPublicKeyRaw(point)
	return made(key, err, core.PointNotOnCurve)
}

// A subjectPublicKeyInfo of SM9 names the algorithm, and what the key is for.
type subjectPublicKeyInfo struct {
	Algorithm struct {
		Algorithm  asn1.ObjectIdentifier
		Parameters asn1.ObjectIdentifier
	}
	Point asn1.BitString
}

var (
	oidSM9     = asn1.ObjectIdentifier{1, 2, 156, 10197, 1, 302}
	oidPurpose = map[core.SM9Kind]asn1.ObjectIdentifier{
		core.SM9Signing:    {1, 2, 156, 10197, 1, 302, 1},
		core.SM9Encryption: {1, 2, 156, 10197, 1, 302, 3},
	}
)

// SM9MasterPublicRead reads the content of a key file.
func (f functions) SM9MasterPublicRead(kind core.SM9Kind, data []byte) (*core.Handle, core.Code) {
	found, der, code := openFile(data, false)
	if code != core.OK {
		return nil, code
	}
	if isPrivate, isKey := found.isPrivate(); isKey && isPrivate {
		return nil, core.OtherKey
	}
	var info subjectPublicKeyInfo
	rest, err := asn1.Unmarshal(der, &info)
	switch {
	case err != nil:
		return nil, core.NotAKey
	case !info.Algorithm.Algorithm.Equal(oidSM9):
		return nil, core.OtherAlgorithm
	case !info.Algorithm.Parameters.Equal(oidPurpose[kind]):
		return nil, core.OtherKey
	}
	if len(rest) != 0 {
		return nil, core.TrailingBytes
	}
	if info.Point.BitLength%8 != 0 {
		return nil, core.DER
	}
	return f.SM9MasterPublicFromBytes(kind, info.Point.Bytes)
}

// SM9MasterPublicWrite writes a master public key.
func (functions) SM9MasterPublicWrite(kind core.SM9Kind, h *core.Handle, form core.KeyForm) ([]byte, core.Code) {
	key, code := valueOf[secretKey](h)
	if code != core.OK {
		return nil, code
	}
	point := key.Bytes()
	info := subjectPublicKeyInfo{Point: asn1.BitString{Bytes: point, BitLength: 8 * len(point)}}
	info.Algorithm.Algorithm, info.Algorithm.Parameters = oidSM9, oidPurpose[kind]
	var der []byte
	var err error
	switch form {
	case core.KeyRaw:
		return point[1:], core.OK
	case core.KeyUncompressed:
		return point, core.OK
	case core.KeyDER:
		der, err = asn1.Marshal(info.Point)
	case core.KeySPKI, core.KeySPKIPEM:
		der, err = asn1.Marshal(info)
	default:
		return nil, core.InvalidArgument
	}
	if err != nil {
		return nil, core.Internal
	}
	if form == core.KeySPKIPEM {
		der = pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	}
	return der, core.OK
}
