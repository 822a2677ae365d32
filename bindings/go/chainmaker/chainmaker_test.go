package chainmaker_test

import (
	"crypto"
	"crypto/sha256"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/chainmaker"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
)

// The types and interfaces of ChainMaker's package common/v2/crypto, version 2.3, with the names, numbers and methods published there.
type (
	hashType uint
	keyType  int
	signOpts struct {
		Hash         hashType
		UID          string
		EncodingType string
	}
	key interface {
		Bytes() ([]byte, error)
		Type() keyType
		String() (string, error)
	}
	privateKey interface {
		key
		Sign(data []byte) ([]byte, error)
		SignWithOpts(data []byte, opts *signOpts) ([]byte, error)
		PublicKey() publicKey
		ToStandardKey() crypto.PrivateKey
	}
	publicKey interface {
		key
		Verify(data []byte, sig []byte) (bool, error)
		VerifyWithOpts(data []byte, sig []byte, opts *signOpts) (bool, error)
		ToStandardKey() crypto.PublicKey
	}
)

const (
	typeSM2    keyType  = 6
	hashSM3    hashType = 20
	hashSHA256 hashType = hashType(crypto.SHA256)
)

var (
	_ privateKey = (*chainmaker.PrivateKey[hashType, keyType, signOpts, publicKey])(nil)
	_ publicKey  = (*chainmaker.PublicKey[hashType, keyType, signOpts])(nil)
)

func TestEngine(t *testing.T) {
	own, err := sm2.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	var private privateKey = chainmaker.NewPrivateKey[hashType, keyType, signOpts, publicKey](own)
	public := private.PublicKey()
	if private.Type() != typeSM2 || public.Type() != typeSM2 {
		t.Fatal("another type")
	}
	standard := public.ToStandardKey().(*sm2.PublicKey)
	message := []byte("a transaction")
	digest := sha256.Sum256(message)
	for name, c := range map[string]struct {
		opts    *signOpts
		id      string
		message []byte
	}{
		"none":             {nil, sm2.DefaultID, message},
		"SM3":              {&signOpts{Hash: hashSM3}, sm2.DefaultID, message},
		"SM3, the default": {&signOpts{Hash: hashSM3, UID: sm2.DefaultID}, sm2.DefaultID, message},
		"SM3, an identity": {&signOpts{Hash: hashSM3, UID: "alice"}, "alice", message},
		"SHA-256":          {&signOpts{Hash: hashSHA256}, sm2.DefaultID, digest[:]},
	} {
		signature, err := private.SignWithOpts(message, c.opts)
		if err != nil {
			t.Fatal(name, err)
		}
		verifier, err := standard.VerifyingKey([]byte(c.id))
		if err != nil {
			t.Fatal(name, err)
		}
		if err := verifier.Verify(c.message, signature); err != nil {
			t.Fatal(name, err)
		}
		if ok, err := public.VerifyWithOpts(message, signature, c.opts); !ok || err != nil {
			t.Fatal(name, err)
		}
		if ok, err := public.VerifyWithOpts(message[1:], signature, c.opts); ok || err != nil {
			t.Fatal(name, "a wrong signature is no error, and not right", err)
		}
		if ok, err := public.VerifyWithOpts(message, signature, &signOpts{Hash: hashSM3, UID: "bob"}); ok || err != nil {
			t.Fatal(name, "another identity verifies", err)
		}
	}
	signature, err := private.Sign(message)
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := public.Verify(message, signature); !ok || err != nil {
		t.Fatal(err)
	}
	if _, err := private.SignWithOpts(message, &signOpts{Hash: 99}); err == nil {
		t.Fatal("an unknown hash was taken")
	}
	if _, err := public.VerifyWithOpts(message, signature, &signOpts{Hash: 0}); err == nil {
		t.Fatal("an unknown hash was taken")
	}

	text, err := private.String()
	if err != nil {
		t.Fatal(err)
	}
	bytes, err := private.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range [][]byte{[]byte(text), bytes} {
		if read, err := sm2.ParsePrivateKey(file, nil); err != nil || !read.Equal(private.ToStandardKey()) {
			t.Fatal("another key", err)
		}
	}
	text, _ = public.String()
	bytes, _ = public.Bytes()
	for _, file := range [][]byte{[]byte(text), bytes} {
		if read, err := sm2.ParsePublicKey(file); err != nil || !read.Equal(standard) {
			t.Fatal("another key", err)
		}
	}
	own.Close()
	if _, err := private.Sign(message); err != kuaimi.ErrClosed {
		t.Fatal(err)
	}
	if private.PublicKey() != nil {
		t.Fatal("a closed key has a public key")
	}
}
