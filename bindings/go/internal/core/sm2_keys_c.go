//go:build cgo && !purego && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

/*
#include "kuaimi.h"
*/
import "C"

import "unsafe"

// SM2Generate makes a private key.
func SM2Generate() (*Handle, Code) {
	return newSM2Private(func(out **C.kuaimi_sm2_private_key) C.kuaimi_error {
		return C.kuaimi_sm2_private_key_generate(out)
	})
}

// SM2PrivateFromBytes is the private key that is a number of 32 bytes.
func SM2PrivateFromBytes(number []byte) (*Handle, Code) {
	return newSM2Private(func(out **C.kuaimi_sm2_private_key) C.kuaimi_error {
		return C.kuaimi_sm2_private_key_from_bytes(bytes(number), size(number), out)
	})
}

// SM2PrivateRead reads the content of a key file. The password may be nil.
func SM2PrivateRead(data, password []byte) (*Handle, Code) {
	return newSM2Private(func(out **C.kuaimi_sm2_private_key) C.kuaimi_error {
		return C.kuaimi_sm2_private_key_read(bytes(data), size(data), bytes(password), size(password), out)
	})
}

// SM2PrivateOpen reads a private key that was encrypted for the recipient's key (GB/T 35276).
func SM2PrivateOpen(recipient *Handle, data []byte) (*Handle, Code) {
	if !recipient.acquire() {
		return nil, Closed
	}
	defer recipient.release()
	return newSM2Private(func(out **C.kuaimi_sm2_private_key) C.kuaimi_error {
		return C.kuaimi_sm2_private_key_open_enveloped((*C.kuaimi_sm2_private_key)(recipient.pointer), bytes(data), size(data), out)
	})
}

func newSM2Private(create func(out **C.kuaimi_sm2_private_key) C.kuaimi_error) (*Handle, Code) {
	return newHandle(func(p unsafe.Pointer) {
		C.kuaimi_sm2_private_key_free((*C.kuaimi_sm2_private_key)(p))
	}, func(out *unsafe.Pointer) C.kuaimi_error {
		return create((**C.kuaimi_sm2_private_key)(unsafe.Pointer(out)))
	})
}

// SM2PrivateWrite writes a private key.
func SM2PrivateWrite(key *Handle, form KeyForm) ([]byte, Code) {
	if !key.acquire() {
		return nil, Closed
	}
	defer key.release()
	return written(func(out *C.uint8_t, length *C.size_t) C.kuaimi_error {
		return C.kuaimi_sm2_private_key_write((*C.kuaimi_sm2_private_key)(key.pointer), C.kuaimi_key_form(form), out, length)
	})
}

// SM2PrivateWriteEncrypted writes a private key under a password.
func SM2PrivateWriteEncrypted(key *Handle, password []byte, form KeyForm) ([]byte, Code) {
	if !key.acquire() {
		return nil, Closed
	}
	defer key.release()
	return written(func(out *C.uint8_t, length *C.size_t) C.kuaimi_error {
		return C.kuaimi_sm2_private_key_write_encrypted((*C.kuaimi_sm2_private_key)(key.pointer), bytes(password), size(password),
			nil, C.kuaimi_key_form(form), out, length)
	})
}

// SM2PrivateSeal encrypts a private key for the recipient's (GB/T 35276).
func SM2PrivateSeal(key, recipient *Handle) ([]byte, Code) {
	if !key.acquire() {
		return nil, Closed
	}
	defer key.release()
	if !recipient.acquire() {
		return nil, Closed
	}
	defer recipient.release()
	return written(func(out *C.uint8_t, length *C.size_t) C.kuaimi_error {
		return C.kuaimi_sm2_private_key_write_enveloped((*C.kuaimi_sm2_private_key)(key.pointer),
			(*C.kuaimi_sm2_public_key)(recipient.pointer), out, length)
	})
}

// SM2PublicOf is the public key of a private key.
func SM2PublicOf(key *Handle) (*Handle, Code) {
	if !key.acquire() {
		return nil, Closed
	}
	defer key.release()
	return newSM2Public(func(out **C.kuaimi_sm2_public_key) C.kuaimi_error {
		return C.kuaimi_sm2_private_key_public_key((*C.kuaimi_sm2_private_key)(key.pointer), out)
	})
}

// SM2PublicFromBytes is the public key that is a point of 33, 64 or 65 bytes.
func SM2PublicFromBytes(point []byte) (*Handle, Code) {
	return newSM2Public(func(out **C.kuaimi_sm2_public_key) C.kuaimi_error {
		return C.kuaimi_sm2_public_key_from_bytes(bytes(point), size(point), out)
	})
}

// SM2PublicRead reads the content of a key file or of a certificate.
func SM2PublicRead(data []byte) (*Handle, Code) {
	return newSM2Public(func(out **C.kuaimi_sm2_public_key) C.kuaimi_error {
		return C.kuaimi_sm2_public_key_read(bytes(data), size(data), out)
	})
}

// SM2PublicPrepare makes the table of a public key now.
func SM2PublicPrepare(key *Handle) Code {
	if !key.acquire() {
		return Closed
	}
	defer key.release()
	return Code(C.kuaimi_sm2_public_key_prepare((*C.kuaimi_sm2_public_key)(key.pointer)))
}

// SM2Recover is the public key that leads to a signature over a digest.
func SM2Recover(digest *[32]byte, form Form, signature []byte, id byte) (*Handle, Code) {
	return newSM2Public(func(out **C.kuaimi_sm2_public_key) C.kuaimi_error {
		return C.kuaimi_sm2_recover(bytes(digest[:]), bytes(signature), size(signature), C.uint8_t(id), C.kuaimi_signature_form(form), out)
	})
}

func newSM2Public(create func(out **C.kuaimi_sm2_public_key) C.kuaimi_error) (*Handle, Code) {
	return newHandle(func(p unsafe.Pointer) {
		C.kuaimi_sm2_public_key_free((*C.kuaimi_sm2_public_key)(p))
	}, func(out *unsafe.Pointer) C.kuaimi_error {
		return create((**C.kuaimi_sm2_public_key)(unsafe.Pointer(out)))
	})
}

// SM2PublicWrite writes a public key.
func SM2PublicWrite(key *Handle, form KeyForm) ([]byte, Code) {
	if !key.acquire() {
		return nil, Closed
	}
	defer key.release()
	return written(func(out *C.uint8_t, length *C.size_t) C.kuaimi_error {
		return C.kuaimi_sm2_public_key_write((*C.kuaimi_sm2_public_key)(key.pointer), C.kuaimi_key_form(form), out, length)
	})
}

// SM2Z is the digest of an identity and a public key that is hashed before a message. A nil identity is the default one.
func SM2Z(key *Handle, id []byte, z *[32]byte) Code {
	if !key.acquire() {
		return Closed
	}
	defer key.release()
	return Code(C.kuaimi_sm2_identity_digest((*C.kuaimi_sm2_public_key)(key.pointer), bytes(id), size(id), bytes(z[:])))
}

// SM2SigningNew is a private key with an identity. A nil identity is the default one.
func SM2SigningNew(key *Handle, id []byte) (*Handle, Code) {
	if !key.acquire() {
		return nil, Closed
	}
	defer key.release()
	return newHandle(func(p unsafe.Pointer) {
		C.kuaimi_sm2_signing_key_free((*C.kuaimi_sm2_signing_key)(p))
	}, func(out *unsafe.Pointer) C.kuaimi_error {
		return C.kuaimi_sm2_signing_key_new((*C.kuaimi_sm2_private_key)(key.pointer), bytes(id), size(id),
			(**C.kuaimi_sm2_signing_key)(unsafe.Pointer(out)))
	})
}

// SM2VerifyingNew is a public key with an identity. A nil identity is the default one.
func SM2VerifyingNew(key *Handle, id []byte) (*Handle, Code) {
	if !key.acquire() {
		return nil, Closed
	}
	defer key.release()
	return newSM2Verifying(func(out **C.kuaimi_sm2_verifying_key) C.kuaimi_error {
		return C.kuaimi_sm2_verifying_key_new((*C.kuaimi_sm2_public_key)(key.pointer), bytes(id), size(id), out)
	})
}

// SM2VerifyingPrepare makes the table of a key now.
func SM2VerifyingPrepare(key *Handle) Code {
	if !key.acquire() {
		return Closed
	}
	defer key.release()
	return Code(C.kuaimi_sm2_verifying_key_prepare((*C.kuaimi_sm2_verifying_key)(key.pointer)))
}

func newSM2Verifying(create func(out **C.kuaimi_sm2_verifying_key) C.kuaimi_error) (*Handle, Code) {
	return newHandle(func(p unsafe.Pointer) {
		C.kuaimi_sm2_verifying_key_free((*C.kuaimi_sm2_verifying_key)(p))
	}, func(out *unsafe.Pointer) C.kuaimi_error {
		return create((**C.kuaimi_sm2_verifying_key)(unsafe.Pointer(out)))
	})
}
