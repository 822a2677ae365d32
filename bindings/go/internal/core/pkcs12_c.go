//go:build cgo && !purego && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

/*
#include "kuaimi.h"
*/
import "C"

// PKCS12Read reads a file under a password.
func PKCS12Read(data, password []byte) ([]PKCS12Key, Code) {
	var file *C.kuaimi_pkcs12
	if code := Code(C.kuaimi_pkcs12_read(bytes(data), size(data), bytes(password), size(password), &file)); code != OK {
		return nil, code
	}
	defer C.kuaimi_pkcs12_free(file)
	var count C.size_t
	if code := Code(C.kuaimi_pkcs12_key_count(file, &count)); code != OK {
		return nil, code
	}
	var keys []PKCS12Key
	for i := range count {
		certificates, code := certificatesDER(func(out *C.size_t) C.kuaimi_error {
			return C.kuaimi_pkcs12_certificate_count(file, i, out)
		}, func(place C.size_t, out **C.kuaimi_certificate) C.kuaimi_error {
			return C.kuaimi_pkcs12_certificate(file, i, place, out)
		})
		var key *Handle
		if code == OK {
			key, code = newSM2Private(func(out **C.kuaimi_sm2_private_key) C.kuaimi_error {
				return C.kuaimi_pkcs12_key(file, i, out)
			})
		}
		if code != OK {
			for _, it := range keys {
				it.Key.Close()
			}
			return nil, code
		}
		keys = append(keys, PKCS12Key{Key: key, Certificates: certificates})
	}
	return keys, OK
}

// PKCS12Write writes keys with their holders' certificates, and others, under a password.
func PKCS12Write(keys, holders, others []*Handle, password []byte, profile uint32) ([]byte, Code) {
	if len(keys) != len(holders) {
		return nil, InvalidArgument
	}
	private, ok := listOf(keys)
	if !ok {
		return nil, Closed
	}
	defer private.release()
	own, ok := listOf(holders)
	if !ok {
		return nil, Closed
	}
	defer own.release()
	above, ok := listOf(others)
	if !ok {
		return nil, Closed
	}
	defer above.release()
	return written(func(out *C.uint8_t, length *C.size_t) C.kuaimi_error {
		return C.kuaimi_pkcs12_write_all(private.privateKeys(), own.certificates(), own.size(), above.certificates(), above.size(), bytes(password), size(password),
			C.kuaimi_pkcs12_profile(profile), out, length)
	})
}

// CFCAReadKeyFile reads an .sm2 file: a key and its certificate in DER.
func CFCAReadKeyFile(data, password []byte) (*Handle, []byte, Code) {
	var key *Handle
	certificate, code := certificateDER(func(holder **C.kuaimi_certificate) C.kuaimi_error {
		var code Code
		key, code = newSM2Private(func(out **C.kuaimi_sm2_private_key) C.kuaimi_error {
			return C.kuaimi_cfca_read_key_file(bytes(data), size(data), bytes(password), size(password), out, holder)
		})
		return C.kuaimi_error(code)
	})
	if code != OK {
		key.Close()
		return nil, nil, code
	}
	return key, certificate, OK
}

// CFCAWriteKeyFile writes an .sm2 file.
func CFCAWriteKeyFile(key, certificate *Handle, password []byte) (file []byte, code Code) {
	result := withBoth(key, certificate, func() C.kuaimi_error {
		file, code = written(func(out *C.uint8_t, length *C.size_t) C.kuaimi_error {
			return C.kuaimi_cfca_write_key_file((*C.kuaimi_sm2_private_key)(key.pointer), (*C.kuaimi_certificate)(certificate.pointer),
				bytes(password), size(password), out, length)
		})
		return C.kuaimi_error(code)
	})
	return file, result
}

// CFCAOpenReturnedKey opens a key that CFCA returns for a temporary one.
func CFCAOpenReturnedKey(temporary *Handle, text []byte) (*Handle, Code) {
	if !temporary.acquire() {
		return nil, Closed
	}
	defer temporary.release()
	return newSM2Private(func(out **C.kuaimi_sm2_private_key) C.kuaimi_error {
		return C.kuaimi_cfca_open_returned_key((*C.kuaimi_sm2_private_key)(temporary.pointer), bytes(text), size(text), out)
	})
}
