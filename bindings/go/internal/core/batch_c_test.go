//go:build cgo && !purego && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

import (
	gobytes "bytes"
	"testing"
	"unsafe"
)

// Messages are in memory that is not Go's, long ones where they are; after a call, nothing of them and of the keys is left.
func TestBatchMemory(t *testing.T) {
	key, code := SM2Generate()
	if code != OK {
		t.Fatal(code)
	}
	b := batches.Get().(*batch)
	defer batches.Put(b)
	short, long := gobytes.Repeat([]byte{7}, pinned-1), gobytes.Repeat([]byte{8}, pinned)
	copied, inPlace := b.put(short), b.put(long)
	content := unsafe.Slice((*byte)(unsafe.Pointer(copied.data)), len(short))
	if !gobytes.Equal(content, short) || unsafe.Pointer(copied.data) != unsafe.Pointer(&b.c.bytes[0]) {
		t.Fatal("a short message is not copied")
	}
	if unsafe.Pointer(inPlace.data) != unsafe.Pointer(&long[0]) || int(inPlace.len) != len(long) {
		t.Fatal("a long message is copied")
	}
	if b.put(nil).len != 0 || b.key(nil) != nil {
		t.Fatal("nothing is something")
	}
	for range 3 {
		if b.key(key) != key.pointer {
			t.Fatal("another key")
		}
	}
	if key.users.Load() != 1 {
		t.Fatalf("%d users of a key", key.users.Load())
	}
	if b.fits(make([]byte, len(b.c.bytes)), make([]byte, len(b.c.bytes))) != true {
		t.Fatal("pinned messages need room")
	}
	b.used = len(b.c.bytes) - 10
	if b.fits(make([]byte, 6), make([]byte, 5)) || !b.fits(make([]byte, 5), make([]byte, 5)) {
		t.Fatal("the room is another")
	}
	b.reset()
	if b.used != 0 || len(b.keys) != 0 || key.users.Load() != 0 || !gobytes.Equal(content, make([]byte, len(content))) {
		t.Fatal("something is left")
	}
}

// A call that ends before it writes results, and one that panics: no item has a result of the call before, and nothing of it is left.
func TestBatchResults(t *testing.T) {
	key, code := SM2Generate()
	if code != OK {
		t.Fatal(code)
	}
	put := func(b *batch, place, item int) bool {
		b.put(make([]byte, 100))
		return b.key(key) != nil
	}
	run := func(call func(b *batch, count int), want Code) {
		t.Helper()
		inBatches(10, put, call, func(b *batch, place, item int) {
			if got := b.result(place, Closed); got != want {
				t.Errorf("item %d: %v, not %v", item, got, want)
			}
		})
	}
	run(func(b *batch, count int) { clear(b.c.results[:]) }, OK)
	run(func(b *batch, count int) {}, Internal)
	func() {
		defer func() { recover() }()
		run(func(b *batch, count int) { panic("on purpose") }, OK)
	}()
	if key.users.Load() != 0 {
		t.Fatal("a key is in use")
	}
	b := batches.Get().(*batch)
	defer batches.Put(b)
	if b.used != 0 || len(b.keys) != 0 {
		t.Fatal("something is left")
	}
}

// Shared secrets are not left in memory that the next batch uses.
func TestSecretsAreWiped(t *testing.T) {
	key, _ := SM2Generate()
	public, code := SM2PublicOf(key)
	if code != OK {
		t.Fatal(code)
	}
	var seen []byte
	SM2DiffieHellmanBatch(1, func(int) PairItem { return PairItem{Key: key, Peer: public} }, func(item int, code Code, secret []byte) {
		if code != OK || gobytes.Equal(secret, make([]byte, 32)) {
			t.Fatal("no secret", code)
		}
		seen = secret
	})
	if len(seen) != 32 || !gobytes.Equal(seen, make([]byte, 32)) {
		t.Fatal("the secret is left")
	}
}
