//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

import (
	"crypto/rand"
	"encoding/asn1"
	"encoding/pem"
	"math/big"

	"github.com/emmansun/gmsm/sm9"
)

// SM9MasterGenerate makes a master key.
func SM9MasterGenerate(kind SM9Kind) (*Handle, Code) {
	if kind == SM9Signing {
		key, err := sm9.GenerateSignMasterKey(rand.Reader)
		return made(key, err, Random)
	}
	key, err := sm9.GenerateEncryptMasterKey(rand.Reader)
	return made(key, err, Random)
}

// SM9MasterFromBytes is the master key that is a number of 32 bytes.
func SM9MasterFromBytes(kind SM9Kind, number []byte) (*Handle, Code) {
	if len(number) != 32 {
		return nil, KeyLength
	}
	value := new(big.Int).SetBytes(number)
	if value.Sign() == 0 || value.Cmp(sm9Order) >= 0 {
		return nil, PrivateKeyRange
	}
	der, err := asn1.Marshal(value)
	if err != nil {
		return nil, Internal
	}
	if kind == SM9Signing {
		key, err := sm9.UnmarshalSignMasterPrivateKeyASN1(der)
		return made(key, err, PrivateKeyRange)
	}
	key, err := sm9.UnmarshalEncryptMasterPrivateKeyASN1(der)
	return made(key, err, PrivateKeyRange)
}

// sm9Order is N.
var sm9Order, _ = new(big.Int).SetString("b640000002a3a6f1d603ab4ff58ec74449f2934b18ea8beee56ee19cd69ecf25", 16)

// SM9MasterRead reads the content of a key file. The password may be nil.
func SM9MasterRead(kind SM9Kind, data, password []byte) (*Handle, Code) {
	key, code := parsePrivate(data, password)
	if code != OK {
		return nil, code
	}
	switch key.(type) {
	case *sm9.SignMasterPrivateKey:
		if kind == SM9Signing {
			return newHandle(key), OK
		}
	case *sm9.EncryptMasterPrivateKey:
		if kind == SM9Encryption {
			return newHandle(key), OK
		}
	case *sm9.SignPrivateKey, *sm9.EncryptPrivateKey:
	default:
		return nil, OtherAlgorithm
	}
	return nil, OtherKey
}

// A secretKey of gmsm has bytes and a DER.
type secretKey interface {
	Bytes() []byte
	MarshalASN1() ([]byte, error)
}

func writeSecret(key any, password []byte, form KeyForm, raw func([]byte) []byte) ([]byte, Code) {
	secret, ok := key.(secretKey)
	if !ok {
		return nil, Closed
	}
	switch form {
	case KeyRaw:
		return raw(secret.Bytes()), OK
	case KeyDER:
		der, err := secret.MarshalASN1()
		if err != nil {
			return nil, Internal
		}
		return der, OK
	}
	return writePrivate(key, password, form)
}

// SM9MasterWrite writes a master key.
func SM9MasterWrite(_ SM9Kind, h *Handle, form KeyForm) ([]byte, Code) {
	key, code := valueOf[secretKey](h)
	if code != OK {
		return nil, code
	}
	return writeSecret(key, nil, form, func(number []byte) []byte {
		return new(big.Int).SetBytes(number).FillBytes(make([]byte, 32))
	})
}

// SM9MasterWriteEncrypted writes a master key under a password.
func SM9MasterWriteEncrypted(_ SM9Kind, h *Handle, password []byte, form KeyForm) ([]byte, Code) {
	key, code := valueOf[secretKey](h)
	if code != OK {
		return nil, code
	}
	return writePrivate(key, append([]byte{}, password...), form)
}

// SM9MasterPublicOf is the public key of a master key.
func SM9MasterPublicOf(_ SM9Kind, h *Handle) (*Handle, Code) {
	key, code := valueOf[any](h)
	if code != OK {
		return nil, code
	}
	switch key := key.(type) {
	case *sm9.SignMasterPrivateKey:
		return newHandle(key.PublicKey()), OK
	case *sm9.EncryptMasterPrivateKey:
		return newHandle(key.PublicKey()), OK
	}
	return nil, Closed
}

// SM9MasterPublicFromBytes is the master public key that is a point.
func SM9MasterPublicFromBytes(kind SM9Kind, point []byte) (*Handle, Code) {
	full := 65
	if kind == SM9Signing {
		full = 129
	}
	if len(point) == full-1 {
		point = append([]byte{4}, point...)
	}
	if len(point) != full && len(point) != full/2+1 {
		return nil, PointEncoding
	}
	if kind == SM9Signing {
		key, err := sm9.UnmarshalSignMasterPublicKeyRaw(point)
		return made(key, err, PointNotOnCurve)
	}
	key, err := sm9.UnmarshalEncryptMasterPublicKeyRaw(point)
	return made(key, err, PointNotOnCurve)
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
	oidPurpose = map[SM9Kind]asn1.ObjectIdentifier{
		SM9Signing:    {1, 2, 156, 10197, 1, 302, 1},
		SM9Encryption: {1, 2, 156, 10197, 1, 302, 3},
	}
)

// SM9MasterPublicRead reads the content of a key file.
func SM9MasterPublicRead(kind SM9Kind, data []byte) (*Handle, Code) {
	found, der, code := openFile(data, false)
	if code != OK {
		return nil, code
	}
	if isPrivate, isKey := found.isPrivate(); isKey && isPrivate {
		return nil, OtherKey
	}
	var info subjectPublicKeyInfo
	rest, err := asn1.Unmarshal(der, &info)
	switch {
	case err != nil:
		return nil, NotAKey
	case !info.Algorithm.Algorithm.Equal(oidSM9):
		return nil, OtherAlgorithm
	case !info.Algorithm.Parameters.Equal(oidPurpose[kind]):
		return nil, OtherKey
	}
	if len(rest) != 0 {
		return nil, TrailingBytes
	}
	if info.Point.BitLength%8 != 0 {
		return nil, DER
	}
	return SM9MasterPublicFromBytes(kind, info.Point.Bytes)
}

// SM9MasterPublicWrite writes a master public key.
func SM9MasterPublicWrite(kind SM9Kind, h *Handle, form KeyForm) ([]byte, Code) {
	key, code := valueOf[secretKey](h)
	if code != OK {
		return nil, code
	}
	point := key.Bytes()
	info := subjectPublicKeyInfo{Point: asn1.BitString{Bytes: point, BitLength: 8 * len(point)}}
	info.Algorithm.Algorithm, info.Algorithm.Parameters = oidSM9, oidPurpose[kind]
	var der []byte
	var err error
	switch form {
	case KeyRaw:
		return point[1:], OK
	case KeyUncompressed:
		return point, OK
	case KeyDER:
		der, err = asn1.Marshal(info.Point)
	case KeySPKI, KeySPKIPEM:
		der, err = asn1.Marshal(info)
	default:
		return nil, InvalidArgument
	}
	if err != nil {
		return nil, Internal
	}
	if form == KeySPKIPEM {
		der = pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	}
	return der, OK
}
