package gmsm_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/rand"
	"testing"

	"github.com/emmansun/gmsm/ecdh"
	gmsm "github.com/emmansun/gmsm/sm2"
	"github.com/emmansun/gmsm/smx509"

	_ "github.com/kuaimi/kuaimi/bindings/go/gmsm"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
)

// SM2: keys of gmsm's own types and files, both ways, and what each signs and encrypts for the other.
func TestSM2(t *testing.T) {
	theirs, err := gmsm.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	ours := check.Must[*sm2.PrivateKey](t)(sm2.NewPrivateKeyFromECDSA(&theirs.PrivateKey))
	public := check.Must[*sm2.PublicKey](t)(sm2.NewPublicKeyFromECDSA(&theirs.PublicKey))
	if !public.Equal(ours.Public()) || !theirs.PublicKey.Equal(check.Must[*ecdsa.PublicKey](t)(public.ToECDSA(gmsm.P256()))) {
		t.Fatal("another public key")
	}
	back := check.Must[*ecdsa.PrivateKey](t)(ours.ToECDSA(gmsm.P256()))
	if !back.Equal(&theirs.PrivateKey) {
		t.Fatal("another private key")
	}
	message := []byte("a message")
	signature := check.Must[[]byte](t)(theirs.Sign(rand.Reader, message, gmsm.DefaultSM2SignerOpts))
	if err := public.Verify(message, signature); err != nil {
		t.Fatal(err)
	}
	if !gmsm.VerifyASN1WithSM2(&theirs.PublicKey, nil, message, check.Must[[]byte](t)(ours.SignMessage(nil, message, nil))) {
		t.Fatal("gmsm does not verify")
	}
	ciphertext := check.Must[[]byte](t)(gmsm.EncryptASN1(rand.Reader, &theirs.PublicKey, message))
	if got := check.Must[[]byte](t)(ours.Decrypt(nil, ciphertext, nil)); !bytes.Equal(got, message) {
		t.Fatal("another message")
	}
	ciphertext = check.Must[[]byte](t)(public.Encrypt(message, sm2.CiphertextDER))
	if got := check.Must[[]byte](t)(gmsm.Decrypt(theirs, ciphertext)); !bytes.Equal(got, message) {
		t.Fatal("another message for gmsm")
	}
	// Files, both ways.
	file := check.Must[[]byte](t)(ours.Marshal(sm2.PKCS8))
	read, err := smx509.ParsePKCS8PrivateKey(file)
	if err != nil || !read.(*gmsm.PrivateKey).Equal(theirs) {
		t.Fatal("gmsm reads another private key", err)
	}
	file = check.Must[[]byte](t)(smx509.MarshalPKCS8PrivateKey(theirs))
	if !check.Must[*sm2.PrivateKey](t)(sm2.ParsePrivateKey(file, nil)).Equal(ours) {
		t.Fatal("another private key")
	}
	file = check.Must[[]byte](t)(public.Marshal(sm2.SPKI))
	readPublic, err := smx509.ParsePKIXPublicKey(file)
	if err != nil || !theirs.PublicKey.Equal(readPublic) {
		t.Fatal("gmsm reads another public key", err)
	}
	file = check.Must[[]byte](t)(smx509.MarshalPKIXPublicKey(&theirs.PublicKey))
	if !check.Must[*sm2.PublicKey](t)(sm2.ParsePublicKey(file)).Equal(public) {
		t.Fatal("another public key")
	}
}

// Plain Diffie-Hellman in batches beside gmsm's.
func TestDiffieHellman(t *testing.T) {
	items := make([]sm2.DiffieHellmanItem, 17)
	want, secrets, results := make([][]byte, len(items)), make([][32]byte, len(items)), make([]error, len(items))
	for i := range items {
		own, other := check.Must[*gmsm.PrivateKey](t)(gmsm.GenerateKey(rand.Reader)), check.Must[*gmsm.PrivateKey](t)(gmsm.GenerateKey(rand.Reader))
		items[i].Key = check.Must[*sm2.PrivateKey](t)(sm2.NewPrivateKeyFromECDSA(&own.PrivateKey))
		items[i].Peer = check.Must[*sm2.PublicKey](t)(sm2.NewPublicKeyFromECDSA(&other.PublicKey))
		ownKey := check.Must[*ecdh.PrivateKey](t)(own.ECDH())
		want[i] = check.Must[[]byte](t)(ownKey.ECDH(check.Must[*ecdh.PublicKey](t)(gmsm.PublicKeyToECDH(&other.PublicKey))))
	}
	if err := sm2.DiffieHellmanBatch(items, secrets, results); err != nil {
		t.Fatal(err)
	}
	for i := range items {
		if !bytes.Equal(secrets[i][:], want[i]) {
			t.Fatal("another secret", i)
		}
	}
}
