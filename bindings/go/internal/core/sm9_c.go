//go:build cgo && !purego && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

/*
#cgo noescape kuaimi_sm9_sign
#cgo nocallback kuaimi_sm9_sign
#cgo noescape kuaimi_sm9_verify
#cgo nocallback kuaimi_sm9_verify
#cgo noescape kuaimi_sm9_identity_cache_verify
#cgo nocallback kuaimi_sm9_identity_cache_verify
#cgo noescape kuaimi_sm9_encrypt
#cgo nocallback kuaimi_sm9_encrypt
#cgo noescape kuaimi_sm9_decrypt
#cgo nocallback kuaimi_sm9_decrypt
#cgo noescape kuaimi_sm9_encapsulate
#cgo nocallback kuaimi_sm9_encapsulate
#cgo noescape kuaimi_sm9_decapsulate
#cgo nocallback kuaimi_sm9_decapsulate
#include "kuaimi.h"
*/
import "C"

import "unsafe"

// SM9Sign writes the signature of a message to out and returns its length.
func SM9Sign(key *Handle, message []byte, form Form, out *[SM9SignatureMax]byte) (int, Code) {
	if !key.acquire() {
		return 0, Closed
	}
	length := C.size_t(len(out))
	code := C.kuaimi_sm9_sign((*C.kuaimi_sm9_signing_key)(key.pointer), bytes(message), size(message),
		C.kuaimi_signature_form(form), bytes(out[:]), &length)
	key.release()
	return int(length), Code(code)
}

// SM9Verify verifies the signature of a message.
func SM9Verify(key *Handle, message []byte, form Form, signature []byte) Code {
	if !key.acquire() {
		return Closed
	}
	code := C.kuaimi_sm9_verify((*C.kuaimi_sm9_verifying_key)(key.pointer), bytes(message), size(message),
		bytes(signature), size(signature), C.kuaimi_signature_form(form))
	key.release()
	return Code(code)
}

// SM9CacheNew is a cache of the tables of identities.
func SM9CacheNew(master *Handle, capacity int) (*Handle, Code) {
	if !master.acquire() {
		return nil, Closed
	}
	defer master.release()
	return newHandle(func(p unsafe.Pointer) {
		C.kuaimi_sm9_identity_cache_free((*C.kuaimi_sm9_identity_cache)(p))
	}, func(out *unsafe.Pointer) C.kuaimi_error {
		return C.kuaimi_sm9_identity_cache_new((*C.kuaimi_sm9_master_signing_public_key)(master.pointer), C.size_t(capacity),
			(**C.kuaimi_sm9_identity_cache)(unsafe.Pointer(out)))
	})
}

// SM9CacheVerify is SM9Verify with the tables of a cache.
func SM9CacheVerify(cache, key *Handle, message []byte, form Form, signature []byte) Code {
	if !cache.acquire() {
		return Closed
	}
	defer cache.release()
	if !key.acquire() {
		return Closed
	}
	code := C.kuaimi_sm9_identity_cache_verify((*C.kuaimi_sm9_identity_cache)(cache.pointer),
		(*C.kuaimi_sm9_verifying_key)(key.pointer), bytes(message), size(message), bytes(signature), size(signature),
		C.kuaimi_signature_form(form))
	key.release()
	return Code(code)
}

// SM9CacheStats is what a cache holds and has done.
func SM9CacheStats(cache *Handle) (CacheStats, Code) {
	if !cache.acquire() {
		return CacheStats{}, Closed
	}
	defer cache.release()
	var stats C.kuaimi_cache_stats
	code := Code(C.kuaimi_sm9_identity_cache_get_stats((*C.kuaimi_sm9_identity_cache)(cache.pointer), &stats))
	return cacheStats(&stats), code
}

// SM9CacheClear drops all tables of a cache.
func SM9CacheClear(cache *Handle) Code {
	if !cache.acquire() {
		return Closed
	}
	defer cache.release()
	return Code(C.kuaimi_sm9_identity_cache_clear((*C.kuaimi_sm9_identity_cache)(cache.pointer)))
}

// SM9Encrypt encrypts a message to DER, which needs SM9CiphertextOverhead bytes more than it has.
func SM9Encrypt(key *Handle, message, out []byte) (int, Code) {
	if !key.acquire() {
		return 0, Closed
	}
	length := size(out)
	code := C.kuaimi_sm9_encrypt((*C.kuaimi_sm9_encryption_key)(key.pointer), bytes(message), size(message), nil,
		bytes(out), &length)
	key.release()
	return int(length), Code(code)
}

// SM9Decrypt decrypts a ciphertext in DER into a buffer that is as long.
func SM9Decrypt(key *Handle, ciphertext, out []byte) (int, Code) {
	if !key.acquire() {
		return 0, Closed
	}
	length := size(out)
	code := C.kuaimi_sm9_decrypt((*C.kuaimi_sm9_decryption_key)(key.pointer), bytes(ciphertext), size(ciphertext), nil,
		bytes(out), &length)
	key.release()
	return int(length), Code(code)
}

// SM9Encapsulate makes a key, and the point that leads the recipient to it.
func SM9Encapsulate(key *Handle, derived []byte, point *[PointSize]byte) Code {
	if !key.acquire() {
		return Closed
	}
	code := C.kuaimi_sm9_encapsulate((*C.kuaimi_sm9_encryption_key)(key.pointer), bytes(derived), size(derived), bytes(point[:]))
	key.release()
	return Code(code)
}

// SM9Decapsulate is the key that a point leads to.
func SM9Decapsulate(key *Handle, point, derived []byte) Code {
	if !key.acquire() {
		return Closed
	}
	code := C.kuaimi_sm9_decapsulate((*C.kuaimi_sm9_decryption_key)(key.pointer), bytes(point), size(point), bytes(derived),
		size(derived))
	key.release()
	return Code(code)
}

// SM9ExchangeStart is the initiator's first step. The length of the key is for SM9InitiatorFinish.
func SM9ExchangeStart(key *Handle, peerID []byte, peerHID byte, _ int, point *[PointSize]byte) (*Handle, Code) {
	if !key.acquire() {
		return nil, Closed
	}
	defer key.release()
	return newHandle(func(p unsafe.Pointer) {
		C.kuaimi_sm9_initiator_free((*C.kuaimi_sm9_initiator)(p))
	}, func(out *unsafe.Pointer) C.kuaimi_error {
		return C.kuaimi_sm9_exchange_start((*C.kuaimi_sm9_exchange_key)(key.pointer), bytes(peerID), size(peerID),
			C.uint8_t(peerHID), (**C.kuaimi_sm9_initiator)(unsafe.Pointer(out)), bytes(point[:]))
	})
}

// SM9ExchangeRespond is the responder's step.
func SM9ExchangeRespond(key *Handle, peerID []byte, peerHID byte, initiatorPoint []byte, length int,
	point *[PointSize]byte, confirmation *[32]byte) (*Handle, Code) {
	if !key.acquire() {
		return nil, Closed
	}
	defer key.release()
	return newHandle(func(p unsafe.Pointer) {
		C.kuaimi_sm9_response_free((*C.kuaimi_sm9_response)(p))
	}, func(out *unsafe.Pointer) C.kuaimi_error {
		return C.kuaimi_sm9_exchange_respond((*C.kuaimi_sm9_exchange_key)(key.pointer), bytes(peerID), size(peerID),
			C.uint8_t(peerHID), bytes(initiatorPoint), size(initiatorPoint), C.size_t(length),
			(**C.kuaimi_sm9_response)(unsafe.Pointer(out)), bytes(point[:]), bytes(confirmation[:]))
	})
}

// SM9InitiatorFinish is the initiator's last step.
func SM9InitiatorFinish(initiator *Handle, point, confirmation, shared []byte, own *[32]byte) Code {
	if !initiator.acquire() {
		return Closed
	}
	defer initiator.release()
	p := (*C.kuaimi_sm9_initiator)(initiator.pointer)
	if len(confirmation) != 32 {
		return ConfirmationFailed
	}
	return Code(C.kuaimi_sm9_initiator_finish(p, bytes(point), size(point), bytes(confirmation), bytes(shared), size(shared),
		bytes(own[:])))
}

// SM9ResponseConfirm is the responder's last step.
func SM9ResponseConfirm(response *Handle, confirmation, shared []byte) Code {
	if !response.acquire() {
		return Closed
	}
	defer response.release()
	p := (*C.kuaimi_sm9_response)(response.pointer)
	if len(confirmation) != 32 {
		return ConfirmationFailed
	}
	return Code(C.kuaimi_sm9_response_confirm(p, bytes(confirmation), bytes(shared), size(shared)))
}
