// Package pkcs12 reads and writes private keys of SM2 with their certificates in one file under a password: PKCS #12 (RFC 7292,
// RFC 9579, GM/T 0091), also those of OpenSSL, gmsm, CFCA and keytool.
//
// A password is in UTF-8. Reading and writing take some tenths of a second: a file may ask for at most 10 million iterations.
//
// This package needs libkuaimi: without cgo, its functions fail with kuaimi.ErrNeedsLibkuaimi.
package pkcs12

import (
	"github.com/kuaimi/kuaimi/bindings/go/internal/bridge"
	"github.com/kuaimi/kuaimi/bindings/go/internal/certificates"
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
	"github.com/kuaimi/kuaimi/bindings/go/x509"
)

// A Profile says whose programs should open a file.
type Profile int

const (
	// Compatible is AES-256-CBC and HMAC-SHA-256: OpenSSL 1.1.1 and newer, Bouncy Castle, gmsm.
	Compatible Profile = iota
	// SM is SM4-CBC, HMAC-SM3 and PBMAC1 (RFC 9579): gmsm.
	SM
	// SMOpenSSL is SM4-CBC and HMAC-SM3 with OpenSSL's identifier: OpenSSL 4.0, Tongsuo.
	SMOpenSSL
	// Legacy is triple DES and SHA-1, for old programs. It is weak.
	Legacy
)

// An Entry is a private key with its certificate.
type Entry struct {
	Key *sm2.PrivateKey
	// Certificate is that of the key; nil if the file has none.
	Certificate *x509.Certificate
	// Chain has the certificates above it, as far as the file has them, by their names: nothing of them was verified.
	Chain []*x509.Certificate
}

// Decode reads a file with one private key of SM2. For a file with several, it returns the first.
//
// kuaimi.ErrWrongPassword: another password, or an altered file, which look the same. kuaimi.ErrDER: it is no such file, or has no MAC.
// kuaimi.ErrNotAKey: it has no key of SM2. kuaimi.ErrUnsupportedEncryption, kuaimi.ErrOtherAlgorithm: it is encrypted in a way that is
// not supported. kuaimi.ErrEncryptionCost: it asks for too much work.
func Decode(file, password []byte) (Entry, error) {
	entries, err := DecodeAll(file, password)
	if err != nil {
		return Entry{}, err
	}
	for _, entry := range entries[1:] {
		entry.Key.Close()
	}
	return entries[0], nil
}

// DecodeAll reads all private keys of SM2 in a file: a pair of keys to sign and to encrypt has two. Errors as of Decode.
func DecodeAll(file, password []byte) ([]Entry, error) {
	password = core.Once(password)
	defer clear(password)
	found, code := core.PKCS12Read(file, password)
	if code == core.OK && len(found) == 0 {
		code = core.NotAKey
	}
	if code != core.OK {
		return nil, fault.Of(code)
	}
	entries := make([]Entry, len(found))
	for i, one := range found {
		err := entries[i].read(one)
		if err != nil {
			for _, one := range found {
				one.Key.Close()
			}
			return nil, err
		}
	}
	return entries, nil
}

func (e *Entry) read(found core.PKCS12Key) error {
	key, err := bridge.NewPrivate(found.Key, core.OK)
	if err != nil {
		return err
	}
	e.Key = key.(*sm2.PrivateKey)
	for i, der := range found.Certificates {
		certificate, err := x509.ParseCertificate(der)
		if err != nil {
			return err
		}
		if i == 0 {
			e.Certificate = certificate
		} else {
			e.Chain = append(e.Chain, certificate)
		}
	}
	return nil
}

// Encode writes a file with private keys, their certificates and the chains above them, each certificate once.
//
// kuaimi.ErrInvalidArgument: there is no key, a key has no certificate or one of another key, or the password is not UTF-8.
func Encode(entries []Entry, password []byte, profile Profile) ([]byte, error) {
	password = core.Once(password)
	defer clear(password)
	var keys []*core.Handle
	var own, above []*x509.Certificate
	for _, entry := range entries {
		keys = append(keys, bridge.Private(entry.Key))
		own = append(own, entry.Certificate)
	}
	for _, entry := range entries {
		for _, certificate := range entry.Chain {
			if certificate != nil && !contains(own, certificate) && !contains(above, certificate) {
				above = append(above, certificate)
			}
		}
	}
	holders, code := certificates.Open(own...)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	defer holders.Close()
	others, code := certificates.Open(above...)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	defer others.Close()
	number := uint32(0)
	if profile >= 0 {
		number = uint32(profile) + 1
	}
	file, code := core.PKCS12Write(keys, holders, others, password, number)
	return file, fault.Of(code)
}

func contains(list []*x509.Certificate, wanted *x509.Certificate) bool {
	for _, one := range list {
		if one != nil && one.Equal(wanted) {
			return true
		}
	}
	return false
}
