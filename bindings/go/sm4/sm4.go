// Package sm4 is the block cipher SM4 (GB/T 32907-2016) with the modes GCM, CTR, CBC and XTS (GB/T 17964).
//
// NewCipher works with package crypto/cipher: cipher.NewGCM, cipher.NewCTR, cipher.NewCBCEncrypter and cipher.NewCBCDecrypter use the
// fast modes of a Block.
package sm4

import (
	"bytes"
	"crypto/cipher"

	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
	"github.com/kuaimi/kuaimi/bindings/go/internal/overlap"
)

const (
	// BlockSize is the length of a block in bytes.
	BlockSize = 16
	// KeySize is the length of a key in bytes.
	KeySize = 16
)

// A Block is a key of SM4, in C's memory. It implements cipher.Block. Its methods panic after Close, as those of crypto/cipher cannot
// return an error.
type Block struct {
	key    *core.Handle
	blocks *core.Handle
}

// NewCipher makes a cipher with a key of 16 bytes.
func NewCipher(key []byte) (*Block, error) {
	if len(key) != KeySize {
		return nil, fault.Of(core.KeyLength)
	}
	secret := core.SecretNew(key)
	blocks, code := core.SM4New(secret)
	if code != core.OK {
		secret.Close()
		return nil, fault.Of(code)
	}
	return &Block{key: secret, blocks: blocks}, nil
}

// BlockSize is 16.
func (b *Block) BlockSize() int { return BlockSize }

// Encrypt encrypts the first block of src to dst. They may be the same; it panics if they overlap otherwise, or if one of them is
// shorter than a block.
func (b *Block) Encrypt(dst, src []byte) { b.one(false, dst, src) }

// Decrypt is the inverse of Encrypt.
func (b *Block) Decrypt(dst, src []byte) { b.one(true, dst, src) }

func (b *Block) one(decrypt bool, dst, src []byte) {
	if len(src) < BlockSize || len(dst) < BlockSize {
		panic("sm4: a block has 16 bytes")
	}
	dst, src = dst[:BlockSize], src[:BlockSize]
	checkOverlap(dst, src)
	must(core.SM4Blocks(b.blocks, decrypt, dst, src))
}

// checkOverlap panics where an output overlaps an input but does not begin with it, as crypto/cipher does: the result would be wrong.
func checkOverlap(out, in []byte) {
	if overlap.Inexact(out, in) {
		panic("sm4: invalid buffer overlap of output and input")
	}
}

// must is for functions that cannot return an error.
func must(code core.Code) {
	if code != core.OK {
		panic("sm4: " + fault.Of(code).Error())
	}
}

// Close wipes the key. Modes that were made from it stay open.
func (b *Block) Close() {
	if b != nil {
		b.key.Close()
		b.blocks.Close()
	}
}

// NewCTR is a key stream for CTR, which cipher.NewCTR calls. The first counter is the 16 bytes of iv.
func (b *Block) NewCTR(iv []byte) cipher.Stream {
	if len(iv) != BlockSize {
		panic("sm4: the counter has 16 bytes")
	}
	h, code := core.SM4CTRNew(b.key, (*[BlockSize]byte)(iv))
	must(code)
	return &stream{h: h}
}

type stream struct{ h *core.Handle }

// XORKeyStream encrypts or decrypts the next bytes.
func (s *stream) XORKeyStream(dst, src []byte) {
	if len(dst) < len(src) {
		panic("sm4: the output is shorter than the input")
	}
	checkOverlap(dst[:len(src)], src)
	must(core.SM4CTR(s.h, dst[:len(src)], src))
}

// NewCBCEncrypter is CBC, which cipher.NewCBCEncrypter calls.
func (b *Block) NewCBCEncrypter(iv []byte) cipher.BlockMode { return b.newCBC(false, iv) }

// NewCBCDecrypter is CBC, which cipher.NewCBCDecrypter calls.
func (b *Block) NewCBCDecrypter(iv []byte) cipher.BlockMode { return b.newCBC(true, iv) }

func (b *Block) newCBC(decrypt bool, iv []byte) cipher.BlockMode {
	if len(iv) != BlockSize {
		panic("sm4: the initial value has 16 bytes")
	}
	h, code := core.SM4CBCNew(b.key)
	must(code)
	return &cbc{h: h, decrypt: decrypt, iv: [BlockSize]byte(iv)}
}

type cbc struct {
	h       *core.Handle
	decrypt bool
	iv      [BlockSize]byte
}

// BlockSize is 16.
func (c *cbc) BlockSize() int { return BlockSize }

// CryptBlocks encrypts or decrypts whole blocks.
func (c *cbc) CryptBlocks(dst, src []byte) {
	if len(src)%BlockSize != 0 {
		panic("sm4: the input is not whole blocks")
	}
	if len(dst) < len(src) {
		panic("sm4: the output is shorter than the input")
	}
	if len(src) == 0 {
		return
	}
	checkOverlap(dst[:len(src)], src)
	next := [BlockSize]byte(src[len(src)-BlockSize:])
	must(core.SM4CBC(c.h, c.decrypt, &c.iv, dst[:len(src)], src))
	if !c.decrypt {
		next = [BlockSize]byte(dst[len(src)-BlockSize : len(src)])
	}
	c.iv = next
}

// SetIV begins a new message.
func (c *cbc) SetIV(iv []byte) {
	if len(iv) != BlockSize {
		panic("sm4: the initial value has 16 bytes")
	}
	c.iv = [BlockSize]byte(iv)
}

// NewGCM is GCM, which cipher.NewGCM calls. Tags shorter than 16 bytes are computed by crypto/cipher.
func (b *Block) NewGCM(nonceSize, tagSize int) (cipher.AEAD, error) {
	if tagSize != TagSize {
		// Without the method NewGCM.
		return cipher.NewGCMWithTagSize(struct{ cipher.Block }{b}, tagSize)
	}
	h, code := core.SM4GCMNew(b.key)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	return newAEAD(h, nonceSize)
}

// TagSize is the length of the tag of GCM.
const TagSize = 16

// An AEAD is a key for GCM, in C's memory. It implements cipher.AEAD.
type AEAD struct {
	h         *core.Handle
	nonceSize int
}

// NewGCM is GCM with nonces of 12 bytes and a key of 16 bytes.
func NewGCM(key []byte) (*AEAD, error) {
	if len(key) != KeySize {
		return nil, fault.Of(core.KeyLength)
	}
	secret := core.SecretNew(key)
	defer secret.Close()
	h, code := core.SM4GCMNew(secret)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	return newAEAD(h, 12)
}

func newAEAD(h *core.Handle, nonceSize int) (*AEAD, error) {
	if nonceSize <= 0 {
		h.Close()
		return nil, fault.Of(core.EmptyNonce)
	}
	return &AEAD{h: h, nonceSize: nonceSize}, nil
}

// NonceSize is the length of a nonce.
func (a *AEAD) NonceSize() int { return a.nonceSize }

// Overhead is 16, the length of the tag.
func (a *AEAD) Overhead() int { return TagSize }

// Seal appends the ciphertext and its tag to dst, as cipher.AEAD says. Never use a nonce twice with a key. Seal and Open panic where
// those of crypto/cipher do: what they append must not overlap additionalData, nor the input unless both start at the same place.
func (a *AEAD) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	a.checkNonce(nonce)
	whole, out := grow(dst, len(plaintext)+TagSize)
	nonce = checkOverlaps(out, nonce, plaintext, additionalData)
	var tag [TagSize]byte
	must(core.SM4GCMSeal(a.h, nonce, additionalData, plaintext, out[:len(plaintext)], &tag))
	copy(out[len(plaintext):], tag[:])
	return whole
}

// Open appends the plaintext to dst, as cipher.AEAD says, if the tag is right. Otherwise the error is kuaimi.ErrDecryptionFailed.
func (a *AEAD) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	a.checkNonce(nonce)
	if len(ciphertext) < TagSize {
		return nil, fault.Of(core.DecryptionFailed)
	}
	end := len(ciphertext) - TagSize
	tag := [TagSize]byte(ciphertext[end:])
	whole, out := grow(dst, end)
	nonce = checkOverlaps(out, nonce, ciphertext, additionalData)
	if code := core.SM4GCMOpen(a.h, nonce, additionalData, ciphertext[:end], out, &tag); code != core.OK {
		clear(out)
		return nil, fault.Of(code)
	}
	return whole, nil
}

// checkOverlaps gives the nonce in memory that the output leaves as it is: crypto/cipher takes one that is written over, too.
func checkOverlaps(out, nonce, in, additionalData []byte) []byte {
	checkOverlap(out, in)
	if overlap.Any(out, additionalData) {
		panic("sm4: invalid buffer overlap of output and additional data")
	}
	if overlap.Any(out, nonce) {
		return bytes.Clone(nonce)
	}
	return nonce
}

func (a *AEAD) checkNonce(nonce []byte) {
	if len(nonce) != a.nonceSize {
		panic("sm4: the nonce has another length than the AEAD takes")
	}
}

// Close wipes the key.
func (a *AEAD) Close() {
	if a != nil {
		a.h.Close()
	}
}

// grow is dst with room for more bytes, and that room.
func grow(dst []byte, more int) (whole, room []byte) {
	if total := len(dst) + more; cap(dst) >= total {
		whole = dst[:total]
	} else {
		whole = make([]byte, total)
		copy(whole, dst)
	}
	return whole, whole[len(dst):]
}
