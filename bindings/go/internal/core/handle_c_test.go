//go:build cgo && !purego && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

// An object that counts how often it is freed.
func counted(freed *atomic.Int64) *Handle {
	h := &Handle{pointer: unsafe.Pointer(new(int64)), free: func(unsafe.Pointer) { freed.Add(1) }}
	h.cleanup = runtime.AddCleanup(h, func(f *atomic.Int64) { f.Add(1) }, freed)
	return h
}

func TestCloseFreesOnce(t *testing.T) {
	for range 300 {
		var freed atomic.Int64
		h := counted(&freed)
		var group sync.WaitGroup
		for i := range 6 {
			group.Go(func() {
				for range 50 {
					if h.acquire() {
						if freed.Load() != 0 {
							t.Error("freed while it is in use")
						}
						h.release()
					}
				}
				if i%2 == 0 {
					h.Close()
				}
			})
		}
		group.Wait()
		h.Close()
		if freed.Load() != 1 || h.acquire() || !h.IsClosed() {
			t.Fatalf("freed %d times", freed.Load())
		}
		runtime.GC()
		if freed.Load() != 1 {
			t.Fatal("the collector freed what was closed")
		}
	}
}

func TestCloseWaitsForUsers(t *testing.T) {
	var freed atomic.Int64
	h := counted(&freed)
	for range 2 {
		if !h.acquire() {
			t.Fatal("not open")
		}
	}
	h.Close()
	h.release()
	if freed.Load() != 0 {
		t.Fatal("freed while it is in use")
	}
	h.release()
	if freed.Load() != 1 {
		t.Fatal("not freed by the last user")
	}
}

// The collector frees what was not closed.
func TestCollectorFrees(t *testing.T) {
	var freed atomic.Int64
	const n = 100
	for range n {
		if h := counted(&freed); !h.acquire() {
			t.Fatal("not open")
		} else {
			h.release()
		}
	}
	for range 200 {
		runtime.GC()
		if freed.Load() == n {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("%d of %d were freed", freed.Load(), n)
}

// The texts of errors are libkuaimi's, and the archive that was linked is the one that is there.
func TestArchive(t *testing.T) {
	if len(Archive()) != 64 {
		t.Fatalf("the digest of the archive is %q", Archive())
	}
	if SetBackend("no such name") != UnknownBackend {
		t.Fatal("an unknown name was taken")
	}
	before := Backend()
	if SetBackend("portable") != OK || Backend() == before && before != "portable64" {
		t.Fatalf("%s after %s", Backend(), before)
	}
	if SetBackend(before) != OK || Backend() != before {
		t.Fatal(Backend())
	}
}

func BenchmarkCall(b *testing.B) {
	var state [32]byte
	for b.Loop() {
		SM3Compress(&state, nil)
	}
}
