package sm2_test

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
)

// What is promised about allocations holds for libkuaimi.
func TestAllocations(t *testing.T) {
	if kuaimi.Backend() == "gmsm" {
		t.Skip("gmsm allocates more")
	}
	key := generate(t)
	public := publicOf(t, key)
	signer := check.Must[*sm2.SigningKey](t)(key.SigningKey(nil))
	verifier := check.Must[*sm2.VerifyingKey](t)(public.VerifyingKey(nil))
	cache := check.Must[*sm2.KeyCache](t)(sm2.NewKeyCache(1 << 20))
	pool := check.Must[*sm2.NoncePool](t)(sm2.NewNoncePool(64))
	message := []byte("a message")
	signature := check.Must[[]byte](t)(signer.SignMessage(nil, message, nil))
	ciphertext := check.Must[[]byte](t)(public.Encrypt(message, sm2.C1C3C2))
	digest := make([]byte, 32)
	buffer := make([]byte, 0, 72)
	opts := &sm2.SignerOpts{Form: sm2.Raw}
	for name, c := range map[string]struct {
		most float64
		run  func() error
	}{
		"sign":              {1, func() error { _, err := signer.SignMessage(nil, message, nil); return err }},
		"sign by default":   {1, func() error { _, err := key.SignMessage(nil, message, nil); return err }},
		"sign digest":       {1, func() error { _, err := signer.Sign(nil, digest, opts); return err }},
		"sign into buffer":  {0, func() error { _, err := signer.AppendSignature(buffer, message, sm2.DER); return err }},
		"sign from pool":    {1, func() error { _, err := pool.SignMessage(signer, message); return err }},
		"verify":            {0, func() error { return verifier.Verify(message, signature) }},
		"verify by default": {0, func() error { return public.Verify(message, signature) }},
		"verify by cache":   {0, func() error { return cache.Verify(verifier, message, signature) }},
		"encrypt":           {1, func() error { _, err := public.Encrypt(message, sm2.C1C3C2); return err }},
		"decrypt":           {1, func() error { _, err := key.Decrypt(nil, ciphertext, nil); return err }},
		"refuse": {0, func() error {
			if err := verifier.Verify(digest, signature); err != kuaimi.ErrInvalidSignature {
				return fmt.Errorf("not refused: %w", err)
			}
			return nil
		}},
	} {
		if err := c.run(); err != nil {
			t.Fatal(name, err)
		}
		if allocations := testing.AllocsPerRun(100, func() { c.run() }); allocations > c.most {
			t.Errorf("%s: %v allocations", name, allocations)
		}
	}
}

// A batch allocates no more for many items than for a few.
func TestBatchAllocations(t *testing.T) {
	if kuaimi.Backend() == "gmsm" {
		t.Skip("gmsm allocates for each item")
	}
	const n = 5000
	toSign, toVerify := make([]sm2.SignItem, n), make([]sm2.VerifyItem, n)
	signatures, results := make([][64]byte, n), make([]error, n)
	for i := range n {
		key := generate(t)
		toSign[i] = sm2.SignItem{Key: check.Must[*sm2.SigningKey](t)(key.SigningKey(nil)), Message: fmt.Appendf(nil, "message %d", i)}
		toVerify[i] = sm2.VerifyItem{
			Key: check.Must[*sm2.VerifyingKey](t)(publicOf(t, key).VerifyingKey(nil)), Message: toSign[i].Message, Form: sm2.Raw,
		}
	}
	if err := sm2.SignBatch(toSign, signatures, results); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		toVerify[i].Signature = signatures[i][:]
	}
	// A wrong one costs nothing, either.
	toVerify[7].Signature = signatures[8][:]
	for name, run := range map[string]func(int){
		"sign":   func(n int) { sm2.SignBatch(toSign[:n], signatures[:n], results[:n]) },
		"verify": func(n int) { sm2.VerifyBatch(toVerify[:n], results[:n]) },
	} {
		for _, n := range []int{1, 8, n} {
			bytes, allocations := uint64(math.MaxUint64), uint64(0)
			// The least of some runs: the memory that calls share is sometimes dropped, by the race detector on purpose.
			for range 10 {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				run(n)
				runtime.ReadMemStats(&after)
				if now := after.TotalAlloc - before.TotalAlloc; now < bytes {
					bytes, allocations = now, after.Mallocs-before.Mallocs
				}
			}
			if bytes > 2048 || allocations > 8 {
				t.Errorf("%s: %d bytes in %d allocations for %d items", name, bytes, allocations, n)
			}
		}
	}
}
