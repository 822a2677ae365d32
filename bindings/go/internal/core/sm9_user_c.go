//go:build cgo && !purego && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

/*
#include "kuaimi.h"
*/
import "C"

import "unsafe"

// newSM9User takes over a key that create makes.
func newSM9User(kind UserKind, create func(out *unsafe.Pointer) C.kuaimi_error) (*Handle, Code) {
	return newHandle(func(p unsafe.Pointer) {
		switch kind {
		case UserSigning:
			C.kuaimi_sm9_signing_key_free((*C.kuaimi_sm9_signing_key)(p))
		case UserDecryption:
			C.kuaimi_sm9_decryption_key_free((*C.kuaimi_sm9_decryption_key)(p))
		default:
			C.kuaimi_sm9_exchange_key_free((*C.kuaimi_sm9_exchange_key)(p))
		}
	}, create)
}

// SM9Extract makes the key of a user. A hid of 0 is the default one.
func SM9Extract(kind UserKind, master *Handle, id []byte, hid byte) (*Handle, Code) {
	if !master.acquire() {
		return nil, Closed
	}
	defer master.release()
	return newSM9User(kind, func(out *unsafe.Pointer) C.kuaimi_error {
		switch kind {
		case UserSigning:
			return C.kuaimi_sm9_master_signing_key_extract((*C.kuaimi_sm9_master_signing_key)(master.pointer), bytes(id),
				size(id), C.uint8_t(hid), (**C.kuaimi_sm9_signing_key)(unsafe.Pointer(out)))
		case UserDecryption:
			return C.kuaimi_sm9_master_encryption_key_extract((*C.kuaimi_sm9_master_encryption_key)(master.pointer), bytes(id),
				size(id), C.uint8_t(hid), (**C.kuaimi_sm9_decryption_key)(unsafe.Pointer(out)))
		default:
			return C.kuaimi_sm9_master_encryption_key_extract_exchange((*C.kuaimi_sm9_master_encryption_key)(master.pointer),
				bytes(id), size(id), C.uint8_t(hid), (**C.kuaimi_sm9_exchange_key)(unsafe.Pointer(out)))
		}
	})
}

// SM9UserFromBytes is the key of a user that is a point. It is checked that it belongs to the user.
func SM9UserFromBytes(kind UserKind, point, id []byte, hid byte, master *Handle) (*Handle, Code) {
	if !master.acquire() {
		return nil, Closed
	}
	defer master.release()
	return newSM9User(kind, func(out *unsafe.Pointer) C.kuaimi_error {
		switch kind {
		case UserSigning:
			return C.kuaimi_sm9_signing_key_from_bytes((*C.kuaimi_sm9_master_signing_public_key)(master.pointer),
				bytes(point), size(point), bytes(id), size(id), C.uint8_t(hid), (**C.kuaimi_sm9_signing_key)(unsafe.Pointer(out)))
		case UserDecryption:
			return C.kuaimi_sm9_decryption_key_from_bytes((*C.kuaimi_sm9_master_encryption_public_key)(master.pointer),
				bytes(point), size(point), bytes(id), size(id), C.uint8_t(hid), (**C.kuaimi_sm9_decryption_key)(unsafe.Pointer(out)))
		default:
			return C.kuaimi_sm9_exchange_key_from_bytes((*C.kuaimi_sm9_master_encryption_public_key)(master.pointer),
				bytes(point), size(point), bytes(id), size(id), C.uint8_t(hid), (**C.kuaimi_sm9_exchange_key)(unsafe.Pointer(out)))
		}
	})
}

// SM9UserRead reads the content of the key file of a user. The password may be nil.
func SM9UserRead(kind UserKind, data, password, id []byte, hid byte) (*Handle, Code) {
	return newSM9User(kind, func(out *unsafe.Pointer) C.kuaimi_error {
		switch kind {
		case UserSigning:
			return C.kuaimi_sm9_signing_key_read(bytes(data), size(data), bytes(password), size(password), bytes(id), size(id),
				C.uint8_t(hid), (**C.kuaimi_sm9_signing_key)(unsafe.Pointer(out)))
		case UserDecryption:
			return C.kuaimi_sm9_decryption_key_read(bytes(data), size(data), bytes(password), size(password), bytes(id), size(id),
				C.uint8_t(hid), (**C.kuaimi_sm9_decryption_key)(unsafe.Pointer(out)))
		default:
			return C.kuaimi_sm9_exchange_key_read(bytes(data), size(data), bytes(password), size(password), bytes(id), size(id),
				C.uint8_t(hid), (**C.kuaimi_sm9_exchange_key)(unsafe.Pointer(out)))
		}
	})
}

// SM9UserPrepare makes the table of a user's key now.
func SM9UserPrepare(kind UserKind, key *Handle) Code {
	if !key.acquire() {
		return Closed
	}
	defer key.release()
	switch kind {
	case UserSigning:
		return Code(C.kuaimi_sm9_signing_key_prepare((*C.kuaimi_sm9_signing_key)(key.pointer)))
	case UserDecryption:
		return Code(C.kuaimi_sm9_decryption_key_prepare((*C.kuaimi_sm9_decryption_key)(key.pointer)))
	default:
		return Code(C.kuaimi_sm9_exchange_key_prepare((*C.kuaimi_sm9_exchange_key)(key.pointer)))
	}
}

// SM9UserWrite writes the key of a user.
func SM9UserWrite(kind UserKind, key *Handle, form KeyForm) ([]byte, Code) {
	if !key.acquire() {
		return nil, Closed
	}
	defer key.release()
	return written(func(out *C.uint8_t, length *C.size_t) C.kuaimi_error {
		switch kind {
		case UserSigning:
			return C.kuaimi_sm9_signing_key_write((*C.kuaimi_sm9_signing_key)(key.pointer), C.kuaimi_key_form(form), out, length)
		case UserDecryption:
			return C.kuaimi_sm9_decryption_key_write((*C.kuaimi_sm9_decryption_key)(key.pointer), C.kuaimi_key_form(form), out, length)
		default:
			return C.kuaimi_sm9_exchange_key_write((*C.kuaimi_sm9_exchange_key)(key.pointer), C.kuaimi_key_form(form), out, length)
		}
	})
}

// SM9UserWriteEncrypted writes the key of a user under a password.
func SM9UserWriteEncrypted(kind UserKind, key *Handle, password []byte, form KeyForm) ([]byte, Code) {
	if !key.acquire() {
		return nil, Closed
	}
	defer key.release()
	return written(func(out *C.uint8_t, length *C.size_t) C.kuaimi_error {
		switch kind {
		case UserSigning:
			return C.kuaimi_sm9_signing_key_write_encrypted((*C.kuaimi_sm9_signing_key)(key.pointer), bytes(password), size(password), nil,
				C.kuaimi_key_form(form), out, length)
		case UserDecryption:
			return C.kuaimi_sm9_decryption_key_write_encrypted((*C.kuaimi_sm9_decryption_key)(key.pointer), bytes(password),
				size(password), nil,
				C.kuaimi_key_form(form), out, length)
		default:
			return C.kuaimi_sm9_exchange_key_write_encrypted((*C.kuaimi_sm9_exchange_key)(key.pointer), bytes(password), size(password), nil,
				C.kuaimi_key_form(form), out, length)
		}
	})
}

// SM9VerifyingNew is the identity of a signer. A hid of 0 is the default one.
func SM9VerifyingNew(master *Handle, id []byte, hid byte) (*Handle, Code) {
	if !master.acquire() {
		return nil, Closed
	}
	defer master.release()
	return newSM9Verifying(func(out **C.kuaimi_sm9_verifying_key) C.kuaimi_error {
		return C.kuaimi_sm9_verifying_key_new((*C.kuaimi_sm9_master_signing_public_key)(master.pointer), bytes(id), size(id),
			C.uint8_t(hid), out)
	})
}

// SM9VerifyingPrepare makes the table of a signer's identity now.
func SM9VerifyingPrepare(key *Handle) Code {
	if !key.acquire() {
		return Closed
	}
	defer key.release()
	return Code(C.kuaimi_sm9_verifying_key_prepare((*C.kuaimi_sm9_verifying_key)(key.pointer)))
}

func newSM9Verifying(create func(out **C.kuaimi_sm9_verifying_key) C.kuaimi_error) (*Handle, Code) {
	return newHandle(func(p unsafe.Pointer) {
		C.kuaimi_sm9_verifying_key_free((*C.kuaimi_sm9_verifying_key)(p))
	}, func(out *unsafe.Pointer) C.kuaimi_error {
		return create((**C.kuaimi_sm9_verifying_key)(unsafe.Pointer(out)))
	})
}

// SM9EncryptionNew is the identity of a recipient. A hid of 0 is the default one.
func SM9EncryptionNew(master *Handle, id []byte, hid byte) (*Handle, Code) {
	if !master.acquire() {
		return nil, Closed
	}
	defer master.release()
	return newSM9Encryption(func(out **C.kuaimi_sm9_encryption_key) C.kuaimi_error {
		return C.kuaimi_sm9_encryption_key_new((*C.kuaimi_sm9_master_encryption_public_key)(master.pointer), bytes(id), size(id),
			C.uint8_t(hid), out)
	})
}

// SM9EncryptionPrepare makes the table of a recipient's identity now.
func SM9EncryptionPrepare(key *Handle) Code {
	if !key.acquire() {
		return Closed
	}
	defer key.release()
	return Code(C.kuaimi_sm9_encryption_key_prepare((*C.kuaimi_sm9_encryption_key)(key.pointer)))
}

func newSM9Encryption(create func(out **C.kuaimi_sm9_encryption_key) C.kuaimi_error) (*Handle, Code) {
	return newHandle(func(p unsafe.Pointer) {
		C.kuaimi_sm9_encryption_key_free((*C.kuaimi_sm9_encryption_key)(p))
	}, func(out *unsafe.Pointer) C.kuaimi_error {
		return create((**C.kuaimi_sm9_encryption_key)(unsafe.Pointer(out)))
	})
}
