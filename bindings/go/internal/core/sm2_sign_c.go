//go:build cgo && !purego && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

/*
// These neither keep a pointer to Go's memory nor call Go: so what they take may stay on the goroutine's stack.
#cgo noescape kuaimi_sm2_sign
#cgo nocallback kuaimi_sm2_sign
#cgo noescape kuaimi_sm2_sign_deterministic
#cgo nocallback kuaimi_sm2_sign_deterministic
#cgo noescape kuaimi_sm2_sign_digest
#cgo nocallback kuaimi_sm2_sign_digest
#cgo noescape kuaimi_sm2_sign_digest_deterministic
#cgo nocallback kuaimi_sm2_sign_digest_deterministic
#cgo noescape kuaimi_sm2_sign_digest_recoverable
#cgo nocallback kuaimi_sm2_sign_digest_recoverable
#cgo noescape kuaimi_sm2_nonce_pool_sign
#cgo nocallback kuaimi_sm2_nonce_pool_sign
#cgo noescape kuaimi_sm2_nonce_pool_sign_digest
#cgo nocallback kuaimi_sm2_nonce_pool_sign_digest
#cgo noescape kuaimi_sm2_verify
#cgo nocallback kuaimi_sm2_verify
#cgo noescape kuaimi_sm2_verify_digest
#cgo nocallback kuaimi_sm2_verify_digest
#cgo noescape kuaimi_sm2_key_cache_verify
#cgo nocallback kuaimi_sm2_key_cache_verify
#cgo noescape kuaimi_sm2_key_cache_verify_digest
#cgo nocallback kuaimi_sm2_key_cache_verify_digest
#cgo noescape kuaimi_sm2_signature_convert
#cgo nocallback kuaimi_sm2_signature_convert
#include "kuaimi.h"
*/
import "C"

import "unsafe"

// SM2Sign writes the signature of a message to out and returns its length.
func SM2Sign(key *Handle, message []byte, deterministic bool, form Form, out *[SM2SignatureMax]byte) (int, Code) {
	if !key.acquire() {
		return 0, Closed
	}
	var code C.kuaimi_error
	signer, length := (*C.kuaimi_sm2_signing_key)(key.pointer), C.size_t(len(out))
	if deterministic {
		code = C.kuaimi_sm2_sign_deterministic(signer, bytes(message), size(message), C.kuaimi_signature_form(form), bytes(out[:]), &length)
	} else {
		code = C.kuaimi_sm2_sign(signer, bytes(message), size(message), C.kuaimi_signature_form(form), bytes(out[:]), &length)
	}
	key.release()
	return int(length), Code(code)
}

// SM2SignDigest is SM2Sign for the digest of Z and the message.
func SM2SignDigest(key *Handle, digest *[32]byte, deterministic bool, form Form, out *[SM2SignatureMax]byte) (int, Code) {
	if !key.acquire() {
		return 0, Closed
	}
	var code C.kuaimi_error
	signer, length := (*C.kuaimi_sm2_signing_key)(key.pointer), C.size_t(len(out))
	if deterministic {
		code = C.kuaimi_sm2_sign_digest_deterministic(signer, bytes(digest[:]), C.kuaimi_signature_form(form), bytes(out[:]), &length)
	} else {
		code = C.kuaimi_sm2_sign_digest(signer, bytes(digest[:]), C.kuaimi_signature_form(form), bytes(out[:]), &length)
	}
	key.release()
	return int(length), Code(code)
}

// SM2SignRecoverable is SM2SignDigest with the number that SM2Recover takes.
func SM2SignRecoverable(key *Handle, digest *[32]byte, form Form, out *[SM2SignatureMax]byte) (length int, id byte, code Code) {
	if !key.acquire() {
		return 0, 0, Closed
	}
	var number C.uint8_t
	used := C.size_t(len(out))
	result := C.kuaimi_sm2_sign_digest_recoverable((*C.kuaimi_sm2_signing_key)(key.pointer), bytes(digest[:]),
		C.kuaimi_signature_form(form), bytes(out[:]), &used, &number)
	key.release()
	return int(used), byte(number), Code(result)
}

// SM2Verify verifies the signature of a message.
func SM2Verify(key *Handle, message []byte, form Form, signature []byte) Code {
	if !key.acquire() {
		return Closed
	}
	code := C.kuaimi_sm2_verify((*C.kuaimi_sm2_verifying_key)(key.pointer), bytes(message), size(message),
		bytes(signature), size(signature), C.kuaimi_signature_form(form))
	key.release()
	return Code(code)
}

// SM2VerifyDigest is SM2Verify for the digest of Z and the message.
func SM2VerifyDigest(key *Handle, digest *[32]byte, form Form, signature []byte) Code {
	if !key.acquire() {
		return Closed
	}
	code := C.kuaimi_sm2_verify_digest((*C.kuaimi_sm2_verifying_key)(key.pointer), bytes(digest[:]),
		bytes(signature), size(signature), C.kuaimi_signature_form(form))
	key.release()
	return Code(code)
}

// SM2SignatureConvert writes a signature in another form to out and returns its length.
func SM2SignatureConvert(signature []byte, from, to Form, out *[SM2SignatureMax]byte) (int, Code) {
	length := C.size_t(len(out))
	code := C.kuaimi_sm2_signature_convert(bytes(signature), size(signature), C.kuaimi_signature_form(from),
		C.kuaimi_signature_form(to), bytes(out[:]), &length)
	return int(length), Code(code)
}

// SM2CacheNew is a cache of the tables of public keys.
func SM2CacheNew(capacity int) (*Handle, Code) {
	return newHandle(func(p unsafe.Pointer) {
		C.kuaimi_sm2_key_cache_free((*C.kuaimi_sm2_key_cache)(p))
	}, func(out *unsafe.Pointer) C.kuaimi_error {
		return C.kuaimi_sm2_key_cache_new(C.size_t(capacity), (**C.kuaimi_sm2_key_cache)(unsafe.Pointer(out)))
	})
}

// SM2CacheVerify is SM2Verify with the tables of a cache.
func SM2CacheVerify(cache, key *Handle, message []byte, form Form, signature []byte) Code {
	if !cache.acquire() {
		return Closed
	}
	defer cache.release()
	if !key.acquire() {
		return Closed
	}
	code := C.kuaimi_sm2_key_cache_verify((*C.kuaimi_sm2_key_cache)(cache.pointer), (*C.kuaimi_sm2_verifying_key)(key.pointer),
		bytes(message), size(message), bytes(signature), size(signature), C.kuaimi_signature_form(form))
	key.release()
	return Code(code)
}

// SM2CacheVerifyDigest is SM2VerifyDigest with the tables of a cache.
func SM2CacheVerifyDigest(cache, key *Handle, digest *[32]byte, form Form, signature []byte) Code {
	if !cache.acquire() {
		return Closed
	}
	defer cache.release()
	if !key.acquire() {
		return Closed
	}
	code := C.kuaimi_sm2_key_cache_verify_digest((*C.kuaimi_sm2_key_cache)(cache.pointer),
		(*C.kuaimi_sm2_verifying_key)(key.pointer), bytes(digest[:]), bytes(signature), size(signature), C.kuaimi_signature_form(form))
	key.release()
	return Code(code)
}

// SM2CacheStats is what a cache holds and has done.
func SM2CacheStats(cache *Handle) (CacheStats, Code) {
	if !cache.acquire() {
		return CacheStats{}, Closed
	}
	defer cache.release()
	var stats C.kuaimi_cache_stats
	code := Code(C.kuaimi_sm2_key_cache_get_stats((*C.kuaimi_sm2_key_cache)(cache.pointer), &stats))
	return cacheStats(&stats), code
}

func cacheStats(stats *C.kuaimi_cache_stats) CacheStats {
	return CacheStats{
		Entries: int(stats.entries), Bytes: int(stats.bytes),
		Hits: uint64(stats.hits), Misses: uint64(stats.misses), Evictions: uint64(stats.evictions),
	}
}

// SM2CacheClear drops all tables of a cache.
func SM2CacheClear(cache *Handle) Code {
	if !cache.acquire() {
		return Closed
	}
	defer cache.release()
	return Code(C.kuaimi_sm2_key_cache_clear((*C.kuaimi_sm2_key_cache)(cache.pointer)))
}

// SM2PoolNew is a pool of nonces.
func SM2PoolNew(capacity int) (*Handle, Code) {
	return newHandle(func(p unsafe.Pointer) {
		C.kuaimi_sm2_nonce_pool_free((*C.kuaimi_sm2_nonce_pool)(p))
	}, func(out *unsafe.Pointer) C.kuaimi_error {
		return C.kuaimi_sm2_nonce_pool_new(C.size_t(capacity), (**C.kuaimi_sm2_nonce_pool)(unsafe.Pointer(out)))
	})
}

// SM2PoolSign is SM2Sign with a nonce of a pool.
func SM2PoolSign(pool, key *Handle, message []byte, form Form, out *[SM2SignatureMax]byte) (int, Code) {
	if !pool.acquire() {
		return 0, Closed
	}
	defer pool.release()
	if !key.acquire() {
		return 0, Closed
	}
	length := C.size_t(len(out))
	code := C.kuaimi_sm2_nonce_pool_sign((*C.kuaimi_sm2_nonce_pool)(pool.pointer), (*C.kuaimi_sm2_signing_key)(key.pointer),
		bytes(message), size(message), C.kuaimi_signature_form(form), bytes(out[:]), &length)
	key.release()
	return int(length), Code(code)
}

// SM2PoolSignDigest is SM2SignDigest with a nonce of a pool.
func SM2PoolSignDigest(pool, key *Handle, digest *[32]byte, form Form, out *[SM2SignatureMax]byte) (int, Code) {
	if !pool.acquire() {
		return 0, Closed
	}
	defer pool.release()
	if !key.acquire() {
		return 0, Closed
	}
	length := C.size_t(len(out))
	code := C.kuaimi_sm2_nonce_pool_sign_digest((*C.kuaimi_sm2_nonce_pool)(pool.pointer),
		(*C.kuaimi_sm2_signing_key)(key.pointer), bytes(digest[:]), C.kuaimi_signature_form(form), bytes(out[:]), &length)
	key.release()
	return int(length), Code(code)
}

// SM2PoolStats is what a pool holds and has done.
func SM2PoolStats(pool *Handle) (PoolStats, Code) {
	if !pool.acquire() {
		return PoolStats{}, Closed
	}
	defer pool.release()
	var stats C.kuaimi_sm2_nonce_pool_stats
	code := Code(C.kuaimi_sm2_nonce_pool_get_stats((*C.kuaimi_sm2_nonce_pool)(pool.pointer), &stats))
	return PoolStats{Ready: int(stats.ready), Served: uint64(stats.served), Missed: uint64(stats.missed)}, code
}
