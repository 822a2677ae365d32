// Package signer gives keys of Kuaimi to packages that take gmsm's: smx509 and pkcs7 of github.com/emmansun/gmsm want a crypto.Signer whose
// public key is on gmsm's curve, and give it gmsm's options. The import does not make gmsm compute.
package signer

import (
	"crypto"
	"crypto/ecdsa"
	"errors"
	"io"

	gmsm "github.com/emmansun/gmsm/sm2"

	"github.com/kuaimi/kuaimi/bindings/go/sm2"
)

// A Signer is a private key of Kuaimi as gmsm's packages take it. It decrypts as the key does.
type Signer struct {
	*sm2.PrivateKey
	public *ecdsa.PublicKey
}

var (
	_ crypto.MessageSigner = (*Signer)(nil)
	_ crypto.Decrypter     = (*Signer)(nil)
)

// New is a signer with a key, which stays the caller's to close.
func New(key *sm2.PrivateKey) (*Signer, error) {
	own, err := key.PublicKey()
	if err != nil {
		return nil, err
	}
	public, err := own.ToECDSA(gmsm.P256())
	if err != nil {
		return nil, err
	}
	return &Signer{PrivateKey: key, public: public}, nil
}

// Public is the public key as an *ecdsa.PublicKey on gmsm's curve.
func (s *Signer) Public() crypto.PublicKey { return s.public }

// Sign signs a message with gmsm's DefaultSM2SignerOpts, and otherwise as the key does. Other options of gmsm are an error, as they do not
// tell whether they are for a message, nor for which identity.
func (s *Signer) Sign(rand io.Reader, content []byte, opts crypto.SignerOpts) ([]byte, error) {
	opts, err := own(opts)
	if err != nil {
		return nil, err
	}
	return s.PrivateKey.Sign(rand, content, opts)
}

// SignMessage signs a message, with the options of Sign.
func (s *Signer) SignMessage(rand io.Reader, message []byte, opts crypto.SignerOpts) ([]byte, error) {
	opts, err := own(opts)
	if err != nil {
		return nil, err
	}
	return s.PrivateKey.SignMessage(rand, message, opts)
}

// own is Kuaimi's options for gmsm's.
func own(opts crypto.SignerOpts) (crypto.SignerOpts, error) {
	option, isTheirs := opts.(*gmsm.SM2SignerOption)
	switch {
	case !isTheirs:
		return opts, nil
	case option == gmsm.DefaultSM2SignerOpts:
		return sm2.SignerOpts{IsMessage: true}, nil
	}
	return nil, errors.New("signer: of gmsm's options, only DefaultSM2SignerOpts can be read: for an identity, take sm2.SigningKey")
}
