package sm3

import (
	"crypto/subtle"
	"hash"

	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
)

// An HMAC is an HMAC-SM3 in progress (GB/T 15852.2; RFC 2104). It implements hash.Hash, but after Close, Write returns
// kuaimi.ErrClosed, and Sum panics. It keeps its key and state in C's memory; crypto/hmac also works with New, and keeps them in Go's.
type HMAC struct {
	h *core.Handle
}

var _ hash.Hash = (*HMAC)(nil)

// NewHMAC is an HMAC under a key of any length.
func NewHMAC(key []byte) (*HMAC, error) {
	key = core.Once(key)
	defer clear(key)
	h, code := core.HMACNew(key)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	return &HMAC{h: h}, nil
}

// SumHMAC is the HMAC-SM3 of data under a key of any length. To compare it with a received one, use crypto/subtle or HMAC.Verify.
func SumHMAC(key, data []byte) [Size]byte {
	var mac [Size]byte
	core.HMACSum(key, data, &mac)
	return mac
}

// Write adds data to the message. It fails only after Close.
func (m *HMAC) Write(data []byte) (int, error) {
	if code := core.HMACUpdate(m.h, data); code != core.OK {
		return 0, fault.Of(code)
	}
	return len(data), nil
}

// finish is the HMAC of what was absorbed so far, which stays absorbed.
func (m *HMAC) finish() (mac [Size]byte, code core.Code) {
	h, code := core.HMACClone(m.h)
	if code != core.OK {
		return mac, code
	}
	code = core.HMACFinish(h, &mac)
	h.Close()
	return mac, code
}

// Sum appends the HMAC of all data written so far. It does not change the HMAC, which may go on. After Close it panics, as hash.Hash
// has no other way to fail.
func (m *HMAC) Sum(b []byte) []byte {
	mac, code := m.finish()
	if code != core.OK {
		panic("sm3: " + fault.Of(code).Error())
	}
	return append(b, mac[:]...)
}

// Verify compares the HMAC of all data written so far with a received one, in constant time. It returns nil or
// kuaimi.ErrInvalidSignature.
func (m *HMAC) Verify(mac []byte) error {
	own, code := m.finish()
	if code != core.OK {
		return fault.Of(code)
	}
	if subtle.ConstantTimeCompare(own[:], mac) != 1 {
		return fault.Of(core.InvalidSignature)
	}
	return nil
}

// Reset begins a new message under the same key.
func (m *HMAC) Reset() {
	// The end of a message is the begin of the next one.
	var forgotten [Size]byte
	core.HMACFinish(m.h, &forgotten)
}

// Size is 32.
func (m *HMAC) Size() int { return Size }

// BlockSize is 64.
func (m *HMAC) BlockSize() int { return BlockSize }

// Close wipes the key and the state.
func (m *HMAC) Close() {
	m.h.Close()
}
