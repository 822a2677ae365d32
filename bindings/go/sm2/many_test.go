package sm2_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
)

// Messages of every kind that a batch treats in its own way: empty, short, copied, pinned, and many times what one call takes.
func messages(n int) [][]byte {
	list := make([][]byte, n)
	for i := range list {
		length := i % 100
		switch {
		case i%97 == 0:
			length = 0
		case i%501 == 0:
			length = 4000 + i%200
		case i%1999 == 0:
			length = 3 << 20
		}
		list[i] = bytes.Repeat([]byte{byte(i), byte(i >> 8)}, length/2+1)[:length]
	}
	return list
}

// wrongPlaces is which items of n are made wrong.
func wrongPlaces(n int) map[int]bool {
	random := rand.New(rand.NewPCG(1, 2))
	places := map[int]bool{0: true, n - 1: true}
	for range n / 50 {
		places[random.IntN(n)] = true
	}
	return places
}

func TestBatches(t *testing.T) {
	n := 9000
	if kuaimi.Backend() == "gmsm" {
		n = 1200
	}
	var keys []*sm2.SigningKey
	var verifiers []*sm2.VerifyingKey
	for i := range 5 {
		key := generate(t)
		id := fmt.Appendf(nil, "user %d", i)
		keys = append(keys, check.Must[*sm2.SigningKey](t)(key.SigningKey(id)))
		verifiers = append(verifiers, check.Must[*sm2.VerifyingKey](t)(publicOf(t, key).VerifyingKey(id)))
	}
	prepared := check.Must[*sm2.VerifyingKey](t)(publicOf(t, generate(t)).VerifyingKey(nil))
	if err := prepared.Prepare(); err != nil {
		t.Fatal(err)
	}
	list := messages(n)
	toSign := make([]sm2.SignItem, n)
	for i := range toSign {
		toSign[i] = sm2.SignItem{Key: keys[i%len(keys)], Message: list[i]}
		if i%10 == 3 {
			toSign[i].Digest = bytes.Repeat([]byte{byte(i)}, 32)
		}
	}
	wrong := wrongPlaces(n)
	closed := check.Must[*sm2.SigningKey](t)(generate(t).SigningKey(nil))
	closed.Close()
	for i := range wrong {
		switch i % 3 {
		case 0:
			toSign[i].Key = closed
		case 1:
			toSign[i].Key = nil
		case 2:
			toSign[i].Digest = make([]byte, 31)
		}
	}
	signatures := make([][64]byte, n)
	results := make([]error, n)
	if err := sm2.SignBatch(toSign, signatures, results); err != results[0] || err == nil {
		t.Fatal(err)
	}
	made := slices.Clone(signatures)
	for i, err := range results {
		switch {
		case !wrong[i]:
			if err != nil {
				t.Fatal(i, err)
			}
		case i%3 == 2:
			check.Error(t, err, kuaimi.ErrInvalidArgument)
		default:
			check.Error(t, err, kuaimi.ErrClosed)
		}
		if wrong[i] != (signatures[i] == [64]byte{}) {
			t.Fatal("an item that failed has a signature, or the other way round")
		}
	}
	// Those that failed get a signature on their own, and other items are made wrong.
	toVerify := make([]sm2.VerifyItem, n)
	for i := range toVerify {
		item := &toVerify[i]
		*item = sm2.VerifyItem{Key: verifiers[i%len(keys)], Message: list[i], Digest: toSign[i].Digest, Form: sm2.Raw}
		if wrong[i] {
			item.Digest = nil
			item.Signature = check.Must[[]byte](t)(keys[i%len(keys)].SignMessage(nil, list[i], nil))
			item.Form = sm2.DER
		} else {
			item.Signature = made[i][:]
		}
	}
	cache := check.Must[*sm2.KeyCache](t)(sm2.NewKeyCache(1 << 20))
	verify := func(name string, want map[int]kuaimi.Error) {
		t.Helper()
		for _, batch := range []func([]sm2.VerifyItem, []error) error{sm2.VerifyBatch, cache.VerifyBatch} {
			for i := range results {
				results[i] = fmt.Errorf("no result")
			}
			err := batch(toVerify, results)
			if (err == nil) != (len(want) == 0) {
				t.Fatal(name, err)
			}
			for i, err := range results {
				if code, isWrong := want[i]; isWrong {
					check.Error(t, err, code)
				} else if err != nil {
					t.Fatal(name, i, err)
				}
			}
		}
	}
	verify("right", nil)
	want := map[int]kuaimi.Error{}
	for i := range wrongPlaces(n) {
		item := &toVerify[i]
		want[i] = kuaimi.ErrInvalidSignature
		switch i % 5 {
		case 0:
			item.Signature = bytes.Clone(item.Signature)
			item.Signature[len(item.Signature)-1] ^= 1
		case 1:
			item.Signature = nil
		case 2:
			item.Key = prepared
		case 3:
			item.Form = 77
			want[i] = kuaimi.ErrInvalidArgument
		case 4:
			item.Key = nil
			want[i] = kuaimi.ErrClosed
		}
	}
	verify("wrong", want)

	// A call that looks at no item leaves none of the results that the caller had there, and no signature.
	refused := func(err error, code kuaimi.Error, list []error) {
		t.Helper()
		check.Error(t, err, code)
		for i := range list {
			check.Error(t, list[i], code)
			list[i] = nil
		}
	}
	clear(results)
	var none *sm2.KeyCache
	refused(sm2.VerifyBatch(toVerify[1:], results), kuaimi.ErrInvalidArgument, results)
	refused(cache.VerifyBatch(toVerify[1:], results), kuaimi.ErrInvalidArgument, results)
	refused(none.VerifyBatch(toVerify, results), kuaimi.ErrClosed, results)
	refused(sm2.SignBatch(toSign, signatures[1:], results), kuaimi.ErrInvalidArgument, results)
	refused(sm2.SignBatch(toSign[1:], signatures, results[:3]), kuaimi.ErrInvalidArgument, results[:3])
	if signatures[5] != [64]byte{} {
		t.Fatal("a signature is left")
	}
	check.Error(t, sm2.VerifyBatch(toVerify, results[:1]), kuaimi.ErrInvalidArgument)
	check.Error(t, sm2.SignBatch(toSign, signatures, results[:1]), kuaimi.ErrInvalidArgument)
	check.Error(t, sm2.SignBatch(toSign, signatures[:1], results), kuaimi.ErrInvalidArgument)
	if err := sm2.VerifyBatch(nil, nil); err != nil {
		t.Fatal(err)
	}
	cache.Close()
	check.Error(t, cache.VerifyBatch(toVerify, results), kuaimi.ErrClosed)
	check.Error(t, results[1], kuaimi.ErrClosed)
}

func TestKeyCacheAndNoncePool(t *testing.T) {
	key := generate(t)
	public := publicOf(t, key)
	id := []byte("alice")
	signer := check.Must[*sm2.SigningKey](t)(key.SigningKey(id))
	verifier := check.Must[*sm2.VerifyingKey](t)(public.VerifyingKey(id))
	prepared := check.Must[*sm2.PublicKey](t)(sm2.NewPublicKey(public.Bytes()))
	if err := prepared.Prepare(); err != nil {
		t.Fatal(err)
	}
	fast := check.Must[*sm2.VerifyingKey](t)(prepared.VerifyingKey(id))
	cache := check.Must[*sm2.KeyCache](t)(sm2.NewKeyCache(1 << 20))
	pool := check.Must[*sm2.NoncePool](t)(sm2.NewNoncePool(64))
	digest := bytes.Repeat([]byte{7}, 32)
	seen := map[string]bool{}
	for i := range 200 {
		message := fmt.Appendf(nil, "message %d", i)
		signature := check.Must[[]byte](t)(pool.SignMessage(signer, message))
		if seen[string(signature[:34])] {
			t.Fatal("a nonce was used twice")
		}
		seen[string(signature[:34])] = true
		ofDigest := check.Must[[]byte](t)(pool.SignDigest(signer, digest, sm2.Raw))
		appended := check.Must[[]byte](t)(pool.AppendSignature([]byte("before"), signer, message, sm2.Raw))
		// A key that has its own table would not ask the cache.
		one := check.Must[*sm2.PublicKey](t)(sm2.NewPublicKey(public.Bytes()))
		fresh := check.Must[*sm2.VerifyingKey](t)(one.VerifyingKey(id))
		for _, verify := range []error{
			verifier.Verify(message, signature), fast.Verify(message, signature), cache.Verify(fresh, message, signature),
			verifier.VerifyDigest(digest, ofDigest, sm2.Raw), fast.VerifyDigest(digest, ofDigest, sm2.Raw),
			cache.VerifyDigest(fresh, digest, ofDigest, sm2.Raw),
			cache.VerifyForm(fresh, message, appended[6:], sm2.Raw),
		} {
			if verify != nil {
				t.Fatal(verify)
			}
		}
		message[0] ^= 1
		check.Error(t, fast.Verify(message, signature), kuaimi.ErrInvalidSignature)
		check.Error(t, cache.Verify(fresh, message, signature), kuaimi.ErrInvalidSignature)
		fresh.Close()
		one.Close()
	}
	stats := check.Must[sm2.CacheStats](t)(cache.Stats())
	if stats.Hits+stats.Misses != 800 {
		t.Fatalf("%+v", stats)
	}
	used := check.Must[sm2.PoolStats](t)(pool.Stats())
	if used.Served+used.Missed != 600 {
		t.Fatalf("%+v", used)
	}
	if kuaimi.Backend() != "gmsm" && (stats.Entries != 1 || stats.Hits < 798 || used.Served == 0) {
		t.Fatalf("%+v %+v", stats, used)
	}
	if err := cache.Clear(); err != nil || check.Must[sm2.CacheStats](t)(cache.Stats()).Entries != 0 {
		t.Fatal("the cache is not empty")
	}
	ciphertext := check.Must[[]byte](t)(prepared.Encrypt([]byte("a secret"), sm2.C1C3C2))
	if got := check.Must[[]byte](t)(key.Decrypt(nil, ciphertext, nil)); string(got) != "a secret" {
		t.Fatal("another message")
	}
	_, err := public.Encrypt(nil, sm2.C1C3C2)
	check.Error(t, err, kuaimi.ErrEmptyMessage)
	_, err = public.Encrypt([]byte("a secret"), sm2.AnyForm)
	check.Error(t, err, kuaimi.ErrInvalidArgument)
	_, err = sm2.NewKeyCache(-1)
	check.Error(t, err, kuaimi.ErrInvalidArgument)
	_, err = sm2.NewNoncePool(-1)
	check.Error(t, err, kuaimi.ErrInvalidArgument)
	// As large as a number may be: memory is taken as it is used.
	check.Must[*sm2.KeyCache](t)(sm2.NewKeyCache(math.MaxInt)).Close()
	check.Must[*sm2.NoncePool](t)(sm2.NewNoncePool(math.MaxInt)).Close()
}

// After Close, everything fails in the same way; a key made from a closed one stays.
func TestClose(t *testing.T) {
	key := generate(t)
	public := publicOf(t, key)
	signer := check.Must[*sm2.SigningKey](t)(key.SigningKey(nil))
	verifier := check.Must[*sm2.VerifyingKey](t)(public.VerifyingKey(nil))
	check.Must[[]byte](t)(key.SignMessage(nil, nil, nil))
	key.Close()
	key.Close()
	signature := check.Must[[]byte](t)(signer.SignMessage(nil, []byte("a message"), nil))
	if err := verifier.Verify([]byte("a message"), signature); err != nil || signer.Public() == nil {
		t.Fatal(err)
	}
	if err := public.Verify([]byte("a message"), signature); err != nil {
		t.Fatal(err)
	}
	signer.Close()
	public.Close()
	verifier.Close()
	initiatorKey := generate(t)
	initiator := check.Must[*sm2.Initiator](t)(initiatorKey.StartExchange(nil, publicOf(t, initiatorKey), nil, 16))
	initiator.Close()
	for name, fail := range map[string]func() error{
		"sign":        func() error { _, err := key.SignMessage(nil, nil, nil); return err },
		"sign digest": func() error { _, err := key.Sign(nil, make([]byte, 32), nil); return err },
		"decrypt":     func() error { _, err := key.Decrypt(nil, make([]byte, 100), nil); return err },
		"marshal":     func() error { _, err := key.Marshal(sm2.PKCS8); return err },
		"bytes":       func() error { _, err := key.Bytes(); return err },
		"public":      func() error { _, err := key.PublicKey(); return err },
		"signing key": func() error { _, err := key.SigningKey(nil); return err },
		"envelope":    func() error { _, err := key.OpenEnvelope(nil); return err },
		"signer":      func() error { _, err := signer.SignMessage(nil, nil, nil); return err },
		"recoverable": func() error { _, _, err := signer.SignDigestRecoverable(make([]byte, 32), sm2.Raw); return err },
		"verify":      func() error { return public.Verify(nil, signature) },
		"encrypt":     func() error { _, err := public.Encrypt([]byte("m"), sm2.CiphertextDER); return err },
		"verifier":    func() error { return verifier.Verify(nil, signature) },
		"prepare":     func() error { return public.Prepare() },
		"prepare 2":   func() error { return verifier.Prepare() },
		"initiator":   func() error { _, _, err := initiator.Finish(make([]byte, 65), nil); return err },
		"zero value":  func() error { _, err := new(sm2.PrivateKey).SignMessage(nil, nil, nil); return err },
		"nil":         func() error { _, err := (*sm2.SigningKey)(nil).SignMessage(nil, nil, nil); return err },
	} {
		t.Run(name, func(t *testing.T) { check.Error(t, fail(), kuaimi.ErrClosed) })
	}
	if key.Public() != nil || signer.Public() != nil {
		t.Fatal("a closed key has a public key")
	}
}

// A key that one goroutine closes while others use it: each call succeeds or finds it closed.
func TestCloseInUse(t *testing.T) {
	for range 200 {
		key, err := sm2.GenerateKey()
		if err != nil {
			t.Fatal(err)
		}
		signer := check.Must[*sm2.SigningKey](t)(key.SigningKey(nil))
		var group sync.WaitGroup
		for i := range 4 {
			group.Go(func() {
				for range 20 {
					if i == 0 {
						signer.Close()
					}
					if _, err := signer.SignMessage(nil, []byte("a message"), nil); err != nil && err != kuaimi.ErrClosed {
						t.Error(err)
					}
					if _, err := key.SignMessage(nil, []byte("a message"), nil); err != nil && err != kuaimi.ErrClosed {
						t.Error(err)
					}
					if i == 1 {
						key.Close()
					}
				}
			})
		}
		group.Wait()
	}
}

// A message may lie in the place of its own signature, and of no other; what is appended may lie over the message.
func TestSignatureOverlaps(t *testing.T) {
	key := generate(t)
	public := publicOf(t, key)
	signer := check.Must[*sm2.SigningKey](t)(key.SigningKey(nil))
	items, signatures, results := make([]sm2.SignItem, 10), make([][64]byte, 10), make([]error, 10)
	messages := make([][]byte, len(items))
	for i := range items {
		signatures[i][0] = byte(i)
		items[i] = sm2.SignItem{Key: signer, Message: signatures[i][:i]}
		messages[i] = bytes.Clone(items[i].Message)
	}
	if err := sm2.SignBatch(items, signatures, results); err != nil {
		t.Fatal(err)
	}
	verifier := check.Must[*sm2.VerifyingKey](t)(public.VerifyingKey(nil))
	for i := range items {
		if err := verifier.VerifyForm(messages[i], signatures[i][:], sm2.Raw); err != nil {
			t.Fatal(i, err)
		}
	}
	for _, wrong := range [][]byte{signatures[4][:], signatures[6][:1], signatures[5][1:], signatures[0][63:], signatures[9][:]} {
		items[5].Message = wrong
		check.Error(t, sm2.SignBatch(items, signatures, results), kuaimi.ErrInvalidArgument)
		items[5].Digest = wrong[:min(32, len(wrong))]
		check.Error(t, sm2.SignBatch(items, signatures, results), kuaimi.ErrInvalidArgument)
		items[5].Digest = nil
	}
	pool := check.Must[*sm2.NoncePool](t)(sm2.NewNoncePool(4))
	for _, at := range []int{0, 1, 30, 64} {
		for _, sign := range []func(dst, message []byte) ([]byte, error){
			func(dst, message []byte) ([]byte, error) { return signer.AppendSignature(dst, message, sm2.Raw) },
			func(dst, message []byte) ([]byte, error) { return pool.AppendSignature(dst, signer, message, sm2.Raw) },
		} {
			buffer := bytes.Repeat([]byte{7}, 200)
			signature := check.Must[[]byte](t)(sign(buffer[:at], buffer[30:100]))
			if err := verifier.VerifyForm(bytes.Repeat([]byte{7}, 70), signature[at:], sm2.Raw); err != nil {
				t.Fatal(at, err)
			}
		}
	}
}
