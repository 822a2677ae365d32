//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package gmsm

import (
	"crypto/cipher"
	"crypto/hmac"
	"encoding"
	"encoding/binary"
	"hash"
	"sync"

	gmsm "github.com/emmansun/gmsm/cipher"
	"github.com/emmansun/gmsm/sm3"
	"github.com/emmansun/gmsm/sm4"

	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
)

// SM3Sum is the digest of data.
func (functions) SM3Sum(data []byte, digest *[32]byte) { *digest = sm3.Sum(data) }

// SM3Compress runs the compression function over whole blocks: gmsm's hash goes on from a saved state, and saves its own.
func (functions) SM3Compress(state *[32]byte, blocks []byte) {
	const name = "sm3\x03"
	saved := make([]byte, 0, len(name)+32+64+8)
	saved = append(append(saved, name...), state[:]...)
	saved = binary.BigEndian.AppendUint64(append(saved, make([]byte, 64)...), 0)
	h := sm3.New()
	// gmsm reads what it writes.
	if err := h.(encoding.BinaryUnmarshaler).UnmarshalBinary(saved); err != nil {
		panic(err)
	}
	h.Write(blocks)
	after, err := h.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		panic(err)
	}
	copy(state[:], after[len(name):])
}

// SM3SumBatch hashes n messages.
func (functions) SM3SumBatch(n int, message func(int) []byte, done func(item int, digest []byte)) core.Code {
	for i := range n {
		digest := sm3.Sum(message(i))
		done(i, digest[:])
	}
	return core.OK
}

// SM3KDF fills out with the key derivation function's output for a secret.
func (functions) SM3KDF(secret, out []byte) core.Code {
	if len(out) == 0 {
		return core.OK
	}
	copy(out, sm3.Kdf(secret, len(out)))
	return core.OK
}

// HMACSum is the HMAC of data under a key.
func (functions) HMACSum(key, data []byte, mac *[32]byte) {
	key = core.Once(key)
	defer clear(key)
	h := hmac.New(sm3.New, key)
	h.Write(data)
	h.Sum(mac[:0])
}

// A mac is an HMAC in progress (RFC 2104). It is not crypto/hmac's, as gmsm's hash cannot be cloned there.
type mac struct {
	mutex      sync.Mutex
	inner      hash.Hash
	iKey, oKey [64]byte
}

// begin starts a message.
func (m *mac) begin() {
	m.inner = sm3.New()
	m.inner.Write(m.iKey[:])
}

// HMACNew is an HMAC in progress.
func (functions) HMACNew(key []byte) (*core.Handle, core.Code) {
	var m mac
	if len(key) > len(m.iKey) {
		digest := sm3.Sum(key)
		key = digest[:]
	}
	copy(m.iKey[:], key)
	copy(m.oKey[:], key)
	for i := range m.iKey {
		m.iKey[i] ^= 0x36
		m.oKey[i] ^= 0x5c
	}
	m.begin()
	return core.NewHandle(&m), core.OK
}

// HMACClone is a copy of an HMAC in progress.
func (functions) HMACClone(h *core.Handle) (*core.Handle, core.Code) {
	m, code := valueOf[*mac](h)
	if code != core.OK {
		return nil, code
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	state, err := m.inner.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		return nil, core.Internal
	}
	clone := &mac{inner: sm3.New(), iKey: m.iKey, oKey: m.oKey}
	if err := clone.inner.(encoding.BinaryUnmarshaler).UnmarshalBinary(state); err != nil {
		return nil, core.Internal
	}
	return core.NewHandle(clone), core.OK
}

// HMACUpdate absorbs data.
func (functions) HMACUpdate(h *core.Handle, data []byte) core.Code {
	m, code := valueOf[*mac](h)
	if code != core.OK {
		return code
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.inner.Write(data)
	return core.OK
}

// HMACFinish is the HMAC of all that was absorbed, which is then forgotten.
func (functions) HMACFinish(h *core.Handle, out *[32]byte) core.Code {
	m, code := valueOf[*mac](h)
	if code != core.OK {
		return code
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	outer := sm3.New()
	outer.Write(m.oKey[:])
	outer.Write(m.inner.Sum(nil))
	outer.Sum(out[:0])
	m.begin()
	return core.OK
}

// SecretNew is a copy of bytes.
func (functions) SecretNew(secret []byte) *core.Handle {
	return core.NewHandle(append([]byte{}, secret...))
}

// sm4Block is gmsm's cipher for a key.
func sm4Block(h *core.Handle) (cipher.Block, core.Code) {
	key, code := valueOf[[]byte](h)
	if code != core.OK {
		return nil, code
	}
	block, err := sm4.NewCipher(key)
	if err != nil {
		return nil, core.KeyLength
	}
	return block, core.OK
}

// SM4New is a key for single blocks.
func (functions) SM4New(key *core.Handle) (*core.Handle, core.Code) {
	block, code := sm4Block(key)
	if code != core.OK {
		return nil, code
	}
	return core.NewHandle(block), core.OK
}

// SM4Blocks encrypts or decrypts blocks, each on its own.
func (functions) SM4Blocks(h *core.Handle, decrypt bool, dst, src []byte) core.Code {
	block, code := valueOf[cipher.Block](h)
	if code != core.OK {
		return code
	}
	if len(src)%sm4.BlockSize != 0 {
		return core.PartialBlock
	}
	for ; len(src) > 0; dst, src = dst[sm4.BlockSize:], src[sm4.BlockSize:] {
		if decrypt {
			block.Decrypt(dst, src)
		} else {
			block.Encrypt(dst, src)
		}
	}
	return core.OK
}

// SM4CBCNew is a key for CBC.
func (f functions) SM4CBCNew(key *core.Handle) (*core.Handle, core.Code) { return f.SM4New(key) }

// SM4CBC encrypts or decrypts blocks in CBC.
func (functions) SM4CBC(h *core.Handle, decrypt bool, iv *[16]byte, dst, src []byte) core.Code {
	block, code := valueOf[cipher.Block](h)
	if code != core.OK {
		return code
	}
	if len(src)%sm4.BlockSize != 0 {
		return core.PartialBlock
	}
	if decrypt {
		cipher.NewCBCDecrypter(block, iv[:]).CryptBlocks(dst, src)
	} else {
		cipher.NewCBCEncrypter(block, iv[:]).CryptBlocks(dst, src)
	}
	return core.OK
}

// SM4CTRNew is a key stream.
func (functions) SM4CTRNew(key *core.Handle, iv *[16]byte) (*core.Handle, core.Code) {
	block, code := sm4Block(key)
	if code != core.OK {
		return nil, code
	}
	return core.NewHandle(cipher.NewCTR(block, iv[:])), core.OK
}

// SM4CTR encrypts or decrypts the next bytes.
func (functions) SM4CTR(h *core.Handle, dst, src []byte) core.Code {
	stream, code := valueOf[cipher.Stream](h)
	if code != core.OK {
		return code
	}
	stream.XORKeyStream(dst, src)
	return core.OK
}

// SM4GCMNew is a key for GCM.
func (f functions) SM4GCMNew(key *core.Handle) (*core.Handle, core.Code) { return f.SM4New(key) }

func gcm(h *core.Handle, nonce []byte) (cipher.AEAD, core.Code) {
	block, code := valueOf[cipher.Block](h)
	if code != core.OK {
		return nil, code
	}
	return gcmOf(block, nonce)
}

func gcmOf(block cipher.Block, nonce []byte) (cipher.AEAD, core.Code) {
	if len(nonce) == 0 {
		return nil, core.EmptyNonce
	}
	aead, err := cipher.NewGCMWithNonceSize(block, len(nonce))
	if err != nil {
		return nil, core.Internal
	}
	return aead, core.OK
}

// SM4GCMSeal encrypts src to dst, which may be the same, and writes the tag.
func (functions) SM4GCMSeal(h *core.Handle, nonce, beside, src, dst []byte, tag *[16]byte) core.Code {
	aead, code := gcm(h, nonce)
	if code != core.OK {
		return code
	}
	sealed := aead.Seal(nil, nonce, src, beside)
	copy(tag[:], sealed[copy(dst, sealed[:len(src)]):])
	return core.OK
}

// SM4GCMOpen decrypts src to dst, which may be the same, if the tag is right.
func (functions) SM4GCMOpen(h *core.Handle, nonce, beside, src, dst []byte, tag *[16]byte) core.Code {
	aead, code := gcm(h, nonce)
	if code != core.OK {
		return code
	}
	opened, err := aead.Open(nil, nonce, append(append([]byte{}, src...), tag[:]...), beside)
	if err != nil {
		return core.DecryptionFailed
	}
	copy(dst, opened)
	return core.OK
}

// gcmItem is gmsm's cipher for an item of a batch.
func gcmItem(it core.GCMItem) (cipher.AEAD, core.Code) {
	if len(it.Key) != sm4.BlockSize {
		return nil, core.KeyLength
	}
	block, err := sm4.NewCipher(core.Once(it.Key))
	if err != nil {
		return nil, core.KeyLength
	}
	return gcmOf(block, it.Nonce)
}

// SM4GCMSealBatch encrypts n messages, one after another. done gets each with its tag behind it.
func (functions) SM4GCMSealBatch(n int, item func(int) core.GCMItem, done func(item int, code core.Code, sealed []byte)) {
	for i := range n {
		it := item(i)
		aead, code := gcmItem(it)
		if code != core.OK {
			done(i, code, nil)
			continue
		}
		done(i, core.OK, aead.Seal(nil, it.Nonce, it.Data, it.Beside))
	}
}

// SM4GCMOpenBatch decrypts n messages, one after another, each with its tag behind it.
func (functions) SM4GCMOpenBatch(n int, item func(int) core.GCMItem, done func(item int, code core.Code, opened []byte)) {
	for i := range n {
		it := item(i)
		aead, code := gcmItem(it)
		switch {
		case len(it.Data) < 16 && code != core.KeyLength:
			done(i, core.DecryptionFailed, nil)
		case code != core.OK:
			done(i, code, nil)
		default:
			// A copy, read once; the message is not nil, also if it is empty.
			opened, err := aead.Open(make([]byte, 0, len(it.Data)), it.Nonce, core.Once(it.Data), it.Beside)
			if err != nil {
				opened, code = nil, core.DecryptionFailed
			}
			done(i, code, opened)
		}
	}
}

// An xts is a key for XTS.
type xts struct {
	key  [32]byte
	ieee bool
}

// SM4XTSNew is a key of 32 bytes for XTS, by GB/T 17964 or by IEEE 1619.
func (functions) SM4XTSNew(key []byte, ieee bool) (*core.Handle, core.Code) {
	if len(key) != 32 {
		return nil, core.KeyLength
	}
	if hmac.Equal(key[:16], key[16:]) {
		return nil, core.EqualHalves
	}
	return core.NewHandle(&xts{key: [32]byte(key), ieee: ieee}), core.OK
}

// SM4XTS encrypts or decrypts a sector of at least 16 bytes.
func (functions) SM4XTS(h *core.Handle, decrypt bool, tweak *[16]byte, dst, src []byte) core.Code {
	x, code := valueOf[*xts](h)
	if code != core.OK {
		return code
	}
	if len(src) < sm4.BlockSize {
		return core.DataTooShort
	}
	create := map[[2]bool]func(gmsm.CipherCreator, []byte, []byte, []byte) (cipher.BlockMode, error){
		{false, false}: gmsm.NewGBXTSEncrypter,
		{false, true}:  gmsm.NewGBXTSDecrypter,
		{true, false}:  gmsm.NewXTSEncrypter,
		{true, true}:   gmsm.NewXTSDecrypter,
	}[[2]bool{x.ieee, decrypt}]
	mode, err := create(sm4.NewCipher, x.key[:16], x.key[16:], tweak[:])
	if err != nil {
		return core.Internal
	}
	mode.CryptBlocks(dst, src)
	return core.OK
}
