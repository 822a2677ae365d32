//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package gmsm

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"math/big"
	"sync/atomic"

	"github.com/emmansun/gmsm/sm2"
	"github.com/emmansun/gmsm/sm3"
	"golang.org/x/crypto/cryptobyte"
	"golang.org/x/crypto/cryptobyte/asn1"

	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
)

// messageDigest is SM3(Z, message).
func messageDigest(z *[32]byte, message []byte) *[32]byte {
	h := sm3.New()
	h.Write(z[:])
	h.Write(message)
	var digest [32]byte
	h.Sum(digest[:0])
	return &digest
}

// SM2Sign writes the signature of a message to out and returns its length.
func (f functions) SM2Sign(h *core.Handle, message []byte, deterministic bool, form core.Form, out *[core.SM2SignatureMax]byte) (int, core.Code) {
	key, code := valueOf[*signing](h)
	if code != core.OK {
		return 0, code
	}
	return f.SM2SignDigest(h, messageDigest(&key.z, message), deterministic, form, out)
}

// SM2SignDigest is SM2Sign for the digest of Z and the message.
func (f functions) SM2SignDigest(h *core.Handle, digest *[32]byte, deterministic bool, form core.Form, out *[core.SM2SignatureMax]byte) (int, core.Code) {
	key, code := valueOf[*signing](h)
	if code != core.OK {
		return 0, code
	}
	if form != core.Raw && form != core.ASN1 {
		return 0, core.InvalidArgument
	}
	var der []byte
	var err error
	if deterministic {
		der, err = sm2.SignDeterministic(key.key, digest[:], crypto.Hash(0))
	} else {
		der, err = sm2.SignASN1(rand.Reader, key.key, digest[:], crypto.Hash(0))
	}
	if err != nil {
		return 0, core.Random
	}
	return f.SM2SignatureConvert(der, core.ASN1, form, out)
}

// SM2SignRecoverable is SM2SignDigest with the number that SM2Recover takes.
func (f functions) SM2SignRecoverable(h *core.Handle, digest *[32]byte, form core.Form, out *[core.SM2SignatureMax]byte) (length int, id byte, code core.Code) {
	key, code := valueOf[*signing](h)
	if code != core.OK {
		return 0, 0, code
	}
	length, code = f.SM2SignDigest(h, digest, false, form, out)
	if code != core.OK {
		return 0, 0, code
	}
	for id := range byte(4) {
		if public, code := recovered(digest, form, out[:length], id); code == core.OK && public.Equal(&key.key.PublicKey) {
			return length, id, core.OK
		}
	}
	return 0, 0, core.Internal
}

// SM2Recover is the public key that leads to a signature over a digest: [-s/t]G + [1/t]R, where the number says which of the four
// possible points R is.
func (functions) SM2Recover(digest *[32]byte, form core.Form, signature []byte, id byte) (*core.Handle, core.Code) {
	return handleOf(recovered(digest, form, signature, id))
}

func recovered(digest *[32]byte, form core.Form, signature []byte, id byte) (*ecdsa.PublicKey, core.Code) {
	if id > 3 {
		return nil, core.RecoveryID
	}
	r, s, code := readSignature(form, signature)
	if code != core.OK {
		return nil, code
	}
	curve := sm2.P256()
	n := curve.Params().N
	x := new(big.Int).Sub(r, new(big.Int).SetBytes(digest[:]))
	x.Mod(x, n)
	if id&2 != 0 {
		x.Add(x, n)
	}
	if x.Cmp(curve.Params().P) >= 0 {
		return nil, core.NotRecoverable
	}
	compressed := append([]byte{2 + id&1}, x.FillBytes(make([]byte, 32))...)
	x, y := elliptic.UnmarshalCompressed(curve, compressed)
	if x == nil {
		return nil, core.NotRecoverable
	}
	inverse := new(big.Int).ModInverse(new(big.Int).Mod(new(big.Int).Add(r, s), n), n)
	factor := new(big.Int).Mul(new(big.Int).Neg(s), inverse)
	factor.Mod(factor, n)
	//lint:ignore SA1019 public values
	gx, gy := curve.ScalarBaseMult(factor.FillBytes(make([]byte, 32)))
	//lint:ignore SA1019 public values
	rx, ry := curve.ScalarMult(x, y, inverse.FillBytes(make([]byte, 32)))
	//lint:ignore SA1019 public values
	px, py := curve.Add(gx, gy, rx, ry)
	if px.Sign() == 0 && py.Sign() == 0 {
		return nil, core.NotRecoverable
	}
	return &ecdsa.PublicKey{Curve: curve, X: px, Y: py}, core.OK
}

// SM2Verify verifies the signature of a message.
func (f functions) SM2Verify(h *core.Handle, message []byte, form core.Form, signature []byte) core.Code {
	key, code := valueOf[*verifying](h)
	if code != core.OK {
		return code
	}
	return f.SM2VerifyDigest(h, messageDigest(&key.z, message), form, signature)
}

// SM2VerifyDigest is SM2Verify for the digest of Z and the message.
func (functions) SM2VerifyDigest(h *core.Handle, digest *[32]byte, form core.Form, signature []byte) core.Code {
	key, code := valueOf[*verifying](h)
	if code != core.OK {
		return code
	}
	if form < core.Raw || form > core.Any {
		return core.InvalidArgument
	}
	if form == core.ASN1 {
		if !sm2.VerifyASN1(key.key, digest[:], signature) {
			return core.InvalidSignature
		}
		return core.OK
	}
	r, s, code := readSignature(form, signature)
	if code != core.OK {
		return core.InvalidSignature
	}
	if !sm2.Verify(key.key, digest[:], r, s) {
		return core.InvalidSignature
	}
	return core.OK
}

// SM2SignatureConvert writes a signature in another form to out and returns its length.
func (functions) SM2SignatureConvert(signature []byte, from, to core.Form, out *[core.SM2SignatureMax]byte) (int, core.Code) {
	if to != core.Raw && to != core.ASN1 || from < core.Raw || from > core.Any {
		return 0, core.InvalidArgument
	}
	r, s, code := readSignature(from, signature)
	if code != core.OK {
		return 0, code
	}
	if to == core.Raw {
		r.FillBytes(out[:32])
		s.FillBytes(out[32:64])
		return 64, core.OK
	}
	var b cryptobyte.Builder
	b.AddASN1(asn1.SEQUENCE, func(b *cryptobyte.Builder) {
		b.AddASN1BigInt(r)
		b.AddASN1BigInt(s)
	})
	return copy(out[:], b.BytesOrPanic()), core.OK
}

// readSignature reads r and s: both from 1 to n - 1, with a sum that is not n.
func readSignature(form core.Form, signature []byte) (r, s *big.Int, code core.Code) {
	r, s = new(big.Int), new(big.Int)
	switch {
	case form == core.Raw || form == core.Any && len(signature) == 64:
		if len(signature) != 64 {
			return nil, nil, core.SignatureEncoding
		}
		r.SetBytes(signature[:32])
		s.SetBytes(signature[32:])
	case form == core.LenientDER:
		if !lenient(signature, r, s) {
			return nil, nil, core.SignatureEncoding
		}
	case form == core.ASN1 || form == core.Any:
		var inner cryptobyte.String
		input := cryptobyte.String(signature)
		if !input.ReadASN1(&inner, asn1.SEQUENCE) || !input.Empty() ||
			!inner.ReadASN1Integer(r) || !inner.ReadASN1Integer(s) || !inner.Empty() {
			return nil, nil, core.SignatureEncoding
		}
	default:
		return nil, nil, core.InvalidArgument
	}
	n := sm2.P256().Params().N
	sum := new(big.Int).Add(r, s)
	if r.Sign() <= 0 || s.Sign() <= 0 || r.Cmp(n) >= 0 || s.Cmp(n) >= 0 || sum.Cmp(n) == 0 {
		return nil, nil, core.SignatureEncoding
	}
	return r, s, core.OK
}

// lenient reads a sequence of two numbers without a sign, whatever zeros they begin with, however the lengths are written, and whatever
// follows.
func lenient(signature []byte, r, s *big.Int) bool {
	content, _, ok := element(signature, 0x30)
	if !ok {
		return false
	}
	first, content, ok := element(content, 2)
	if !ok {
		return false
	}
	second, content, ok := element(content, 2)
	if !ok || len(content) != 0 {
		return false
	}
	r.SetBytes(first)
	s.SetBytes(second)
	return true
}

// element is what an element of that tag has, and what follows it.
func element(data []byte, tag byte) (content, rest []byte, ok bool) {
	if len(data) < 2 || data[0] != tag {
		return nil, nil, false
	}
	length, data := uint64(data[1]), data[2:]
	if length >= 0x80 {
		octets := int(length - 0x80)
		if octets == 0 || octets > 8 || len(data) < octets {
			return nil, nil, false
		}
		length = 0
		for _, octet := range data[:octets] {
			length = length<<8 | uint64(octet)
		}
		data = data[octets:]
	}
	if uint64(len(data)) < length {
		return nil, nil, false
	}
	return data[:length], data[length:], true
}

// A cache counts its uses: gmsm has no tables.
type cache struct{ misses atomic.Uint64 }

func cacheStats(h *core.Handle) (core.CacheStats, core.Code) {
	c, code := valueOf[*cache](h)
	if code != core.OK {
		return core.CacheStats{}, code
	}
	return core.CacheStats{Misses: c.misses.Load()}, core.OK
}

func cacheUse(h *core.Handle, uses int) core.Code {
	c, code := valueOf[*cache](h)
	if code == core.OK {
		c.misses.Add(uint64(uses))
	}
	return code
}

// SM2CacheNew is a cache without tables.
func (functions) SM2CacheNew(int) (*core.Handle, core.Code) {
	return core.NewHandle(new(cache)), core.OK
}

// SM2CacheVerify is SM2Verify.
func (f functions) SM2CacheVerify(cache, key *core.Handle, message []byte, form core.Form, signature []byte) core.Code {
	if code := cacheUse(cache, 1); code != core.OK {
		return code
	}
	return f.SM2Verify(key, message, form, signature)
}

// SM2CacheVerifyDigest is SM2VerifyDigest.
func (f functions) SM2CacheVerifyDigest(cache, key *core.Handle, digest *[32]byte, form core.Form, signature []byte) core.Code {
	if code := cacheUse(cache, 1); code != core.OK {
		return code
	}
	return f.SM2VerifyDigest(key, digest, form, signature)
}

// SM2CacheStats is what a cache has done.
func (functions) SM2CacheStats(h *core.Handle) (core.CacheStats, core.Code) { return cacheStats(h) }

// SM2CacheClear has nothing to drop.
func (functions) SM2CacheClear(h *core.Handle) core.Code {
	_, code := valueOf[*cache](h)
	return code
}

// A pool counts its uses: gmsm computes no nonces ahead of time.
type pool struct{ missed atomic.Uint64 }

// SM2PoolNew is a pool without nonces.
func (functions) SM2PoolNew(int) (*core.Handle, core.Code) { return core.NewHandle(new(pool)), core.OK }

// SM2PoolSign is SM2Sign.
func (f functions) SM2PoolSign(h, key *core.Handle, message []byte, form core.Form, out *[core.SM2SignatureMax]byte) (int, core.Code) {
	p, code := valueOf[*pool](h)
	if code != core.OK {
		return 0, code
	}
	p.missed.Add(1)
	return f.SM2Sign(key, message, false, form, out)
}

// SM2PoolSignDigest is SM2SignDigest.
func (f functions) SM2PoolSignDigest(h, key *core.Handle, digest *[32]byte, form core.Form, out *[core.SM2SignatureMax]byte) (int, core.Code) {
	p, code := valueOf[*pool](h)
	if code != core.OK {
		return 0, code
	}
	p.missed.Add(1)
	return f.SM2SignDigest(key, digest, false, form, out)
}

// SM2PoolStats is what a pool has done.
func (functions) SM2PoolStats(h *core.Handle) (core.PoolStats, core.Code) {
	p, code := valueOf[*pool](h)
	if code != core.OK {
		return core.PoolStats{}, code
	}
	return core.PoolStats{Missed: p.missed.Load()}, core.OK
}

// SM2SignBatch makes n signatures of 64 bytes, one after another, which done gets in order.
func (f functions) SM2SignBatch(n int, item func(int) core.SignItem, done func(item int, code core.Code, signature []byte)) {
	var out [core.SM2SignatureMax]byte
	for i := range n {
		var code core.Code
		switch it := item(i); {
		case !it.IsDigest:
			_, code = f.SM2Sign(it.Key, it.Content, false, core.Raw, &out)
		case len(it.Content) == 32:
			digest := [32]byte(it.Content)
			_, code = f.SM2SignDigest(it.Key, &digest, false, core.Raw, &out)
		default:
			code = core.InvalidArgument
		}
		done(i, code, out[:64])
	}
}

// SM2VerifyBatch verifies n signatures, one after another. done gets the results in order.
func (f functions) SM2VerifyBatch(cache *core.Handle, n int, item func(int) core.VerifyItem, done func(item int, code core.Code)) core.Code {
	if cache != nil {
		if code := cacheUse(cache, n); code != core.OK {
			return code
		}
	}
	for i := range n {
		switch it := item(i); {
		case !it.IsDigest:
			done(i, f.SM2Verify(it.Key, it.Content, it.Form, core.Once(it.Signature)))
		case len(it.Content) == 32:
			digest := [32]byte(it.Content)
			done(i, f.SM2VerifyDigest(it.Key, &digest, it.Form, core.Once(it.Signature)))
		default:
			done(i, core.InvalidArgument)
		}
	}
	return core.OK
}
