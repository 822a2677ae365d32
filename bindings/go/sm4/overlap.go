package sm4

import "unsafe"

// checkOverlap panics where an output overlaps an input but does not begin with it, as crypto/cipher does: the result would be wrong.
func checkOverlap(out, in []byte) {
	if len(out) == 0 || len(in) == 0 || &out[0] == &in[0] {
		return
	}
	outStart, inStart := uintptr(unsafe.Pointer(&out[0])), uintptr(unsafe.Pointer(&in[0]))
	if outStart < inStart+uintptr(len(in)) && inStart < outStart+uintptr(len(out)) {
		panic("sm4: the output overlaps the input")
	}
}
