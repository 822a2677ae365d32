//go:build cgo && !purego && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

/*
#cgo linux,amd64 CFLAGS: -I${SRCDIR}/../../lib/linux_amd64
#cgo linux,amd64 LDFLAGS: ${SRCDIR}/../../lib/linux_amd64/libkuaimi.a
#cgo linux,arm64 CFLAGS: -I${SRCDIR}/../../lib/linux_arm64
#cgo linux,arm64 LDFLAGS: ${SRCDIR}/../../lib/linux_arm64/libkuaimi.a
// libgcc_eh is the static half of libgcc_s: programs need no libgcc_s.so.1 where they run, and may be linked statically.
#cgo linux LDFLAGS: -lgcc_eh -lpthread -ldl -lm
#cgo darwin,amd64 CFLAGS: -I${SRCDIR}/../../lib/darwin_amd64
#cgo darwin,amd64 LDFLAGS: ${SRCDIR}/../../lib/darwin_amd64/libkuaimi.a
#cgo darwin,arm64 CFLAGS: -I${SRCDIR}/../../lib/darwin_arm64
#cgo darwin,arm64 LDFLAGS: ${SRCDIR}/../../lib/darwin_arm64/libkuaimi.a
#include <stdlib.h>
#include "kuaimi.h"
*/
import "C"

import (
	"unsafe"
)

// Backend names what computes.
func Backend() string {
	return C.GoString(C.kuaimi_backend())
}

// BackendNote says what computes.
func BackendNote() string { return "libkuaimi computes: " + Backend() }

// SetBackend selects an implementation of libkuaimi for the whole process.
func SetBackend(name string) Code {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	return Code(C.kuaimi_set_backend(text))
}

// SetTableLimit sets what the tables that keys make by themselves may take together.
func SetTableLimit(size uint) { C.kuaimi_set_table_limit(C.size_t(size)) }

// Message is libkuaimi's text for a code.
func Message(code Code) string {
	return C.GoString(C.kuaimi_error_message(C.uint32_t(code)))
}

// Archive is the SHA-256 of the archive that the program was linked with.
func Archive() string { return archive }

// bytes is where a slice begins, which C reads or writes during a call.
func bytes(slice []byte) *C.uint8_t {
	return (*C.uint8_t)(unsafe.SliceData(slice))
}

// size is a slice's length.
func size(slice []byte) C.size_t {
	return C.size_t(len(slice))
}

// written is what a function of C writes whose result has a length of its own: asked for its size first, then for the result.
func written(write func(out *C.uint8_t, length *C.size_t) C.kuaimi_error) ([]byte, Code) {
	var length C.size_t
	if code := Code(write(nil, &length)); code != OK {
		return nil, code
	}
	out := make([]byte, length)
	if code := Code(write(bytes(out), &length)); code != OK {
		return nil, code
	}
	return out[:length], OK
}
