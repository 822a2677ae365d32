//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package gmsm

import (
	"encoding/pem"

	"github.com/emmansun/gmsm/pkcs"
	"github.com/emmansun/gmsm/pkcs8"
	"github.com/emmansun/gmsm/smx509"
	"golang.org/x/crypto/cryptobyte"
	"golang.org/x/crypto/cryptobyte/asn1"

	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
)

// A structure is what a key file holds, told apart by the label of its block, or by the types of the first elements of the DER.
type structure int

const (
	otherFile structure = iota
	pkcs8Key
	sec1Key
	encryptedKey
	spkiKey
	certificateFile
	envelopedFile
	opensslDigits
)

// structureOf looks at DER. Bytes after the sequence are an error for the function that reads it.
func structureOf(der []byte) structure {
	input := cryptobyte.String(der)
	var fields, element cryptobyte.String
	if !input.ReadASN1(&fields, asn1.SEQUENCE) {
		return otherFile
	}
	var tags [4]asn1.Tag
	for i := range tags {
		if fields.Empty() {
			break
		}
		if !fields.ReadAnyASN1(&element, &tags[i]) {
			return otherFile
		}
	}
	switch [2]asn1.Tag(tags[:2]) {
	case [2]asn1.Tag{asn1.INTEGER, asn1.SEQUENCE}:
		if tags[2] == asn1.OCTET_STRING {
			return pkcs8Key
		}
	case [2]asn1.Tag{asn1.INTEGER, asn1.OCTET_STRING}:
		return sec1Key
	case [2]asn1.Tag{asn1.SEQUENCE, asn1.OCTET_STRING}:
		return encryptedKey
	case [2]asn1.Tag{asn1.SEQUENCE, asn1.BIT_STRING}:
		return spkiKey
	case [2]asn1.Tag{asn1.SEQUENCE, asn1.SEQUENCE}:
		switch {
		case tags[2] == asn1.BIT_STRING && tags[3] == asn1.BIT_STRING:
			return envelopedFile
		case tags[2] == asn1.BIT_STRING:
			// Requests and revocation lists begin with the same types.
			if _, isCertificate := keyOfCertificate(der[:len(der)-len(input)]); isCertificate {
				return certificateFile
			}
		}
	}
	return otherFile
}

var structureOfLabel = map[string]structure{
	"PRIVATE KEY": pkcs8Key, "ENCRYPTED PRIVATE KEY": encryptedKey, "EC PRIVATE KEY": sec1Key, "SM2 PRIVATE KEY": sec1Key,
	"PUBLIC KEY": spkiKey, "CERTIFICATE": certificateFile, "X509 CERTIFICATE": certificateFile,
}

// isPrivate says of which kind a structure is, if it is one that this file reads.
func (s structure) isPrivate() (isPrivate, isKey bool) {
	switch s {
	case pkcs8Key, sec1Key, encryptedKey:
		return true, true
	case spkiKey, certificateFile:
		return false, true
	}
	return false, false
}

// unexpected is why a structure is not what the caller wants.
func (s structure) unexpected() core.Code {
	if _, isKey := s.isPrivate(); isKey || s == envelopedFile {
		return core.OtherKey
	}
	return core.NotAKey
}

// openFile is the content of a key file, decoded if it is a text; from PEM, the first block with a key of the wanted kind.
func openFile(file []byte, wantPrivate bool) (structure, []byte, core.Code) {
	text := plainText(file)
	content, hasBlocks, code := contentOf(text)
	if code != core.OK {
		return otherFile, nil, code
	}
	if hasBlocks {
		return openPEM(content, wantPrivate)
	}
	heading := "pub:"
	if wantPrivate {
		heading = "priv:"
	}
	if digits, code := opensslText(text, heading); digits != nil || code != core.OK {
		return opensslDigits, digits, code
	}
	// No structure with a key in it is so short.
	if len(content) == 32 || len(content) == 33 {
		return otherFile, content, core.OK
	}
	return structureOf(content), content, core.OK
}

func openPEM(text []byte, wantPrivate bool) (structure, []byte, core.Code) {
	blocks, broken := blocksOf(text)
	reason := core.NotAKey
	for _, block := range blocks {
		label := structureOfLabel[block.label]
		if isPrivate, isKey := label.isPrivate(); isKey && isPrivate == wantPrivate {
			content, code := block.decode()
			if code != core.OK {
				return otherFile, nil, code
			}
			// Some programs write one structure under the label of another: the content decides.
			if actual := structureOf(content); label != actual {
				if isPrivate, isKey := actual.isPrivate(); isKey && isPrivate == wantPrivate {
					label = actual
				}
			}
			return label, content, core.OK
		}
		if block.label == "EC PARAMETERS" || block.label == "SM2 PARAMETERS" {
			content, code := block.decode()
			if code == core.OK {
				code = checkCurve(content)
			}
			if code != core.OK {
				return otherFile, nil, code
			}
		}
		if reason == core.NotAKey {
			reason = label.unexpected()
		}
	}
	if broken != core.OK {
		return otherFile, nil, broken
	}
	return otherFile, nil, reason
}

// parsePrivate reads a PKCS#8 of any algorithm that gmsm knows. For other files, the code says why they are not one.
func parsePrivate(file, password []byte) (any, core.Code) {
	found, content, code := openFile(file, true)
	if code != core.OK {
		return nil, code
	}
	switch found {
	case encryptedKey:
		return decryptPrivate(content, password)
	case pkcs8Key:
		key, err := smx509.ParsePKCS8PrivateKey(content)
		if err != nil {
			return nil, core.NotAKey
		}
		return key, core.OK
	case sec1Key:
		return nil, core.OtherAlgorithm
	}
	return nil, found.unexpected()
}

// decryptPrivate reads an encrypted PKCS#8.
func decryptPrivate(der, password []byte) (any, core.Code) {
	if len(password) == 0 {
		return nil, core.PasswordNeeded
	}
	key, _, err := pkcs8.ParsePrivateKey(der, password)
	if err != nil {
		return nil, core.WrongPassword
	}
	return key, core.OK
}

// writePrivate writes a private key that smx509 knows as PKCS#8, under a password where there is one.
func writePrivate(key any, password []byte, form core.KeyForm) ([]byte, core.Code) {
	var der []byte
	var err error
	kind := "PRIVATE KEY"
	if password != nil {
		kind = "ENCRYPTED PRIVATE KEY"
		if len(password) == 0 {
			return nil, core.PasswordNeeded
		}
		der, err = pkcs8.MarshalPrivateKey(key, password, &pkcs.PBES2Opts{
			Cipher: pkcs.SM4CBC,
			KDFOpts: pkcs.PBKDF2Opts{
				SaltSize: 16, IterationCount: 1 << 16, HMACHash: pkcs.SM3,
			},
		})
	} else {
		der, err = smx509.MarshalPKCS8PrivateKey(key)
	}
	if err != nil {
		return nil, core.Internal
	}
	switch form {
	case core.KeyPKCS8:
		return der, core.OK
	case core.KeyPKCS8PEM:
		return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), core.OK
	}
	return nil, core.InvalidArgument
}
