// Package cfca reads and writes forms of CFCA, the China Financial Certification Authority: .sm2 files, and the key to encrypt with that it
// returns.
//
// This package needs libkuaimi: without cgo, its functions fail with kuaimi.ErrNeedsLibkuaimi.
package cfca

import (
	"github.com/kuaimi/kuaimi/bindings/go/internal/bridge"
	"github.com/kuaimi/kuaimi/bindings/go/internal/certificates"
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
	"github.com/kuaimi/kuaimi/bindings/go/x509"
)

// ReadKeyFile reads an .sm2 file, which is Base64, PEM or DER: a private key and its certificate. The password is in UTF-8. The form
// protects it badly: it has no salt and no iterations. Better keep the key in a file of package pkcs12.
//
// kuaimi.ErrWrongPassword: another password, or an altered file, which look the same. kuaimi.ErrDER, kuaimi.ErrText: it is no such file.
func ReadKeyFile(file, password []byte) (*sm2.PrivateKey, *x509.Certificate, error) {
	password = core.Once(password)
	defer clear(password)
	h, der, code := core.CFCAReadKeyFile(file, password)
	if code != core.OK {
		return nil, nil, fault.Of(code)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		h.Close()
		return nil, nil, err
	}
	key, err := bridge.NewPrivate(h, core.OK)
	if err != nil {
		h.Close()
		return nil, nil, err
	}
	return key.(*sm2.PrivateKey), certificate, nil
}

// WriteKeyFile writes an .sm2 file, as lines of Base64, for programs that read nothing else. The password must be random, of 128 bits:
// see ReadKeyFile. kuaimi.ErrInvalidArgument: the certificate is of another key, or the password is not UTF-8.
func WriteKeyFile(key *sm2.PrivateKey, certificate *x509.Certificate, password []byte) ([]byte, error) {
	password = core.Once(password)
	defer clear(password)
	handles, code := certificates.Open(certificate)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	defer handles.Close()
	file, code := core.CFCAWriteKeyFile(bridge.Private(key), handles[0], password)
	return file, fault.Of(code)
}

// OpenReturnedKey opens the key to encrypt with that CFCA returns for a request with a temporary key.
//
// kuaimi.ErrDecryptionFailed: another temporary key, or an altered text. kuaimi.ErrDER, kuaimi.ErrText: it is no such text.
func OpenReturnedKey(temporary *sm2.PrivateKey, text []byte) (*sm2.PrivateKey, error) {
	h, code := core.CFCAOpenReturnedKey(bridge.Private(temporary), text)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	key, err := bridge.NewPrivate(h, core.OK)
	if err != nil {
		return nil, err
	}
	return key.(*sm2.PrivateKey), nil
}
