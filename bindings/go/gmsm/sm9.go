//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package gmsm

import (
	"crypto/rand"
	"math/big"
	"sync"

	"github.com/emmansun/gmsm/sm9"
	"golang.org/x/crypto/cryptobyte"
	"golang.org/x/crypto/cryptobyte/asn1"

	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
)

// SM9Sign writes the signature of a message to out and returns its length.
func (functions) SM9Sign(h *core.Handle, message []byte, form core.Form, out *[core.SM9SignatureMax]byte) (int, core.Code) {
	u, code := userOf(h, core.UserSigning)
	if code != core.OK {
		return 0, code
	}
	if form != core.Raw && form != core.ASN1 {
		return 0, core.InvalidArgument
	}
	der, err := sm9.SignASN1(rand.Reader, u.signing, message)
	if err != nil {
		return 0, core.Random
	}
	if form == core.ASN1 {
		return copy(out[:], der), core.OK
	}
	hash, point, ok := sm9Parts(der)
	if !ok {
		return 0, core.Internal
	}
	copy(out[:32], hash)
	copy(out[32:], point[1:])
	return 96, core.OK
}

// sm9Parts is h, 32 bytes, and S, 65 bytes, of a signature in DER.
func sm9Parts(der []byte) (hash, point []byte, ok bool) {
	var inner, h cryptobyte.String
	input := cryptobyte.String(der)
	ok = input.ReadASN1(&inner, asn1.SEQUENCE) && input.Empty() && inner.ReadASN1(&h, asn1.OCTET_STRING) &&
		inner.ReadASN1BitStringAsBytes(&point) && inner.Empty() && len(h) == 32 && len(point) == core.PointSize && point[0] == 4
	return h, point, ok
}

// SM9Verify verifies the signature of a message.
func (functions) SM9Verify(h *core.Handle, message []byte, form core.Form, signature []byte) core.Code {
	i, code := valueOf[*identity[*sm9.SignMasterPublicKey]](h)
	if code != core.OK {
		return code
	}
	var hash, point []byte
	switch form {
	case core.Raw:
		if len(signature) != 96 {
			return core.InvalidSignature
		}
		hash, point = signature[:32], append([]byte{4}, signature[32:]...)
	case core.ASN1:
		var ok bool
		if hash, point, ok = sm9Parts(signature); !ok {
			return core.InvalidSignature
		}
	default:
		return core.InvalidArgument
	}
	if !sm9.Verify(i.master, i.id, i.hid, message, new(big.Int).SetBytes(hash), point) {
		return core.InvalidSignature
	}
	return core.OK
}

// SM9CacheNew is a cache without tables.
func (functions) SM9CacheNew(master *core.Handle, _ int) (*core.Handle, core.Code) {
	if _, code := valueOf[*sm9.SignMasterPublicKey](master); code != core.OK {
		return nil, code
	}
	return core.NewHandle(new(cache)), core.OK
}

// SM9CacheVerify is SM9Verify.
func (f functions) SM9CacheVerify(cache, key *core.Handle, message []byte, form core.Form, signature []byte) core.Code {
	if code := cacheUse(cache, 1); code != core.OK {
		return code
	}
	return f.SM9Verify(key, message, form, signature)
}

// SM9CacheStats is what a cache has done.
func (functions) SM9CacheStats(h *core.Handle) (core.CacheStats, core.Code) { return cacheStats(h) }

// SM9CacheClear has nothing to drop.
func (f functions) SM9CacheClear(h *core.Handle) core.Code { return f.SM2CacheClear(h) }

// SM9SignBatch makes n signatures of 96 bytes, one after another, which done gets in order.
func (f functions) SM9SignBatch(n int, item func(int) core.SignItem, done func(item int, code core.Code, signature []byte)) {
	var out [core.SM9SignatureMax]byte
	for i := range n {
		it := item(i)
		_, code := f.SM9Sign(it.Key, it.Content, core.Raw, &out)
		done(i, code, out[:96])
	}
}

// SM9VerifyBatch verifies n signatures, one after another. done gets the results in order.
func (f functions) SM9VerifyBatch(cache *core.Handle, n int, item func(int) core.VerifyItem, done func(item int, code core.Code)) core.Code {
	if cache != nil {
		if code := cacheUse(cache, n); code != core.OK {
			return code
		}
	}
	for i := range n {
		it := item(i)
		done(i, f.SM9Verify(it.Key, it.Content, it.Form, core.Once(it.Signature)))
	}
	return core.OK
}

// SM9Encrypt encrypts a message to DER, which needs SM9CiphertextOverhead bytes more than it has.
func (functions) SM9Encrypt(h *core.Handle, message, out []byte) (int, core.Code) {
	i, code := valueOf[*identity[*sm9.EncryptMasterPublicKey]](h)
	if code != core.OK {
		return 0, code
	}
	if len(message) == 0 {
		return 0, core.EmptyMessage
	}
	ciphertext, err := sm9.EncryptASN1(rand.Reader, i.master, i.id, i.hid, message, sm9.DefaultEncrypterOpts)
	if err != nil {
		return 0, core.Random
	}
	return copy(out, ciphertext), core.OK
}

// SM9Decrypt decrypts a ciphertext in DER into a buffer that is as long.
func (functions) SM9Decrypt(h *core.Handle, ciphertext, out []byte) (int, core.Code) {
	u, code := userOf(h, core.UserDecryption)
	if code != core.OK {
		return 0, code
	}
	// The mode that SM9Encrypt uses is the only one, as with libkuaimi's options that are null.
	var inner cryptobyte.String
	var mode int
	input := cryptobyte.String(ciphertext)
	if !input.ReadASN1(&inner, asn1.SEQUENCE) || !input.Empty() || !inner.ReadASN1Integer(&mode) || mode != 0 {
		return 0, core.DecryptionFailed
	}
	message, err := sm9.DecryptASN1(u.other, u.id, ciphertext)
	if err != nil {
		return 0, core.DecryptionFailed
	}
	return copy(out, message), core.OK
}

// SM9Encapsulate makes a key, and the point that leads the recipient to it.
func (functions) SM9Encapsulate(h *core.Handle, derived []byte, point *[core.PointSize]byte) core.Code {
	i, code := valueOf[*identity[*sm9.EncryptMasterPublicKey]](h)
	if code != core.OK {
		return code
	}
	key, c, err := sm9.WrapKey(rand.Reader, i.master, i.id, i.hid, len(derived))
	if err != nil {
		return core.Random
	}
	copy(derived, key)
	if len(c) == core.PointSize-1 {
		c = append([]byte{4}, c...)
	}
	copy(point[:], c)
	return core.OK
}

// SM9Decapsulate is the key that a point leads to.
func (functions) SM9Decapsulate(h *core.Handle, point, derived []byte) core.Code {
	u, code := userOf(h, core.UserDecryption)
	if code != core.OK {
		return code
	}
	if len(point) != core.PointSize && len(point) != core.PointSize-1 && len(point) != 33 {
		return core.PointEncoding
	}
	key, err := sm9.UnwrapKey(u.other, u.id, point, len(derived))
	if err != nil {
		return core.PointNotOnCurve
	}
	copy(derived, key)
	return core.OK
}

// An sm9Exchange is one side of a key exchange.
type sm9Exchange struct {
	mutex  sync.Mutex
	used   bool
	gmsm   sm9.KeyExchange
	length int
}

// SM9ExchangeStart is the initiator's first step.
func (functions) SM9ExchangeStart(h *core.Handle, peerID []byte, peerHID byte, length int, point *[core.PointSize]byte) (*core.Handle, core.Code) {
	e, code := newSM9Exchange(h, peerID, length)
	if code != core.OK {
		return nil, code
	}
	sent, err := e.gmsm.InitKeyExchange(rand.Reader, hidOr(peerHID, core.UserExchange))
	if err != nil {
		return nil, core.Random
	}
	copy(point[:], sent)
	return core.NewHandle(e), core.OK
}

func newSM9Exchange(h *core.Handle, peerID []byte, length int) (*sm9Exchange, core.Code) {
	u, code := userOf(h, core.UserExchange)
	if code != core.OK {
		return nil, code
	}
	if len(peerID) == 0 {
		return nil, core.EmptyIdentity
	}
	return &sm9Exchange{gmsm: u.other.NewKeyExchange(u.id, append([]byte{}, peerID...), length, true), length: length}, core.OK
}

// SM9ExchangeRespond is the responder's step.
func (functions) SM9ExchangeRespond(h *core.Handle, peerID []byte, peerHID byte, initiatorPoint []byte, length int,
	point *[core.PointSize]byte, confirmation *[32]byte) (*core.Handle, core.Code) {
	e, code := newSM9Exchange(h, peerID, length)
	if code != core.OK {
		return nil, code
	}
	if len(initiatorPoint) != core.PointSize && len(initiatorPoint) != core.PointSize-1 && len(initiatorPoint) != 33 {
		return nil, core.PointEncoding
	}
	sent, own, err := e.gmsm.RespondKeyExchange(rand.Reader, hidOr(peerHID, core.UserExchange), initiatorPoint)
	if err != nil {
		return nil, core.PointNotOnCurve
	}
	copy(point[:], sent)
	copy(confirmation[:], own)
	return core.NewHandle(e), core.OK
}

// SM9InitiatorFinish is the initiator's last step.
func (functions) SM9InitiatorFinish(initiator *core.Handle, point, confirmation, shared []byte, own *[32]byte) core.Code {
	return finishSM9(initiator, confirmation, func(e *sm9Exchange) ([]byte, error) {
		key, made, err := e.gmsm.ConfirmResponder(point, confirmation)
		copy(own[:], made)
		return key, err
	}, shared)
}

// SM9ResponseConfirm is the responder's last step.
func (functions) SM9ResponseConfirm(response *core.Handle, confirmation, shared []byte) core.Code {
	return finishSM9(response, confirmation, func(e *sm9Exchange) ([]byte, error) {
		return e.gmsm.ConfirmInitiator(confirmation)
	}, shared)
}

func finishSM9(h *core.Handle, confirmation []byte, finish func(*sm9Exchange) ([]byte, error), shared []byte) core.Code {
	e, code := valueOf[*sm9Exchange](h)
	if code != core.OK {
		return code
	}
	if len(confirmation) != 32 {
		return core.ConfirmationFailed
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.used {
		return core.AlreadyUsed
	}
	e.used = true
	defer e.gmsm.Destroy()
	key, err := finish(e)
	if err != nil {
		return core.ConfirmationFailed
	}
	copy(shared, key)
	return core.OK
}
