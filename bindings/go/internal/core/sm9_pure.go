//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

import (
	"crypto/rand"
	"math/big"
	"sync"

	"github.com/emmansun/gmsm/sm9"
	"golang.org/x/crypto/cryptobyte"
	"golang.org/x/crypto/cryptobyte/asn1"
)

// SM9Sign writes the signature of a message to out and returns its length.
func SM9Sign(h *Handle, message []byte, form Form, out *[SM9SignatureMax]byte) (int, Code) {
	u, code := userOf(h, UserSigning)
	if code != OK {
		return 0, code
	}
	if form != Raw && form != ASN1 {
		return 0, InvalidArgument
	}
	der, err := sm9.SignASN1(rand.Reader, u.signing, message)
	if err != nil {
		return 0, Random
	}
	if form == ASN1 {
		return copy(out[:], der), OK
	}
	hash, point, ok := sm9Parts(der)
	if !ok {
		return 0, Internal
	}
	copy(out[:32], hash)
	copy(out[32:], point[1:])
	return 96, OK
}

// sm9Parts is h, 32 bytes, and S, 65 bytes, of a signature in DER.
func sm9Parts(der []byte) (hash, point []byte, ok bool) {
	var inner, h cryptobyte.String
	input := cryptobyte.String(der)
	ok = input.ReadASN1(&inner, asn1.SEQUENCE) && input.Empty() && inner.ReadASN1(&h, asn1.OCTET_STRING) &&
		inner.ReadASN1BitStringAsBytes(&point) && inner.Empty() && len(h) == 32 && len(point) == PointSize && point[0] == 4
	return h, point, ok
}

// SM9Verify verifies the signature of a message.
func SM9Verify(h *Handle, message []byte, form Form, signature []byte) Code {
	i, code := valueOf[*identity[*sm9.SignMasterPublicKey]](h)
	if code != OK {
		return code
	}
	var hash, point []byte
	switch form {
	case Raw:
		if len(signature) != 96 {
			return InvalidSignature
		}
		hash, point = signature[:32], append([]byte{4}, signature[32:]...)
	case ASN1:
		var ok bool
		if hash, point, ok = sm9Parts(signature); !ok {
			return InvalidSignature
		}
	default:
		return InvalidArgument
	}
	if !sm9.Verify(i.master, i.id, i.hid, message, new(big.Int).SetBytes(hash), point) {
		return InvalidSignature
	}
	return OK
}

// SM9CacheNew is a cache without tables.
func SM9CacheNew(master *Handle, _ int) (*Handle, Code) {
	if _, code := valueOf[*sm9.SignMasterPublicKey](master); code != OK {
		return nil, code
	}
	return newHandle(new(cache)), OK
}

// SM9CacheVerify is SM9Verify.
func SM9CacheVerify(cache, key *Handle, message []byte, form Form, signature []byte) Code {
	if code := cacheUse(cache, 1); code != OK {
		return code
	}
	return SM9Verify(key, message, form, signature)
}

// SM9CacheStats is what a cache has done.
func SM9CacheStats(h *Handle) (CacheStats, Code) { return cacheStats(h) }

// SM9CacheClear has nothing to drop.
func SM9CacheClear(h *Handle) Code { return SM2CacheClear(h) }

// SM9SignBatch makes n signatures of 96 bytes, one after another, which done gets in order.
func SM9SignBatch(n int, item func(int) SignItem, done func(item int, code Code, signature []byte)) {
	var out [SM9SignatureMax]byte
	for i := range n {
		it := item(i)
		_, code := SM9Sign(it.Key, it.Content, Raw, &out)
		done(i, code, out[:96])
	}
}

// SM9VerifyBatch verifies n signatures, one after another. done gets the results in order.
func SM9VerifyBatch(cache *Handle, n int, item func(int) VerifyItem, done func(item int, code Code)) Code {
	if cache != nil {
		if code := cacheUse(cache, n); code != OK {
			return code
		}
	}
	for i := range n {
		it := item(i)
		done(i, SM9Verify(it.Key, it.Content, it.Form, Once(it.Signature)))
	}
	return OK
}

// SM9Encrypt encrypts a message to DER, which needs SM9CiphertextOverhead bytes more than it has.
func SM9Encrypt(h *Handle, message, out []byte) (int, Code) {
	i, code := valueOf[*identity[*sm9.EncryptMasterPublicKey]](h)
	if code != OK {
		return 0, code
	}
	if len(message) == 0 {
		return 0, EmptyMessage
	}
	ciphertext, err := sm9.EncryptASN1(rand.Reader, i.master, i.id, i.hid, message, sm9.DefaultEncrypterOpts)
	if err != nil {
		return 0, Random
	}
	return copy(out, ciphertext), OK
}

// SM9Decrypt decrypts a ciphertext in DER into a buffer that is as long.
func SM9Decrypt(h *Handle, ciphertext, out []byte) (int, Code) {
	u, code := userOf(h, UserDecryption)
	if code != OK {
		return 0, code
	}
	// The mode that SM9Encrypt uses is the only one, as with libkuaimi's options that are null.
	var inner cryptobyte.String
	var mode int
	input := cryptobyte.String(ciphertext)
	if !input.ReadASN1(&inner, asn1.SEQUENCE) || !input.Empty() || !inner.ReadASN1Integer(&mode) || mode != 0 {
		return 0, DecryptionFailed
	}
	message, err := sm9.DecryptASN1(u.other, u.id, ciphertext)
	if err != nil {
		return 0, DecryptionFailed
	}
	return copy(out, message), OK
}

// SM9Encapsulate makes a key, and the point that leads the recipient to it.
func SM9Encapsulate(h *Handle, derived []byte, point *[PointSize]byte) Code {
	i, code := valueOf[*identity[*sm9.EncryptMasterPublicKey]](h)
	if code != OK {
		return code
	}
	key, c, err := sm9.WrapKey(rand.Reader, i.master, i.id, i.hid, len(derived))
	if err != nil {
		return Random
	}
	copy(derived, key)
	if len(c) == PointSize-1 {
		c = append([]byte{4}, c...)
	}
	copy(point[:], c)
	return OK
}

// SM9Decapsulate is the key that a point leads to.
func SM9Decapsulate(h *Handle, point, derived []byte) Code {
	u, code := userOf(h, UserDecryption)
	if code != OK {
		return code
	}
	if len(point) != PointSize && len(point) != PointSize-1 && len(point) != 33 {
		return PointEncoding
	}
	key, err := sm9.UnwrapKey(u.other, u.id, point, len(derived))
	if err != nil {
		return PointNotOnCurve
	}
	copy(derived, key)
	return OK
}

// An sm9Exchange is one side of a key exchange.
type sm9Exchange struct {
	mutex  sync.Mutex
	used   bool
	gmsm   sm9.KeyExchange
	length int
}

// SM9ExchangeStart is the initiator's first step.
func SM9ExchangeStart(h *Handle, peerID []byte, peerHID byte, length int, point *[PointSize]byte) (*Handle, Code) {
	e, code := newSM9Exchange(h, peerID, length)
	if code != OK {
		return nil, code
	}
	sent, err := e.gmsm.InitKeyExchange(rand.Reader, hidOr(peerHID, UserExchange))
	if err != nil {
		return nil, Random
	}
	copy(point[:], sent)
	return newHandle(e), OK
}

func newSM9Exchange(h *Handle, peerID []byte, length int) (*sm9Exchange, Code) {
	u, code := userOf(h, UserExchange)
	if code != OK {
		return nil, code
	}
	if len(peerID) == 0 {
		return nil, EmptyIdentity
	}
	return &sm9Exchange{gmsm: u.other.NewKeyExchange(u.id, append([]byte{}, peerID...), length, true), length: length}, OK
}

// SM9ExchangeRespond is the responder's step.
func SM9ExchangeRespond(h *Handle, peerID []byte, peerHID byte, initiatorPoint []byte, length int,
	point *[PointSize]byte, confirmation *[32]byte) (*Handle, Code) {
	e, code := newSM9Exchange(h, peerID, length)
	if code != OK {
		return nil, code
	}
	if len(initiatorPoint) != PointSize && len(initiatorPoint) != PointSize-1 && len(initiatorPoint) != 33 {
		return nil, PointEncoding
	}
	sent, own, err := e.gmsm.RespondKeyExchange(rand.Reader, hidOr(peerHID, UserExchange), initiatorPoint)
	if err != nil {
		return nil, PointNotOnCurve
	}
	copy(point[:], sent)
	copy(confirmation[:], own)
	return newHandle(e), OK
}

// SM9InitiatorFinish is the initiator's last step.
func SM9InitiatorFinish(initiator *Handle, point, confirmation, shared []byte, own *[32]byte) Code {
	return finishSM9(initiator, confirmation, func(e *sm9Exchange) ([]byte, error) {
		key, made, err := e.gmsm.ConfirmResponder(point, confirmation)
		copy(own[:], made)
		return key, err
	}, shared)
}

// SM9ResponseConfirm is the responder's last step.
func SM9ResponseConfirm(response *Handle, confirmation, shared []byte) Code {
	return finishSM9(response, confirmation, func(e *sm9Exchange) ([]byte, error) {
		return e.gmsm.ConfirmInitiator(confirmation)
	}, shared)
}

func finishSM9(h *Handle, confirmation []byte, finish func(*sm9Exchange) ([]byte, error), shared []byte) Code {
	e, code := valueOf[*sm9Exchange](h)
	if code != OK {
		return code
	}
	if len(confirmation) != 32 {
		return ConfirmationFailed
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.used {
		return AlreadyUsed
	}
	e.used = true
	defer e.gmsm.Destroy()
	key, err := finish(e)
	if err != nil {
		return ConfirmationFailed
	}
	copy(shared, key)
	return OK
}
