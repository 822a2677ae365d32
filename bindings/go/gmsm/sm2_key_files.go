//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package gmsm

import (
	"bytes"
	"crypto/ecdsa"
	stdasn1 "encoding/asn1"
	"math/big"

	"github.com/emmansun/gmsm/sm2"
	"golang.org/x/crypto/cryptobyte"
	"golang.org/x/crypto/cryptobyte/asn1"

	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
)

// SM2's keys in SEC 1, PKCS#8, SubjectPublicKeyInfo and certificates. gmsm's own readers know no curve that is given by parameters, and
// their errors do not say what is wrong.

var (
	oidECPublicKey = stdasn1.ObjectIdentifier{1, 2, 840, 10045, 2, 1}
	oidPrimeField  = stdasn1.ObjectIdentifier{1, 2, 840, 10045, 1, 1}
	oidSM2         = stdasn1.ObjectIdentifier{1, 2, 156, 10197, 1, 301}
	oidSM2Sign     = stdasn1.ObjectIdentifier{1, 2, 156, 10197, 1, 301, 1}
	oidSM2Encrypt  = stdasn1.ObjectIdentifier{1, 2, 156, 10197, 1, 301, 3}
)

// SM2PrivateRead reads the content of a key file. The password may be nil.
func (functions) SM2PrivateRead(data, password []byte) (*core.Handle, core.Code) {
	found, content, code := openFile(data, true)
	if code != core.OK {
		return nil, code
	}
	var private *sm2.PrivateKey
	switch {
	case found == pkcs8Key:
		private, code = fromPKCS8(content)
	case found == sec1Key:
		private, code = fromSEC1(content)
	case found == encryptedKey:
		key, code := decryptPrivate(content, password)
		if code != core.OK {
			return nil, code
		}
		encrypted, ok := key.(*sm2.PrivateKey)
		if !ok {
			return nil, core.OtherAlgorithm
		}
		// gmsm reads the public key that is stored beside the private one without comparing them.
		return samePublic(encrypted.D.FillBytes(make([]byte, 32)), uncompressed(&encrypted.PublicKey))
	case found == opensslDigits, found == otherFile && isNumber(content):
		private, code = fromNumber(content)
	case found == otherFile && isPoint(content):
		return nil, core.OtherKey
	case found == otherFile && core.IsDeviceSignature(content):
		return nil, core.SignatureEncoding
	default:
		digits, _ := opensslText(content, "pub:")
		if digits != nil {
			return nil, core.OtherKey
		}
		return nil, found.unexpected()
	}
	return handleOf(private, code)
}

// SM2PublicRead reads the content of a key file or of a certificate.
func (f functions) SM2PublicRead(data []byte) (*core.Handle, core.Code) {
	found, content, code := openFile(data, false)
	if code != core.OK {
		return nil, code
	}
	switch {
	case found == spkiKey:
		return fromSPKI(content)
	case found == certificateFile:
		info, ok := keyOfCertificate(content)
		switch {
		case ok:
			return fromSPKI(info)
		case structureOf(content) == certificateFile:
			return nil, core.TrailingBytes
		}
		return nil, core.DER
	case (found == opensslDigits || found == otherFile) && isPoint(content):
		return f.SM2PublicFromBytes(content)
	case found == otherFile && isNumber(content):
		return nil, core.OtherKey
	case found == otherFile && core.IsDeviceSignature(content):
		return nil, core.SignatureEncoding
	}
	return nil, found.unexpected()
}

// isNumber says whether this is a private key's number alone, by its length.
func isNumber(data []byte) bool {
	return len(data) == 32 || len(data) == 33 && data[0] == 0
}

// isPoint says whether this may be a public key's point alone.
func isPoint(data []byte) bool {
	switch len(data) {
	case 33:
		return data[0] == 2 || data[0] == 3
	case 64:
		_, code := publicFromBytes(data)
		return code == core.OK
	case 65:
		return data[0] == 4 || data[0] == 6 || data[0] == 7
	}
	return false
}

// fromNumber is the key that is a number of 32 bytes, or of 33 with a zero before them, as Java's BigInteger writes it.
func fromNumber(number []byte) (*sm2.PrivateKey, core.Code) {
	if len(number) == 33 && number[0] == 0 {
		number = number[1:]
	}
	return privateFromBytes(number)
}

// samePublic is the key that is a number, if the public key that is stored with it is its own.
func samePublic(number, point []byte) (*core.Handle, core.Code) {
	private, code := fromNumber(number)
	if code == core.OK {
		code = checkPublic(private, point)
	}
	return handleOf(private, code)
}

func checkPublic(private *sm2.PrivateKey, point []byte) core.Code {
	public, code := pointOf(point)
	if code != core.OK {
		return code
	}
	if !private.PublicKey.Equal(public) {
		return core.PublicKeyMismatch
	}
	return core.OK
}

// pointOf is a point of 33 or 65 bytes, as files have it.
func pointOf(point []byte) (*ecdsa.PublicKey, core.Code) {
	if len(point) == 64 {
		return nil, core.PointEncoding
	}
	return publicFromBytes(point)
}

// fromSEC1 reads SEQUENCE { version 1, privateKey OCTET STRING, [0] ECParameters OPTIONAL, [1] BIT STRING OPTIONAL } (RFC 5915).
func fromSEC1(der []byte) (*sm2.PrivateKey, core.Code) {
	input := cryptobyte.String(der)
	var fields, number, parameters, public cryptobyte.String
	var version int
	var hasParameters, hasPublic bool
	if !input.ReadASN1(&fields, asn1.SEQUENCE) {
		return nil, core.DER
	}
	if !input.Empty() {
		return nil, core.TrailingBytes
	}
	if !fields.ReadASN1Integer(&version) || version != 1 || !fields.ReadASN1(&number, asn1.OCTET_STRING) ||
		!fields.ReadOptionalASN1(&parameters, &hasParameters, asn1.Tag(0).Constructed().ContextSpecific()) ||
		!fields.ReadOptionalASN1(&public, &hasPublic, asn1.Tag(1).Constructed().ContextSpecific()) || !fields.Empty() {
		return nil, core.DER
	}
	// tjfoc/gmsm omits leading zeros.
	padded := make([]byte, 32)
	if len(number) > 0 && len(number) < 32 {
		copy(padded[32-len(number):], number)
		number = padded
	}
	private, code := fromNumber(number)
	if code == core.OK && hasParameters {
		code = checkCurve(parameters)
	}
	if code == core.OK && hasPublic {
		var point []byte
		if !public.ReadASN1BitStringAsBytes(&point) || !public.Empty() {
			return nil, core.DER
		}
		code = checkPublic(private, point)
	}
	return private, code
}

// fromPKCS8 reads a PrivateKeyInfo. Attributes are ignored.
func fromPKCS8(der []byte) (*sm2.PrivateKey, core.Code) {
	input := cryptobyte.String(der)
	var fields, algorithm, inner, public cryptobyte.String
	var version int
	var hasPublic bool
	if !input.ReadASN1(&fields, asn1.SEQUENCE) {
		return nil, core.DER
	}
	if !input.Empty() {
		return nil, core.TrailingBytes
	}
	if !fields.ReadASN1Integer(&version) || version < 0 || version > 1 || !fields.ReadASN1(&algorithm, asn1.SEQUENCE) {
		return nil, core.DER
	}
	if code := checkAlgorithm(algorithm); code != core.OK {
		return nil, code
	}
	if !fields.ReadASN1(&inner, asn1.OCTET_STRING) ||
		!fields.SkipOptionalASN1(asn1.Tag(0).Constructed().ContextSpecific()) ||
		!fields.ReadOptionalASN1(&public, &hasPublic, asn1.Tag(1).ContextSpecific()) || !fields.Empty() {
		return nil, core.DER
	}
	private, code := fromSEC1(inner)
	if code == core.OK && hasPublic {
		// The number of unused bits, which is zero.
		if len(public) == 0 || public[0] != 0 {
			return nil, core.DER
		}
		code = checkPublic(private, public[1:])
	}
	return private, code
}

// fromSPKI reads a SubjectPublicKeyInfo.
func fromSPKI(der []byte) (*core.Handle, core.Code) {
	input := cryptobyte.String(der)
	var fields, algorithm cryptobyte.String
	var point []byte
	if !input.ReadASN1(&fields, asn1.SEQUENCE) {
		return nil, core.DER
	}
	if !input.Empty() {
		return nil, core.TrailingBytes
	}
	if !fields.ReadASN1(&algorithm, asn1.SEQUENCE) {
		return nil, core.DER
	}
	if code := checkAlgorithm(algorithm); code != core.OK {
		return nil, code
	}
	if !fields.ReadASN1BitStringAsBytes(&point) || !fields.Empty() {
		return nil, core.DER
	}
	return handleOf(pointOf(point))
}

// keyOfCertificate is the SubjectPublicKeyInfo of a certificate. Nothing else of it is read.
func keyOfCertificate(der []byte) (info cryptobyte.String, ok bool) {
	input := cryptobyte.String(der)
	var certificate, signed, element cryptobyte.String
	if !input.ReadASN1(&certificate, asn1.SEQUENCE) || !input.Empty() || !certificate.ReadASN1(&signed, asn1.SEQUENCE) ||
		!signed.SkipOptionalASN1(asn1.Tag(0).Constructed().ContextSpecific()) {
		return nil, false
	}
	// The number, the signature's algorithm, the issuer, the dates, the subject.
	for _, tag := range []asn1.Tag{asn1.INTEGER, asn1.SEQUENCE, asn1.SEQUENCE, asn1.SEQUENCE, asn1.SEQUENCE} {
		if !signed.ReadASN1(&element, tag) {
			return nil, false
		}
	}
	return info, signed.ReadASN1Element(&info, asn1.SEQUENCE)
}

// checkAlgorithm says whether an AlgorithmIdentifier is that of a key of SM2.
func checkAlgorithm(algorithm cryptobyte.String) core.Code {
	var name stdasn1.ObjectIdentifier
	if !algorithm.ReadASN1ObjectIdentifier(&name) {
		return core.DER
	}
	isOwn := name.Equal(oidSM2) || name.Equal(oidSM2Sign) || name.Equal(oidSM2Encrypt)
	switch {
	case !isOwn && !name.Equal(oidECPublicKey):
		return core.OtherAlgorithm
	case isOwn && (algorithm.Empty() || bytes.Equal(algorithm, []byte{5, 0})):
		return core.OK
	case algorithm.Empty():
		return core.OtherAlgorithm
	}
	return checkCurve(algorithm)
}

// checkCurve says whether ECParameters name SM2's curve, or are its parameters.
func checkCurve(parameters cryptobyte.String) core.Code {
	var name stdasn1.ObjectIdentifier
	if !parameters.PeekASN1Tag(asn1.SEQUENCE) {
		if !parameters.ReadASN1ObjectIdentifier(&name) || !parameters.Empty() {
			return core.DER
		}
		if !name.Equal(oidSM2) {
			return core.OtherAlgorithm
		}
		return core.OK
	}
	if !areSM2(parameters) {
		return core.OtherAlgorithm
	}
	return core.OK
}

// areSM2 compares every number of explicit parameters (SEC 1, C.2): another generator on the same curve would let its writer know
// private keys of other people's public keys.
func areSM2(parameters cryptobyte.String) bool {
	curve := sm2.P256().Params()
	var fields, field, coefficients, a, b, generator, seed cryptobyte.String
	var version int
	var kind stdasn1.ObjectIdentifier
	p, n, cofactor := new(big.Int), new(big.Int), big.NewInt(1)
	if !parameters.ReadASN1(&fields, asn1.SEQUENCE) || !parameters.Empty() ||
		!fields.ReadASN1Integer(&version) || version < 1 || version > 3 ||
		!fields.ReadASN1(&field, asn1.SEQUENCE) || !field.ReadASN1ObjectIdentifier(&kind) || !kind.Equal(oidPrimeField) ||
		!field.ReadASN1Integer(p) || !field.Empty() ||
		!fields.ReadASN1(&coefficients, asn1.SEQUENCE) || !coefficients.ReadASN1(&a, asn1.OCTET_STRING) ||
		!coefficients.ReadASN1(&b, asn1.OCTET_STRING) ||
		!coefficients.Empty() && (!coefficients.ReadASN1(&seed, asn1.BIT_STRING) || !coefficients.Empty()) ||
		!fields.ReadASN1(&generator, asn1.OCTET_STRING) || !fields.ReadASN1Integer(n) ||
		!fields.Empty() && (!fields.ReadASN1Integer(cofactor) || !fields.Empty()) {
		return false
	}
	base, code := pointOf(generator)
	return code == core.OK && base.X.Cmp(curve.Gx) == 0 && base.Y.Cmp(curve.Gy) == 0 &&
		p.Cmp(curve.P) == 0 && n.Cmp(curve.N) == 0 && cofactor.Cmp(big.NewInt(1)) == 0 &&
		bytes.Equal(a, new(big.Int).Sub(curve.P, big.NewInt(3)).FillBytes(make([]byte, 32))) &&
		bytes.Equal(b, curve.B.FillBytes(make([]byte, 32)))
}
