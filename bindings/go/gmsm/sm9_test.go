package gmsm_test

import (
	"bytes"
	"crypto/rand"
	"testing"

	gmsm "github.com/emmansun/gmsm/sm9"
	"github.com/emmansun/gmsm/smx509"

	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/sm9"
)

// pointOf is the point of a key as gmsm reads it.
func pointOf(t *testing.T, key interface{ Bytes() ([]byte, error) }) []byte {
	t.Helper()
	return append([]byte{4}, check.Must[[]byte](t)(key.Bytes())...)
}

func TestSM9Signatures(t *testing.T) {
	id, message := []byte("alice@example.com"), []byte("a message")
	master := check.Must[*sm9.MasterSigningKey](t)(sm9.GenerateMasterSigningKey())
	public := check.Must[*sm9.MasterSigningPublicKey](t)(master.PublicKey())
	user := check.Must[*sm9.SigningKey](t)(master.Extract(id, 0))
	verifier := check.Must[*sm9.VerifyingKey](t)(public.VerifyingKey(id, 0))

	theirs := check.Must[*gmsm.SignMasterPublicKey](t)(gmsm.UnmarshalSignMasterPublicKeyRaw(check.Must[[]byte](t)(public.Bytes())))
	if !gmsm.VerifyASN1(theirs, id, 1, message, check.Must[[]byte](t)(user.SignMessage(nil, message, nil))) {
		t.Fatal("gmsm does not verify")
	}
	theirUser := check.Must[*gmsm.SignPrivateKey](t)(gmsm.UnmarshalSignPrivateKeyRaw(pointOf(t, user)))
	theirUser.SetMasterPublic(theirs)
	if err := verifier.Verify(message, check.Must[[]byte](t)(gmsm.SignASN1(rand.Reader, theirUser, message))); err != nil {
		t.Fatal(err)
	}
}

func TestSM9Encryption(t *testing.T) {
	id, message := []byte("bob"), []byte("a secret")
	master := check.Must[*sm9.MasterEncryptionKey](t)(sm9.GenerateMasterEncryptionKey())
	public := check.Must[*sm9.MasterEncryptionPublicKey](t)(master.PublicKey())
	user := check.Must[*sm9.DecryptionKey](t)(master.Extract(id, 0))
	recipient := check.Must[*sm9.EncryptionKey](t)(public.EncryptionKey(id, 0))

	theirs := check.Must[*gmsm.EncryptMasterPublicKey](t)(gmsm.UnmarshalEncryptMasterPublicKeyRaw(check.Must[[]byte](t)(public.Bytes())))
	theirUser := check.Must[*gmsm.EncryptPrivateKey](t)(gmsm.UnmarshalEncryptPrivateKeyRaw(pointOf(t, user)))
	theirUser.SetMasterPublic(theirs)
	if err := recipient.Prepare(); err != nil {
		t.Fatal(err)
	}
	ours := check.Must[[]byte](t)(recipient.Encrypt(message))
	if got := check.Must[[]byte](t)(gmsm.DecryptASN1(theirUser, id, ours)); !bytes.Equal(got, message) {
		t.Fatal("another message for gmsm")
	}
	shared, point, err := recipient.Encapsulate(48)
	if err != nil || !bytes.Equal(shared, check.Must[[]byte](t)(gmsm.UnwrapKey(theirUser, id, point, 48))) {
		t.Fatal("another key for gmsm", err)
	}
	ciphertext := check.Must[[]byte](t)(gmsm.EncryptASN1(rand.Reader, theirs, id, 3, message, gmsm.DefaultEncrypterOpts))
	if got := check.Must[[]byte](t)(user.Decrypt(ciphertext)); !bytes.Equal(got, message) {
		t.Fatal("another message of gmsm's")
	}
}

// Every kind of private key as a file that gmsm reads and writes.
func TestSM9KeyFiles(t *testing.T) {
	alice := []byte("alice@example.com")
	signing := check.Must[*sm9.MasterSigningKey](t)(sm9.GenerateMasterSigningKey())
	encryption := check.Must[*sm9.MasterEncryptionKey](t)(sm9.GenerateMasterEncryptionKey())
	type private interface {
		Marshal(sm9.KeyForm) ([]byte, error)
		Bytes() ([]byte, error)
	}
	for name, c := range map[string]struct {
		key   private
		parse func(file []byte) (private, error)
	}{
		"master for signatures": {signing, func(f []byte) (private, error) { return sm9.ParseMasterSigningKey(f, nil) }},
		"master for encryption": {encryption, func(f []byte) (private, error) { return sm9.ParseMasterEncryptionKey(f, nil) }},
		"user for signatures": {check.Must[*sm9.SigningKey](t)(signing.Extract(alice, 0)),
			func(f []byte) (private, error) { return sm9.ParseSigningKey(f, nil, alice, 0) }},
		"user for decryption": {check.Must[*sm9.DecryptionKey](t)(encryption.Extract(alice, 0)),
			func(f []byte) (private, error) { return sm9.ParseDecryptionKey(f, nil, alice, 0) }},
		"user for exchange": {check.Must[*sm9.ExchangeKey](t)(encryption.ExtractExchange(alice, 0)),
			func(f []byte) (private, error) { return sm9.ParseExchangeKey(f, nil, alice, 0) }},
	} {
		theirs, err := smx509.ParsePKCS8PrivateKey(check.Must[[]byte](t)(c.key.Marshal(sm9.PKCS8)))
		if err != nil {
			t.Fatal(name, err)
		}
		read, err := c.parse(check.Must[[]byte](t)(smx509.MarshalPKCS8PrivateKey(theirs)))
		if err != nil || !bytes.Equal(check.Must[[]byte](t)(read.Bytes()), check.Must[[]byte](t)(c.key.Bytes())) {
			t.Fatal(name, "another key", err)
		}
	}
}
