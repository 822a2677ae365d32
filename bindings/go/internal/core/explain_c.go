//go:build cgo && !purego && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

/*
#include "kuaimi.h"
*/
import "C"

// explained is a sentence that a function of C writes.
func explained(write func(out *C.uint8_t, length *C.size_t) C.kuaimi_error) (string, Code) {
	out := make([]byte, C.KUAIMI_EXPLANATION_MAX_LEN)
	length := size(out)
	if code := Code(write(bytes(out), &length)); code != OK {
		return "", code
	}
	return string(out[:length]), OK
}

// SM2Explain says what a signature fits that does not fit a message under an identity.
func SM2Explain(key *Handle, id, message []byte, form Form, signature []byte) (string, Code) {
	if !key.acquire() {
		return "", Closed
	}
	defer key.release()
	return explained(func(out *C.uint8_t, length *C.size_t) C.kuaimi_error {
		return C.kuaimi_sm2_explain_signature((*C.kuaimi_sm2_public_key)(key.pointer), bytes(id), size(id), bytes(message), size(message),
			bytes(signature), size(signature), C.kuaimi_signature_form(form), out, length)
	})
}

// SM2PrivateExplain says what a file is that SM2PrivateRead does not read; nothing if that is not known.
func SM2PrivateExplain(data, password []byte) string {
	text, _ := explained(func(out *C.uint8_t, length *C.size_t) C.kuaimi_error {
		return C.kuaimi_sm2_explain_private_key(bytes(data), size(data), bytes(password), size(password), out, length)
	})
	return text
}

// SM2PublicExplain says what a file is that SM2PublicRead does not read; nothing if that is not known.
func SM2PublicExplain(data []byte) string {
	text, _ := explained(func(out *C.uint8_t, length *C.size_t) C.kuaimi_error {
		return C.kuaimi_sm2_explain_public_key(bytes(data), size(data), out, length)
	})
	return text
}
