// Package chainmaker gives ChainMaker SM2: its keys have the methods of ChainMaker's interfaces crypto.PrivateKey and crypto.PublicKey,
// as those of the engines have that its setting crypto_engine names.
//
// The interfaces' package, chainmaker.org/chainmaker/common/v2/crypto, is not imported: its types are type parameters, which a program
// names once:
//
//	type PrivateKey = chainmaker.PrivateKey[crypto.HashType, crypto.KeyType, crypto.SignOpts, crypto.PublicKey]
//	type PublicKey = chainmaker.PublicKey[crypto.HashType, crypto.KeyType, crypto.SignOpts]
//
//	var _ crypto.PrivateKey = (*PrivateKey)(nil)
//	var _ crypto.PublicKey = (*PublicKey)(nil)
package chainmaker

import (
	"crypto"
	_ "crypto/sha256" // of SignOpts.Hash
	_ "crypto/sha3"   // of SignOpts.Hash
	"errors"
	"fmt"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
)

const (
	// sm2Type is the number of SM2 among ChainMaker's types of keys.
	sm2Type = 6
	// sm3Hash is the number of SM3 among its hashes. The others have the numbers of package crypto.
	sm3Hash = 20
)

// SignOpts is what ChainMaker's options have.
type SignOpts[HashType ~uint] interface {
	~struct {
		Hash         HashType
		UID          string
		EncodingType string
	}
}

// options is ChainMaker's, as a type of this package.
type options[HashType ~uint] struct {
	Hash         HashType
	UID          string
	EncodingType string
}

// content is what is signed under which identity: a message, or its digest by another hash than SM3, which is then the message.
func (o options[HashType]) content(data []byte) ([]byte, []byte, error) {
	if o.Hash != sm3Hash {
		h := crypto.Hash(o.Hash)
		if !h.Available() {
			return nil, nil, fmt.Errorf("chainmaker: the hash number %d is not available", uint(o.Hash))
		}
		digest := h.New()
		digest.Write(data)
		return digest.Sum(nil), nil, nil
	}
	if o.UID != "" && o.UID != sm2.DefaultID {
		return data, []byte(o.UID), nil
	}
	return data, nil, nil
}

// A PrivateKey has the methods of ChainMaker's crypto.PrivateKey.
type PrivateKey[HashType ~uint, KeyType ~int, Opts SignOpts[HashType], Public any] struct {
	key *sm2.PrivateKey
}

// NewPrivateKey is a private key for ChainMaker. sm2.ParsePrivateKey reads one from a file.
func NewPrivateKey[HashType ~uint, KeyType ~int, Opts SignOpts[HashType], Public any](key *sm2.PrivateKey) *PrivateKey[HashType, KeyType, Opts, Public] {
	return &PrivateKey[HashType, KeyType, Opts, Public]{key: key}
}

// Type is the number of SM2.
func (k *PrivateKey[HashType, KeyType, Opts, Public]) Type() KeyType { return sm2Type }

// Bytes is the key as PKCS#8 in DER, not encrypted.
func (k *PrivateKey[HashType, KeyType, Opts, Public]) Bytes() ([]byte, error) {
	return k.key.Marshal(sm2.PKCS8)
}

// String is the key as PKCS#8 in PEM, not encrypted.
func (k *PrivateKey[HashType, KeyType, Opts, Public]) String() (string, error) {
	text, err := k.key.Marshal(sm2.PKCS8PEM)
	return string(text), err
}

// Sign signs a message under the default identity. The signature is in DER.
func (k *PrivateKey[HashType, KeyType, Opts, Public]) Sign(message []byte) ([]byte, error) {
	return k.key.SignMessage(nil, message, nil)
}

// SignWithOpts signs a message with SM3 under the options' identity, empty for the default one; or, with another hash, the digest of
// the message under the default identity. Without options, it is Sign.
func (k *PrivateKey[HashType, KeyType, Opts, Public]) SignWithOpts(message []byte, opts *Opts) ([]byte, error) {
	if opts == nil {
		return k.Sign(message)
	}
	content, id, err := options[HashType](*opts).content(message)
	if err != nil {
		return nil, err
	}
	if id == nil {
		return k.Sign(content)
	}
	signer, err := k.key.SigningKey(id)
	if err != nil {
		return nil, err
	}
	defer signer.Close()
	return signer.SignMessage(nil, content, nil)
}

// PublicKey is the public key; nil for a key that was closed.
func (k *PrivateKey[HashType, KeyType, Opts, Public]) PublicKey() Public {
	var none Public
	public, err := k.key.PublicKey()
	if err != nil {
		return none
	}
	if asPublic, ok := any(NewPublicKey[HashType, KeyType, Opts](public)).(Public); ok {
		return asPublic
	}
	return none
}

// ToStandardKey is the key as a crypto.Signer, a *sm2.PrivateKey.
func (k *PrivateKey[HashType, KeyType, Opts, Public]) ToStandardKey() crypto.PrivateKey { return k.key }

// A PublicKey has the methods of ChainMaker's crypto.PublicKey.
type PublicKey[HashType ~uint, KeyType ~int, Opts SignOpts[HashType]] struct {
	key *sm2.PublicKey
}

// NewPublicKey is a public key for ChainMaker. sm2.ParsePublicKey reads one from a file or a certificate.
func NewPublicKey[HashType ~uint, KeyType ~int, Opts SignOpts[HashType]](key *sm2.PublicKey) *PublicKey[HashType, KeyType, Opts] {
	return &PublicKey[HashType, KeyType, Opts]{key: key}
}

// Type is the number of SM2.
func (k *PublicKey[HashType, KeyType, Opts]) Type() KeyType { return sm2Type }

// Bytes is the key as a SubjectPublicKeyInfo in DER.
func (k *PublicKey[HashType, KeyType, Opts]) Bytes() ([]byte, error) { return k.key.Marshal(sm2.SPKI) }

// String is the key as a SubjectPublicKeyInfo in PEM.
func (k *PublicKey[HashType, KeyType, Opts]) String() (string, error) {
	text, err := k.key.Marshal(sm2.SPKIPEM)
	return string(text), err
}

// Verify verifies the signature of a message in DER, under the default identity. For a wrong signature it returns false and no error.
func (k *PublicKey[HashType, KeyType, Opts]) Verify(message, signature []byte) (bool, error) {
	return verdict(k.key.Verify(message, signature))
}

// VerifyWithOpts is to Verify as SignWithOpts is to Sign.
func (k *PublicKey[HashType, KeyType, Opts]) VerifyWithOpts(message, signature []byte, opts *Opts) (bool, error) {
	if opts == nil {
		return k.Verify(message, signature)
	}
	content, id, err := options[HashType](*opts).content(message)
	if err != nil {
		return false, err
	}
	if id == nil {
		return k.Verify(content, signature)
	}
	verifier, err := k.key.VerifyingKey(id)
	if err != nil {
		return false, err
	}
	defer verifier.Close()
	return verdict(verifier.Verify(content, signature))
}

// ToStandardKey is the key as a crypto.PublicKey, a *sm2.PublicKey.
func (k *PublicKey[HashType, KeyType, Opts]) ToStandardKey() crypto.PublicKey { return k.key }

func verdict(err error) (bool, error) {
	if errors.Is(err, kuaimi.ErrInvalidSignature) {
		return false, nil
	}
	return err == nil, err
}
