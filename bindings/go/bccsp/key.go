package bccsp

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
	"github.com/kuaimi/kuaimi/bindings/go/sm3"
	"github.com/kuaimi/kuaimi/bindings/go/sm4"
)

// A key has the methods of bccsp.Key: a private or a public key of SM2, or a key of SM4.
type key[Key any] struct {
	ski      []byte
	private  *sm2.PrivateKey
	signer   *sm2.SigningKey
	public   *sm2.PublicKey
	verifier *sm2.VerifyingKey
	aead     *sm4.AEAD
}

// as is the key as the interface's type.
func (k *key[Key]) as() (Key, error) {
	asKey, ok := any(k).(Key)
	if !ok {
		return asKey, fmt.Errorf("bccsp: %T is not the interface bccsp.Key", asKey)
	}
	return asKey, nil
}

// own is a key of this package.
func own[Key any](k Key) (*key[Key], error) {
	own, ok := any(k).(*key[Key])
	if !ok || own == nil {
		return nil, fmt.Errorf("bccsp: %T is a key of another provider", k)
	}
	return own, nil
}

func publicKey[Key any](public *sm2.PublicKey, id []byte) (*key[Key], error) {
	verifier, err := public.VerifyingKey(id)
	if err != nil {
		return nil, err
	}
	// As Fabric identifies keys on curves.
	ski := sha256.Sum256(public.Bytes())
	return &key[Key]{ski: ski[:], public: public, verifier: verifier}, nil
}

func privateKey[Key any](private *sm2.PrivateKey, id []byte) (*key[Key], error) {
	public, err := private.PublicKey()
	if err != nil {
		return nil, err
	}
	id = slices.Clone(id)
	k, err := publicKey[Key](public, id)
	if err != nil {
		return nil, err
	}
	k.private = private
	k.signer, err = private.SigningKey(id)
	return k, err
}

func symmetricKey[Key any](bytes []byte) (*key[Key], error) {
	// The identifier must be that of the key that is kept, even if the caller's bytes change meanwhile.
	bytes = slices.Clone(bytes)
	defer clear(bytes)
	aead, err := sm4.NewGCM(bytes)
	if err != nil {
		return nil, err
	}
	ski := sm3.SumHMAC(bytes, []byte("the identifier of a key of SM4"))
	return &key[Key]{ski: ski[:], aead: aead}, nil
}

// Bytes is a public key as a SubjectPublicKeyInfo in DER. Other keys do not leave the provider.
func (k *key[Key]) Bytes() ([]byte, error) {
	if k.Private() {
		return nil, errors.New("bccsp: a secret key has no bytes")
	}
	return k.public.Marshal(sm2.SPKI)
}

// SKI identifies the key; a private key and its public one have the same.
func (k *key[Key]) SKI() []byte { return append([]byte(nil), k.ski...) }

// Symmetric is true for a key of SM4.
func (k *key[Key]) Symmetric() bool { return k.aead != nil }

// Private is true for a private key of SM2 and a key of SM4.
func (k *key[Key]) Private() bool { return k.private != nil || k.aead != nil }

// PublicKey is the public key of a key of SM2.
func (k *key[Key]) PublicKey() (Key, error) {
	if k.aead != nil {
		var none Key
		return none, errors.New("bccsp: a key of SM4 has no public key")
	}
	return (&key[Key]{ski: k.ski, public: k.public, verifier: k.verifier}).as()
}

// verdict is the result of a verification.
func verdict(err error) (bool, error) {
	if errors.Is(err, kuaimi.ErrInvalidSignature) {
		return false, nil
	}
	return err == nil, err
}
