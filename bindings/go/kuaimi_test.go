package kuaimi_test

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
	"github.com/kuaimi/kuaimi/bindings/go/sm3"
	"github.com/kuaimi/kuaimi/bindings/go/sm4"
)

func TestBackend(t *testing.T) {
	if wanted := os.Getenv("KUAIMI_GO_EXPECT"); wanted != "" && wanted != "libkuaimi" && wanted != kuaimi.Backend() ||
		wanted == "libkuaimi" && kuaimi.Backend() == "gmsm" {
		t.Fatalf("%q computes, not %q", kuaimi.Backend(), wanted)
	}
	if err := kuaimi.SetBackend("no such name"); err != kuaimi.ErrUnknownBackend {
		t.Fatal(err)
	}
	if err := kuaimi.SetBackend(kuaimi.Backend()); err != nil {
		t.Fatal(err)
	}
}

// The texts are libkuaimi's.
func TestErrors(t *testing.T) {
	seen := map[string]bool{}
	for number := range kuaimi.Error(100) {
		text := number.Error()
		if text == kuaimi.ErrInternal.Error() && number != kuaimi.ErrInternal {
			continue
		}
		if !strings.HasPrefix(text, "kuaimi: ") || seen[text] {
			t.Errorf("%d: %q", number, text)
		}
		seen[text] = true
		if theirs := core.Message(core.Code(number)); number != kuaimi.ErrClosed && theirs != "" && text != "kuaimi: "+theirs {
			t.Errorf("%d: %q, not %q", number, text, theirs)
		}
	}
	if len(seen) < 35 {
		t.Fatalf("%d errors", len(seen))
	}
	if !errors.Is(kuaimi.ErrInvalidSignature, kuaimi.Error(1)) {
		t.Fatal("the numbers are not libkuaimi's")
	}
}

// The names and numbers are those of the table of all languages.
func TestErrorsOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/errors.md")
	if err != nil {
		t.Skip("the documents are in the repository alone")
	}
	names, err := os.ReadFile("errors.go")
	if err != nil {
		t.Fatal(err)
	}
	numbers, err := os.ReadFile("internal/core/core.go")
	if err != nil {
		t.Fatal(err)
	}
	number := map[string]string{}
	for _, match := range regexp.MustCompile(`(\w+) +Code = (\d+)`).FindAllStringSubmatch(string(numbers), -1) {
		number[match[1]] = match[2]
	}
	ours := map[string]string{}
	for _, match := range regexp.MustCompile(`(Err\w+) += Error\(core\.(\w+)\)`).FindAllStringSubmatch(string(names), -1) {
		ours[match[1]] = number[match[2]]
	}
	// These are about Go's objects, and about how a program was built.
	delete(ours, "ErrClosed")
	delete(ours, "ErrAlreadyUsed")
	delete(ours, "ErrNeedsLibkuaimi")
	theirs := map[string]string{}
	for _, match := range regexp.MustCompile("\\| (\\d+) `KUAIMI_\\w+` \\| `(Err\\w+)` \\|").FindAllStringSubmatch(string(page), -1) {
		theirs[match[2]] = match[1]
	}
	if len(theirs) < 35 || !maps.Equal(ours, theirs) {
		t.Errorf("errors.go has %v, docs/errors.md %v", ours, theirs)
	}
}

// Operations of every kind from 64 goroutines, with keys that are shared and keys that come and go. The memory stays flat.
// KUAIMI_GO_OPERATIONS says how many; `make go-soak` takes a million.
func TestManyGoroutines(t *testing.T) {
	total := int64(12800)
	if text := os.Getenv("KUAIMI_GO_OPERATIONS"); text != "" {
		var err error
		if total, err = strconv.ParseInt(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	shared, err := sm2.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	public, err := shared.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	signer, _ := shared.SigningKey(nil)
	verifier, _ := public.VerifyingKey(nil)
	cache, _ := sm2.NewKeyCache(1 << 20)
	pool, _ := sm2.NewNoncePool(256)
	message := []byte("a message of a transaction")
	operation := func(i int64) error {
		switch i % 8 {
		case 0:
			// A key that nobody closes, and one that is closed.
			key, err := sm2.GenerateKey()
			if err != nil {
				return err
			}
			if i%16 == 0 {
				defer key.Close()
			}
			_, err = key.SignMessage(nil, message, nil)
			return err
		case 1:
			signature, err := pool.SignMessage(signer, message)
			if err != nil {
				return err
			}
			return cache.Verify(verifier, message, signature)
		case 2:
			ciphertext, err := public.Encrypt(message, sm2.CiphertextDER)
			if err != nil {
				return err
			}
			got, err := shared.Decrypt(nil, ciphertext, nil)
			if err == nil && !bytes.Equal(got, message) {
				err = errors.New("another message")
			}
			return err
		case 3:
			aead, err := sm4.NewGCM(make([]byte, 16))
			if err != nil {
				return err
			}
			_, err = aead.Open(nil, make([]byte, 12), aead.Seal(nil, make([]byte, 12), message, nil), nil)
			return err
		case 4:
			const n = 32
			items, signatures, results := make([]sm2.SignItem, n), make([][64]byte, n), make([]error, n)
			for i := range items {
				items[i] = sm2.SignItem{Key: signer, Message: message}
			}
			if err := sm2.SignBatch(items, signatures, results); err != nil {
				return err
			}
			checks := make([]sm2.VerifyItem, n)
			for i := range checks {
				checks[i] = sm2.VerifyItem{Key: verifier, Message: message, Signature: signatures[i][:], Form: sm2.Raw}
			}
			return sm2.VerifyBatch(checks, results)
		default:
			h := sm3.New()
			h.Write(message)
			signature, err := signer.Sign(nil, h.Sum(nil), nil)
			if err != nil {
				return err
			}
			return verifier.VerifyDigest(h.Sum(nil), signature, sm2.DER)
		}
	}
	var next, failed atomic.Int64
	run := func(until int64) {
		var group sync.WaitGroup
		for range 64 {
			group.Go(func() {
				for i := next.Add(1); i <= until; i = next.Add(1) {
					if err := operation(i); err != nil && failed.Add(1) == 1 {
						t.Errorf("operation %d: %v", i, err)
					}
				}
			})
		}
		group.Wait()
		next.Store(until)
	}
	// What the first part takes (pools, the heap's size) is taken once.
	run(total / 4)
	before, threads := resident(t)
	run(total)
	after, more := resident(t)
	t.Logf("%d operations, %d KiB of memory and %d threads after a quarter, %d KiB and %d threads at the end", total, before>>10,
		threads, after>>10, more)
	// The scheduler makes threads for calls into C until there are enough, each with a stack and a heap of C.
	// The race detector, whose run is a short one, takes memory of its own.
	if allowed := 48<<20 + max(more-threads, 0)<<20; after > before+allowed && !testing.Short() {
		t.Errorf("the memory grew from %d to %d KiB", before>>10, after>>10)
	}
}

// Keys that nobody closes do not pile up: each takes some hundred bytes of C's memory, of which Go's collector knows nothing.
func TestForgottenKeys(t *testing.T) {
	if testing.Short() || kuaimi.Backend() == "gmsm" {
		t.Skip("the race detector takes memory of its own, and gmsm has none in C")
	}
	forget := func(n int) {
		for range n {
			key, err := sm2.GenerateKey()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := key.SignMessage(nil, nil, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	const count = 60000
	forget(count / 4)
	before, _ := resident(t)
	forget(count)
	if after, _ := resident(t); after > before+8<<20 {
		t.Errorf("the memory grew from %d to %d KiB", before>>10, after>>10)
	}
}

// resident is how much memory the process has, after the collector has run, and how many threads; zero where that is unknown.
func resident(t *testing.T) (bytes, threads int) {
	t.Helper()
	for range 3 {
		runtime.GC()
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, 0
	}
	for _, line := range strings.Split(string(status), "\n") {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0] != "VmRSS:" && fields[0] != "Threads:" {
			continue
		}
		value, err := strconv.Atoi(fields[1])
		if err != nil {
			t.Fatal(err)
		}
		if fields[0] == "VmRSS:" {
			bytes = value << 10
		} else {
			threads = value
		}
	}
	return bytes, threads
}
