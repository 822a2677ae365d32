package sm9_test

import (
	"bytes"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/sm9"
)

// Whatever is in a file, it is read or refused; what is read is written and read again.
func FuzzKeyFiles(f *testing.F) {
	signing, signingPublic, signer, _ := signers(f)
	encryption, encryptionPublic, decrypter, _ := recipients(f)
	for _, form := range []sm9.KeyForm{sm9.PKCS8, sm9.PKCS8PEM, sm9.KeyDER} {
		f.Add(check.Must[[]byte](f)(signing.Marshal(form)), []byte("alice@example.com"))
		f.Add(check.Must[[]byte](f)(encryption.Marshal(form)), []byte("bob"))
		f.Add(check.Must[[]byte](f)(signer.Marshal(form)), []byte("alice@example.com"))
		f.Add(check.Must[[]byte](f)(decrypter.Marshal(form)), []byte("bob"))
	}
	for _, form := range []sm9.KeyForm{sm9.SPKI, sm9.SPKIPEM, sm9.KeyDER} {
		f.Add(check.Must[[]byte](f)(signingPublic.Marshal(form)), []byte{})
		f.Add(check.Must[[]byte](f)(encryptionPublic.Marshal(form)), []byte{})
	}
	f.Fuzz(func(t *testing.T, data, id []byte) {
		if key, err := sm9.ParseMasterSigningKey(data, nil); err == nil {
			check.Must[*sm9.MasterSigningKey](t)(sm9.ParseMasterSigningKey(check.Must[[]byte](t)(key.Marshal(sm9.PKCS8)), nil))
		}
		if key, err := sm9.ParseMasterEncryptionKey(data, nil); err == nil {
			check.Must[*sm9.MasterEncryptionKey](t)(sm9.ParseMasterEncryptionKey(check.Must[[]byte](t)(key.Marshal(sm9.PKCS8)), nil))
		}
		if key, err := sm9.ParseMasterSigningPublicKey(data); err == nil {
			check.Must[*sm9.MasterSigningPublicKey](t)(sm9.NewMasterSigningPublicKey(check.Must[[]byte](t)(key.Bytes())))
		}
		if key, err := sm9.ParseMasterEncryptionPublicKey(data); err == nil {
			check.Must[*sm9.MasterEncryptionPublicKey](t)(sm9.NewMasterEncryptionPublicKey(check.Must[[]byte](t)(key.Bytes())))
		}
		if key, err := sm9.ParseSigningKey(data, nil, id, 0); err == nil {
			check.Must[[]byte](t)(key.SignMessage(nil, data, nil))
		}
		if key, err := sm9.ParseDecryptionKey(data, nil, id, 0); err == nil {
			check.Must[[]byte](t)(key.Marshal(sm9.PKCS8))
		}
		if key, err := sm9.ParseExchangeKey(data, nil, id, 0); err == nil {
			check.Must[[]byte](t)(key.Marshal(sm9.PKCS8))
		}
	})
}

// Points and numbers.
func FuzzBytes(f *testing.F) {
	_, signingPublic, signer, _ := signers(f)
	_, encryptionPublic, decrypter, _ := recipients(f)
	f.Add(check.Must[[]byte](f)(signingPublic.Bytes()))
	f.Add(check.Must[[]byte](f)(encryptionPublic.Bytes()))
	f.Add(check.Must[[]byte](f)(signer.Bytes()))
	f.Add(check.Must[[]byte](f)(decrypter.Bytes()))
	f.Add(make([]byte, 32))
	f.Fuzz(func(t *testing.T, data []byte) {
		if key, err := sm9.NewMasterSigningKey(data); err == nil && !bytes.Equal(check.Must[[]byte](t)(key.Bytes()), data) {
			t.Fatal("another number")
		}
		sm9.NewMasterEncryptionKey(data)
		sm9.NewMasterSigningPublicKey(data)
		sm9.NewMasterEncryptionPublicKey(data)
		sm9.NewSigningKey(data, []byte("alice"), 0, signingPublic)
		sm9.NewDecryptionKey(data, []byte("bob"), 0, encryptionPublic)
		sm9.NewExchangeKey(data, []byte("bob"), 0, encryptionPublic)
	})
}

// Signatures, ciphertexts, and what comes from the other side of an exchange.
func FuzzFromOthers(f *testing.F) {
	master, _, user, verifier := signers(f)
	_ = master
	centre, _, decrypter, recipient := recipients(f)
	exchange := check.Must[*sm9.ExchangeKey](f)(centre.ExtractExchange([]byte("bob"), 0))
	message := []byte("a message")
	signature := check.Must[[]byte](f)(user.SignMessage(nil, message, nil))
	f.Add(signature)
	ciphertext := check.Must[[]byte](f)(recipient.Encrypt(message))
	f.Add(ciphertext)
	_, point, err := recipient.Encapsulate(16)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(point)
	f.Fuzz(func(t *testing.T, data []byte) {
		if verifier.Verify(message, data) == nil && !bytes.Equal(data, signature) {
			t.Fatal("a second encoding of the signature")
		}
		verifier.VerifyForm(message, data, sm9.Raw)
		results := make([]error, 1)
		if err := sm9.VerifyBatch([]sm9.VerifyItem{{Key: verifier, Message: message, Signature: data}}, results); (err == nil) != (verifier.Verify(message, data) == nil) {
			t.Fatal("a batch has another result")
		}
		if got, err := decrypter.Decrypt(data); err == nil && !bytes.Equal(got, message) {
			t.Fatal("another message")
		}
		decrypter.Decapsulate(data, 16)
		exchange.Respond([]byte("alice"), 0, data, 16)
		initiator := check.Must[*sm9.Initiator](t)(exchange.Start([]byte("alice"), 0, 16))
		if _, _, err := initiator.Finish(data, data); err == nil {
			t.Fatal("confirmed")
		}
	})
}
