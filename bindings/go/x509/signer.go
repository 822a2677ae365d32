package x509

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/x509"
	"errors"
	"fmt"

	"github.com/kuaimi/kuaimi/bindings/go/sm2"
)

// A signer holds a private key of SM2, in memory or in a device.
type signer struct {
	key    crypto.Signer
	public *sm2.PublicKey
}

// signerOf is nil for a key of another algorithm.
func signerOf(private any) (*signer, error) {
	key, ok := private.(crypto.Signer)
	if !ok || key == nil {
		return nil, errors.New("x509: the private key is no crypto.Signer")
	}
	public := key.Public()
	if public == nil {
		return nil, errors.New("x509: the private key has no public key: it may have been closed")
	}
	if public := sm2Key(public); public != nil {
		return &signer{key, public}, nil
	}
	return nil, nil
}

// sm2Key is a public key of SM2, of this module or of another one; nil for other keys.
func sm2Key(key any) *sm2.PublicKey {
	switch key := key.(type) {
	case *sm2.PublicKey:
		return key
	case *ecdsa.PublicKey:
		if key == nil || key.Curve == nil {
			return nil
		}
		public, err := sm2.NewPublicKeyFromECDSA(key)
		if err != nil {
			return nil
		}
		// The curve must be SM2's, not only have the point.
		if _, err := public.ToECDSA(key.Curve); err != nil {
			return nil
		}
		return public
	}
	return nil
}

// check refuses a template that asks for an algorithm of crypto/x509.
func (s *signer) check(algorithm x509.SignatureAlgorithm) error {
	if algorithm != x509.UnknownSignatureAlgorithm {
		return errors.New("x509: requested SignatureAlgorithm does not match private key type")
	}
	return nil
}

// signature is the signature of what is to be signed, in DER. It was verified: a device may be wrong, or the key another one.
func (s *signer) signature(tbs []byte) ([]byte, error) {
	hash, err := s.public.NewHash(nil)
	if err != nil {
		return nil, err
	}
	hash.Write(tbs)
	digest := hash.Sum(nil)
	made, err := s.key.Sign(rand.Reader, digest, crypto.Hash(0))
	if err != nil {
		return nil, err
	}
	signature, err := sm2.ConvertSignature(made, sm2.DEROrRaw, sm2.DER)
	if err != nil {
		return nil, wrongSigner(err)
	}
	verifier, err := s.public.VerifyingKey(nil)
	if err != nil {
		return nil, err
	}
	defer verifier.Close()
	if err := verifier.VerifyDigest(digest, signature, sm2.DER); err != nil {
		return nil, wrongSigner(err)
	}
	return signature, nil
}

// wrongSigner says what a crypto.Signer has to do that did something else, such as hash the digest again.
func wrongSigner(err error) error {
	return fmt.Errorf("x509: the method Sign of the private key must sign the digest SM3(Z, message) that it is given, and its signature does not fit: %w", err)
}
