package x509

import (
	"time"

	"github.com/kuaimi/kuaimi/bindings/go/internal/certificates"
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
)

// An OCSPHash is with what a request names the issuer of a certificate. It protects nothing.
type OCSPHash int

const (
	// OCSPHashSM3 is SM3.
	OCSPHashSM3 OCSPHash = iota
	// OCSPHashSHA1 is SHA-1, which every responder knows.
	OCSPHashSHA1
)

// CreateOCSPRequest makes a request about a certificate, in DER, for the responder of its issuer. The nonce is nil, or 1 to 32 random
// bytes, which CheckOCSPResponse compares: then an old response is no answer to a new request.
func CreateOCSPRequest(certificate, issuer *Certificate, nonce []byte, hash OCSPHash) ([]byte, error) {
	handles, code := certificates.Open(certificate, issuer)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	defer handles.Close()
	if hash < OCSPHashSM3 || hash > OCSPHashSHA1 || nonce != nil && len(nonce) == 0 {
		return nil, fault.Of(core.InvalidArgument)
	}
	request, code := core.OCSPRequest(handles[0], handles[1], nonce, uint32(hash)+1)
	return request, fault.Of(code)
}

// An OCSPStatus is what a responder says of a certificate.
type OCSPStatus int

const (
	// OCSPGood: it is not revoked.
	OCSPGood OCSPStatus = iota + 1
	// OCSPRevoked: it was revoked.
	OCSPRevoked
	// OCSPUnknown: the responder does not know it.
	OCSPUnknown
)

// An OCSPAnswer is what a responder says of a certificate.
type OCSPAnswer struct {
	Status OCSPStatus
	// ThisUpdate is when this was known to be right. NextUpdate is when there will be newer knowledge; the zero time if that is not said.
	ThisUpdate, NextUpdate time.Time
	// RevokedAt is when the certificate was revoked, and ReasonCode why, by RFC 5280, 5.3.1; 0 is that no reason is given.
	RevokedAt  time.Time
	ReasonCode int
}

// CheckOCSPResponse verifies a response in DER, and returns what it says of a certificate. The responder must be the issuer, whose own
// chain must have been verified, or the holder of a certificate that the issuer signed for this purpose. The response must be in force
// at the time, where the zero time is now, and repeat the nonce if it is not nil. kuaimi.ErrDER: it is no response.
// kuaimi.ErrInvalidSignature: it is no answer that counts.
func CheckOCSPResponse(response []byte, certificate, issuer *Certificate, nonce []byte, now time.Time, identities Identities) (*OCSPAnswer, error) {
	handles, code := certificates.Open(certificate, issuer)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	defer handles.Close()
	policy, err := (&VerifyOptions{CurrentTime: now, Identities: identities}).policy()
	if err != nil || nonce != nil && len(nonce) == 0 {
		return nil, fault.Of(core.InvalidArgument)
	}
	answer, code := core.OCSPCheck(handles[0], handles[1], response, nonce, policy.Identities, policy.Time)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	return &OCSPAnswer{
		Status: OCSPStatus(answer.Status), ThisUpdate: moment(answer.ThisUpdate), NextUpdate: moment(answer.NextUpdate),
		RevokedAt: moment(answer.RevokedAt), ReasonCode: int(answer.Reason),
	}, nil
}

// moment is a time of C, where 0 is none.
func moment(seconds uint64) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	return time.Unix(int64(seconds), 0).UTC()
}
