//go:build cgo && !purego && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

/*
#include "kuaimi.h"
*/
import "C"

import "unsafe"

// The two kinds of master keys, and the three of users' keys, have the same functions under different names: each function below
// chooses by kind.

// newSM9Master takes over a key that create makes.
func newSM9Master(kind SM9Kind, create func(out *unsafe.Pointer) C.kuaimi_error) (*Handle, Code) {
	return newHandle(func(p unsafe.Pointer) {
		switch kind {
		case SM9Signing:
			C.kuaimi_sm9_master_signing_key_free((*C.kuaimi_sm9_master_signing_key)(p))
		default:
			C.kuaimi_sm9_master_encryption_key_free((*C.kuaimi_sm9_master_encryption_key)(p))
		}
	}, create)
}

// SM9MasterGenerate makes a master key.
func SM9MasterGenerate(kind SM9Kind) (*Handle, Code) {
	return newSM9Master(kind, func(out *unsafe.Pointer) C.kuaimi_error {
		switch kind {
		case SM9Signing:
			return C.kuaimi_sm9_master_signing_key_generate((**C.kuaimi_sm9_master_signing_key)(unsafe.Pointer(out)))
		default:
			return C.kuaimi_sm9_master_encryption_key_generate((**C.kuaimi_sm9_master_encryption_key)(unsafe.Pointer(out)))
		}
	})
}

// SM9MasterFromBytes is the master key that is a number of 32 bytes.
func SM9MasterFromBytes(kind SM9Kind, number []byte) (*Handle, Code) {
	return newSM9Master(kind, func(out *unsafe.Pointer) C.kuaimi_error {
		switch kind {
		case SM9Signing:
			return C.kuaimi_sm9_master_signing_key_from_bytes(bytes(number), size(number),
				(**C.kuaimi_sm9_master_signing_key)(unsafe.Pointer(out)))
		default:
			return C.kuaimi_sm9_master_encryption_key_from_bytes(bytes(number), size(number),
				(**C.kuaimi_sm9_master_encryption_key)(unsafe.Pointer(out)))
		}
	})
}

// SM9MasterRead reads the content of a key file. The password may be nil.
func SM9MasterRead(kind SM9Kind, data, password []byte) (*Handle, Code) {
	return newSM9Master(kind, func(out *unsafe.Pointer) C.kuaimi_error {
		switch kind {
		case SM9Signing:
			return C.kuaimi_sm9_master_signing_key_read(bytes(data), size(data), bytes(password), size(password),
				(**C.kuaimi_sm9_master_signing_key)(unsafe.Pointer(out)))
		default:
			return C.kuaimi_sm9_master_encryption_key_read(bytes(data), size(data), bytes(password), size(password),
				(**C.kuaimi_sm9_master_encryption_key)(unsafe.Pointer(out)))
		}
	})
}

// SM9MasterWrite writes a master key.
func SM9MasterWrite(kind SM9Kind, key *Handle, form KeyForm) ([]byte, Code) {
	if !key.acquire() {
		return nil, Closed
	}
	defer key.release()
	return written(func(out *C.uint8_t, length *C.size_t) C.kuaimi_error {
		switch kind {
		case SM9Signing:
			return C.kuaimi_sm9_master_signing_key_write((*C.kuaimi_sm9_master_signing_key)(key.pointer), C.kuaimi_key_form(form),
				out, length)
		default:
			return C.kuaimi_sm9_master_encryption_key_write((*C.kuaimi_sm9_master_encryption_key)(key.pointer),
				C.kuaimi_key_form(form), out, length)
		}
	})
}

// SM9MasterWriteEncrypted writes a master key under a password.
func SM9MasterWriteEncrypted(kind SM9Kind, key *Handle, password []byte, form KeyForm) ([]byte, Code) {
	if !key.acquire() {
		return nil, Closed
	}
	defer key.release()
	return written(func(out *C.uint8_t, length *C.size_t) C.kuaimi_error {
		switch kind {
		case SM9Signing:
			return C.kuaimi_sm9_master_signing_key_write_encrypted((*C.kuaimi_sm9_master_signing_key)(key.pointer),
				bytes(password), size(password), nil,
				C.kuaimi_key_form(form), out, length)
		default:
			return C.kuaimi_sm9_master_encryption_key_write_encrypted((*C.kuaimi_sm9_master_encryption_key)(key.pointer),
				bytes(password), size(password), nil,
				C.kuaimi_key_form(form), out, length)
		}
	})
}

// newSM9MasterPublic takes over a key that create makes.
func newSM9MasterPublic(kind SM9Kind, create func(out *unsafe.Pointer) C.kuaimi_error) (*Handle, Code) {
	return newHandle(func(p unsafe.Pointer) {
		switch kind {
		case SM9Signing:
			C.kuaimi_sm9_master_signing_public_key_free((*C.kuaimi_sm9_master_signing_public_key)(p))
		default:
			C.kuaimi_sm9_master_encryption_public_key_free((*C.kuaimi_sm9_master_encryption_public_key)(p))
		}
	}, create)
}

// SM9MasterPublicOf is the public key of a master key.
func SM9MasterPublicOf(kind SM9Kind, key *Handle) (*Handle, Code) {
	if !key.acquire() {
		return nil, Closed
	}
	defer key.release()
	return newSM9MasterPublic(kind, func(out *unsafe.Pointer) C.kuaimi_error {
		switch kind {
		case SM9Signing:
			return C.kuaimi_sm9_master_signing_key_public_key((*C.kuaimi_sm9_master_signing_key)(key.pointer),
				(**C.kuaimi_sm9_master_signing_public_key)(unsafe.Pointer(out)))
		default:
			return C.kuaimi_sm9_master_encryption_key_public_key((*C.kuaimi_sm9_master_encryption_key)(key.pointer),
				(**C.kuaimi_sm9_master_encryption_public_key)(unsafe.Pointer(out)))
		}
	})
}

// SM9MasterPublicFromBytes is the master public key that is a point.
func SM9MasterPublicFromBytes(kind SM9Kind, point []byte) (*Handle, Code) {
	return newSM9MasterPublic(kind, func(out *unsafe.Pointer) C.kuaimi_error {
		switch kind {
		case SM9Signing:
			return C.kuaimi_sm9_master_signing_public_key_from_bytes(bytes(point), size(point),
				(**C.kuaimi_sm9_master_signing_public_key)(unsafe.Pointer(out)))
		default:
			return C.kuaimi_sm9_master_encryption_public_key_from_bytes(bytes(point), size(point),
				(**C.kuaimi_sm9_master_encryption_public_key)(unsafe.Pointer(out)))
		}
	})
}

// SM9MasterPublicRead reads the content of a key file.
func SM9MasterPublicRead(kind SM9Kind, data []byte) (*Handle, Code) {
	return newSM9MasterPublic(kind, func(out *unsafe.Pointer) C.kuaimi_error {
		switch kind {
		case SM9Signing:
			return C.kuaimi_sm9_master_signing_public_key_read(bytes(data), size(data),
				(**C.kuaimi_sm9_master_signing_public_key)(unsafe.Pointer(out)))
		default:
			return C.kuaimi_sm9_master_encryption_public_key_read(bytes(data), size(data),
				(**C.kuaimi_sm9_master_encryption_public_key)(unsafe.Pointer(out)))
		}
	})
}

// SM9MasterPublicWrite writes a master public key.
func SM9MasterPublicWrite(kind SM9Kind, key *Handle, form KeyForm) ([]byte, Code) {
	if !key.acquire() {
		return nil, Closed
	}
	defer key.release()
	return written(func(out *C.uint8_t, length *C.size_t) C.kuaimi_error {
		switch kind {
		case SM9Signing:
			return C.kuaimi_sm9_master_signing_public_key_write((*C.kuaimi_sm9_master_signing_public_key)(key.pointer),
				C.kuaimi_key_form(form), out, length)
		default:
			return C.kuaimi_sm9_master_encryption_public_key_write((*C.kuaimi_sm9_master_encryption_public_key)(key.pointer),
				C.kuaimi_key_form(form), out, length)
		}
	})
}
