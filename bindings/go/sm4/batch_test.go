package sm4_test

import (
	"bytes"
	"crypto/cipher"
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/sm4"
)

// batchOf is n messages of many lengths, some with other lengths of nonces.
func batchOf(n int) []sm4.SealItem {
	lengths := []int{0, 1, 15, 16, 17, 64, 1000, 33, 4095, 4096, 70000}
	items := make([]sm4.SealItem, n)
	for i := range items {
		nonce := 12
		if i%7 == 6 {
			nonce = 1 + i%40
		}
		whole := message(n + 70000)[i:]
		items[i] = sm4.SealItem{
			Key: bytes.Repeat([]byte{byte(i), byte(i >> 8)}, 8), Nonce: whole[:nonce],
			Plaintext: whole[:lengths[i%len(lengths)]], AdditionalData: whole[:lengths[i/3%len(lengths)]%300],
		}
	}
	return items
}

// singly is what the single operation makes of an item.
func singly(t *testing.T, item sm4.SealItem) []byte {
	t.Helper()
	block := check.Must[*sm4.Block](t)(sm4.NewCipher(item.Key))
	defer block.Close()
	aead := check.Must[cipher.AEAD](t)(cipher.NewGCMWithNonceSize(block, len(item.Nonce)))
	return aead.Seal(nil, item.Nonce, item.Plaintext, item.AdditionalData)
}

func toOpen(items []sm4.SealItem, sealed [][]byte) []sm4.OpenItem {
	open := make([]sm4.OpenItem, len(items))
	for i, item := range items {
		open[i] = sm4.OpenItem{Key: item.Key, Nonce: item.Nonce, Ciphertext: sealed[i], AdditionalData: item.AdditionalData}
	}
	return open
}

func TestBatches(t *testing.T) {
	for _, n := range []int{0, 1, 7, 16, 33, 500} {
		items := batchOf(n)
		sealed, opened, results := make([][]byte, n), make([][]byte, n), make([]error, n)
		if err := sm4.SealBatch(items, sealed, results); err != nil {
			t.Fatal(n, err)
		}
		for i, item := range items {
			if results[i] != nil || !bytes.Equal(sealed[i], singly(t, item)) {
				t.Fatalf("item %d of %d: another ciphertext, %v", i, n, results[i])
			}
			// An append must not write over the next item.
			if cap(sealed[i]) != len(sealed[i]) && i+1 < n && &sealed[i][:cap(sealed[i])][len(sealed[i])] == &sealed[i+1][0] {
				t.Fatal("an item's slice reaches into the next one")
			}
		}
		if err := sm4.OpenBatch(toOpen(items, sealed), opened, results); err != nil {
			t.Fatal(n, err)
		}
		for i, item := range items {
			if results[i] != nil || opened[i] == nil || !bytes.Equal(opened[i], item.Plaintext) {
				t.Fatalf("item %d of %d: another message, %v", i, n, results[i])
			}
		}
	}
}

// More items, and more bytes, than one call of C takes.
func TestLargeBatch(t *testing.T) {
	n := 9001
	if testing.Short() || kuaimi.Backend() == "gmsm" {
		n = 4200
	}
	items := make([]sm4.SealItem, n)
	long := message(5 << 20)
	for i := range items {
		items[i] = sm4.SealItem{Key: long[i : i+16], Nonce: long[i : i+12], Plaintext: long[:i%400], AdditionalData: long[:i%3]}
		if i%1400 == 1399 {
			items[i].Plaintext = long
		}
	}
	sealed, opened, results := make([][]byte, n), make([][]byte, n), make([]error, n)
	if err := sm4.SealBatch(items, sealed, results); err != nil {
		t.Fatal(err)
	}
	if err := sm4.OpenBatch(toOpen(items, sealed), opened, results); err != nil {
		t.Fatal(err)
	}
	for i, item := range items {
		if !bytes.Equal(opened[i], item.Plaintext) {
			t.Fatal("another message", i)
		}
		if (i%97 == 0 || len(item.Plaintext) > 1000) && !bytes.Equal(sealed[i], singly(t, item)) {
			t.Fatal("another ciphertext", i)
		}
	}
}

// Each wrong item has its own error and no output; the others are as without it.
func TestWrongItems(t *testing.T) {
	const n = 60
	items := batchOf(n)
	sealed, opened, results := make([][]byte, n), make([][]byte, n), make([]error, n)
	if err := sm4.SealBatch(items, sealed, results); err != nil {
		t.Fatal(err)
	}
	bad, want := toOpen(items, sealed), map[int]kuaimi.Error{}
	change := func(slice []byte, at int) []byte {
		slice = bytes.Clone(slice)
		slice[at] ^= 1
		return slice
	}
	for i := 0; i < n; i += 3 {
		item := &bad[i]
		want[i] = kuaimi.ErrDecryptionFailed
		switch i / 3 % 9 {
		case 0:
			item.Ciphertext = change(item.Ciphertext, len(item.Ciphertext)-1)
		case 1:
			item.Ciphertext = change(item.Ciphertext, 0)
		case 2:
			item.Ciphertext = item.Ciphertext[:15]
		case 3:
			item.Ciphertext = nil
		case 4:
			item.Nonce = change(item.Nonce, 0)
		case 5:
			item.AdditionalData = append(bytes.Clone(item.AdditionalData), 0)
		case 6:
			item.Nonce, want[i] = nil, kuaimi.ErrEmptyNonce
		case 7:
			item.Key, want[i] = item.Key[:15], kuaimi.ErrKeyLength
		case 8:
			// The length of the key is looked at first.
			item.Key, item.Ciphertext, want[i] = nil, nil, kuaimi.ErrKeyLength
		}
	}
	for i := range results {
		opened[i], results[i] = []byte("before"), fmt.Errorf("no result")
	}
	check.Error(t, sm4.OpenBatch(bad, opened, results), want[0])
	for i, err := range results {
		if code, isWrong := want[i]; isWrong {
			check.Error(t, err, code)
			if opened[i] != nil {
				t.Fatalf("item %d has an error and an output", i)
			}
		} else if err != nil || !bytes.Equal(opened[i], items[i].Plaintext) {
			t.Fatal("a right item beside wrong ones", i, err)
		}
	}

	before := sealed[1]
	items[0].Nonce, items[2].Key = []byte{}, make([]byte, 17)
	for i := range results {
		results[i] = nil
	}
	sealed[0], sealed[2] = []byte("before"), []byte("before")
	check.Error(t, sm4.SealBatch(items, sealed, results), kuaimi.ErrEmptyNonce)
	check.Error(t, results[0], kuaimi.ErrEmptyNonce)
	check.Error(t, results[2], kuaimi.ErrKeyLength)
	if sealed[0] != nil || sealed[2] != nil || results[1] != nil || !bytes.Equal(sealed[1], before) {
		t.Fatal("an output of a wrong item, or none of a right one")
	}

	// A call that looks at no item leaves nothing of before.
	check.Error(t, sm4.SealBatch(items[1:], sealed, results), kuaimi.ErrInvalidArgument)
	check.Error(t, sm4.OpenBatch(bad, sealed[:1], results), kuaimi.ErrInvalidArgument)
	check.Error(t, sm4.OpenBatch(bad, opened, results[:1]), kuaimi.ErrInvalidArgument)
	if sealed[1] != nil || opened[1] != nil || results[1] != kuaimi.ErrInvalidArgument {
		t.Fatal("something is left of before")
	}
}

// An output may be the input of another batch, and inputs may share memory: nothing is written over what is read.
func TestBatchInputsStay(t *testing.T) {
	items := batchOf(40)
	sealed, results := make([][]byte, 40), make([]error, 40)
	before := bytes.Clone(items[10].Plaintext)
	if err := sm4.SealBatch(items, sealed, results); err != nil {
		t.Fatal(err)
	}
	again := bytes.Clone(sealed[10])
	open := toOpen(items, sealed)
	if err := sm4.OpenBatch(open, sealed, results); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(items[10].Plaintext, before) || !bytes.Equal(open[10].Ciphertext, again) || !bytes.Equal(sealed[10], before) {
		t.Fatal("an input was written over")
	}
}

// Nothing is allocated for an item alone.
func TestBatchAllocations(t *testing.T) {
	if kuaimi.Backend() == "gmsm" {
		t.Skip("gmsm allocates for each item")
	}
	const n = 4000
	items := make([]sm4.SealItem, n)
	data := message(n + 16)
	for i := range items {
		items[i] = sm4.SealItem{Key: data[i : i+16], Nonce: data[:12], Plaintext: data[:64]}
	}
	sealed, results := make([][]byte, n), make([]error, n)
	least := uint64(math.MaxUint64)
	for range 10 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := sm4.SealBatch(items, sealed, results); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		least = min(least, after.Mallocs-before.Mallocs)
	}
	if least > 16 {
		t.Fatalf("%d allocations for %d items", least, n)
	}
}
