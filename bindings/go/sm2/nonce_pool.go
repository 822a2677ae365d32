package sm2

import (
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
)

// A NoncePool is a store of nonces with their points, which it computes in its own thread. A signature with such a nonce costs little
// more than hashing the message. Goroutines may share a pool, and it serves any number of keys.
//
// Use a pool only if the machine's random generator is good, and the memory of the process is never restored from a snapshot: two
// signatures with the same nonce reveal the private key. Forks are detected on Linux 4.14 and newer.
type NoncePool struct {
	h *core.Handle
}

// PoolStats is what a pool holds and has done.
type PoolStats struct {
	// Ready is how many nonces are ready.
	Ready int
	// Served are nonces that signatures have taken, and Missed signatures that found none, and were computed without the pool.
	Served, Missed uint64
}

// NewNoncePool makes a pool of at most capacity nonces of 128 bytes, and never more than 1 << 20. Its thread begins to fill it at
// once.
func NewNoncePool(capacity int) (*NoncePool, error) {
	if capacity < 0 {
		return nil, fault.Of(core.InvalidArgument)
	}
	h, code := core.SM2PoolNew(capacity)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	return &NoncePool{h: h}, nil
}

// AppendSignature is SigningKey.AppendSignature with a nonce of the pool.
func (p *NoncePool) AppendSignature(dst []byte, key *SigningKey, message []byte, form SignatureForm) ([]byte, error) {
	var out [core.SM2SignatureMax]byte
	length, code := core.SM2PoolSign(p.handle(), key.handle(), message, form.core(), &out)
	if code != core.OK {
		return dst, fault.Of(code)
	}
	return append(dst, out[:length]...), nil
}

// SignMessage signs a message. The signature is in DER.
func (p *NoncePool) SignMessage(key *SigningKey, message []byte) ([]byte, error) {
	var out [core.SM2SignatureMax]byte
	length, code := core.SM2PoolSign(p.handle(), key.handle(), message, core.ASN1, &out)
	return signature(&out, length, code)
}

// SignDigest signs the digest SM3(Z, message), 32 bytes.
func (p *NoncePool) SignDigest(key *SigningKey, digest []byte, form SignatureForm) ([]byte, error) {
	if len(digest) != 32 {
		return nil, fault.Of(core.InvalidArgument)
	}
	var out [core.SM2SignatureMax]byte
	own := [32]byte(digest)
	length, code := core.SM2PoolSignDigest(p.handle(), key.handle(), &own, form.core(), &out)
	return signature(&out, length, code)
}

// Stats is what the pool holds and has done.
func (p *NoncePool) Stats() (PoolStats, error) {
	stats, code := core.SM2PoolStats(p.handle())
	return PoolStats(stats), fault.Of(code)
}

// Close wipes the pool and ends its thread.
func (p *NoncePool) Close() { p.handle().Close() }

func (p *NoncePool) handle() *core.Handle {
	if p == nil {
		return nil
	}
	return p.h
}
