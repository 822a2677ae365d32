//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package gmsm

import "github.com/kuaimi/kuaimi/bindings/go/internal/core"

// valueOf is the value of a handle.
func valueOf[T any](h *core.Handle) (T, core.Code) {
	value, ok := h.Value().(T)
	if !ok {
		return value, core.Closed
	}
	return value, core.OK
}

// handleOf is a handle with a value, if there is one.
func handleOf[T any](value T, code core.Code) (*core.Handle, core.Code) {
	if code != core.OK {
		return nil, code
	}
	return core.NewHandle(value), core.OK
}

// made is handleOf for what gmsm made. code is what its error stands for.
func made[T any](value T, err error, code core.Code) (*core.Handle, core.Code) {
	if err != nil {
		return nil, code
	}
	return core.NewHandle(value), core.OK
}
