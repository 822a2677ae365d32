// Package kuaimi and the packages below it provide the ShangMi algorithms SM2, SM3, SM4 and SM9.
//
// The operations are those of libkuaimi, a static library in Rust that is called through cgo. Without cgo (CGO_ENABLED=0), with the
// build tag purego, and on platforms for which there is no libkuaimi, a program does not link unless it imports the module
// github.com/kuaimi/kuaimi/bindings/go/gmsm. Then github.com/emmansun/gmsm computes: the packages and functions are the same, but
// slower, and gmsm's promises about time and memory hold instead of libkuaimi's. Backend says which one computes, and BackendNote says
// why.
//
// Keys are objects in C's memory, where the garbage collector does not copy them. Close wipes and frees them; the collector also does
// so, some time after they became unreachable. After Close, operations return ErrClosed. Many goroutines may use a key at the same
// time, even while one of them calls Close.
//
// A key that is used for the second time makes a table, and is faster with it. Prepare makes it before the first use. SetTableLimit
// says how much memory such tables may take.
//
// Functions that can fail return an Error. A verification returns nil or an error for which errors.Is(err, ErrInvalidSignature) is
// true. A decryption that fails always returns ErrDecryptionFailed.
package kuaimi

import "github.com/kuaimi/kuaimi/bindings/go/internal/core"

// Backend names what computes: "gmsm" for github.com/emmansun/gmsm, else the implementation of libkuaimi that this CPU runs,
// for example "ifma" or "portable64".
func Backend() string {
	return core.Backend()
}

// BackendNote is a line for a program's log: what computes and, if that is gmsm, why, and how to build with libkuaimi.
func BackendNote() string {
	return core.BackendNote()
}

// SetBackend selects an implementation of libkuaimi for the whole process, from the next operation on. It is for tests and
// measurements: all implementations give the same results.
func SetBackend(name string) error {
	if code := core.SetBackend(name); code != core.OK {
		return Error(code)
	}
	return nil
}

// SetTableLimit sets what the tables that keys make at their second use may take together in this process, in bytes; 0 for none.
// Without this call it is 16 MiB. Tables that exist stay. Not counted are those that Prepare made, those of caches, and those of
// master public keys.
func SetTableLimit(size uint) {
	core.SetTableLimit(size)
}
