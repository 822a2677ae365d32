//go:build cgo && !purego && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

/*
#include "kuaimi.h"
*/
import "C"

import (
	"runtime"
	"unsafe"
)

// CertificateRead reads a certificate.
func CertificateRead(data []byte) (*Handle, Code) {
	return newCertificate(func(out **C.kuaimi_certificate) C.kuaimi_error {
		return C.kuaimi_certificate_read(bytes(data), size(data), out)
	})
}

func newCertificate(create func(out **C.kuaimi_certificate) C.kuaimi_error) (*Handle, Code) {
	return newHandle(func(p unsafe.Pointer) {
		C.kuaimi_certificate_free((*C.kuaimi_certificate)(p))
	}, func(out *unsafe.Pointer) C.kuaimi_error {
		return create((**C.kuaimi_certificate)(unsafe.Pointer(out)))
	})
}

// certificateDER is a certificate that a function of C gives, in DER.
func certificateDER(create func(out **C.kuaimi_certificate) C.kuaimi_error) ([]byte, Code) {
	var certificate *C.kuaimi_certificate
	if code := Code(create(&certificate)); code != OK {
		return nil, code
	}
	defer C.kuaimi_certificate_free(certificate)
	return written(func(out *C.uint8_t, length *C.size_t) C.kuaimi_error {
		return C.kuaimi_certificate_write(certificate, C.KUAIMI_CERTIFICATE_DER, out, length)
	})
}

// certificatesDER is that for a list, whose length and elements functions of C give.
func certificatesDER(count func(out *C.size_t) C.kuaimi_error,
	get func(index C.size_t, out **C.kuaimi_certificate) C.kuaimi_error) ([][]byte, Code) {
	var number C.size_t
	if code := Code(count(&number)); code != OK {
		return nil, code
	}
	list := make([][]byte, number)
	for i := range list {
		der, code := certificateDER(func(out **C.kuaimi_certificate) C.kuaimi_error { return get(C.size_t(i), out) })
		if code != OK {
			return nil, code
		}
		list[i] = der
	}
	return list, OK
}

// A list has the objects of handles, as C takes them: each is kept until release.
type list struct {
	handles  []*Handle
	pointers []unsafe.Pointer
}

// listOf acquires all handles. It is false if one was closed, and then none is kept.
func listOf(handles []*Handle) (list, bool) {
	l := list{pointers: make([]unsafe.Pointer, 0, len(handles))}
	for _, h := range handles {
		if !h.acquire() {
			l.release()
			return list{}, false
		}
		l.handles = append(l.handles, h)
		l.pointers = append(l.pointers, h.pointer)
	}
	return l, true
}

func (l list) certificates() **C.kuaimi_certificate {
	return (**C.kuaimi_certificate)(unsafe.Pointer(unsafe.SliceData(l.pointers)))
}

func (l list) privateKeys() **C.kuaimi_sm2_private_key {
	return (**C.kuaimi_sm2_private_key)(unsafe.Pointer(unsafe.SliceData(l.pointers)))
}

func (l list) size() C.size_t { return C.size_t(len(l.pointers)) }

func (l list) release() {
	for _, h := range l.handles {
		h.release()
	}
}

// VerifierNew is a verifier that trusts nobody yet.
func VerifierNew() (*Handle, Code) {
	return newHandle(func(p unsafe.Pointer) {
		C.kuaimi_verifier_free((*C.kuaimi_verifier)(p))
	}, func(out *unsafe.Pointer) C.kuaimi_error {
		return C.kuaimi_verifier_new((**C.kuaimi_verifier)(unsafe.Pointer(out)))
	})
}

// VerifierAddAnchor trusts a certificate.
func VerifierAddAnchor(verifier, certificate *Handle) Code {
	return withBoth(verifier, certificate, func() C.kuaimi_error {
		return C.kuaimi_verifier_add_anchor((*C.kuaimi_verifier)(verifier.pointer), (*C.kuaimi_certificate)(certificate.pointer))
	})
}

// VerifierAddIntermediate adds a certificate over which paths may lead.
func VerifierAddIntermediate(verifier, certificate *Handle) Code {
	return withBoth(verifier, certificate, func() C.kuaimi_error {
		return C.kuaimi_verifier_add_intermediate((*C.kuaimi_verifier)(verifier.pointer), (*C.kuaimi_certificate)(certificate.pointer))
	})
}

// withBoth calls with two handles that stay open meanwhile.
func withBoth(first, second *Handle, call func() C.kuaimi_error) Code {
	if !first.acquire() {
		return Closed
	}
	defer first.release()
	if !second.acquire() {
		return Closed
	}
	defer second.release()
	return Code(call())
}

// VerifierAddCRL adds lists of revoked certificates: one in DER, or any number in PEM.
func VerifierAddCRL(verifier *Handle, list []byte) Code {
	if !verifier.acquire() {
		return Closed
	}
	defer verifier.release()
	return Code(C.kuaimi_verifier_add_crl((*C.kuaimi_verifier)(verifier.pointer), bytes(list), size(list)))
}

// VerifierAddOCSP adds an OCSP response in DER.
func VerifierAddOCSP(verifier *Handle, response []byte) Code {
	if !verifier.acquire() {
		return Closed
	}
	defer verifier.release()
	return Code(C.kuaimi_verifier_add_ocsp((*C.kuaimi_verifier)(verifier.pointer), bytes(response), size(response)))
}

// VerifierVerify verifies chains together. There is a verdict for each, unless the policy is none.
func VerifierVerify(verifier *Handle, chains []Chain, policy Policy) ([]Verdict, Code) {
	if len(chains) == 0 {
		return nil, OK
	}
	if !verifier.acquire() {
		return nil, Closed
	}
	defer verifier.release()
	var pinner runtime.Pinner
	defer pinner.Unpin()
	items := make([]C.kuaimi_chain_item, len(chains))
	for i, chain := range chains {
		intermediates, ok := listOf(chain.Intermediates)
		if !ok || !chain.End.acquire() {
			intermediates.release()
			return nil, Closed
		}
		defer intermediates.release()
		defer chain.End.release()
		item := &items[i]
		item.end = (*C.kuaimi_certificate)(chain.End.pointer)
		if len(intermediates.pointers) != 0 {
			pinner.Pin(intermediates.certificates())
			item.intermediates, item.count = intermediates.certificates(), intermediates.size()
		}
		if chain.Peer != "" {
			peer := []byte(chain.Peer)
			pinner.Pin(unsafe.SliceData(peer))
			item.peer = C.kuaimi_bytes{data: bytes(peer), len: size(peer)}
		}
	}
	results := make([]C.kuaimi_error, len(chains))
	found := make([]*C.kuaimi_verdict, len(chains))
	// What is wrong with the policy is the result of every item.
	C.kuaimi_verifier_verify_batch((*C.kuaimi_verifier)(verifier.pointer), unsafe.SliceData(items), C.size_t(len(items)),
		C.kuaimi_purpose(policy.Purpose), C.kuaimi_revocation(policy.Revocation), C.kuaimi_identities(policy.Identities),
		C.uint64_t(policy.Time), unsafe.SliceData(found), unsafe.SliceData(results))
	defer func() {
		for _, verdict := range found {
			C.kuaimi_verdict_free(verdict)
		}
	}()
	verdicts := make([]Verdict, len(chains))
	for i := range verdicts {
		verdicts[i] = Verdict{Code: Code(results[i])}
		if found[i] != nil {
			if code := verdicts[i].read(found[i]); code != OK {
				return nil, code
			}
		}
	}
	return verdicts, OK
}

// read takes over what is in a verdict.
func (v *Verdict) read(verdict *C.kuaimi_verdict) Code {
	var rule C.kuaimi_rule
	var depth C.uint32_t
	if code := Code(C.kuaimi_verdict_rule(verdict, &rule)); code != OK {
		return code
	}
	if code := Code(C.kuaimi_verdict_depth(verdict, &depth)); code != OK {
		return code
	}
	v.Rule, v.Depth = uint32(rule), int(depth)
	if v.Code != OK {
		text, code := written(func(out *C.uint8_t, length *C.size_t) C.kuaimi_error {
			return C.kuaimi_verdict_explain(verdict, out, length)
		})
		v.Text = string(text)
		return code
	}
	var code Code
	v.Path, code = certificatesDER(func(out *C.size_t) C.kuaimi_error {
		return C.kuaimi_verdict_certificate_count(verdict, out)
	}, func(index C.size_t, out **C.kuaimi_certificate) C.kuaimi_error {
		return C.kuaimi_verdict_certificate(verdict, index, out)
	})
	return code
}

// OCSPRequest is a request about a certificate. The nonce may be nil.
func OCSPRequest(certificate, issuer *Handle, nonce []byte, hash uint32) (request []byte, code Code) {
	result := withBoth(certificate, issuer, func() C.kuaimi_error {
		request, code = written(func(out *C.uint8_t, length *C.size_t) C.kuaimi_error {
			return C.kuaimi_ocsp_request((*C.kuaimi_certificate)(certificate.pointer), (*C.kuaimi_certificate)(issuer.pointer),
				bytes(nonce), size(nonce), C.kuaimi_ocsp_hash(hash), out, length)
		})
		return C.kuaimi_error(code)
	})
	return request, result
}

// OCSPCheck verifies a response. A nil nonce is none.
func OCSPCheck(certificate, issuer *Handle, response, nonce []byte, identities uint32, time uint64) (OCSPAnswer, Code) {
	var answer C.kuaimi_ocsp_answer
	code := withBoth(certificate, issuer, func() C.kuaimi_error {
		return C.kuaimi_ocsp_check((*C.kuaimi_certificate)(certificate.pointer), (*C.kuaimi_certificate)(issuer.pointer),
			bytes(response), size(response), bytes(nonce), size(nonce), C.kuaimi_identities(identities), C.uint64_t(time), &answer)
	})
	return OCSPAnswer{
		ThisUpdate: uint64(answer.this_update), NextUpdate: uint64(answer.next_update), RevokedAt: uint64(answer.revoked_at),
		Status: uint32(answer.status), Reason: uint32(answer.reason),
	}, code
}
