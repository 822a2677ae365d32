package sm9

import (
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
)

// A VerifyingKey is the identity of a signer under a master key.
type VerifyingKey struct {
	h *core.Handle
}

// VerifyingKey is the identity of a signer.
func (m *MasterSigningPublicKey) VerifyingKey(id []byte, hid byte) (*VerifyingKey, error) {
	return newVerifyingKey(core.SM9VerifyingNew(m.handle(), core.Once(id), hid))
}

func newVerifyingKey(h *core.Handle, code core.Code) (*VerifyingKey, error) {
	if code != core.OK {
		return nil, fault.Of(code)
	}
	return &VerifyingKey{h: h}, nil
}

// Prepare makes the table of the identity now, 10 KiB, which it would make at its second use: verification is faster with it.
func (k *VerifyingKey) Prepare() error {
	return fault.Of(core.SM9VerifyingPrepare(k.handle()))
}

// Verify verifies the signature of a message in DER. It returns nil or kuaimi.ErrInvalidSignature. If the bytes are not a signature,
// the error is kuaimi.ErrSignatureEncoding, for which errors.Is(err, kuaimi.ErrInvalidSignature) is true, too.
func (k *VerifyingKey) Verify(message, signature []byte) error {
	return k.VerifyForm(message, signature, DER)
}

// VerifyForm is Verify for a signature in any form.
func (k *VerifyingKey) VerifyForm(message, signature []byte, form SignatureForm) error {
	var room [core.SM9SignatureMax]byte
	signature = append(room[:0], signature...)
	return verdict(core.SM9Verify(k.handle(), message, form.core(), signature), form, signature)
}

// verdict is the error for the code of a verification.
func verdict(code core.Code, form SignatureForm, signature []byte) error {
	if code == core.InvalidSignature {
		return whyInvalid(form, signature)
	}
	return fault.Of(code)
}

// whyInvalid is ErrInvalidSignature, or ErrSignatureEncoding for bytes that are no signature in the form: all have one length, and in DER
// one begin.
func whyInvalid(form SignatureForm, signature []byte) error {
	isOne := len(signature) == 96
	if form == DER {
		isOne = len(signature) == core.SM9SignatureMax && [4]byte(signature) == [4]byte{0x30, 0x66, 0x04, 0x20}
	}
	if !isOne {
		return fault.Of(core.SignatureEncoding)
	}
	return fault.Of(core.InvalidSignature)
}

// Close frees the key.
func (k *VerifyingKey) Close() { k.handle().Close() }

func (k *VerifyingKey) handle() *core.Handle {
	if k == nil {
		return nil
	}
	return k.h
}

// An IdentityCache is a bounded store of tables of identities under one master key. An identity gets a table at its second use, and
// loses it when identities that were used later need the memory. Goroutines may share a cache.
type IdentityCache struct {
	h *core.Handle
}

// CacheStats is what a cache holds and has done.
type CacheStats struct {
	// Entries is how many identities have a table, and Bytes how much memory these take.
	Entries, Bytes int
	// Hits are uses that found a table, Misses those that did not, and Evictions tables that were removed to make room.
	Hits, Misses, Evictions uint64
}

// NewIdentityCache makes a cache with a capacity in bytes; an identity takes 10 KiB.
func NewIdentityCache(master *MasterSigningPublicKey, capacity int) (*IdentityCache, error) {
	if capacity < 0 {
		return nil, fault.Of(core.InvalidArgument)
	}
	h, code := core.SM9CacheNew(master.handle(), capacity)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	return &IdentityCache{h: h}, nil
}

// Verify is VerifyingKey.Verify with the tables of the cache.
func (c *IdentityCache) Verify(key *VerifyingKey, message, signature []byte) error {
	var room [core.SM9SignatureMax]byte
	signature = append(room[:0], signature...)
	return verdict(core.SM9CacheVerify(c.handle(), key.handle(), message, core.ASN1, signature), DER, signature)
}

// VerifyBatch is VerifyBatch with the tables of the cache.
func (c *IdentityCache) VerifyBatch(items []VerifyItem, results []error) error {
	if c == nil || c.h == nil {
		return fault.RefuseAll(results, core.Closed)
	}
	return verifyBatch(c.h, items, results)
}

// Stats is what the cache holds and has done.
func (c *IdentityCache) Stats() (CacheStats, error) {
	stats, code := core.SM9CacheStats(c.handle())
	return CacheStats(stats), fault.Of(code)
}

// Clear removes all tables.
func (c *IdentityCache) Clear() error { return fault.Of(core.SM9CacheClear(c.handle())) }

// Close frees the cache.
func (c *IdentityCache) Close() { c.handle().Close() }

func (c *IdentityCache) handle() *core.Handle {
	if c == nil {
		return nil
	}
	return c.h
}
