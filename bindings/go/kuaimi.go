// Package kuaimi has the ShangMi algorithms SM2, SM3, SM4 and SM9, which packages sm2, sm3, sm4 and sm9 below it offer.
//
// The operations are those of libkuaimi, a static library in Rust, called through cgo. Without cgo (CGO_ENABLED=0), with the build
// tag purego, and on platforms for which there is no libkuaimi, a program does not link, unless it imports the module
// github.com/kuaimi/kuaimi/bindings/go/gmsm. Then github.com/emmansun/gmsm computes: the same packages and functions, slower, and with
// gmsm's promises about time and memory instead of libkuaimi's. Backend says which computes, and BackendNote why.
//
// Keys are objects in C's memory, where the garbage collector does not copy them. Close wipes and frees them; so does the collector,
// some time after they became unreachable. After Close, an operation returns ErrClosed. All keys may be used by many goroutines at a
// time, also while one of them calls Close.
//
// Functions that can fail return an Error. A verification returns nil or an error that errors.Is takes for ErrInvalidSignature, and a
// decryption that fails returns ErrDecryptionFailed, whatever the reason.
package kuaimi

import "github.com/kuaimi/kuaimi/bindings/go/internal/core"

// Backend names what computes: "gmsm" for github.com/emmansun/gmsm, else the implementation of libkuaimi that this CPU runs,
// for example "ifma" or "portable64".
func Backend() string {
	return core.Backend()
}

// BackendNote is a line for a program's log: what computes; and if that is gmsm, why, and how to build with libkuaimi.
func BackendNote() string {
	return core.BackendNote()
}

// SetBackend selects an implementation of libkuaimi for the whole process, from the next operation on: for tests and measurements.
// All give the same results.
func SetBackend(name string) error {
	if code := core.SetBackend(name); code != core.OK {
		return Error(code)
	}
	return nil
}
