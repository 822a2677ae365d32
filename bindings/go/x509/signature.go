package x509

import (
	"crypto/x509"
	"errors"

	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
)

// Identities are those under which signatures of SM2 are accepted.
type Identities int

const (
	// DefaultIdentity accepts the identity 1234567812345678 alone, as GM/T 0009 says.
	DefaultIdentity Identities = iota
	// DefaultOrEmptyIdentity also accepts the empty identity, under which OpenSSL 3 and some authorities sign.
	DefaultOrEmptyIdentity
)

// CheckSignatureFrom says whether the key of parent signed the certificate, and parent is an authority, as the method of this name in
// crypto/x509 does. Dates, names and the rest of a chain are not looked at: Verify does that. The error is kuaimi.ErrInvalidSignature if
// the signature does not fit.
func CheckSignatureFrom(certificate, parent *Certificate, identities Identities) error {
	key := sm2Key(parent.PublicKey)
	if key == nil {
		return certificate.CheckSignatureFrom(parent)
	}
	if parent.Version == 3 && !parent.BasicConstraintsValid || parent.BasicConstraintsValid && !parent.IsCA {
		return x509.ConstraintViolationError{}
	}
	if parent.KeyUsage != 0 && parent.KeyUsage&x509.KeyUsageCertSign == 0 {
		return x509.ConstraintViolationError{}
	}
	return checkSignature(certificate.Raw, certificateKind, certificate.RawTBSCertificate, certificate.Signature, key, identities)
}

// CheckRequest says whether the holder of the request's key signed it. The error is kuaimi.ErrInvalidSignature if not.
func CheckRequest(request *CertificateRequest, identities Identities) error {
	key := sm2Key(request.PublicKey)
	if key == nil {
		return request.CheckSignature()
	}
	return checkSignature(request.Raw, requestKind, request.RawTBSCertificateRequest, request.Signature, key, identities)
}

// CheckRevocationListFrom says whether the key of parent signed the list, and parent may sign lists. The error is
// kuaimi.ErrInvalidSignature if the signature does not fit.
func CheckRevocationListFrom(list *RevocationList, parent *Certificate, identities Identities) error {
	key := sm2Key(parent.PublicKey)
	if key == nil {
		return list.CheckSignatureFrom(parent)
	}
	if parent.Version == 3 && !parent.BasicConstraintsValid || parent.BasicConstraintsValid && !parent.IsCA {
		return x509.ConstraintViolationError{}
	}
	if parent.KeyUsage != 0 && parent.KeyUsage&x509.KeyUsageCRLSign == 0 {
		return x509.ConstraintViolationError{}
	}
	return checkSignature(list.Raw, listKind, list.RawTBSRevocationList, list.Signature, key, identities)
}

func checkSignature(raw []byte, k kind, tbs, signature []byte, key *sm2.PublicKey, identities Identities) error {
	parts, err := takeApart(raw, k)
	if err != nil {
		return err
	}
	if !parts.isSM2Signed() {
		return fault.Of(core.OtherAlgorithm)
	}
	err = verify(key, nil, tbs, signature)
	if identities == DefaultOrEmptyIdentity && errors.Is(err, fault.Of(core.InvalidSignature)) {
		err = verify(key, []byte{}, tbs, signature)
	}
	return err
}

func verify(key *sm2.PublicKey, id, message, signature []byte) error {
	verifier, err := key.VerifyingKey(id)
	if err != nil {
		return err
	}
	defer verifier.Close()
	return verifier.Verify(message, signature)
}
