// Package peers tests this library beside others, whose modules it must not depend on itself.
package peers

import (
	"bytes"
	"crypto/rand"
	"testing"

	theirs2 "github.com/tjfoc/gmsm/sm2"
	theirs3 "github.com/tjfoc/gmsm/sm3"
	theirs4 "github.com/tjfoc/gmsm/sm4"
	"github.com/tjfoc/gmsm/x509"

	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
	"github.com/kuaimi/kuaimi/bindings/go/sm3"
	"github.com/kuaimi/kuaimi/bindings/go/sm4"
)

// Keys of tjfoc's own types and files, both ways, and what each signs and encrypts for the other.
func TestTjfoc(t *testing.T) {
	for round := range 10 {
		theirs := check.Must[*theirs2.PrivateKey](t)(theirs2.GenerateKey(rand.Reader))
		// tjfoc writes a private key without its leading zeros: once, one that has them.
		for round == 0 && theirs.D.BitLen() > 248 {
			theirs = check.Must[*theirs2.PrivateKey](t)(theirs2.GenerateKey(rand.Reader))
		}
		ours := check.Must[*sm2.PrivateKey](t)(sm2.NewPrivateKeyFromInt(theirs.D))
		public := check.Must[*sm2.PublicKey](t)(sm2.NewPublicKeyFromCoordinates(theirs.X, theirs.Y))
		if own := check.Must[*sm2.PublicKey](t)(ours.PublicKey()); !own.Equal(public) {
			t.Fatal("another public key")
		}
		// The other way, from ours.
		standard := check.Must[*sm2.PrivateKey](t)(sm2.GenerateKey())
		exported, err := standard.ToECDSA(theirs2.P256Sm2())
		if err != nil {
			t.Fatal(err)
		}
		imported := &theirs2.PrivateKey{D: exported.D}
		imported.Curve, imported.X, imported.Y = theirs2.P256Sm2(), exported.X, exported.Y
		message := []byte("a transaction")
		for _, pair := range []struct {
			ours   *sm2.PrivateKey
			theirs *theirs2.PrivateKey
		}{{ours, theirs}, {standard, imported}} {
			public := check.Must[*sm2.PublicKey](t)(pair.ours.PublicKey())
			signature := check.Must[[]byte](t)(pair.ours.SignMessage(nil, message, nil))
			if !pair.theirs.Verify(message, signature) {
				t.Fatal("tjfoc does not verify")
			}
			if err := public.Verify(message, check.Must[[]byte](t)(pair.theirs.Sign(rand.Reader, message, nil))); err != nil {
				t.Fatal(err)
			}
			ciphertext := check.Must[[]byte](t)(public.Encrypt(message, sm2.CiphertextDER))
			if got := check.Must[[]byte](t)(pair.theirs.DecryptAsn1(ciphertext)); !bytes.Equal(got, message) {
				t.Fatal("another message for tjfoc")
			}
			ciphertext = check.Must[[]byte](t)(pair.theirs.EncryptAsn1(message, rand.Reader))
			if got := check.Must[[]byte](t)(pair.ours.Decrypt(nil, ciphertext, nil)); !bytes.Equal(got, message) {
				t.Fatal("another message of tjfoc's")
			}
			ciphertext = check.Must[[]byte](t)(theirs2.Encrypt(&pair.theirs.PublicKey, message, rand.Reader, theirs2.C1C3C2))
			if got := check.Must[[]byte](t)(pair.ours.Decrypt(nil, ciphertext, sm2.DecrypterOpts{Form: sm2.C1C3C2})); !bytes.Equal(got, message) {
				t.Fatal("another message of tjfoc's")
			}
			// Files.
			file := check.Must[[]byte](t)(pair.ours.Marshal(sm2.PKCS8PEM))
			if read := check.Must[*theirs2.PrivateKey](t)(x509.ReadPrivateKeyFromPem(file, nil)); read.D.Cmp(pair.theirs.D) != 0 {
				t.Fatal("tjfoc reads another private key")
			}
			file = check.Must[[]byte](t)(x509.WritePrivateKeyToPem(pair.theirs, nil))
			if !check.Must[*sm2.PrivateKey](t)(sm2.ParsePrivateKey(file, nil)).Equal(pair.ours) {
				t.Fatal("another private key")
			}
			file = check.Must[[]byte](t)(public.Marshal(sm2.SPKIPEM))
			if read := check.Must[*theirs2.PublicKey](t)(x509.ReadPublicKeyFromPem(file)); read.X.Cmp(pair.theirs.X) != 0 {
				t.Fatal("tjfoc reads another public key")
			}
			file = check.Must[[]byte](t)(x509.WritePublicKeyToPem(&pair.theirs.PublicKey))
			if !check.Must[*sm2.PublicKey](t)(sm2.ParsePublicKey(file)).Equal(public) {
				t.Fatal("another public key")
			}
		}
	}
	theirs := check.Must[*theirs2.PrivateKey](t)(theirs2.GenerateKey(rand.Reader))
	file := check.Must[[]byte](t)(x509.WritePrivateKeyToPem(theirs, []byte("password")))
	if got := check.Must[*sm2.PrivateKey](t)(sm2.ParsePrivateKey(file, []byte("password"))); !bytes.Equal(check.Must[[]byte](t)(got.Bytes()), theirs.D.FillBytes(make([]byte, 32))) {
		t.Fatal("another private key under a password")
	}
}

func TestTjfocSymmetric(t *testing.T) {
	key := []byte("a key of 16 byte")
	for length := range 200 {
		data := bytes.Repeat([]byte{byte(length)}, length)
		if digest := sm3.Sum(data); !bytes.Equal(digest[:], theirs3.Sm3Sum(data)) {
			t.Fatal("another digest")
		}
	}
	ours, err := sm4.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := theirs4.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	one, other := make([]byte, 16), make([]byte, 16)
	ours.Encrypt(one, key)
	theirs.Encrypt(other, key)
	if !bytes.Equal(one, other) {
		t.Fatal("another block")
	}
}
