//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

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
)

// SM3Sum is the digest of data.
func SM3Sum(data []byte, digest *[32]byte) { *digest = sm3.Sum(data) }

// SM3Compress runs the compression function over whole blocks: gmsm's hash goes on from a saved state, and saves its own.
func SM3Compress(state *[32]byte, blocks []byte) {
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

// SM3SumMany hashes n messages.
func SM3SumMany(n int, message func(int) []byte, done func(item int, digest []byte)) Code {
	for i := range n {
		digest := sm3.Sum(message(i))
		done(i, digest[:])
	}
	return OK
}

// SM3KDF fills out with the key derivation function's output for a secret.
func SM3KDF(secret, out []byte) Code {
	if len(out) == 0 {
		return OK
	}
	copy(out, sm3.Kdf(secret, len(out)))
	return OK
}

// HMACSum is the HMAC of data under a key.
func HMACSum(key, data []byte, mac *[32]byte) {
	key = Once(key)
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
func HMACNew(key []byte) (*Handle, Code) {
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
	return newHandle(&m), OK
}

// HMACClone is a copy of an HMAC in progress.
func HMACClone(h *Handle) (*Handle, Code) {
	m, code := valueOf[*mac](h)
	if code != OK {
		return nil, code
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	state, err := m.inner.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		return nil, Internal
	}
	clone := &mac{inner: sm3.New(), iKey: m.iKey, oKey: m.oKey}
	if err := clone.inner.(encoding.BinaryUnmarshaler).UnmarshalBinary(state); err != nil {
		return nil, Internal
	}
	return newHandle(clone), OK
}

// HMACUpdate absorbs data.
func HMACUpdate(h *Handle, data []byte) Code {
	m, code := valueOf[*mac](h)
	if code != OK {
		return code
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.inner.Write(data)
	return OK
}

// HMACFinish is the HMAC of all that was absorbed, which is then forgotten.
func HMACFinish(h *Handle, out *[32]byte) Code {
	m, code := valueOf[*mac](h)
	if code != OK {
		return code
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	outer := sm3.New()
	outer.Write(m.oKey[:])
	outer.Write(m.inner.Sum(nil))
	outer.Sum(out[:0])
	m.begin()
	return OK
}

// SecretNew is a copy of bytes.
func SecretNew(secret []byte) *Handle {
	return newHandle(append([]byte{}, secret...))
}

// sm4Block is gmsm's cipher for a key.
func sm4Block(h *Handle) (cipher.Block, Code) {
	key, code := valueOf[[]byte](h)
	if code != OK {
		return nil, code
	}
	block, err := sm4.NewCipher(key)
	if err != nil {
		return nil, KeyLength
	}
	return block, OK
}

// SM4New is a key for single blocks.
func SM4New(key *Handle) (*Handle, Code) {
	block, code := sm4Block(key)
	if code != OK {
		return nil, code
	}
	return newHandle(block), OK
}

// SM4Blocks encrypts or decrypts blocks, each on its own.
func SM4Blocks(h *Handle, decrypt bool, dst, src []byte) Code {
	block, code := valueOf[cipher.Block](h)
	if code != OK {
		return code
	}
	if len(src)%sm4.BlockSize != 0 {
		return PartialBlock
	}
	for ; len(src) > 0; dst, src = dst[sm4.BlockSize:], src[sm4.BlockSize:] {
		if decrypt {
			block.Decrypt(dst, src)
		} else {
			block.Encrypt(dst, src)
		}
	}
	return OK
}

// SM4CBCNew is a key for CBC.
func SM4CBCNew(key *Handle) (*Handle, Code) { return SM4New(key) }

// SM4CBC encrypts or decrypts blocks in CBC.
func SM4CBC(h *Handle, decrypt bool, iv *[16]byte, dst, src []byte) Code {
	block, code := valueOf[cipher.Block](h)
	if code != OK {
		return code
	}
	if len(src)%sm4.BlockSize != 0 {
		return PartialBlock
	}
	if decrypt {
		cipher.NewCBCDecrypter(block, iv[:]).CryptBlocks(dst, src)
	} else {
		cipher.NewCBCEncrypter(block, iv[:]).CryptBlocks(dst, src)
	}
	return OK
}

// SM4CTRNew is a key stream.
func SM4CTRNew(key *Handle, iv *[16]byte) (*Handle, Code) {
	block, code := sm4Block(key)
	if code != OK {
		return nil, code
	}
	return newHandle(cipher.NewCTR(block, iv[:])), OK
}

// SM4CTR encrypts or decrypts the next bytes.
func SM4CTR(h *Handle, dst, src []byte) Code {
	stream, code := valueOf[cipher.Stream](h)
	if code != OK {
		return code
	}
	stream.XORKeyStream(dst, src)
	return OK
}

// SM4GCMNew is a key for GCM.
func SM4GCMNew(key *Handle) (*Handle, Code) { return SM4New(key) }

func gcm(h *Handle, nonce []byte) (cipher.AEAD, Code) {
	block, code := valueOf[cipher.Block](h)
	if code != OK {
		return nil, code
	}
	if len(nonce) == 0 {
		return nil, EmptyNonce
	}
	aead, err := cipher.NewGCMWithNonceSize(block, len(nonce))
	if err != nil {
		return nil, Internal
	}
	return aead, OK
}

// SM4GCMSeal encrypts src to dst, which may be the same, and writes the tag.
func SM4GCMSeal(h *Handle, nonce, beside, src, dst []byte, tag *[16]byte) Code {
	aead, code := gcm(h, nonce)
	if code != OK {
		return code
	}
	sealed := aead.Seal(nil, nonce, src, beside)
	copy(tag[:], sealed[copy(dst, sealed[:len(src)]):])
	return OK
}

// SM4GCMOpen decrypts src to dst, which may be the same, if the tag is right.
func SM4GCMOpen(h *Handle, nonce, beside, src, dst []byte, tag *[16]byte) Code {
	aead, code := gcm(h, nonce)
	if code != OK {
		return code
	}
	opened, err := aead.Open(nil, nonce, append(append([]byte{}, src...), tag[:]...), beside)
	if err != nil {
		return DecryptionFailed
	}
	copy(dst, opened)
	return OK
}

// An xts is a key for XTS.
type xts struct {
	key  [32]byte
	ieee bool
}

// SM4XTSNew is a key of 32 bytes for XTS, by GB/T 17964 or by IEEE 1619.
func SM4XTSNew(key []byte, ieee bool) (*Handle, Code) {
	if len(key) != 32 {
		return nil, KeyLength
	}
	if hmac.Equal(key[:16], key[16:]) {
		return nil, EqualHalves
	}
	return newHandle(&xts{key: [32]byte(key), ieee: ieee}), OK
}

// SM4XTS encrypts or decrypts a sector of at least 16 bytes.
func SM4XTS(h *Handle, decrypt bool, tweak *[16]byte, dst, src []byte) Code {
	x, code := valueOf[*xts](h)
	if code != OK {
		return code
	}
	if len(src) < sm4.BlockSize {
		return DataTooShort
	}
	create := map[[2]bool]func(gmsm.CipherCreator, []byte, []byte, []byte) (cipher.BlockMode, error){
		{false, false}: gmsm.NewGBXTSEncrypter,
		{false, true}:  gmsm.NewGBXTSDecrypter,
		{true, false}:  gmsm.NewXTSEncrypter,
		{true, true}:   gmsm.NewXTSDecrypter,
	}[[2]bool{x.ieee, decrypt}]
	mode, err := create(sm4.NewCipher, x.key[:16], x.key[16:], tweak[:])
	if err != nil {
		return Internal
	}
	mode.CryptBlocks(dst, src)
	return OK
}
