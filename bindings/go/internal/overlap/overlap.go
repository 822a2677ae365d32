// Package overlap says whether two slices share memory, for functions that write one while they read the other. It has the rules of
// crypto/cipher, whose own functions for them are internal.
package overlap

import "unsafe"

// Any says whether two slices share a byte.
func Any(a, b []byte) bool {
	return len(a) > 0 && len(b) > 0 &&
		uintptr(unsafe.Pointer(&a[0])) <= uintptr(unsafe.Pointer(&b[len(b)-1])) &&
		uintptr(unsafe.Pointer(&b[0])) <= uintptr(unsafe.Pointer(&a[len(a)-1]))
}

// Inexact says whether two slices share a byte, but do not begin with the same one.
func Inexact(a, b []byte) bool {
	return len(a) > 0 && len(b) > 0 && &a[0] != &b[0] && Any(a, b)
}

// Shifted says whether the input of some item of a batch shares memory with the outputs of others: the batch could then read what it
// wrote before. An input that begins where the output of its own item begins, and is no longer, is right.
func Shifted[Output any](outputs []Output, input func(item int) []byte) bool {
	size := int(unsafe.Sizeof(*new(Output)))
	for i := range outputs {
		in := input(i)
		// From the begin of the outputs to that of the input, modulo 2^64. Both are taken here, as the call may have moved a stack.
		at := uintptr(unsafe.Pointer(unsafe.SliceData(in))) - uintptr(unsafe.Pointer(unsafe.SliceData(outputs)))
		isOutside := at >= uintptr(len(outputs)*size) && -at >= uintptr(len(in))
		if !isOutside && len(in) > 0 && (at != uintptr(i*size) || len(in) > size) {
			return true
		}
	}
	return false
}
