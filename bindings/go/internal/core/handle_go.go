//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

import (
	"runtime"
	"sync/atomic"
)

// A Handle is a value of the implementation. Closing it ends its use; the collector takes the memory, which is not wiped.
type Handle struct {
	value    any
	isClosed atomic.Bool
}

// NewHandle is a handle with a value.
func NewHandle(value any) *Handle { return &Handle{value: value} }

// Value is the value, or nil after Close.
func (h *Handle) Value() any {
	if h.IsClosed() {
		return nil
	}
	return h.value
}

// Close ends the use of the value.
func (h *Handle) Close() {
	if h != nil {
		h.isClosed.Store(true)
	}
}

// IsClosed says whether Close was called.
func (h *Handle) IsClosed() bool { return h == nil || h.isClosed.Load() }

// Backend names what computes.
func Backend() string { return implementation().Backend() }

// BackendNote says what computes, and why.
func BackendNote() string {
	return Backend() + " computes, not libkuaimi: this program was built for " + runtime.GOOS + "/" + runtime.GOARCH +
		" without cgo, which Go turns off for another platform and without a C compiler, or with the tag purego, or libkuaimi is not made" +
		" for the platform. CGO_ENABLED=1 and CC=COMPILER turn cgo on; a program that does not import gmsm is not built without it"
}

// SetBackend accepts the name of the implementation only.
func SetBackend(name string) Code {
	if name != Backend() {
		return UnknownBackend
	}
	return OK
}

// SetTableLimit does nothing: this implementation has no tables.
func SetTableLimit(uint) {}

// Archive is empty: there is no archive.
func Archive() string { return "" }

// Message is empty: the texts are in package kuaimi.
func Message(Code) string { return "" }
