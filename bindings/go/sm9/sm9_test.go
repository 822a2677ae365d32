package sm9_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"testing"

	gmsm "github.com/emmansun/gmsm/sm9"
	"github.com/emmansun/gmsm/smx509"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/vectors"
	"github.com/kuaimi/kuaimi/bindings/go/sm9"
)

// must is a value without an error.
func must[T any](t testing.TB) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func wantError(t testing.TB, err error, want kuaimi.Error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("the error is %v, not %v", err, want)
	}
}

type file struct {
	Signature struct {
		Message string `json:"message_ascii"`
		ID      string `json:"id_ascii"`
		KS, DS  vectors.Hex
		PPubS   vectors.Hex `json:"p_pub_s"`
		H, S    vectors.Hex
	}
	Encapsulation struct {
		ID    string `json:"id_ascii"`
		KE, C vectors.Hex
		DE, K vectors.Hex
		PPubE vectors.Hex `json:"p_pub_e"`
	} `json:"key_encapsulation"`
}

func TestStandardSignature(t *testing.T) {
	v := vectors.Load[file](t, "sm9.json").Signature
	master := must[*sm9.MasterSigningKey](t)(sm9.NewMasterSigningKey(v.KS))
	public := must[*sm9.MasterSigningPublicKey](t)(master.PublicKey())
	if !bytes.Equal(must[[]byte](t)(public.Bytes())[1:], v.PPubS) {
		t.Fatal("another master public key")
	}
	user := must[*sm9.SigningKey](t)(master.Extract([]byte(v.ID), 0))
	if !bytes.Equal(must[[]byte](t)(user.Bytes()), v.DS) {
		t.Fatal("another key of the user")
	}
	verifier := must[*sm9.VerifyingKey](t)(public.VerifyingKey([]byte(v.ID), 1))
	prepared := must[*sm9.VerifyingKey](t)(verifier.Prepare())
	signature := append(bytes.Clone(v.H), v.S...)
	for _, key := range []*sm9.VerifyingKey{verifier, prepared} {
		if err := key.VerifyForm([]byte(v.Message), signature, sm9.Raw); err != nil {
			t.Fatal(err)
		}
		for i := range signature {
			changed := bytes.Clone(signature)
			changed[i] ^= 1
			wantError(t, key.VerifyForm([]byte(v.Message), changed, sm9.Raw), kuaimi.ErrInvalidSignature)
		}
		wantError(t, key.VerifyForm([]byte(v.Message), signature, 7), kuaimi.ErrInvalidArgument)
		wantError(t, key.Verify([]byte(v.Message), signature), kuaimi.ErrInvalidSignature)
	}
	other := must[*sm9.VerifyingKey](t)(public.VerifyingKey([]byte(v.ID), 2))
	wantError(t, other.VerifyForm([]byte(v.Message), signature, sm9.Raw), kuaimi.ErrInvalidSignature)
}

func TestStandardEncapsulation(t *testing.T) {
	v := vectors.Load[file](t, "sm9.json").Encapsulation
	master := must[*sm9.MasterEncryptionKey](t)(sm9.NewMasterEncryptionKey(v.KE))
	public := must[*sm9.MasterEncryptionPublicKey](t)(master.PublicKey())
	if !bytes.Equal(must[[]byte](t)(public.Bytes())[1:], v.PPubE) {
		t.Fatal("another master public key")
	}
	user := must[*sm9.DecryptionKey](t)(master.Extract([]byte(v.ID), 0))
	if !bytes.Equal(must[[]byte](t)(user.Bytes()), v.DE) {
		t.Fatal("another key of the user")
	}
	prepared := must[*sm9.DecryptionKey](t)(user.Prepare())
	for _, key := range []*sm9.DecryptionKey{user, prepared} {
		got := must[[]byte](t)(key.Decapsulate(append([]byte{4}, v.C...), len(v.K)))
		if !bytes.Equal(got, v.K) {
			t.Fatalf("another key: %x", got)
		}
	}
}

func signers(t testing.TB) (*sm9.MasterSigningKey, *sm9.MasterSigningPublicKey, *sm9.SigningKey, *sm9.VerifyingKey) {
	t.Helper()
	master := must[*sm9.MasterSigningKey](t)(sm9.GenerateMasterSigningKey())
	public := must[*sm9.MasterSigningPublicKey](t)(master.PublicKey())
	id := []byte("alice@example.com")
	return master, public, must[*sm9.SigningKey](t)(master.Extract(id, 0)), must[*sm9.VerifyingKey](t)(public.VerifyingKey(id, 0))
}

func TestSignatures(t *testing.T) {
	master, public, user, verifier := signers(t)
	id, message := []byte("alice@example.com"), []byte("a message")
	prepared := must[*sm9.SigningKey](t)(user.Prepare())
	cache := must[*sm9.IdentityCache](t)(sm9.NewIdentityCache(public, 1<<20))
	theirs := must[*gmsm.SignMasterPublicKey](t)(gmsm.UnmarshalSignMasterPublicKeyRaw(must[[]byte](t)(public.Bytes())))
	for _, key := range []*sm9.SigningKey{user, prepared} {
		signature := must[[]byte](t)(key.SignMessage(nil, message, nil))
		if !gmsm.VerifyASN1(theirs, id, 1, message, signature) {
			t.Fatal("gmsm does not verify")
		}
		raw := must[[]byte](t)(key.AppendSignature([]byte("before"), message, sm9.Raw))[6:]
		for _, err := range []error{
			verifier.Verify(message, signature), cache.Verify(verifier, message, signature), verifier.VerifyForm(message, raw, sm9.Raw),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		wantError(t, cache.Verify(verifier, id, signature), kuaimi.ErrInvalidSignature)
		_, err := key.AppendSignature(nil, message, 7)
		wantError(t, err, kuaimi.ErrInvalidArgument)
	}
	// The other direction.
	theirUser := must[*gmsm.SignPrivateKey](t)(gmsm.UnmarshalSignPrivateKeyRaw(append([]byte{4}, must[[]byte](t)(user.Bytes())...)))
	theirUser.SetMasterPublic(theirs)
	if err := verifier.Verify(message, must[[]byte](t)(gmsm.SignASN1(rand.Reader, theirUser, message))); err != nil {
		t.Fatal(err)
	}
	stats := must[sm9.CacheStats](t)(cache.Stats())
	if stats.Hits+stats.Misses != 4 {
		t.Fatalf("%+v", stats)
	}
	_, err := master.Extract(nil, 0)
	wantError(t, err, kuaimi.ErrEmptyIdentity)
	_, err = public.VerifyingKey(nil, 0)
	wantError(t, err, kuaimi.ErrEmptyIdentity)
	if err := cache.Clear(); err != nil {
		t.Fatal(err)
	}
	user.Close()
	_, err = user.SignMessage(nil, message, nil)
	wantError(t, err, kuaimi.ErrClosed)
	cache.Close()
	wantError(t, cache.Verify(verifier, message, nil), kuaimi.ErrClosed)
	verifier.Close()
	wantError(t, verifier.Verify(message, nil), kuaimi.ErrClosed)
	wantError(t, new(sm9.VerifyingKey).Verify(message, nil), kuaimi.ErrClosed)
	master.Close()
	_, err = master.Extract(id, 0)
	wantError(t, err, kuaimi.ErrClosed)
}

func TestBatches(t *testing.T) {
	master, public, _, _ := signers(t)
	cache := must[*sm9.IdentityCache](t)(sm9.NewIdentityCache(public, 1<<20))
	const n = 40
	toSign, toVerify := make([]sm9.SignItem, n), make([]sm9.VerifyItem, n)
	signatures, results := make([][96]byte, n), make([]error, n)
	for i := range n {
		id := fmt.Appendf(nil, "user %d", i%7)
		toSign[i] = sm9.SignItem{Key: must[*sm9.SigningKey](t)(master.Extract(id, 0)), Message: bytes.Repeat([]byte{byte(i)}, i*200)}
		toVerify[i] = sm9.VerifyItem{Key: must[*sm9.VerifyingKey](t)(public.VerifyingKey(id, 0)), Message: toSign[i].Message, Form: sm9.Raw}
	}
	if err := sm9.SignBatch(toSign, signatures, results); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		toVerify[i].Signature = signatures[i][:]
	}
	for range 2 {
		if err := sm9.VerifyBatch(toVerify, results); err != nil {
			t.Fatal(err)
		}
		if err := cache.VerifyBatch(toVerify, results); err != nil {
			t.Fatal(err)
		}
	}
	toVerify[3].Signature = signatures[4][:]
	toVerify[9].Key = nil
	toVerify[11].Form = sm9.ASN1
	for _, verify := range []func([]sm9.VerifyItem, []error) error{sm9.VerifyBatch, cache.VerifyBatch} {
		wantError(t, verify(toVerify, results), kuaimi.ErrInvalidSignature)
		for i, err := range results {
			switch i {
			case 3, 11:
				wantError(t, err, kuaimi.ErrInvalidSignature)
			case 9:
				wantError(t, err, kuaimi.ErrClosed)
			default:
				if err != nil {
					t.Fatal(i, err)
				}
			}
		}
		wantError(t, verify(toVerify, results[1:]), kuaimi.ErrInvalidArgument)
	}
	toSign[5].Key = nil
	wantError(t, sm9.SignBatch(toSign, signatures, results), kuaimi.ErrClosed)
	if results[4] != nil || results[6] != nil || signatures[5] != [96]byte{} {
		t.Fatal("results in other places")
	}
	wantError(t, sm9.SignBatch(toSign, signatures[1:], results), kuaimi.ErrInvalidArgument)
}

func recipients(t testing.TB) (*sm9.MasterEncryptionKey, *sm9.MasterEncryptionPublicKey, *sm9.DecryptionKey, *sm9.EncryptionKey) {
	t.Helper()
	master := must[*sm9.MasterEncryptionKey](t)(sm9.GenerateMasterEncryptionKey())
	public := must[*sm9.MasterEncryptionPublicKey](t)(master.PublicKey())
	id := []byte("bob")
	return master, public, must[*sm9.DecryptionKey](t)(master.Extract(id, 0)), must[*sm9.EncryptionKey](t)(public.EncryptionKey(id, 0))
}

func TestEncryption(t *testing.T) {
	master, public, user, recipient := recipients(t)
	message := []byte("a secret")
	theirs := must[*gmsm.EncryptMasterPublicKey](t)(gmsm.UnmarshalEncryptMasterPublicKeyRaw(must[[]byte](t)(public.Bytes())))
	theirUser := must[*gmsm.EncryptPrivateKey](t)(gmsm.UnmarshalEncryptPrivateKeyRaw(append([]byte{4}, must[[]byte](t)(user.Bytes())...)))
	theirUser.SetMasterPublic(theirs)
	for _, key := range []*sm9.EncryptionKey{recipient, must[*sm9.EncryptionKey](t)(recipient.Prepare())} {
		ciphertext := must[[]byte](t)(key.Encrypt(message))
		if got := must[[]byte](t)(user.Decrypt(ciphertext)); !bytes.Equal(got, message) {
			t.Fatal("another message")
		}
		if got := must[[]byte](t)(gmsm.DecryptASN1(theirUser, []byte("bob"), ciphertext)); !bytes.Equal(got, message) {
			t.Fatal("another message for gmsm")
		}
		for i := range ciphertext {
			changed := bytes.Clone(ciphertext)
			changed[i] ^= 1
			_, err := user.Decrypt(changed)
			wantError(t, err, kuaimi.ErrDecryptionFailed)
		}
		shared, point, err := key.Encapsulate(48)
		if err != nil || !bytes.Equal(shared, must[[]byte](t)(user.Decapsulate(point, 48))) {
			t.Fatal(err)
		}
		if !bytes.Equal(shared, must[[]byte](t)(gmsm.UnwrapKey(theirUser, []byte("bob"), point, 48))) {
			t.Fatal("another key for gmsm")
		}
	}
	ciphertext := must[[]byte](t)(gmsm.EncryptASN1(rand.Reader, theirs, []byte("bob"), 3, message, gmsm.DefaultEncrypterOpts))
	if got := must[[]byte](t)(user.Decrypt(ciphertext)); !bytes.Equal(got, message) {
		t.Fatal("another message of gmsm's")
	}
	carol := must[*sm9.DecryptionKey](t)(master.Extract([]byte("carol"), 0))
	_, err := carol.Decrypt(ciphertext)
	wantError(t, err, kuaimi.ErrDecryptionFailed)
	_, err = recipient.Encrypt(nil)
	wantError(t, err, kuaimi.ErrEmptyMessage)
	for _, length := range []int{-1, 0, 1<<20 + 1} {
		_, _, err := recipient.Encapsulate(length)
		wantError(t, err, kuaimi.ErrDerivedKeyLength)
		_, err = user.Decapsulate(make([]byte, 65), length)
		wantError(t, err, kuaimi.ErrDerivedKeyLength)
	}
	_, err = public.EncryptionKey(nil, 0)
	wantError(t, err, kuaimi.ErrEmptyIdentity)
	recipient.Close()
	_, err = recipient.Encrypt(message)
	wantError(t, err, kuaimi.ErrClosed)
	user.Close()
	_, err = user.Decrypt(ciphertext)
	wantError(t, err, kuaimi.ErrClosed)
}

func TestExchange(t *testing.T) {
	master, _, _, _ := recipients(t)
	alice := must[*sm9.ExchangeKey](t)(master.ExtractExchange([]byte("alice"), 0))
	bob := must[*sm9.ExchangeKey](t)(must[*sm9.ExchangeKey](t)(master.ExtractExchange([]byte("bob"), 0)).Prepare())
	start := func(peer string) (*sm9.Initiator, *sm9.Responder) {
		initiator := must[*sm9.Initiator](t)(alice.Start([]byte(peer), 0, 32))
		return initiator, must[*sm9.Responder](t)(bob.Respond([]byte("alice"), 0, initiator.Point[:], 32))
	}
	initiator, responder := start("bob")
	key, confirmation, err := initiator.Finish(responder.Point[:], responder.Confirmation[:])
	if err != nil {
		t.Fatal(err)
	}
	if got := must[[]byte](t)(responder.Finish(confirmation)); !bytes.Equal(got, key) || len(key) != 32 {
		t.Fatal("the keys differ")
	}
	_, _, err = initiator.Finish(responder.Point[:], responder.Confirmation[:])
	wantError(t, err, kuaimi.ErrAlreadyUsed)
	_, err = responder.Finish(confirmation)
	wantError(t, err, kuaimi.ErrAlreadyUsed)

	initiator, responder = start("carol")
	_, _, err = initiator.Finish(responder.Point[:], responder.Confirmation[:])
	wantError(t, err, kuaimi.ErrConfirmationFailed)
	initiator, responder = start("bob")
	_, _, err = initiator.Finish(responder.Point[:], nil)
	wantError(t, err, kuaimi.ErrConfirmationFailed)
	_, err = responder.Finish(make([]byte, 32))
	wantError(t, err, kuaimi.ErrConfirmationFailed)
	_, err = alice.Start([]byte("bob"), 0, 0)
	wantError(t, err, kuaimi.ErrDerivedKeyLength)
	initiator.Close()
	_, _, err = initiator.Finish(responder.Point[:], responder.Confirmation[:])
	wantError(t, err, kuaimi.ErrClosed)
}

// Every kind of key, in every form, with a password, and as gmsm reads and writes it.
func TestKeyFiles(t *testing.T) {
	signing, signingPublic, signer, _ := signers(t)
	encryption, encryptionPublic, decrypter, _ := recipients(t)
	exchange := must[*sm9.ExchangeKey](t)(encryption.ExtractExchange([]byte("bob"), 0))
	type private interface {
		Marshal(sm9.KeyForm) ([]byte, error)
		MarshalEncrypted([]byte, sm9.KeyForm) ([]byte, error)
		Bytes() ([]byte, error)
	}
	alice, bob := []byte("alice@example.com"), []byte("bob")
	for name, c := range map[string]struct {
		key   private
		parse func(file, password []byte) (private, error)
	}{
		"master for signatures": {signing, func(f, p []byte) (private, error) { return sm9.ParseMasterSigningKey(f, p) }},
		"master for encryption": {encryption, func(f, p []byte) (private, error) { return sm9.ParseMasterEncryptionKey(f, p) }},
		"user for signatures":   {signer, func(f, p []byte) (private, error) { return sm9.ParseSigningKey(f, p, alice, 0) }},
		"user for decryption":   {decrypter, func(f, p []byte) (private, error) { return sm9.ParseDecryptionKey(f, p, bob, 0) }},
		"user for exchange":     {exchange, func(f, p []byte) (private, error) { return sm9.ParseExchangeKey(f, p, bob, 0) }},
	} {
		bytesOf := must[[]byte](t)(c.key.Bytes())
		same := func(file, password []byte) {
			t.Helper()
			read, err := c.parse(file, password)
			if err != nil {
				t.Fatal(name, err)
			}
			if !bytes.Equal(must[[]byte](t)(read.Bytes()), bytesOf) {
				t.Fatal(name, "another key")
			}
		}
		for _, form := range []sm9.KeyForm{sm9.PKCS8, sm9.PKCS8PEM} {
			same(must[[]byte](t)(c.key.Marshal(form)), nil)
		}
		theirs, err := smx509.ParsePKCS8PrivateKey(must[[]byte](t)(c.key.Marshal(sm9.PKCS8)))
		if err != nil {
			t.Fatal(name, err)
		}
		same(must[[]byte](t)(smx509.MarshalPKCS8PrivateKey(theirs)), nil)
		if _, err := c.key.Marshal(sm9.SPKI); err == nil {
			t.Fatal(name, "was written as a public key")
		}
		if _, err := c.key.Marshal(sm9.DER); err != nil {
			t.Fatal(name, err)
		}
		if testing.Short() {
			continue
		}
		encrypted := must[[]byte](t)(c.key.MarshalEncrypted([]byte("password"), sm9.PKCS8PEM))
		same(encrypted, []byte("password"))
		if _, err := c.parse(encrypted, nil); !errors.Is(err, kuaimi.ErrPasswordNeeded) {
			t.Fatal(name, "was read without a password")
		}
	}
	for _, form := range []sm9.KeyForm{sm9.SPKI, sm9.SPKIPEM} {
		one := must[*sm9.MasterSigningPublicKey](t)(sm9.ParseMasterSigningPublicKey(must[[]byte](t)(signingPublic.Marshal(form))))
		if !bytes.Equal(must[[]byte](t)(one.Bytes()), must[[]byte](t)(signingPublic.Bytes())) {
			t.Fatal("another public key")
		}
		two := must[*sm9.MasterEncryptionPublicKey](t)(sm9.ParseMasterEncryptionPublicKey(must[[]byte](t)(encryptionPublic.Marshal(form))))
		if !bytes.Equal(must[[]byte](t)(two.Bytes()), must[[]byte](t)(encryptionPublic.Bytes())) {
			t.Fatal("another public key")
		}
	}
	point := must[[]byte](t)(signer.Bytes())
	if again := must[*sm9.SigningKey](t)(sm9.NewSigningKey(point, alice, 0, signingPublic)); !bytes.Equal(must[[]byte](t)(again.Bytes()), point) {
		t.Fatal("another point")
	}
	_, err := sm9.NewSigningKey(point, bob, 0, signingPublic)
	wantError(t, err, kuaimi.ErrUserKeyMismatch)
	_, err = sm9.ParseSigningKey(must[[]byte](t)(signer.Marshal(sm9.PKCS8)), nil, bob, 0)
	wantError(t, err, kuaimi.ErrUserKeyMismatch)
	point = must[[]byte](t)(decrypter.Bytes())
	must[*sm9.DecryptionKey](t)(sm9.NewDecryptionKey(point, bob, 0, encryptionPublic))
	_, err = sm9.NewDecryptionKey(point, bob, 2, encryptionPublic)
	wantError(t, err, kuaimi.ErrUserKeyMismatch)
	_, err = sm9.ParseMasterSigningKey(must[[]byte](t)(encryption.Marshal(sm9.PKCS8)), nil)
	wantError(t, err, kuaimi.ErrOtherKey)
	_, err = sm9.ParseMasterSigningPublicKey(must[[]byte](t)(encryptionPublic.Marshal(sm9.SPKI)))
	wantError(t, err, kuaimi.ErrOtherKey)
	_, err = sm9.NewMasterSigningKey(make([]byte, 32))
	wantError(t, err, kuaimi.ErrPrivateKeyRange)
	_, err = sm9.NewMasterSigningKey(make([]byte, 33))
	wantError(t, err, kuaimi.ErrKeyLength)
}

func TestAllocations(t *testing.T) {
	if kuaimi.Backend() == "gmsm" {
		t.Skip("gmsm allocates more")
	}
	_, _, user, verifier := signers(t)
	message := []byte("a message")
	signature := must[[]byte](t)(user.SignMessage(nil, message, nil))
	if n := testing.AllocsPerRun(10, func() { verifier.Verify(message, signature) }); n != 0 {
		t.Errorf("verify: %v", n)
	}
	if n := testing.AllocsPerRun(10, func() { signature, _ = user.SignMessage(nil, message, nil) }); n > 1 {
		t.Errorf("sign: %v", n)
	}
}
