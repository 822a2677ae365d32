package sm4_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/internal/overlap"
	"github.com/kuaimi/kuaimi/bindings/go/sm4"
)

// panicked says whether a function panics.
func panicked(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

// A place is a part of a buffer.
type place struct{ start, end int }

func (p place) of(buffer []byte) []byte { return buffer[p.start:p.end] }

// places are parts of a buffer around the one of some length at 64: the same, before and behind it, beside it, and over each of its ends.
func places(length int) []place {
	var list []place
	for _, start := range []int{64, 63, 65, 64 - length, 65 - length, 63 + length, 64 + length, 64 + length/2, 48, 80, 0, 160} {
		list = append(list, place{start, start + length})
	}
	return list
}

// compare calls functions of crypto/aes and of this package, with outputs and inputs in one buffer. Ours panics where the standard
// library's does; else the output is what it is in memory of its own.
func compare(t *testing.T, name string, output place, inputs []place, theirs, ours func(dst []byte, src [][]byte) []byte) {
	t.Helper()
	call := func(f func(dst []byte, src [][]byte) []byte, shared bool) (result []byte) {
		buffer := message(512)
		var src [][]byte
		for _, input := range inputs {
			part := input.of(buffer)
			if !shared {
				part = bytes.Clone(part)
			}
			src = append(src, part)
		}
		return bytes.Clone(f(output.of(buffer), src))
	}
	want := panicked(func() { call(theirs, true) })
	var got []byte
	if panicked(func() { got = call(ours, true) }) != want {
		t.Fatalf("%s, output %v, inputs %v: the standard library panics is %v, and this package not so", name, output, inputs, want)
	}
	if !want && !bytes.Equal(got, call(ours, false)) {
		t.Fatalf("%s, output %v, inputs %v: another result", name, output, inputs)
	}
}

// Every function of crypto/cipher's interfaces, beside the same call with AES.
func TestOverlaps(t *testing.T) {
	our := check.Must[*sm4.Block](t)(sm4.NewCipher(message(16)))
	their := check.Must[cipher.Block](t)(aes.NewCipher(message(16)))
	iv := message(16)
	type simple func(cipher.Block) func(dst, src []byte)
	for name, f := range map[string]simple{
		"Encrypt": func(b cipher.Block) func(dst, src []byte) { return b.Encrypt },
		"Decrypt": func(b cipher.Block) func(dst, src []byte) { return b.Decrypt },
		"CBC":     func(b cipher.Block) func(dst, src []byte) { return cipher.NewCBCEncrypter(b, iv).CryptBlocks },
		"CBC, decrypt": func(b cipher.Block) func(dst, src []byte) {
			return cipher.NewCBCDecrypter(b, iv).CryptBlocks
		},
		"CTR": func(b cipher.Block) func(dst, src []byte) { return cipher.NewCTR(b, iv).XORKeyStream },
		//lint:ignore SA1019 it calls Block
		"CFB": func(b cipher.Block) func(dst, src []byte) { return cipher.NewCFBEncrypter(b, iv).XORKeyStream },
		//lint:ignore SA1019 it calls Block
		"OFB": func(b cipher.Block) func(dst, src []byte) { return cipher.NewOFB(b, iv).XORKeyStream },
	} {
		call := func(b cipher.Block) func(dst []byte, src [][]byte) []byte {
			return func(dst []byte, src [][]byte) []byte {
				f(b)(dst, src[0])
				return dst[:min(len(dst), len(src[0]))]
			}
		}
		for _, length := range []int{16, 48, 96} {
			input := place{64, 64 + length}
			for _, output := range places(length) {
				// An output that is longer than needed.
				for _, more := range []int{0, 16} {
					longer := place{output.start, output.end + more}
					compare(t, fmt.Sprint(name, length), longer, []place{input}, call(their), call(our))
				}
			}
		}
	}
}

// Seal and Open with the output over the additional data, the nonce and the input, also behind a prefix, and for short tags.
func TestAEADOverlaps(t *testing.T) {
	our := check.Must[*sm4.Block](t)(sm4.NewCipher(message(16)))
	their := check.Must[cipher.Block](t)(aes.NewCipher(message(16)))
	for _, tagSize := range []int{16, 12} {
		aeads := [2]cipher.AEAD{}
		for i, block := range []cipher.Block{their, our} {
			aeads[i] = check.Must[cipher.AEAD](t)(cipher.NewGCMWithTagSize(block, tagSize))
		}
		for _, prefix := range []int{0, 5} {
			seal := func(a cipher.AEAD) func(dst []byte, src [][]byte) []byte {
				return func(dst []byte, src [][]byte) []byte { return a.Seal(dst[:prefix], src[1][:12], src[0], src[2]) }
			}
			// The ciphertext is right in the buffer as it is: it was made there. Before Go 1.27, AES-GCM with tags of 12 bytes writes up to
			// 3 bytes behind its output, over an object of another owner if the output has no room behind it.
			open := func(a cipher.AEAD) func(dst []byte, src [][]byte) []byte {
				return func(dst []byte, src [][]byte) []byte {
					room := make([]byte, 0, len(src[0])+16)
					copy(src[0], a.Seal(room, src[1][:12], bytes.Clone(src[0][:len(src[0])-tagSize]), src[2]))
					opened, err := a.Open(dst[:prefix], src[1][:12], src[0], src[2])
					if err != nil {
						return []byte(err.Error())
					}
					return opened[prefix:]
				}
			}
			for _, length := range []int{0, 1, 40, 96} {
				room := place{64 - prefix, 64 + length + tagSize}
				if length == 0 {
					room.end = 80
				}
				apart := place{300, 316}
				for _, at := range places(max(length, tagSize)) {
					input := place{at.start, at.start + length}
					name := fmt.Sprintf("%d bytes, tag of %d, prefix of %d", length, tagSize, prefix)
					for _, beside := range append(places(20), place{64, 64}, place{400, 420}) {
						compare(t, "Seal "+name, room, []place{input, apart, beside}, seal(aeads[0]), seal(aeads[1]))
						sealed := place{input.start, input.end + tagSize}
						if other := place(beside); other.end > sealed.start && other.start < sealed.end {
							// Data that share memory with the ciphertext cannot belong to it.
							continue
						}
						compare(t, "Open "+name, room, []place{sealed, apart, beside}, open(aeads[0]), open(aeads[1]))
					}
				}
				// The nonce is read before anything is written.
				for _, nonce := range places(16) {
					compare(t, "Seal", room, []place{{200, 200 + length}, nonce, {300, 320}}, seal(aeads[0]), seal(aeads[1]))
				}
			}
		}
	}
	// With data that are overwritten, the result would open under other data.
	aead := check.Must[*sm4.AEAD](t)(sm4.NewGCM(message(16)))
	buffer := message(64)
	panics(t, "an output over the additional data", func() { aead.Seal(buffer[:0], message(12), message(8), buffer[4:20]) })
	sealed := aead.Seal(nil, message(12), message(40), buffer[4:20])
	panics(t, "an output over the additional data", func() { aead.Open(buffer[:0], message(12), sealed, buffer[4:20]) })
	if !bytes.Equal(buffer, message(64)) {
		t.Fatal("something was written")
	}
}

func TestXTSOverlaps(t *testing.T) {
	x := check.Must[*sm4.XTS](t)(sm4.NewXTS(message(32), sm4.GB))
	for _, f := range []func(dst, src []byte, tweak [16]byte) error{x.Encrypt, x.Decrypt} {
		for _, length := range []int{16, 17, 33, 64} {
			input := place{64, 64 + length}
			for _, output := range places(length) {
				theirs := func(dst []byte, src [][]byte) []byte {
					if overlap.Inexact(dst, src[0]) {
						panic("as crypto/cipher")
					}
					return nil
				}
				ours := func(dst []byte, src [][]byte) []byte {
					if err := f(dst, src[0], [16]byte{1}); err != nil {
						t.Fatal(err)
					}
					return dst
				}
				compare(t, "XTS", output, []place{input}, theirs, ours)
			}
		}
	}
}
