//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

import (
	"runtime"
	"sync/atomic"
)

// Backend names what computes.
func Backend() string { return "gmsm" }

// BackendNote says what computes, and why.
func BackendNote() string {
	return "gmsm computes, not libkuaimi: this program was built for " + runtime.GOOS + "/" + runtime.GOARCH +
		" without cgo, which Go turns off for another platform and without a C compiler, or with the tag purego, or libkuaimi is not made" +
		" for the platform. CGO_ENABLED=1 and CC=COMPILER turn cgo on; with -tags libkuaimi, a build without it fails"
}

// SetBackend knows the one name.
func SetBackend(name string) Code {
	if name != Backend() {
		return UnknownBackend
	}
	return OK
}

// Archive is nothing, as there is none.
func Archive() string { return "" }

// A Handle is a value of gmsm. Closing it ends its use; the collector takes the memory, which is not wiped.
type Handle struct {
	value    any
	isClosed atomic.Bool
}

func newHandle(value any) *Handle { return &Handle{value: value} }

// Close ends the use of the value.
func (h *Handle) Close() {
	if h != nil {
		h.isClosed.Store(true)
	}
}

// IsClosed says whether Close was called.
func (h *Handle) IsClosed() bool { return h == nil || h.isClosed.Load() }

// valueOf is the value of a handle.
func valueOf[T any](h *Handle) (T, Code) {
	var none T
	if h.IsClosed() {
		return none, Closed
	}
	value, ok := h.value.(T)
	if !ok {
		return none, Closed
	}
	return value, OK
}

// made is a handle, or a code if there is an error.
func made[T any](value T, err error, code Code) (*Handle, Code) {
	if err != nil {
		return nil, code
	}
	return newHandle(value), OK
}

// Message is nothing: the texts are in package kuaimi.
func Message(Code) string { return "" }
