//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

import (
	"bytes"
	"encoding/pem"

	"github.com/emmansun/gmsm/pkcs"
	"github.com/emmansun/gmsm/pkcs8"
	"github.com/emmansun/gmsm/smx509"
)

// pemBlock is the DER inside a file in PEM, with its type; of a file in DER, the file and no type.
func pemBlock(file []byte) (der []byte, kind string, code Code) {
	if !bytes.Contains(file, []byte("-----BEGIN ")) {
		return file, "", OK
	}
	for {
		block, rest := pem.Decode(file)
		if block == nil {
			return nil, "", Text
		}
		// OpenSSL writes the parameters of a curve before the key.
		if block.Type != "EC PARAMETERS" && block.Type != "SM2 PARAMETERS" {
			return block.Bytes, block.Type, OK
		}
		file = rest
	}
}

// parsePrivate reads a private key of any kind that gmsm knows.
func parsePrivate(file, password []byte) (any, Code) {
	der, kind, code := pemBlock(file)
	if code != OK {
		return nil, code
	}
	switch kind {
	case "PUBLIC KEY", "CERTIFICATE":
		return nil, OtherKey
	case "", "PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "EC PRIVATE KEY", "SM2 PRIVATE KEY":
	default:
		return nil, NotAKey
	}
	if key, err := smx509.ParsePKCS8PrivateKey(der); err == nil {
		return key, OK
	}
	if key, err := smx509.ParseSM2PrivateKey(der); err == nil {
		return key, OK
	}
	if _, err := smx509.ParseECPrivateKey(der); err == nil {
		return nil, OtherAlgorithm
	}
	if !looksEncrypted(der) {
		if _, err := smx509.ParsePKIXPublicKey(der); err == nil {
			return nil, OtherKey
		}
		return nil, NotAKey
	}
	if len(password) == 0 {
		return nil, PasswordNeeded
	}
	key, _, err := pkcs8.ParsePrivateKey(der, password)
	if err != nil {
		return nil, WrongPassword
	}
	return key, OK
}

// writePrivate writes a private key that smx509 knows as PKCS#8, under a password where there is one.
func writePrivate(key any, password []byte, form KeyForm) ([]byte, Code) {
	var der []byte
	var err error
	kind := "PRIVATE KEY"
	if password != nil {
		kind = "ENCRYPTED PRIVATE KEY"
		if len(password) == 0 {
			return nil, PasswordNeeded
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
		return nil, Internal
	}
	switch form {
	case KeyPKCS8:
		return der, OK
	case KeyPKCS8PEM:
		return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), OK
	}
	return nil, InvalidArgument
}
