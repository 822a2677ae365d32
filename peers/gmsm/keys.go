package main

import (
	"crypto/ecdsa"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/emmansun/gmsm/pkcs"
	"github.com/emmansun/gmsm/pkcs8"
	"github.com/emmansun/gmsm/sm2"
	"github.com/emmansun/gmsm/smx509"
)

var pbesCiphers = map[string]pkcs.Cipher{
	"aes-128-cbc": pkcs.AES128CBC,
	"aes-192-cbc": pkcs.AES192CBC,
	"aes-256-cbc": pkcs.AES256CBC,
	"aes-128-gcm": pkcs.AES128GCM,
	"aes-256-gcm": pkcs.AES256GCM,
	"sm4-cbc":     pkcs.SM4CBC,
	"sm4-gcm":     pkcs.SM4GCM,
}

var pbkdf2Hashes = map[string]pkcs.Hash{
	"hmac-sha1":   pkcs.SHA1,
	"hmac-sha256": pkcs.SHA256,
	"hmac-sha384": pkcs.SHA384,
	"hmac-sha512": pkcs.SHA512,
	"hmac-sm3":    pkcs.SM3,
}

const (
	saltBytes         = 16
	defaultIterations = 2048
)

// pbesEncrypter chooses how a key is encrypted. "pbes2" is PKCS #5's scheme with the cipher and PRF named; "gm" is the
// scheme of GM/T 0091, with object identifiers of its own and always SM4-CBC with HMAC-SM3.
func pbesEncrypter(scheme, cipherName, prf string, iterations int) (pkcs.PBESEncrypter, error) {
	if iterations == 0 {
		iterations = defaultIterations
	}
	switch scheme {
	case "", "pbes2":
	case "gm":
		if cipherName != "" || prf != "" {
			return nil, errors.New("the scheme gm fixes the cipher and the PRF: leave both out")
		}
		return pkcs.NewSMPBESEncrypter(saltBytes, iterations), nil
	default:
		return nil, fmt.Errorf("unknown scheme %q: pbes2 or gm", scheme)
	}
	cipher, known := pbesCiphers[cipherName]
	if !known {
		return nil, fmt.Errorf("unknown cipher %q", cipherName)
	}
	hash, known := pbkdf2Hashes[prf]
	if !known {
		return nil, fmt.Errorf("unknown PRF %q", prf)
	}
	return pkcs.NewPBESEncrypter(cipher, pkcs.NewPBKDF2Opts(hash, saltBytes, iterations)), nil
}

func pkcs8Encode(request struct {
	D          octets `json:"d"`
	Password   octets `json:"password" optional:"yes"`
	Scheme     string `json:"scheme"`
	Cipher     string `json:"cipher"`
	PRF        string `json:"prf"`
	Iterations int    `json:"iterations"`
}) (answer, error) {
	key, err := sm2.NewPrivateKey(request.D)
	if err != nil {
		return nil, err
	}
	if request.Password == nil {
		der, err := smx509.MarshalPKCS8PrivateKey(key)
		if err != nil {
			return nil, err
		}
		return answer{"der": octets(der)}, nil
	}
	if len(request.Password) == 0 {
		return nil, errors.New("gmsm does not encrypt with an empty password: it leaves the key in the clear")
	}
	encrypter, err := pbesEncrypter(request.Scheme, request.Cipher, request.PRF, request.Iterations)
	if err != nil {
		return nil, err
	}
	der, err := pkcs8.MarshalPrivateKey(key, request.Password, encrypter)
	if err != nil {
		return nil, err
	}
	return answer{"der": octets(der)}, nil
}

func pkcs8Decode(request struct {
	DER      octets `json:"der"`
	Password octets `json:"password" optional:"yes"`
}) (answer, error) {
	key, err := pkcs8.ParsePKCS8PrivateKeySM2(request.DER, request.Password)
	if err != nil {
		return nil, err
	}
	return keyAnswer(key), nil
}

func sec1Encode(request struct {
	D octets `json:"d"`
}) (answer, error) {
	key, err := sm2.NewPrivateKey(request.D)
	if err != nil {
		return nil, err
	}
	der, err := smx509.MarshalSM2PrivateKey(key)
	if err != nil {
		return nil, err
	}
	return answer{"der": octets(der)}, nil
}

func sec1Decode(request struct {
	DER octets `json:"der"`
}) (answer, error) {
	key, err := smx509.ParseSM2PrivateKey(request.DER)
	if err != nil {
		return nil, err
	}
	return keyAnswer(key), nil
}

func spkiEncode(request struct {
	Public octets `json:"public"`
}) (answer, error) {
	public, err := sm2.NewPublicKey(request.Public)
	if err != nil {
		return nil, err
	}
	der, err := smx509.MarshalPKIXPublicKey(public)
	if err != nil {
		return nil, err
	}
	return answer{"der": octets(der)}, nil
}

func spkiDecode(request struct {
	DER octets `json:"der"`
}) (answer, error) {
	key, err := smx509.ParsePKIXPublicKey(request.DER)
	if err != nil {
		return nil, err
	}
	public, isEC := key.(*ecdsa.PublicKey)
	if !isEC || !sm2.IsSM2PublicKey(public) {
		return nil, errors.New("the key is not a public key of SM2")
	}
	return answer{"public": octets(uncompressed(public))}, nil
}

// envelopeWrap makes GB/T 35276's SM2EnvelopedKey: the key d, encrypted for the recipient.
func envelopeWrap(request struct {
	Recipient octets `json:"recipient"`
	D         octets `json:"d"`
}) (answer, error) {
	recipient, err := sm2.NewPublicKey(request.Recipient)
	if err != nil {
		return nil, err
	}
	key, err := sm2.NewPrivateKey(request.D)
	if err != nil {
		return nil, err
	}
	der, err := sm2.MarshalEnvelopedPrivateKey(rand.Reader, recipient, key)
	if err != nil {
		return nil, err
	}
	return answer{"der": octets(der)}, nil
}

func envelopeUnwrap(request struct {
	D   octets `json:"d"`
	DER octets `json:"der"`
}) (answer, error) {
	recipient, err := sm2.NewPrivateKey(request.D)
	if err != nil {
		return nil, err
	}
	key, err := sm2.ParseEnvelopedPrivateKey(recipient, request.DER)
	if err != nil {
		return nil, err
	}
	return keyAnswer(key), nil
}
