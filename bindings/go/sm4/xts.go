package sm4

import (
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
)

// An XTSStandard says how the tweak of XTS is multiplied, in which the two standards differ.
type XTSStandard int

const (
	// GB is GB/T 17964-2021, and the default of OpenSSL's SM4-XTS.
	GB XTSStandard = iota
	// IEEE is IEEE 1619.
	IEEE
)

// XTS is a key for the encryption of sectors, in C's memory.
type XTS struct {
	h *core.Handle
}

// NewXTS is XTS with a key of 32 bytes: two independent keys.
func NewXTS(key []byte, standard XTSStandard) (*XTS, error) {
	if standard != GB && standard != IEEE {
		return nil, fault.Of(core.InvalidArgument)
	}
	key = core.Once(key)
	defer clear(key)
	h, code := core.SM4XTSNew(key, standard == IEEE)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	return &XTS{h: h}, nil
}

// Encrypt encrypts a sector of at least 16 bytes to dst, which has the same length. They may be the same; it panics if they overlap
// otherwise.
func (x *XTS) Encrypt(dst, src []byte, tweak [16]byte) error { return x.apply(false, dst, src, &tweak) }

// Decrypt is the inverse of Encrypt.
func (x *XTS) Decrypt(dst, src []byte, tweak [16]byte) error { return x.apply(true, dst, src, &tweak) }

func (x *XTS) apply(decrypt bool, dst, src []byte, tweak *[16]byte) error {
	if len(dst) != len(src) {
		return fault.Of(core.InvalidArgument)
	}
	checkOverlap(dst, src)
	return fault.Of(core.SM4XTS(x.h, decrypt, tweak, dst, src))
}

// Close wipes the key.
func (x *XTS) Close() {
	if x != nil {
		x.h.Close()
	}
}
