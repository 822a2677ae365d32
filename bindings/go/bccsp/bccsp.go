// Package bccsp gives Hyperledger Fabric SM2, SM3 and SM4: a Provider has the methods of Fabric's interface bccsp.BCCSP.
//
// The interface's package is not imported, as there are several of them (github.com/hyperledger/fabric/bccsp, and
// github.com/hyperledger/fabric-lib-go/bccsp since Fabric 3) with types of their own. They are type parameters instead, which a program
// names once:
//
//	type Provider = kuaimi.Provider[bccsp.Key, bccsp.KeyGenOpts, bccsp.KeyDerivOpts, bccsp.KeyImportOpts, bccsp.HashOpts,
//		bccsp.SignerOpts, bccsp.EncrypterOpts, bccsp.DecrypterOpts]
//
//	var _ bccsp.BCCSP = (*Provider)(nil)
package bccsp

import (
	"crypto/cipher"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"sync"

	"github.com/kuaimi/kuaimi/bindings/go/sm2"
	"github.com/kuaimi/kuaimi/bindings/go/sm3"
	"github.com/kuaimi/kuaimi/bindings/go/sm4"
)

// The names of algorithms that options give.
const (
	SM2 = "SM2"
	SM3 = "SM3"
	SM4 = "SM4"
)

// ErrNotSupported is the error for what the algorithms of this package do not have, such as the derivation of keys.
var ErrNotSupported = errors.New("bccsp: not supported for SM2, SM3 and SM4")

// keyOpts is what the options for keys have in all versions of the interface.
type keyOpts interface {
	Algorithm() string
	Ephemeral() bool
}

// hashOpts is what the options for hashes have.
type hashOpts interface{ Algorithm() string }

// A Provider has the methods of bccsp.BCCSP. Its zero value can be used. Keys whose options are not ephemeral stay in its memory, for
// GetKey; a program that wants them in files must write them. Goroutines may share a provider.
type Provider[Key any, KeyGenOpts, KeyDerivOpts, KeyImportOpts keyOpts, HashOpts hashOpts, SignerOpts, EncrypterOpts, DecrypterOpts any] struct {
	// ID is the identity of all signatures, nil for the default one.
	ID []byte
	// SignsDigests says that Sign and Verify get SM3(Z, message). Otherwise they treat their input as the message, as versions of
	// Fabric for SM2 do: what Fabric hashes before it signs does not include Z.
	SignsDigests bool

	mutex sync.RWMutex
	keys  map[string]Key
}

// KeyGen makes a key: SM4 where the options say so, else SM2.
func (p *Provider[Key, G, D, I, H, S, E, X]) KeyGen(opts G) (Key, error) {
	var none Key
	var k *key[Key]
	if opts.Algorithm() == SM4 {
		bytes := make([]byte, sm4.KeySize)
		defer clear(bytes)
		if _, err := rand.Read(bytes); err != nil {
			return none, err
		}
		made, err := symmetricKey[Key](bytes)
		if err != nil {
			return none, err
		}
		k = made
	} else {
		private, err := sm2.GenerateKey()
		if err != nil {
			return none, err
		}
		if k, err = privateKey[Key](private, p.ID); err != nil {
			return none, err
		}
	}
	return p.keep(k, opts.Ephemeral())
}

// keep stores a key where it is not ephemeral.
func (p *Provider[Key, G, D, I, H, S, E, X]) keep(k *key[Key], isEphemeral bool) (Key, error) {
	asKey, err := k.as()
	if err != nil || isEphemeral {
		return asKey, err
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.keys == nil {
		p.keys = map[string]Key{}
	}
	// A public key does not replace its private one.
	if _, isThere := p.keys[string(k.ski)]; !isThere || k.Private() {
		p.keys[string(k.ski)] = asKey
	}
	return asKey, nil
}

// KeyDeriv is not supported.
func (p *Provider[Key, G, D, I, H, S, E, X]) KeyDeriv(Key, D) (Key, error) {
	var none Key
	return none, ErrNotSupported
}

// KeyImport takes a key of SM2: a file in PEM or DER, of a private key, a public key or a certificate; a key of crypto/ecdsa on SM2's
// curve, as gmsm's smx509 has them in certificates; or a key of package sm2. Where the options say SM4, it takes 16 bytes.
func (p *Provider[Key, G, D, I, H, S, E, X]) KeyImport(raw any, opts I) (Key, error) {
	var none Key
	k, err := importKey[Key](raw, opts.Algorithm(), p.ID)
	if err != nil {
		return none, err
	}
	return p.keep(k, opts.Ephemeral())
}

func importKey[Key any](raw any, algorithm string, id []byte) (*key[Key], error) {
	switch raw := raw.(type) {
	case []byte:
		if algorithm == SM4 {
			return symmetricKey[Key](raw)
		}
		public, err := sm2.ParsePublicKey(raw)
		if err == nil {
			return publicKey[Key](public, id)
		}
		private, privateErr := sm2.ParsePrivateKey(raw, nil)
		if privateErr != nil {
			return nil, fmt.Errorf("bccsp: neither a public key (%w) nor a private one (%w)", err, privateErr)
		}
		return privateKey[Key](private, id)
	case *ecdsa.PrivateKey:
		private, err := sm2.NewPrivateKeyFromECDSA(raw)
		if err != nil {
			return nil, err
		}
		return privateKey[Key](private, id)
	case *ecdsa.PublicKey:
		public, err := sm2.NewPublicKeyFromECDSA(raw)
		if err != nil {
			return nil, err
		}
		return publicKey[Key](public, id)
	case *sm2.PrivateKey:
		return privateKey[Key](raw, id)
	case *sm2.PublicKey:
		return publicKey[Key](raw, id)
	}
	return nil, fmt.Errorf("bccsp: a key cannot be imported from a %T", raw)
}

// GetKey is the key with this identifier that was made or imported before, and is not ephemeral.
func (p *Provider[Key, G, D, I, H, S, E, X]) GetKey(ski []byte) (Key, error) {
	p.mutex.RLock()
	defer p.mutex.RUnlock()
	k, isThere := p.keys[string(ski)]
	if !isThere {
		return k, fmt.Errorf("bccsp: there is no key with the identifier %x", ski)
	}
	return k, nil
}

// Hash is the digest of a message: SM3, or SHA-256 where the options name it.
func (p *Provider[Key, G, D, I, H, S, E, X]) Hash(message []byte, opts H) ([]byte, error) {
	h, err := p.GetHash(opts)
	if err != nil {
		return nil, err
	}
	h.Write(message)
	return h.Sum(nil), nil
}

// GetHash is a hash: SM3, or SHA-256 where the options name it.
func (p *Provider[Key, G, D, I, H, S, E, X]) GetHash(opts H) (hash.Hash, error) {
	if any(opts) == nil {
		return sm3.New(), nil
	}
	switch opts.Algorithm() {
	case SM3:
		return sm3.New(), nil
	case "SHA256", "SHA2_256":
		return sha256.New(), nil
	}
	return nil, fmt.Errorf("%w: the hash %s", ErrNotSupported, opts.Algorithm())
}

// Sign signs with a private key of SM2. The signature is in DER. The options are not used.
func (p *Provider[Key, G, D, I, H, S, E, X]) Sign(k Key, digest []byte, _ S) ([]byte, error) {
	own, err := own(k)
	if err != nil {
		return nil, err
	}
	if own.signer == nil {
		return nil, errors.New("bccsp: only a private key of SM2 signs")
	}
	return own.signer.Sign(nil, digest, &sm2.SignerOpts{IsMessage: !p.SignsDigests})
}

// Verify verifies with a key of SM2, private or public. For a wrong signature it returns false and no error.
func (p *Provider[Key, G, D, I, H, S, E, X]) Verify(k Key, signature, digest []byte, _ S) (bool, error) {
	own, err := own(k)
	if err != nil {
		return false, err
	}
	if own.verifier == nil {
		return false, errors.New("bccsp: only a key of SM2 verifies")
	}
	if p.SignsDigests {
		err = own.verifier.VerifyDigest(digest, signature, sm2.DER)
	} else {
		err = own.verifier.Verify(digest, signature)
	}
	return verdict(err)
}

// Encrypt encrypts: with a key of SM2 to DER (GM/T 0009), with a key of SM4 with GCM, the nonce before the ciphertext.
func (p *Provider[Key, G, D, I, H, S, E, X]) Encrypt(k Key, plaintext []byte, _ E) ([]byte, error) {
	own, err := own(k)
	if err != nil {
		return nil, err
	}
	if own.aead == nil {
		return own.public.Encrypt(plaintext, sm2.CiphertextDER)
	}
	nonce := make([]byte, own.aead.NonceSize(), own.aead.NonceSize()+len(plaintext)+own.aead.Overhead())
	if _, err := rand.Read(nonce); err != nil {
		return nil, err
	}
	return own.aead.Seal(nonce, nonce, plaintext, nil), nil
}

// Decrypt decrypts what Encrypt gives.
func (p *Provider[Key, G, D, I, H, S, E, X]) Decrypt(k Key, ciphertext []byte, _ X) ([]byte, error) {
	own, err := own(k)
	if err != nil {
		return nil, err
	}
	switch {
	case own.aead != nil:
		return open(own.aead, ciphertext)
	case own.private != nil:
		return own.private.Decrypt(nil, ciphertext, sm2.DecrypterOpts{Form: sm2.CiphertextDER})
	}
	return nil, errors.New("bccsp: a public key does not decrypt")
}

func open(aead cipher.AEAD, ciphertext []byte) ([]byte, error) {
	size := min(aead.NonceSize(), len(ciphertext))
	nonce := make([]byte, aead.NonceSize())
	copy(nonce, ciphertext)
	return aead.Open(nil, nonce, ciphertext[size:], nil)
}
