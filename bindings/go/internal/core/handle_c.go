//go:build cgo && !purego && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

/*
#include <stdlib.h>
#include "kuaimi.h"
*/
import "C"

import (
	"math"
	"runtime"
	"sync/atomic"
	"unsafe"
)

// A Handle is an object of libkuaimi, in C's memory. It is freed, and wiped where it is a secret, once it is closed and no call
// uses it, or when the collector finds it unreachable.
type Handle struct {
	pointer unsafe.Pointer
	free    func(unsafe.Pointer)
	cleanup runtime.Cleanup
	// The number of calls that use the object; far below zero after Close.
	users atomic.Int64
}

const (
	closed = math.MinInt64
	freed  = math.MinInt64 / 2
)

// newHandle takes over what create makes.
func newHandle(free func(unsafe.Pointer), create func(out *unsafe.Pointer) C.kuaimi_error) (*Handle, Code) {
	var pointer unsafe.Pointer
	if code := Code(create(&pointer)); code != OK {
		return nil, code
	}
	h := &Handle{pointer: pointer, free: free}
	h.cleanup = runtime.AddCleanup(h, free, pointer)
	return h, OK
}

// acquire keeps the object until release. It is false for a closed handle and for none at all.
func (h *Handle) acquire() bool {
	if h == nil {
		return false
	}
	if h.users.Add(1) < 0 {
		h.release()
		return false
	}
	return true
}

// release ends what acquire began.
func (h *Handle) release() {
	if h.users.Add(-1) == closed {
		h.drop()
	}
}

// Close frees the object as soon as no call uses it. A handle may be closed twice.
func (h *Handle) Close() {
	if h == nil {
		return
	}
	for {
		users := h.users.Load()
		if users < 0 {
			return
		}
		if h.users.CompareAndSwap(users, users+closed) {
			if users == 0 {
				h.drop()
			}
			return
		}
	}
}

// drop frees the object, once: the calls that find the handle closed come here, too.
func (h *Handle) drop() {
	if h.users.CompareAndSwap(closed, freed) {
		h.cleanup.Stop()
		h.free(h.pointer)
	}
}

// IsClosed says whether Close was called.
func (h *Handle) IsClosed() bool {
	return h == nil || h.users.Load() < 0
}
