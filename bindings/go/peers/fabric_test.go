package peers

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"testing"

	gmsm "github.com/emmansun/gmsm/sm2"
	"github.com/emmansun/gmsm/smx509"
	"github.com/hyperledger/fabric-lib-go/bccsp"

	kuaimi "github.com/kuaimi/kuaimi/bindings/go/bccsp"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
	"github.com/kuaimi/kuaimi/bindings/go/sm3"
)

type provider = kuaimi.Provider[bccsp.Key, bccsp.KeyGenOpts, bccsp.KeyDerivOpts, bccsp.KeyImportOpts, bccsp.HashOpts,
	bccsp.SignerOpts, bccsp.EncrypterOpts, bccsp.DecrypterOpts]

// The interface as Fabric publishes it.
var _ bccsp.BCCSP = (*provider)(nil)

type opts struct {
	algorithm   string
	isEphemeral bool
}

func (o opts) Algorithm() string { return o.algorithm }
func (o opts) Ephemeral() bool   { return o.isEphemeral }

func TestFabric(t *testing.T) {
	for _, p := range []*provider{{}, {ID: []byte("org1")}, {SignsDigests: true}} {
		var csp bccsp.BCCSP = p
		key, err := csp.KeyGen(opts{algorithm: kuaimi.SM2})
		if err != nil {
			t.Fatal(err)
		}
		if !key.Private() || key.Symmetric() || len(key.SKI()) != 32 {
			t.Fatal("not a private key")
		}
		if _, err := key.Bytes(); err == nil {
			t.Fatal("a private key has bytes")
		}
		public, err := key.PublicKey()
		if err != nil {
			t.Fatal(err)
		}
		if public.Private() || !bytes.Equal(public.SKI(), key.SKI()) {
			t.Fatal("another public key")
		}
		der, err := public.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := smx509.ParsePKIXPublicKey(der)
		if err != nil {
			t.Fatal(err)
		}
		theirs := parsed.(*ecdsa.PublicKey)
		digest, err := csp.Hash([]byte("a transaction"), opts{algorithm: kuaimi.SM3})
		if want := sm3.Sum([]byte("a transaction")); err != nil || !bytes.Equal(digest, want[:]) {
			t.Fatal(err)
		}
		signature, err := csp.Sign(key, digest, nil)
		if err != nil {
			t.Fatal(err)
		}
		if p.SignsDigests {
			if !gmsm.VerifyASN1(theirs, digest, signature) {
				t.Fatal("gmsm does not verify")
			}
		} else if !gmsm.VerifyASN1WithSM2(theirs, p.ID, digest, signature) {
			t.Fatal("gmsm does not verify")
		}
		for _, k := range []bccsp.Key{key, public} {
			if ok, err := csp.Verify(k, signature, digest, nil); !ok || err != nil {
				t.Fatal(err)
			}
			digest[0] ^= 1
			if ok, err := csp.Verify(k, signature, digest, nil); ok || err != nil {
				t.Fatal("a wrong signature is no error, and not right", err)
			}
			digest[0] ^= 1
		}
		if _, err := csp.Sign(public, digest, nil); err == nil {
			t.Fatal("a public key signs")
		}
		ciphertext, err := csp.Encrypt(public, []byte("a secret"), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := csp.Decrypt(key, ciphertext, nil); err != nil || string(got) != "a secret" {
			t.Fatal(err)
		}
		if _, err := csp.Decrypt(public, ciphertext, nil); err == nil {
			t.Fatal("a public key decrypts")
		}
		// The public key does not take the private one's place.
		if _, err := csp.KeyImport(der, opts{}); err != nil {
			t.Fatal(err)
		}
		if found, err := csp.GetKey(key.SKI()); err != nil || found != key {
			t.Fatal("another key was found", err)
		}
	}
}

func TestFabricKeys(t *testing.T) {
	var csp bccsp.BCCSP = new(provider)
	own, err := sm2.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := own.ToECDSA(gmsm.P256())
	if err != nil {
		t.Fatal(err)
	}
	pem, _ := own.Marshal(sm2.PKCS8PEM)
	sec1, _ := own.Marshal(sm2.SEC1)
	public, _ := own.PublicKey()
	spki, _ := public.Marshal(sm2.SPKIPEM)
	ski := sha256.Sum256(public.Bytes())
	for _, raw := range []any{pem, sec1, spki, own, public, theirs, &theirs.PublicKey} {
		key, err := csp.KeyImport(raw, opts{algorithm: kuaimi.SM2, isEphemeral: true})
		if err != nil {
			t.Fatalf("%T: %v", raw, err)
		}
		if !bytes.Equal(key.SKI(), ski[:]) {
			t.Fatalf("%T: another key", raw)
		}
	}
	if _, err := csp.GetKey(ski[:]); err == nil {
		t.Fatal("an ephemeral key was kept")
	}
	for _, raw := range []any{nil, 7, []byte("no key"), (*ecdsa.PublicKey)(nil), (*ecdsa.PrivateKey)(nil)} {
		if _, err := csp.KeyImport(raw, opts{}); err == nil {
			t.Fatalf("%v was imported", raw)
		}
	}
	symmetric, err := csp.KeyGen(opts{algorithm: kuaimi.SM4})
	if err != nil || !symmetric.Symmetric() || !symmetric.Private() {
		t.Fatal(err)
	}
	sealed, err := csp.Encrypt(symmetric, []byte("a secret"), nil)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := csp.Encrypt(symmetric, []byte("a secret"), nil)
	if bytes.Equal(sealed, again) {
		t.Fatal("a nonce was used twice")
	}
	if got, err := csp.Decrypt(symmetric, sealed, nil); err != nil || string(got) != "a secret" {
		t.Fatal(err)
	}
	for i := range sealed {
		if _, err := csp.Decrypt(symmetric, sealed[:i], nil); err == nil {
			t.Fatal("part of a ciphertext was decrypted")
		}
	}
	bytes16 := make([]byte, 16)
	if _, err := rand.Read(bytes16); err != nil {
		t.Fatal(err)
	}
	if key, err := csp.KeyImport(bytes16, opts{algorithm: kuaimi.SM4}); err != nil || !key.Symmetric() {
		t.Fatal(err)
	}
	if _, err := csp.KeyImport(bytes16[1:], opts{algorithm: kuaimi.SM4}); err == nil {
		t.Fatal("15 bytes were imported")
	}
	for _, fail := range []func() error{
		func() error { _, err := symmetric.Bytes(); return err },
		func() error { _, err := symmetric.PublicKey(); return err },
		func() error { _, err := csp.Sign(symmetric, nil, nil); return err },
		func() error { _, err := csp.Verify(symmetric, nil, nil, nil); return err },
		func() error { _, err := csp.Sign(nil, nil, nil); return err },
		func() error { _, err := csp.Encrypt(nil, nil, nil); return err },
		func() error { _, err := csp.Hash(nil, opts{algorithm: "SHA3_256"}); return err },
	} {
		if fail() == nil {
			t.Error("no error")
		}
	}
	if _, err := csp.KeyDeriv(symmetric, opts{}); !errors.Is(err, kuaimi.ErrNotSupported) {
		t.Fatal(err)
	}
	if digest, err := csp.Hash([]byte("abc"), &bccsp.SHA256Opts{}); err != nil || len(digest) != 32 {
		t.Fatal(err)
	}
	if h, err := csp.GetHash(nil); err != nil || h.Size() != 32 {
		t.Fatal(err)
	}
}
