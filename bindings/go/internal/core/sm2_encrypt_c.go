//go:build cgo && !purego && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

/*
#cgo noescape kuaimi_sm2_encrypt
#cgo nocallback kuaimi_sm2_encrypt
#cgo noescape kuaimi_sm2_decrypt
#cgo nocallback kuaimi_sm2_decrypt
#include "kuaimi.h"
*/
import "C"

import "unsafe"

// SM2Encrypt encrypts a message, which needs SM2CiphertextOverhead bytes more than it has.
func SM2Encrypt(key *Handle, message []byte, form CiphertextForm, out []byte) (int, Code) {
	if !key.acquire() {
		return 0, Closed
	}
	length := size(out)
	code := C.kuaimi_sm2_encrypt((*C.kuaimi_sm2_public_key)(key.pointer), bytes(message), size(message),
		C.kuaimi_sm2_ciphertext_form(form), bytes(out), &length)
	key.release()
	return int(length), Code(code)
}

// SM2Decrypt decrypts a ciphertext into a buffer that is as long.
func SM2Decrypt(key *Handle, ciphertext []byte, form CiphertextForm, out []byte) (int, Code) {
	if !key.acquire() {
		return 0, Closed
	}
	length := size(out)
	code := C.kuaimi_sm2_decrypt((*C.kuaimi_sm2_private_key)(key.pointer), bytes(ciphertext), size(ciphertext),
		C.kuaimi_sm2_ciphertext_form(form), bytes(out), &length)
	key.release()
	return int(length), Code(code)
}

// SM2CiphertextConvert writes a ciphertext in another form.
func SM2CiphertextConvert(ciphertext []byte, from, to CiphertextForm) ([]byte, Code) {
	return written(func(out *C.uint8_t, length *C.size_t) C.kuaimi_error {
		return C.kuaimi_sm2_ciphertext_convert(bytes(ciphertext), size(ciphertext), C.kuaimi_sm2_ciphertext_form(from),
			C.kuaimi_sm2_ciphertext_form(to), out, length)
	})
}

// SM2ExchangeStart is the initiator's first step. The length of the key is for SM2InitiatorFinish.
func SM2ExchangeStart(key *Handle, id []byte, peer *Handle, peerID []byte, _ int, point *[PointSize]byte) (*Handle, Code) {
	if !key.acquire() {
		return nil, Closed
	}
	defer key.release()
	if !peer.acquire() {
		return nil, Closed
	}
	defer peer.release()
	return newHandle(func(p unsafe.Pointer) {
		C.kuaimi_sm2_initiator_free((*C.kuaimi_sm2_initiator)(p))
	}, func(out *unsafe.Pointer) C.kuaimi_error {
		return C.kuaimi_sm2_exchange_start((*C.kuaimi_sm2_private_key)(key.pointer), (*C.kuaimi_sm2_public_key)(peer.pointer),
			bytes(id), size(id), bytes(peerID), size(peerID),
			(**C.kuaimi_sm2_initiator)(unsafe.Pointer(out)), bytes(point[:]))
	})
}

// SM2ExchangeRespond is the responder's step.
func SM2ExchangeRespond(key *Handle, id []byte, peer *Handle, peerID, initiatorPoint []byte, length int,
	point *[PointSize]byte, confirmation *[32]byte) (*Handle, Code) {
	if !key.acquire() {
		return nil, Closed
	}
	defer key.release()
	if !peer.acquire() {
		return nil, Closed
	}
	defer peer.release()
	return newHandle(func(p unsafe.Pointer) {
		C.kuaimi_sm2_response_free((*C.kuaimi_sm2_response)(p))
	}, func(out *unsafe.Pointer) C.kuaimi_error {
		return C.kuaimi_sm2_exchange_respond((*C.kuaimi_sm2_private_key)(key.pointer), (*C.kuaimi_sm2_public_key)(peer.pointer),
			bytes(id), size(id), bytes(peerID), size(peerID), bytes(initiatorPoint), size(initiatorPoint),
			C.size_t(length), (**C.kuaimi_sm2_response)(unsafe.Pointer(out)), bytes(point[:]), bytes(confirmation[:]))
	})
}

// SM2InitiatorFinish is the initiator's last step. Without a confirmation, none is checked or made.
func SM2InitiatorFinish(initiator *Handle, point, confirmation, shared []byte, own *[32]byte) Code {
	if !initiator.acquire() {
		return Closed
	}
	defer initiator.release()
	p := (*C.kuaimi_sm2_initiator)(initiator.pointer)
	if confirmation == nil {
		return Code(C.kuaimi_sm2_initiator_finish_unconfirmed(p, bytes(point), size(point), bytes(shared), size(shared)))
	}
	if len(confirmation) != 32 {
		return ConfirmationFailed
	}
	return Code(C.kuaimi_sm2_initiator_finish(p, bytes(point), size(point), bytes(confirmation), bytes(shared), size(shared),
		bytes(own[:])))
}

// SM2ResponseConfirm is the responder's last step. Without a confirmation, none is checked.
func SM2ResponseConfirm(response *Handle, confirmation, shared []byte) Code {
	if !response.acquire() {
		return Closed
	}
	defer response.release()
	p := (*C.kuaimi_sm2_response)(response.pointer)
	if confirmation == nil {
		return Code(C.kuaimi_sm2_response_key_unconfirmed(p, bytes(shared), size(shared)))
	}
	if len(confirmation) != 32 {
		return ConfirmationFailed
	}
	return Code(C.kuaimi_sm2_response_confirm(p, bytes(confirmation), bytes(shared), size(shared)))
}
