package sm9_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/internal/vectors"
	"github.com/kuaimi/kuaimi/bindings/go/sm9"
)

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
	master := check.Must[*sm9.MasterSigningKey](t)(sm9.NewMasterSigningKey(v.KS))
	public := check.Must[*sm9.MasterSigningPublicKey](t)(master.PublicKey())
	if !bytes.Equal(check.Must[[]byte](t)(public.Bytes())[1:], v.PPubS) {
		t.Fatal("another master public key")
	}
	user := check.Must[*sm9.SigningKey](t)(master.Extract([]byte(v.ID), 0))
	if !bytes.Equal(check.Must[[]byte](t)(user.Bytes()), v.DS) {
		t.Fatal("another key of the user")
	}
	verifier := check.Must[*sm9.VerifyingKey](t)(public.VerifyingKey([]byte(v.ID), 1))
	prepared := check.Must[*sm9.VerifyingKey](t)(public.VerifyingKey([]byte(v.ID), 1))
	if err := prepared.Prepare(); err != nil {
		t.Fatal(err)
	}
	signature := append(bytes.Clone(v.H), v.S...)
	for _, key := range []*sm9.VerifyingKey{verifier, prepared} {
		if err := key.VerifyForm([]byte(v.Message), signature, sm9.Raw); err != nil {
			t.Fatal(err)
		}
		for i := range signature {
			changed := bytes.Clone(signature)
			changed[i] ^= 1
			check.Error(t, key.VerifyForm([]byte(v.Message), changed, sm9.Raw), kuaimi.ErrInvalidSignature)
		}
		check.Error(t, key.VerifyForm([]byte(v.Message), signature, 7), kuaimi.ErrInvalidArgument)
		check.Error(t, key.Verify([]byte(v.Message), signature), kuaimi.ErrInvalidSignature)
	}
	other := check.Must[*sm9.VerifyingKey](t)(public.VerifyingKey([]byte(v.ID), 2))
	check.Error(t, other.VerifyForm([]byte(v.Message), signature, sm9.Raw), kuaimi.ErrInvalidSignature)
}

func TestStandardEncapsulation(t *testing.T) {
	v := vectors.Load[file](t, "sm9.json").Encapsulation
	master := check.Must[*sm9.MasterEncryptionKey](t)(sm9.NewMasterEncryptionKey(v.KE))
	public := check.Must[*sm9.MasterEncryptionPublicKey](t)(master.PublicKey())
	if !bytes.Equal(check.Must[[]byte](t)(public.Bytes())[1:], v.PPubE) {
		t.Fatal("another master public key")
	}
	user := check.Must[*sm9.DecryptionKey](t)(master.Extract([]byte(v.ID), 0))
	if !bytes.Equal(check.Must[[]byte](t)(user.Bytes()), v.DE) {
		t.Fatal("another key of the user")
	}
	prepared := check.Must[*sm9.DecryptionKey](t)(master.Extract([]byte(v.ID), 3))
	if err := prepared.Prepare(); err != nil {
		t.Fatal(err)
	}
	for _, key := range []*sm9.DecryptionKey{user, prepared} {
		got := check.Must[[]byte](t)(key.Decapsulate(append([]byte{4}, v.C...), len(v.K)))
		if !bytes.Equal(got, v.K) {
			t.Fatalf("another key: %x", got)
		}
	}
}

func signers(t testing.TB) (*sm9.MasterSigningKey, *sm9.MasterSigningPublicKey, *sm9.SigningKey, *sm9.VerifyingKey) {
	t.Helper()
	master := check.Must[*sm9.MasterSigningKey](t)(sm9.GenerateMasterSigningKey())
	public := check.Must[*sm9.MasterSigningPublicKey](t)(master.PublicKey())
	id := []byte("alice@example.com")
	return master, public, check.Must[*sm9.SigningKey](t)(master.Extract(id, 0)), check.Must[*sm9.VerifyingKey](t)(public.VerifyingKey(id, 0))
}

func TestSignatures(t *testing.T) {
	master, public, user, verifier := signers(t)
	id, message := []byte("alice@example.com"), []byte("a message")
	prepared := check.Must[*sm9.SigningKey](t)(master.Extract(id, 0))
	if err := prepared.Prepare(); err != nil {
		t.Fatal(err)
	}
	cache := check.Must[*sm9.IdentityCache](t)(sm9.NewIdentityCache(public, 1<<20))
	for _, key := range []*sm9.SigningKey{user, prepared} {
		signature := check.Must[[]byte](t)(key.SignMessage(nil, message, nil))
		raw := check.Must[[]byte](t)(key.AppendSignature([]byte("before"), message, sm9.Raw))[6:]
		// A key that has its own table would not ask the cache.
		fresh := check.Must[*sm9.VerifyingKey](t)(public.VerifyingKey(id, 0))
		for _, err := range []error{
			verifier.Verify(message, signature), cache.Verify(fresh, message, signature), verifier.VerifyForm(message, raw, sm9.Raw),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		check.Error(t, cache.Verify(fresh, id, signature), kuaimi.ErrInvalidSignature)
		_, err := key.AppendSignature(nil, message, 7)
		check.Error(t, err, kuaimi.ErrInvalidArgument)
	}
	stats := check.Must[sm9.CacheStats](t)(cache.Stats())
	if stats.Hits+stats.Misses != 4 {
		t.Fatalf("%+v", stats)
	}
	_, err := master.Extract(nil, 0)
	check.Error(t, err, kuaimi.ErrEmptyIdentity)
	_, err = public.VerifyingKey(nil, 0)
	check.Error(t, err, kuaimi.ErrEmptyIdentity)
	if err := cache.Clear(); err != nil {
		t.Fatal(err)
	}
	user.Close()
	_, err = user.SignMessage(nil, message, nil)
	check.Error(t, err, kuaimi.ErrClosed)
	cache.Close()
	check.Error(t, cache.Verify(verifier, message, nil), kuaimi.ErrClosed)
	verifier.Close()
	check.Error(t, verifier.Verify(message, nil), kuaimi.ErrClosed)
	check.Error(t, new(sm9.VerifyingKey).Verify(message, nil), kuaimi.ErrClosed)
	master.Close()
	_, err = master.Extract(id, 0)
	check.Error(t, err, kuaimi.ErrClosed)
}

func TestBatches(t *testing.T) {
	master, public, _, _ := signers(t)
	cache := check.Must[*sm9.IdentityCache](t)(sm9.NewIdentityCache(public, 1<<20))
	const n = 40
	toSign, toVerify := make([]sm9.SignItem, n), make([]sm9.VerifyItem, n)
	signatures, results := make([][96]byte, n), make([]error, n)
	for i := range n {
		id := fmt.Appendf(nil, "user %d", i%7)
		toSign[i] = sm9.SignItem{Key: check.Must[*sm9.SigningKey](t)(master.Extract(id, 0)), Message: bytes.Repeat([]byte{byte(i)}, i*200)}
		toVerify[i] = sm9.VerifyItem{Key: check.Must[*sm9.VerifyingKey](t)(public.VerifyingKey(id, 0)), Message: toSign[i].Message, Form: sm9.Raw}
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
	toVerify[11].Form = sm9.DER
	for _, verify := range []func([]sm9.VerifyItem, []error) error{sm9.VerifyBatch, cache.VerifyBatch} {
		check.Error(t, verify(toVerify, results), kuaimi.ErrInvalidSignature)
		for i, err := range results {
			switch i {
			case 3, 11:
				check.Error(t, err, kuaimi.ErrInvalidSignature)
			case 9:
				check.Error(t, err, kuaimi.ErrClosed)
			default:
				if err != nil {
					t.Fatal(i, err)
				}
			}
		}
		check.Error(t, verify(toVerify, results[1:]), kuaimi.ErrInvalidArgument)
	}
	toSign[5].Key = nil
	check.Error(t, sm9.SignBatch(toSign, signatures, results), kuaimi.ErrClosed)
	if results[4] != nil || results[6] != nil || signatures[5] != [96]byte{} {
		t.Fatal("results in other places")
	}
	toSign[5].Message = signatures[4][:]
	var none *sm9.IdentityCache
	for code, refused := range map[kuaimi.Error]func() error{
		kuaimi.ErrInvalidArgument: func() error {
			check.Error(t, sm9.SignBatch(toSign, signatures[1:], results), kuaimi.ErrInvalidArgument)
			clear(results)
			check.Error(t, sm9.VerifyBatch(toVerify[1:], results), kuaimi.ErrInvalidArgument)
			check.Error(t, results[0], kuaimi.ErrInvalidArgument)
			clear(results)
			return sm9.SignBatch(toSign, signatures, results)
		},
		kuaimi.ErrClosed: func() error { return none.VerifyBatch(toVerify, results) },
	} {
		clear(results)
		check.Error(t, refused(), code)
		for _, err := range results {
			check.Error(t, err, code)
		}
	}
}

// Bytes that are no signature are not said to be one that does not fit.
func TestNotASignature(t *testing.T) {
	master := check.Must[*sm9.MasterSigningKey](t)(sm9.GenerateMasterSigningKey())
	signer := check.Must[*sm9.SigningKey](t)(master.Extract([]byte("alice"), 0))
	public := check.Must[*sm9.MasterSigningPublicKey](t)(master.PublicKey())
	verifier := check.Must[*sm9.VerifyingKey](t)(public.VerifyingKey([]byte("alice"), 0))
	der := check.Must[[]byte](t)(signer.AppendSignature(nil, []byte("a message"), sm9.DER))
	raw := check.Must[[]byte](t)(signer.AppendSignature(nil, []byte("a message"), sm9.Raw))
	for _, c := range []struct {
		signature []byte
		form      sm9.SignatureForm
		want      error
	}{
		{der, sm9.DER, nil}, {raw, sm9.Raw, nil},
		{raw, sm9.DER, kuaimi.ErrSignatureEncoding}, {der, sm9.Raw, kuaimi.ErrSignatureEncoding},
		{nil, sm9.DER, kuaimi.ErrSignatureEncoding}, {der[:103], sm9.DER, kuaimi.ErrSignatureEncoding},
		{append(bytes.Clone(der[:103]), der[103]^1), sm9.DER, kuaimi.ErrInvalidSignature},
		{append(bytes.Clone(raw[:95]), raw[95]^1), sm9.Raw, kuaimi.ErrInvalidSignature},
	} {
		if err := verifier.VerifyForm([]byte("a message"), c.signature, c.form); err != c.want {
			t.Errorf("%x: %v, not %v", c.signature, err, c.want)
		}
		results := make([]error, 1)
		sm9.VerifyBatch([]sm9.VerifyItem{{Key: verifier, Message: []byte("a message"), Signature: c.signature, Form: c.form}}, results)
		if results[0] != c.want {
			t.Errorf("%x in a batch: %v, not %v", c.signature, results[0], c.want)
		}
	}
}

func recipients(t testing.TB) (*sm9.MasterEncryptionKey, *sm9.MasterEncryptionPublicKey, *sm9.DecryptionKey, *sm9.EncryptionKey) {
	t.Helper()
	master := check.Must[*sm9.MasterEncryptionKey](t)(sm9.GenerateMasterEncryptionKey())
	public := check.Must[*sm9.MasterEncryptionPublicKey](t)(master.PublicKey())
	id := []byte("bob")
	return master, public, check.Must[*sm9.DecryptionKey](t)(master.Extract(id, 0)), check.Must[*sm9.EncryptionKey](t)(public.EncryptionKey(id, 0))
}

func TestEncryption(t *testing.T) {
	master, public, user, recipient := recipients(t)
	message := []byte("a secret")
	prepared := check.Must[*sm9.EncryptionKey](t)(public.EncryptionKey([]byte("bob"), 0))
	if err := prepared.Prepare(); err != nil {
		t.Fatal(err)
	}
	for _, key := range []*sm9.EncryptionKey{recipient, prepared} {
		ciphertext := check.Must[[]byte](t)(key.Encrypt(message))
		if got := check.Must[[]byte](t)(user.Decrypt(ciphertext)); !bytes.Equal(got, message) {
			t.Fatal("another message")
		}
		for i := range ciphertext {
			changed := bytes.Clone(ciphertext)
			changed[i] ^= 1
			_, err := user.Decrypt(changed)
			check.Error(t, err, kuaimi.ErrDecryptionFailed)
		}
		shared, point, err := key.Encapsulate(48)
		if err != nil || !bytes.Equal(shared, check.Must[[]byte](t)(user.Decapsulate(point, 48))) {
			t.Fatal(err)
		}
	}
	ciphertext := check.Must[[]byte](t)(recipient.Encrypt(message))
	carol := check.Must[*sm9.DecryptionKey](t)(master.Extract([]byte("carol"), 0))
	_, err := carol.Decrypt(ciphertext)
	check.Error(t, err, kuaimi.ErrDecryptionFailed)
	_, err = recipient.Encrypt(nil)
	check.Error(t, err, kuaimi.ErrEmptyMessage)
	for _, length := range []int{-1, 0, 1<<20 + 1} {
		_, _, err := recipient.Encapsulate(length)
		check.Error(t, err, kuaimi.ErrDerivedKeyLength)
		_, err = user.Decapsulate(make([]byte, 65), length)
		check.Error(t, err, kuaimi.ErrDerivedKeyLength)
	}
	_, err = public.EncryptionKey(nil, 0)
	check.Error(t, err, kuaimi.ErrEmptyIdentity)
	recipient.Close()
	_, err = recipient.Encrypt(message)
	check.Error(t, err, kuaimi.ErrClosed)
	user.Close()
	_, err = user.Decrypt(ciphertext)
	check.Error(t, err, kuaimi.ErrClosed)
}

func TestExchange(t *testing.T) {
	master, _, _, _ := recipients(t)
	alice := check.Must[*sm9.ExchangeKey](t)(master.ExtractExchange([]byte("alice"), 0))
	bob := check.Must[*sm9.ExchangeKey](t)(master.ExtractExchange([]byte("bob"), 0))
	if err := bob.Prepare(); err != nil {
		t.Fatal(err)
	}
	start := func(peer string) (*sm9.Initiator, *sm9.Responder) {
		initiator := check.Must[*sm9.Initiator](t)(alice.Start([]byte(peer), 0, 32))
		return initiator, check.Must[*sm9.Responder](t)(bob.Respond([]byte("alice"), 0, initiator.Point[:], 32))
	}
	initiator, responder := start("bob")
	key, confirmation, err := initiator.Finish(responder.Point[:], responder.Confirmation[:])
	if err != nil {
		t.Fatal(err)
	}
	if got := check.Must[[]byte](t)(responder.Finish(confirmation)); !bytes.Equal(got, key) || len(key) != 32 {
		t.Fatal("the keys differ")
	}
	_, _, err = initiator.Finish(responder.Point[:], responder.Confirmation[:])
	check.Error(t, err, kuaimi.ErrAlreadyUsed)
	_, err = responder.Finish(confirmation)
	check.Error(t, err, kuaimi.ErrAlreadyUsed)

	initiator, responder = start("carol")
	_, _, err = initiator.Finish(responder.Point[:], responder.Confirmation[:])
	check.Error(t, err, kuaimi.ErrConfirmationFailed)
	initiator, responder = start("bob")
	_, _, err = initiator.Finish(responder.Point[:], nil)
	check.Error(t, err, kuaimi.ErrConfirmationFailed)
	_, err = responder.Finish(make([]byte, 32))
	check.Error(t, err, kuaimi.ErrConfirmationFailed)
	_, err = alice.Start([]byte("bob"), 0, 0)
	check.Error(t, err, kuaimi.ErrDerivedKeyLength)
	initiator.Close()
	_, _, err = initiator.Finish(responder.Point[:], responder.Confirmation[:])
	check.Error(t, err, kuaimi.ErrClosed)
}

// Every kind of key, in every form, with a password.
func TestKeyFiles(t *testing.T) {
	signing, signingPublic, signer, _ := signers(t)
	encryption, encryptionPublic, decrypter, _ := recipients(t)
	exchange := check.Must[*sm9.ExchangeKey](t)(encryption.ExtractExchange([]byte("bob"), 0))
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
		bytesOf := check.Must[[]byte](t)(c.key.Bytes())
		same := func(file, password []byte) {
			t.Helper()
			read, err := c.parse(file, password)
			if err != nil {
				t.Fatal(name, err)
			}
			if !bytes.Equal(check.Must[[]byte](t)(read.Bytes()), bytesOf) {
				t.Fatal(name, "another key")
			}
		}
		for _, form := range []sm9.KeyForm{sm9.PKCS8, sm9.PKCS8PEM} {
			same(check.Must[[]byte](t)(c.key.Marshal(form)), nil)
		}
		if _, err := c.key.Marshal(sm9.SPKI); err == nil {
			t.Fatal(name, "was written as a public key")
		}
		if _, err := c.key.Marshal(sm9.KeyDER); err != nil {
			t.Fatal(name, err)
		}
		if testing.Short() {
			continue
		}
		encrypted := check.Must[[]byte](t)(c.key.MarshalEncrypted([]byte("password"), sm9.PKCS8PEM))
		same(encrypted, []byte("password"))
		if _, err := c.parse(encrypted, nil); !errors.Is(err, kuaimi.ErrPasswordNeeded) {
			t.Fatal(name, "was read without a password")
		}
	}
	for _, form := range []sm9.KeyForm{sm9.SPKI, sm9.SPKIPEM} {
		one := check.Must[*sm9.MasterSigningPublicKey](t)(sm9.ParseMasterSigningPublicKey(check.Must[[]byte](t)(signingPublic.Marshal(form))))
		if !bytes.Equal(check.Must[[]byte](t)(one.Bytes()), check.Must[[]byte](t)(signingPublic.Bytes())) {
			t.Fatal("another public key")
		}
		two := check.Must[*sm9.MasterEncryptionPublicKey](t)(sm9.ParseMasterEncryptionPublicKey(check.Must[[]byte](t)(encryptionPublic.Marshal(form))))
		if !bytes.Equal(check.Must[[]byte](t)(two.Bytes()), check.Must[[]byte](t)(encryptionPublic.Bytes())) {
			t.Fatal("another public key")
		}
	}
	point := check.Must[[]byte](t)(signer.Bytes())
	if again := check.Must[*sm9.SigningKey](t)(sm9.NewSigningKey(point, alice, 0, signingPublic)); !bytes.Equal(check.Must[[]byte](t)(again.Bytes()), point) {
		t.Fatal("another point")
	}
	_, err := sm9.NewSigningKey(point, bob, 0, signingPublic)
	check.Error(t, err, kuaimi.ErrUserKeyMismatch)
	_, err = sm9.ParseSigningKey(check.Must[[]byte](t)(signer.Marshal(sm9.PKCS8)), nil, bob, 0)
	check.Error(t, err, kuaimi.ErrUserKeyMismatch)
	point = check.Must[[]byte](t)(decrypter.Bytes())
	check.Must[*sm9.DecryptionKey](t)(sm9.NewDecryptionKey(point, bob, 0, encryptionPublic))
	_, err = sm9.NewDecryptionKey(point, bob, 2, encryptionPublic)
	check.Error(t, err, kuaimi.ErrUserKeyMismatch)
	_, err = sm9.ParseMasterSigningKey(check.Must[[]byte](t)(encryption.Marshal(sm9.PKCS8)), nil)
	check.Error(t, err, kuaimi.ErrOtherKey)
	_, err = sm9.ParseMasterSigningPublicKey(check.Must[[]byte](t)(encryptionPublic.Marshal(sm9.SPKI)))
	check.Error(t, err, kuaimi.ErrOtherKey)
	_, err = sm9.NewMasterSigningKey(make([]byte, 32))
	check.Error(t, err, kuaimi.ErrPrivateKeyRange)
	_, err = sm9.NewMasterSigningKey(make([]byte, 33))
	check.Error(t, err, kuaimi.ErrKeyLength)
}

func TestAllocations(t *testing.T) {
	if kuaimi.Backend() == "gmsm" {
		t.Skip("gmsm allocates more")
	}
	_, _, user, verifier := signers(t)
	message := []byte("a message")
	signature := check.Must[[]byte](t)(user.SignMessage(nil, message, nil))
	if n := testing.AllocsPerRun(10, func() { verifier.Verify(message, signature) }); n != 0 {
		t.Errorf("verify: %v", n)
	}
	if n := testing.AllocsPerRun(10, func() { signature, _ = user.SignMessage(nil, message, nil) }); n > 1 {
		t.Errorf("sign: %v", n)
	}
}
