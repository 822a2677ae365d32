//go:build cgo && !purego && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

/*
#include "kuaimi.h"
*/
import "C"

import "unsafe"

// CMSSigningNew begins a signed message. The others are certificates that it is to have.
func CMSSigningNew(signers, others []*Handle, options CMSSignOptions) (*Handle, Code) {
	those, ok := listOf(signers)
	if !ok {
		return nil, Closed
	}
	defer those.release()
	more, ok := listOf(others)
	if !ok {
		return nil, Closed
	}
	defer more.release()
	chosen := C.kuaimi_cms_sign_options{
		signing_time: C.uint64_t(options.SigningTime),
		content:      C.kuaimi_cms_content(second(options.Detached)),
		attributes:   C.kuaimi_cms_attributes(second(options.NoAttributes)),
		identity:     C.kuaimi_cms_identity(second(options.EmptyIdentity)),
		id:           C.kuaimi_cms_id(second(options.ByKeyID)),
	}
	return newHandle(func(p unsafe.Pointer) {
		C.kuaimi_cms_signing_free((*C.kuaimi_cms_signing)(p))
	}, func(out *unsafe.Pointer) C.kuaimi_error {
		return C.kuaimi_cms_signing_new(those.certificates(), those.size(), more.certificates(), more.size(), C.kuaimi_cms_form(options.Form), &chosen,
			(**C.kuaimi_cms_signing)(unsafe.Pointer(out)))
	})
}

// second is an option of two values.
func second(isSecond bool) uint32 {
	if isSecond {
		return 1
	}
	return 0
}

// CMSSigningUpdate takes the next bytes of the content.
func CMSSigningUpdate(signing *Handle, content []byte) Code {
	if !signing.acquire() {
		return Closed
	}
	defer signing.release()
	return Code(C.kuaimi_cms_signing_update((*C.kuaimi_cms_signing)(signing.pointer), bytes(content), size(content)))
}

// CMSSigningDigest ends the content, and is what a signer has to sign.
func CMSSigningDigest(signing *Handle, signer int) (digest [32]byte, code Code) {
	if !signing.acquire() {
		return digest, Closed
	}
	defer signing.release()
	code = Code(C.kuaimi_cms_signing_digest((*C.kuaimi_cms_signing)(signing.pointer), C.size_t(signer), bytes(digest[:])))
	return digest, code
}

// CMSSigningPut takes the signature of a signer, in DER or 64 bytes.
func CMSSigningPut(signing *Handle, signature []byte, signer int) Code {
	if !signing.acquire() {
		return Closed
	}
	defer signing.release()
	return Code(C.kuaimi_cms_signing_put((*C.kuaimi_cms_signing)(signing.pointer), bytes(signature), size(signature), C.size_t(signer),
		C.KUAIMI_SIGNATURE_ANY))
}

// CMSSigningFinish verifies the signatures and writes the message.
func CMSSigningFinish(signing *Handle) ([]byte, Code) {
	if !signing.acquire() {
		return nil, Closed
	}
	defer signing.release()
	return written(func(out *C.uint8_t, length *C.size_t) C.kuaimi_error {
		return C.kuaimi_cms_signing_finish((*C.kuaimi_cms_signing)(signing.pointer), out, length)
	})
}

// CMSVerify verifies a message that has its content inside.
func CMSVerify(known []*Handle, message []byte, identities uint32) (*CMSMessage, Code) {
	certificates, ok := listOf(known)
	if !ok {
		return nil, Closed
	}
	defer certificates.release()
	return verified(func(out **C.kuaimi_cms_verified) C.kuaimi_error {
		return C.kuaimi_cms_verify(certificates.certificates(), certificates.size(), bytes(message), size(message), nil, 0,
			C.kuaimi_identities(identities), out)
	})
}

// CMSDetachedNew begins to verify a message that has its content elsewhere.
func CMSDetachedNew(known []*Handle, message []byte, identities uint32) (*Handle, Code) {
	certificates, ok := listOf(known)
	if !ok {
		return nil, Closed
	}
	defer certificates.release()
	return newHandle(func(p unsafe.Pointer) {
		C.kuaimi_cms_detached_free((*C.kuaimi_cms_detached)(p))
	}, func(out *unsafe.Pointer) C.kuaimi_error {
		return C.kuaimi_cms_detached_new(certificates.certificates(), certificates.size(), bytes(message), size(message),
			C.kuaimi_identities(identities), (**C.kuaimi_cms_detached)(unsafe.Pointer(out)))
	})
}

// CMSDetachedUpdate takes the next bytes of the content.
func CMSDetachedUpdate(detached *Handle, content []byte) Code {
	if !detached.acquire() {
		return Closed
	}
	defer detached.release()
	return Code(C.kuaimi_cms_detached_update((*C.kuaimi_cms_detached)(detached.pointer), bytes(content), size(content)))
}

// CMSDetachedFinish ends the content.
func CMSDetachedFinish(detached *Handle) (*CMSMessage, Code) {
	if !detached.acquire() {
		return nil, Closed
	}
	defer detached.release()
	return verified(func(out **C.kuaimi_cms_verified) C.kuaimi_error {
		return C.kuaimi_cms_detached_finish((*C.kuaimi_cms_detached)(detached.pointer), out)
	})
}

// verified is what is in a message that a function of C verifies.
func verified(verify func(out **C.kuaimi_cms_verified) C.kuaimi_error) (*CMSMessage, Code) {
	var found *C.kuaimi_cms_verified
	if code := Code(verify(&found)); code != OK {
		return nil, code
	}
	defer C.kuaimi_cms_verified_free(found)
	content, code := written(func(out *C.uint8_t, length *C.size_t) C.kuaimi_error {
		return C.kuaimi_cms_verified_content(found, out, length)
	})
	if code != OK {
		return nil, code
	}
	signers, code := certificatesDER(func(out *C.size_t) C.kuaimi_error {
		return C.kuaimi_cms_verified_signer_count(found, out)
	}, func(index C.size_t, out **C.kuaimi_certificate) C.kuaimi_error {
		return C.kuaimi_cms_verified_signer(found, index, out)
	})
	if code != OK {
		return nil, code
	}
	message := &CMSMessage{Content: content}
	for i, certificate := range signers {
		var time C.uint64_t
		if code := Code(C.kuaimi_cms_verified_signing_time(found, C.size_t(i), &time)); code != OK {
			return nil, code
		}
		message.Signers = append(message.Signers, CMSSigner{Certificate: certificate, SigningTime: uint64(time)})
	}
	message.Certificates, code = certificatesDER(func(out *C.size_t) C.kuaimi_error {
		return C.kuaimi_cms_verified_certificate_count(found, out)
	}, func(index C.size_t, out **C.kuaimi_certificate) C.kuaimi_error {
		return C.kuaimi_cms_verified_certificate(found, index, out)
	})
	if code != OK {
		return nil, code
	}
	return message, OK
}

// CMSEncryptionNew begins to encrypt for the holders of certificates a content of a length, which may be CMSLengthUnknown.
func CMSEncryptionNew(recipients []*Handle, form, cipher uint32, byKeyID bool, length uint64) (*Handle, Code) {
	certificates, ok := listOf(recipients)
	if !ok {
		return nil, Closed
	}
	defer certificates.release()
	return newHandle(func(p unsafe.Pointer) {
		C.kuaimi_cms_encryption_free((*C.kuaimi_cms_encryption)(p))
	}, func(out *unsafe.Pointer) C.kuaimi_error {
		return C.kuaimi_cms_encryption_new(certificates.certificates(), certificates.size(), C.kuaimi_cms_form(form), C.kuaimi_cms_cipher(cipher),
			C.kuaimi_cms_id(second(byKeyID)), C.uint64_t(length), (**C.kuaimi_cms_encryption)(unsafe.Pointer(out)))
	})
}

// CMSEncryptionUpdate takes the next bytes of the content, and gives the next bytes of the message.
func CMSEncryptionUpdate(encryption *Handle, content []byte) ([]byte, Code) {
	if !encryption.acquire() {
		return nil, Closed
	}
	defer encryption.release()
	return written(func(out *C.uint8_t, length *C.size_t) C.kuaimi_error {
		return C.kuaimi_cms_encryption_update((*C.kuaimi_cms_encryption)(encryption.pointer), bytes(content), size(content), out, length)
	})
}

// CMSEncryptionFinish ends the content, and gives the last bytes of the message.
func CMSEncryptionFinish(encryption *Handle) ([]byte, Code) {
	if !encryption.acquire() {
		return nil, Closed
	}
	defer encryption.release()
	return written(func(out *C.uint8_t, length *C.size_t) C.kuaimi_error {
		return C.kuaimi_cms_encryption_finish((*C.kuaimi_cms_encryption)(encryption.pointer), out, length)
	})
}

// CMSDecrypt decrypts a message with a key. The certificate may be nil.
func CMSDecrypt(key, certificate *Handle, message []byte) ([]byte, Code) {
	if !key.acquire() {
		return nil, Closed
	}
	defer key.release()
	var holder *C.kuaimi_certificate
	if certificate != nil {
		if !certificate.acquire() {
			return nil, Closed
		}
		defer certificate.release()
		holder = (*C.kuaimi_certificate)(certificate.pointer)
	}
	return written(func(out *C.uint8_t, length *C.size_t) C.kuaimi_error {
		return C.kuaimi_cms_decrypt((*C.kuaimi_sm2_private_key)(key.pointer), holder, bytes(message), size(message), out, length)
	})
}
