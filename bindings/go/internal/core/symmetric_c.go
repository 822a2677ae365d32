//go:build cgo && !purego && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

/*
#cgo noescape kuaimi_sm3_digest
#cgo nocallback kuaimi_sm3_digest
#cgo noescape kuaimi_sm3_compress
#cgo nocallback kuaimi_sm3_compress
#cgo noescape kuaimi_sm3_kdf
#cgo nocallback kuaimi_sm3_kdf
#cgo noescape kuaimi_hmac_sm3_digest
#cgo nocallback kuaimi_hmac_sm3_digest
#cgo noescape kuaimi_hmac_sm3_update
#cgo nocallback kuaimi_hmac_sm3_update
#cgo noescape kuaimi_hmac_sm3_finish
#cgo nocallback kuaimi_hmac_sm3_finish
#cgo noescape kuaimi_sm4_ecb_encrypt
#cgo nocallback kuaimi_sm4_ecb_encrypt
#cgo noescape kuaimi_sm4_ecb_decrypt
#cgo nocallback kuaimi_sm4_ecb_decrypt
#cgo noescape kuaimi_sm4_cbc_encrypt
#cgo nocallback kuaimi_sm4_cbc_encrypt
#cgo noescape kuaimi_sm4_cbc_decrypt
#cgo nocallback kuaimi_sm4_cbc_decrypt
#cgo noescape kuaimi_sm4_ctr_apply
#cgo nocallback kuaimi_sm4_ctr_apply
#cgo noescape kuaimi_sm4_gcm_seal
#cgo nocallback kuaimi_sm4_gcm_seal
#cgo noescape kuaimi_sm4_gcm_open
#cgo nocallback kuaimi_sm4_gcm_open
#cgo noescape kuaimi_sm4_xts_encrypt
#cgo nocallback kuaimi_sm4_xts_encrypt
#cgo noescape kuaimi_sm4_xts_decrypt
#cgo nocallback kuaimi_sm4_xts_decrypt
#include <stdlib.h>
#include <string.h>
#include "kuaimi.h"
*/
import "C"

import "unsafe"

// SM3Sum is the digest of data.
func SM3Sum(data []byte, digest *[32]byte) {
	C.kuaimi_sm3_digest(bytes(data), size(data), bytes(digest[:]))
}

// SM3Compress runs the compression function over whole blocks.
func SM3Compress(state *[32]byte, blocks []byte) {
	C.kuaimi_sm3_compress(bytes(state[:]), bytes(blocks), size(blocks)/64)
}

// SM3KDF fills out with the key derivation function's output for a secret.
func SM3KDF(secret, out []byte) Code {
	return Code(C.kuaimi_sm3_kdf(bytes(secret), size(secret), bytes(out), size(out)))
}

// HMACSum is the HMAC of data under a key.
func HMACSum(key, data []byte, mac *[32]byte) {
	C.kuaimi_hmac_sm3_digest(bytes(key), size(key), bytes(data), size(data), bytes(mac[:]))
}

// HMACNew is an HMAC in progress.
func HMACNew(key []byte) (*Handle, Code) {
	return newHMAC(func(out **C.kuaimi_hmac_sm3) C.kuaimi_error {
		return C.kuaimi_hmac_sm3_new(bytes(key), size(key), out)
	})
}

// HMACClone is a copy of an HMAC in progress.
func HMACClone(hmac *Handle) (*Handle, Code) {
	if !hmac.acquire() {
		return nil, Closed
	}
	defer hmac.release()
	return newHMAC(func(out **C.kuaimi_hmac_sm3) C.kuaimi_error {
		return C.kuaimi_hmac_sm3_clone((*C.kuaimi_hmac_sm3)(hmac.pointer), out)
	})
}

func newHMAC(create func(out **C.kuaimi_hmac_sm3) C.kuaimi_error) (*Handle, Code) {
	return newHandle(func(p unsafe.Pointer) {
		C.kuaimi_hmac_sm3_free((*C.kuaimi_hmac_sm3)(p))
	}, func(out *unsafe.Pointer) C.kuaimi_error {
		return create((**C.kuaimi_hmac_sm3)(unsafe.Pointer(out)))
	})
}

// HMACUpdate absorbs data.
func HMACUpdate(hmac *Handle, data []byte) Code {
	if !hmac.acquire() {
		return Closed
	}
	code := C.kuaimi_hmac_sm3_update((*C.kuaimi_hmac_sm3)(hmac.pointer), bytes(data), size(data))
	hmac.release()
	return Code(code)
}

// HMACFinish is the HMAC of all that was absorbed, which is then forgotten.
func HMACFinish(hmac *Handle, mac *[32]byte) Code {
	if !hmac.acquire() {
		return Closed
	}
	code := C.kuaimi_hmac_sm3_finish((*C.kuaimi_hmac_sm3)(hmac.pointer), bytes(mac[:]))
	hmac.release()
	return Code(code)
}

// SecretNew is a copy of bytes in C's memory.
func SecretNew(secret []byte) *Handle {
	length := size(secret)
	// The code is always OK.
	h, _ := newHandle(func(p unsafe.Pointer) {
		C.kuaimi_wipe((*C.uint8_t)(p), length)
		C.free(p)
	}, func(out *unsafe.Pointer) C.kuaimi_error {
		*out = C.malloc(length)
		copy(unsafe.Slice((*byte)(*out), length), secret)
		return 0
	})
	return h
}

// SM4New is a key for single blocks.
func SM4New(key *Handle) (*Handle, Code) {
	if !key.acquire() {
		return nil, Closed
	}
	defer key.release()
	return newHandle(func(p unsafe.Pointer) {
		C.kuaimi_sm4_free((*C.kuaimi_sm4)(p))
	}, func(out *unsafe.Pointer) C.kuaimi_error {
		return C.kuaimi_sm4_new((*C.uint8_t)(key.pointer), (**C.kuaimi_sm4)(unsafe.Pointer(out)))
	})
}

// SM4Blocks encrypts or decrypts blocks, each on its own.
func SM4Blocks(cipher *Handle, decrypt bool, dst, src []byte) Code {
	if !cipher.acquire() {
		return Closed
	}
	var code C.kuaimi_error
	if decrypt {
		code = C.kuaimi_sm4_ecb_decrypt((*C.kuaimi_sm4)(cipher.pointer), bytes(src), size(src), bytes(dst))
	} else {
		code = C.kuaimi_sm4_ecb_encrypt((*C.kuaimi_sm4)(cipher.pointer), bytes(src), size(src), bytes(dst))
	}
	cipher.release()
	return Code(code)
}

// SM4CBCNew is a key for CBC.
func SM4CBCNew(key *Handle) (*Handle, Code) {
	if !key.acquire() {
		return nil, Closed
	}
	defer key.release()
	return newHandle(func(p unsafe.Pointer) {
		C.kuaimi_sm4_cbc_free((*C.kuaimi_sm4_cbc)(p))
	}, func(out *unsafe.Pointer) C.kuaimi_error {
		return C.kuaimi_sm4_cbc_new((*C.uint8_t)(key.pointer), (**C.kuaimi_sm4_cbc)(unsafe.Pointer(out)))
	})
}

// SM4CBC encrypts or decrypts blocks in CBC.
func SM4CBC(cipher *Handle, decrypt bool, iv *[16]byte, dst, src []byte) Code {
	if !cipher.acquire() {
		return Closed
	}
	var code C.kuaimi_error
	if decrypt {
		code = C.kuaimi_sm4_cbc_decrypt((*C.kuaimi_sm4_cbc)(cipher.pointer), bytes(iv[:]), bytes(src), size(src), bytes(dst))
	} else {
		code = C.kuaimi_sm4_cbc_encrypt((*C.kuaimi_sm4_cbc)(cipher.pointer), bytes(iv[:]), bytes(src), size(src), bytes(dst))
	}
	cipher.release()
	return Code(code)
}

// SM4CTRNew is a key stream.
func SM4CTRNew(key *Handle, iv *[16]byte) (*Handle, Code) {
	if !key.acquire() {
		return nil, Closed
	}
	defer key.release()
	return newHandle(func(p unsafe.Pointer) {
		C.kuaimi_sm4_ctr_free((*C.kuaimi_sm4_ctr)(p))
	}, func(out *unsafe.Pointer) C.kuaimi_error {
		return C.kuaimi_sm4_ctr_new((*C.uint8_t)(key.pointer), bytes(iv[:]), (**C.kuaimi_sm4_ctr)(unsafe.Pointer(out)))
	})
}

// SM4CTR encrypts or decrypts the next bytes.
func SM4CTR(stream *Handle, dst, src []byte) Code {
	if !stream.acquire() {
		return Closed
	}
	code := C.kuaimi_sm4_ctr_apply((*C.kuaimi_sm4_ctr)(stream.pointer), bytes(src), size(src), bytes(dst))
	stream.release()
	return Code(code)
}

// SM4GCMNew is a key for GCM.
func SM4GCMNew(key *Handle) (*Handle, Code) {
	if !key.acquire() {
		return nil, Closed
	}
	defer key.release()
	return newHandle(func(p unsafe.Pointer) {
		C.kuaimi_sm4_gcm_free((*C.kuaimi_sm4_gcm)(p))
	}, func(out *unsafe.Pointer) C.kuaimi_error {
		return C.kuaimi_sm4_gcm_new((*C.uint8_t)(key.pointer), (**C.kuaimi_sm4_gcm)(unsafe.Pointer(out)))
	})
}

// SM4GCMSeal encrypts src to dst, which may be the same, and writes the tag.
func SM4GCMSeal(cipher *Handle, nonce, beside, src, dst []byte, tag *[16]byte) Code {
	if !cipher.acquire() {
		return Closed
	}
	code := C.kuaimi_sm4_gcm_seal((*C.kuaimi_sm4_gcm)(cipher.pointer), bytes(nonce), size(nonce), bytes(beside), size(beside),
		bytes(src), size(src), bytes(dst), bytes(tag[:]))
	cipher.release()
	return Code(code)
}

// SM4GCMOpen decrypts src to dst, which may be the same, if the tag is right.
func SM4GCMOpen(cipher *Handle, nonce, beside, src, dst []byte, tag *[16]byte) Code {
	if !cipher.acquire() {
		return Closed
	}
	code := C.kuaimi_sm4_gcm_open((*C.kuaimi_sm4_gcm)(cipher.pointer), bytes(nonce), size(nonce), bytes(beside), size(beside),
		bytes(src), size(src), bytes(tag[:]), bytes(dst))
	cipher.release()
	return Code(code)
}

// SM4XTSNew is a key of 32 bytes for XTS, by GB/T 17964 or by IEEE 1619.
func SM4XTSNew(key []byte, ieee bool) (*Handle, Code) {
	if len(key) != 32 {
		return nil, KeyLength
	}
	standard := C.kuaimi_sm4_xts_standard(C.KUAIMI_SM4_XTS_GB)
	if ieee {
		standard = C.KUAIMI_SM4_XTS_IEEE
	}
	return newHandle(func(p unsafe.Pointer) {
		C.kuaimi_sm4_xts_free((*C.kuaimi_sm4_xts)(p))
	}, func(out *unsafe.Pointer) C.kuaimi_error {
		return C.kuaimi_sm4_xts_new(bytes(key), standard, (**C.kuaimi_sm4_xts)(unsafe.Pointer(out)))
	})
}

// SM4XTS encrypts or decrypts a sector of at least 16 bytes.
func SM4XTS(cipher *Handle, decrypt bool, tweak *[16]byte, dst, src []byte) Code {
	if !cipher.acquire() {
		return Closed
	}
	var code C.kuaimi_error
	if decrypt {
		code = C.kuaimi_sm4_xts_decrypt((*C.kuaimi_sm4_xts)(cipher.pointer), bytes(tweak[:]), bytes(src), size(src), bytes(dst))
	} else {
		code = C.kuaimi_sm4_xts_encrypt((*C.kuaimi_sm4_xts)(cipher.pointer), bytes(tweak[:]), bytes(src), size(src), bytes(dst))
	}
	cipher.release()
	return Code(code)
}
