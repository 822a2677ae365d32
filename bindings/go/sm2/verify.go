package sm2

import (
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
)

// signatureRoom is enough for the copy of a signature. What is longer is not a signature, or is padded.
const signatureRoom = 80

// A VerifyingKey is a public key with an identity.
type VerifyingKey struct {
	h *core.Handle
}

func newVerifyingKey(h *core.Handle, code core.Code) (*VerifyingKey, error) {
	if code != core.OK {
		return nil, fault.Of(code)
	}
	return &VerifyingKey{h: h}, nil
}

// Verify verifies the signature of a message in DER. It returns nil or kuaimi.ErrInvalidSignature. If the bytes are not a signature,
// the error says why; errors.Is(err, kuaimi.ErrInvalidSignature) is true for it, too.
func (k *VerifyingKey) Verify(message, signature []byte) error {
	return k.VerifyForm(message, signature, DER)
}

// VerifyForm is Verify for a signature in any form.
func (k *VerifyingKey) VerifyForm(message, signature []byte, form SignatureForm) error {
	var room [signatureRoom]byte
	signature = append(room[:0], signature...)
	return verdict(core.SM2Verify(k.handle(), message, form.core(), signature), form, signature)
}

// VerifyDigest verifies the signature of a digest SM3(Z, message), 32 bytes.
func (k *VerifyingKey) VerifyDigest(digest, signature []byte, form SignatureForm) error {
	if len(digest) != 32 {
		return fault.Of(core.InvalidArgument)
	}
	var room [signatureRoom]byte
	own := [32]byte(digest)
	signature = append(room[:0], signature...)
	return verdict(core.SM2VerifyDigest(k.handle(), &own, form.core(), signature), form, signature)
}

// Prepare makes the table of the key now, 52 KiB, which it would make at its second use: Verify takes about a third of the time with
// it. Keys from PublicKey.VerifyingKey share the table of the public key.
func (k *VerifyingKey) Prepare() error { return fault.Of(core.SM2VerifyingPrepare(k.handle())) }

// Close frees the key.
func (k *VerifyingKey) Close() { k.handle().Close() }

func (k *VerifyingKey) handle() *core.Handle {
	if k == nil {
		return nil
	}
	return k.h
}

// A KeyCache is a bounded store of tables of public keys, for keys that come as bytes with each message. A key gets a table at its
// second use, and loses it when keys that were used later need the memory. Goroutines may share a cache.
type KeyCache struct {
	h *core.Handle
}

// CacheStats is what a cache holds and has done.
type CacheStats struct {
	// Entries is how many keys have a table, and Bytes how much memory these take.
	Entries, Bytes int
	// Hits are uses that found a table, Misses those that did not, and Evictions tables that were removed to make room.
	Hits, Misses, Evictions uint64
}

// NewKeyCache makes a cache with a capacity in bytes; a key takes 52 KiB.
func NewKeyCache(capacity int) (*KeyCache, error) {
	if capacity < 0 {
		return nil, fault.Of(core.InvalidArgument)
	}
	h, code := core.SM2CacheNew(capacity)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	return &KeyCache{h: h}, nil
}

// Verify is VerifyingKey.Verify with the tables of the cache.
func (c *KeyCache) Verify(key *VerifyingKey, message, signature []byte) error {
	return c.VerifyForm(key, message, signature, DER)
}

// VerifyForm is VerifyingKey.VerifyForm with the tables of the cache.
func (c *KeyCache) VerifyForm(key *VerifyingKey, message, signature []byte, form SignatureForm) error {
	var room [signatureRoom]byte
	signature = append(room[:0], signature...)
	return verdict(core.SM2CacheVerify(c.handle(), key.handle(), message, form.core(), signature), form, signature)
}

// VerifyDigest is VerifyingKey.VerifyDigest with the tables of the cache.
func (c *KeyCache) VerifyDigest(key *VerifyingKey, digest, signature []byte, form SignatureForm) error {
	if len(digest) != 32 {
		return fault.Of(core.InvalidArgument)
	}
	var room [signatureRoom]byte
	own := [32]byte(digest)
	signature = append(room[:0], signature...)
	return verdict(core.SM2CacheVerifyDigest(c.handle(), key.handle(), &own, form.core(), signature), form, signature)
}

// VerifyBatch is VerifyBatch with the tables of the cache.
func (c *KeyCache) VerifyBatch(items []VerifyItem, results []error) error {
	if c == nil || c.h == nil {
		return fault.RefuseAll(results, core.Closed)
	}
	return verifyBatch(c.h, items, results)
}

// Stats is what the cache holds and has done.
func (c *KeyCache) Stats() (CacheStats, error) {
	stats, code := core.SM2CacheStats(c.handle())
	return CacheStats(stats), fault.Of(code)
}

// Clear removes all tables.
func (c *KeyCache) Clear() error { return fault.Of(core.SM2CacheClear(c.handle())) }

// Close frees the cache.
func (c *KeyCache) Close() { c.handle().Close() }

func (c *KeyCache) handle() *core.Handle {
	if c == nil {
		return nil
	}
	return c.h
}
