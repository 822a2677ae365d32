//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

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
func SM2Sign(h *Handle, message []byte, deterministic bool, form Form, out *[SM2SignatureMax]byte) (int, Code) {
	key, code := valueOf[*signing](h)
	if code != OK {
		return 0, code
	}
	return SM2SignDigest(h, messageDigest(&key.z, message), deterministic, form, out)
}

// SM2SignDigest is SM2Sign for the digest of Z and the message.
func SM2SignDigest(h *Handle, digest *[32]byte, deterministic bool, form Form, out *[SM2SignatureMax]byte) (int, Code) {
	key, code := valueOf[*signing](h)
	if code != OK {
		return 0, code
	}
	if form != Raw && form != ASN1 {
		return 0, InvalidArgument
	}
	var der []byte
	var err error
	if deterministic {
		der, err = sm2.SignDeterministic(key.key, digest[:], crypto.Hash(0))
	} else {
		der, err = sm2.SignASN1(rand.Reader, key.key, digest[:], crypto.Hash(0))
	}
	if err != nil {
		return 0, Random
	}
	return SM2SignatureConvert(der, ASN1, form, out)
}

// SM2SignRecoverable is SM2SignDigest with the number that SM2Recover takes.
func SM2SignRecoverable(h *Handle, digest *[32]byte, form Form, out *[SM2SignatureMax]byte) (length int, id byte, code Code) {
	key, code := valueOf[*signing](h)
	if code != OK {
		return 0, 0, code
	}
	length, code = SM2SignDigest(h, digest, false, form, out)
	if code != OK {
		return 0, 0, code
	}
	for id := range byte(4) {
		recovered, code := SM2Recover(digest, form, out[:length], id)
		if code == OK && recovered.value.(*ecdsa.PublicKey).Equal(&key.key.PublicKey) {
			return length, id, OK
		}
	}
	return 0, 0, Internal
}

// SM2Recover is the public key that leads to a signature over a digest: [-s/t]G + [1/t]R, where the number says which of the four
// possible points R is.
func SM2Recover(digest *[32]byte, form Form, signature []byte, id byte) (*Handle, Code) {
	if id > 3 {
		return nil, RecoveryID
	}
	r, s, code := readSignature(form, signature)
	if code != OK {
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
		return nil, NotRecoverable
	}
	compressed := append([]byte{2 + id&1}, x.FillBytes(make([]byte, 32))...)
	x, y := elliptic.UnmarshalCompressed(curve, compressed)
	if x == nil {
		return nil, NotRecoverable
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
		return nil, NotRecoverable
	}
	return newHandle(&ecdsa.PublicKey{Curve: curve, X: px, Y: py}), OK
}

// SM2Verify verifies the signature of a message.
func SM2Verify(h *Handle, message []byte, form Form, signature []byte) Code {
	key, code := valueOf[*verifying](h)
	if code != OK {
		return code
	}
	return SM2VerifyDigest(h, messageDigest(&key.z, message), form, signature)
}

// SM2VerifyDigest is SM2Verify for the digest of Z and the message.
func SM2VerifyDigest(h *Handle, digest *[32]byte, form Form, signature []byte) Code {
	key, code := valueOf[*verifying](h)
	if code != OK {
		return code
	}
	if form < Raw || form > Any {
		return InvalidArgument
	}
	if form == ASN1 {
		if !sm2.VerifyASN1(key.key, digest[:], signature) {
			return InvalidSignature
		}
		return OK
	}
	r, s, code := readSignature(form, signature)
	if code != OK {
		return InvalidSignature
	}
	if !sm2.Verify(key.key, digest[:], r, s) {
		return InvalidSignature
	}
	return OK
}

// SM2SignatureConvert writes a signature in another form to out and returns its length.
func SM2SignatureConvert(signature []byte, from, to Form, out *[SM2SignatureMax]byte) (int, Code) {
	if to != Raw && to != ASN1 || from < Raw || from > Any {
		return 0, InvalidArgument
	}
	r, s, code := readSignature(from, signature)
	if code != OK {
		return 0, code
	}
	if to == Raw {
		r.FillBytes(out[:32])
		s.FillBytes(out[32:64])
		return 64, OK
	}
	var b cryptobyte.Builder
	b.AddASN1(asn1.SEQUENCE, func(b *cryptobyte.Builder) {
		b.AddASN1BigInt(r)
		b.AddASN1BigInt(s)
	})
	return copy(out[:], b.BytesOrPanic()), OK
}

// readSignature reads r and s: both from 1 to n - 1, with a sum that is not n.
func readSignature(form Form, signature []byte) (r, s *big.Int, code Code) {
	r, s = new(big.Int), new(big.Int)
	switch {
	case form == Raw || form == Any && len(signature) == 64:
		if len(signature) != 64 {
			return nil, nil, SignatureEncoding
		}
		r.SetBytes(signature[:32])
		s.SetBytes(signature[32:])
	case form == LenientDER:
		if !lenient(signature, r, s) {
			return nil, nil, SignatureEncoding
		}
	case form == ASN1 || form == Any:
		var inner cryptobyte.String
		input := cryptobyte.String(signature)
		if !input.ReadASN1(&inner, asn1.SEQUENCE) || !input.Empty() ||
			!inner.ReadASN1Integer(r) || !inner.ReadASN1Integer(s) || !inner.Empty() {
			return nil, nil, SignatureEncoding
		}
	default:
		return nil, nil, InvalidArgument
	}
	n := sm2.P256().Params().N
	sum := new(big.Int).Add(r, s)
	if r.Sign() <= 0 || s.Sign() <= 0 || r.Cmp(n) >= 0 || s.Cmp(n) >= 0 || sum.Cmp(n) == 0 {
		return nil, nil, SignatureEncoding
	}
	return r, s, OK
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

func cacheStats(h *Handle) (CacheStats, Code) {
	c, code := valueOf[*cache](h)
	if code != OK {
		return CacheStats{}, code
	}
	return CacheStats{Misses: c.misses.Load()}, OK
}

func cacheUse(h *Handle, uses int) Code {
	c, code := valueOf[*cache](h)
	if code == OK {
		c.misses.Add(uint64(uses))
	}
	return code
}

// SM2CacheNew is a cache without tables.
func SM2CacheNew(int) (*Handle, Code) { return newHandle(new(cache)), OK }

// SM2CacheVerify is SM2Verify.
func SM2CacheVerify(cache, key *Handle, message []byte, form Form, signature []byte) Code {
	if code := cacheUse(cache, 1); code != OK {
		return code
	}
	return SM2Verify(key, message, form, signature)
}

// SM2CacheVerifyDigest is SM2VerifyDigest.
func SM2CacheVerifyDigest(cache, key *Handle, digest *[32]byte, form Form, signature []byte) Code {
	if code := cacheUse(cache, 1); code != OK {
		return code
	}
	return SM2VerifyDigest(key, digest, form, signature)
}

// SM2CacheStats is what a cache has done.
func SM2CacheStats(h *Handle) (CacheStats, Code) { return cacheStats(h) }

// SM2CacheClear has nothing to drop.
func SM2CacheClear(h *Handle) Code {
	_, code := valueOf[*cache](h)
	return code
}

// A pool counts its uses: gmsm computes no nonces ahead of time.
type pool struct{ missed atomic.Uint64 }

// SM2PoolNew is a pool without nonces.
func SM2PoolNew(int) (*Handle, Code) { return newHandle(new(pool)), OK }

// SM2PoolSign is SM2Sign.
func SM2PoolSign(h, key *Handle, message []byte, form Form, out *[SM2SignatureMax]byte) (int, Code) {
	p, code := valueOf[*pool](h)
	if code != OK {
		return 0, code
	}
	p.missed.Add(1)
	return SM2Sign(key, message, false, form, out)
}

// SM2PoolSignDigest is SM2SignDigest.
func SM2PoolSignDigest(h, key *Handle, digest *[32]byte, form Form, out *[SM2SignatureMax]byte) (int, Code) {
	p, code := valueOf[*pool](h)
	if code != OK {
		return 0, code
	}
	p.missed.Add(1)
	return SM2SignDigest(key, digest, false, form, out)
}

// SM2PoolStats is what a pool has done.
func SM2PoolStats(h *Handle) (PoolStats, Code) {
	p, code := valueOf[*pool](h)
	if code != OK {
		return PoolStats{}, code
	}
	return PoolStats{Missed: p.missed.Load()}, OK
}

// SM2SignBatch makes n signatures of 64 bytes, one after another, which done gets in order.
func SM2SignBatch(n int, item func(int) SignItem, done func(item int, code Code, signature []byte)) {
	var out [SM2SignatureMax]byte
	for i := range n {
		var code Code
		switch it := item(i); {
		case !it.IsDigest:
			_, code = SM2Sign(it.Key, it.Content, false, Raw, &out)
		case len(it.Content) == 32:
			digest := [32]byte(it.Content)
			_, code = SM2SignDigest(it.Key, &digest, false, Raw, &out)
		default:
			code = InvalidArgument
		}
		done(i, code, out[:64])
	}
}

// SM2VerifyBatch verifies n signatures, one after another. done gets the results in order.
func SM2VerifyBatch(cache *Handle, n int, item func(int) VerifyItem, done func(item int, code Code)) Code {
	if cache != nil {
		if code := cacheUse(cache, n); code != OK {
			return code
		}
	}
	for i := range n {
		switch it := item(i); {
		case !it.IsDigest:
			done(i, SM2Verify(it.Key, it.Content, it.Form, Once(it.Signature)))
		case len(it.Content) == 32:
			digest := [32]byte(it.Content)
			done(i, SM2VerifyDigest(it.Key, &digest, it.Form, Once(it.Signature)))
		default:
			done(i, InvalidArgument)
		}
	}
	return OK
}
