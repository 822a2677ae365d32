package sm2_test

import (
	"bytes"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
)

// Whatever is in a file, it is read or refused; what is read is written and read again.
func FuzzKeyFiles(f *testing.F) {
	key := generate(f)
	for _, form := range []sm2.KeyForm{sm2.PKCS8PEM, sm2.PKCS8, sm2.SEC1PEM, sm2.SEC1} {
		f.Add(check.Must[[]byte](f)(key.Marshal(form)), []byte{})
	}
	for _, form := range []sm2.KeyForm{sm2.SPKIPEM, sm2.SPKI, sm2.Uncompressed, sm2.Compressed} {
		f.Add(check.Must[[]byte](f)(publicOf(f, key).Marshal(form)), []byte{})
	}
	f.Add(check.Must[[]byte](f)(key.MarshalEncrypted([]byte("password"), sm2.PKCS8)), []byte("another"))
	f.Add(check.Must[[]byte](f)(key.Envelope(publicOf(f, key))), []byte{})
	f.Fuzz(func(t *testing.T, data, password []byte) {
		if read, err := sm2.ParsePrivateKey(data, password); err == nil {
			again := check.Must[*sm2.PrivateKey](t)(sm2.ParsePrivateKey(check.Must[[]byte](t)(read.Marshal(sm2.PKCS8)), nil))
			if !again.Equal(read) {
				t.Fatal("another key")
			}
		}
		for _, parse := range []func([]byte) (*sm2.PublicKey, error){sm2.ParsePublicKey, sm2.NewPublicKey} {
			if read, err := parse(data); err == nil {
				if !check.Must[*sm2.PublicKey](t)(sm2.NewPublicKey(read.Bytes())).Equal(read) {
					t.Fatal("another key")
				}
			}
		}
		if read, err := sm2.NewPrivateKey(data); err == nil && !bytes.Equal(check.Must[[]byte](t)(read.Bytes()), data) {
			t.Fatal("another number")
		}
		key.OpenEnvelope(data)
	})
}

// A signature that verifies has one encoding, and all functions agree on it.
func FuzzSignature(f *testing.F) {
	key := generate(f)
	verifier := check.Must[*sm2.VerifyingKey](f)(publicOf(f, key).VerifyingKey(nil))
	prepared := check.Must[*sm2.VerifyingKey](f)(publicOf(f, key).VerifyingKey(nil))
	if err := prepared.Prepare(); err != nil {
		f.Fatal(err)
	}
	message := []byte("a message")
	signature := check.Must[[]byte](f)(key.SignMessage(nil, message, sm2.SignerOpts{Deterministic: true}))
	f.Add(signature)
	raw := check.Must[[]byte](f)(sm2.ConvertSignature(signature, sm2.DER, sm2.Raw))
	f.Add(raw)
	f.Fuzz(func(t *testing.T, data []byte) {
		isRight := verifier.Verify(message, data) == nil
		if isRight && !bytes.Equal(data, signature) {
			t.Fatal("a second encoding")
		}
		if isRight != (prepared.Verify(message, data) == nil) {
			t.Fatal("a prepared key has another result")
		}
		results := make([]error, 1)
		if isRight != (sm2.VerifyBatch([]sm2.VerifyItem{{Key: verifier, Message: message, Signature: data}}, results) == nil) {
			t.Fatal("a batch has another result")
		}
		for _, form := range []sm2.SignatureForm{sm2.Raw, sm2.LenientDER, sm2.DEROrRaw} {
			if verifier.VerifyForm(message, data, form) == nil {
				if same := check.Must[[]byte](t)(sm2.ConvertSignature(data, form, sm2.Raw)); !bytes.Equal(same, raw) {
					t.Fatal("another signature verifies")
				}
			}
			for id := range byte(5) {
				sm2.Recover(make([]byte, 32), data, form, id)
			}
		}
		if der, err := sm2.ConvertSignature(data, sm2.DER, sm2.DER); err == nil && !bytes.Equal(der, data) {
			t.Fatal("a signature was read that is not DER")
		}
	})
}

func FuzzCiphertext(f *testing.F) {
	key := generate(f)
	public := publicOf(f, key)
	message := []byte("a secret message")
	for _, form := range []sm2.CiphertextForm{sm2.C1C3C2, sm2.C1C2C3, sm2.CiphertextDER} {
		f.Add(check.Must[[]byte](f)(public.Encrypt(message, form)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, form := range []sm2.CiphertextForm{sm2.C1C3C2, sm2.C1C2C3, sm2.CiphertextDER, sm2.AnyForm} {
			got, err := key.Decrypt(nil, data, sm2.DecrypterOpts{Form: form})
			if err == nil && !bytes.Equal(got, message) {
				t.Fatal("another message")
			}
			if err != nil && err != kuaimi.ErrDecryptionFailed {
				t.Fatal(err)
			}
			for _, to := range []sm2.CiphertextForm{sm2.C1C3C2, sm2.C1C2C3, sm2.CiphertextDER} {
				if converted, err := sm2.ConvertCiphertext(data, form, to); err == nil && form != sm2.AnyForm {
					check.Must[[]byte](t)(sm2.ConvertCiphertext(converted, to, form))
				}
			}
		}
	})
}

// Points and confirmations of the other side of a key exchange.
func FuzzExchange(f *testing.F) {
	alice, bob := generate(f), generate(f)
	initiator := check.Must[*sm2.Initiator](f)(alice.StartExchange(nil, publicOf(f, bob), nil, 16))
	f.Add(initiator.Point[:], make([]byte, 32))
	f.Add([]byte{4}, []byte{})
	f.Fuzz(func(t *testing.T, point, confirmation []byte) {
		initiator := check.Must[*sm2.Initiator](t)(alice.StartExchange(nil, publicOf(t, bob), nil, 16))
		defer initiator.Close()
		if _, _, err := initiator.Finish(point, append([]byte{}, confirmation...)); err == nil {
			t.Fatal("confirmed")
		}
		responder, err := bob.RespondExchange(nil, publicOf(t, alice), nil, point, 16)
		if err != nil {
			return
		}
		defer responder.Close()
		if _, err := responder.Finish(append([]byte{}, confirmation...)); err == nil {
			t.Fatal("confirmed")
		}
	})
}
