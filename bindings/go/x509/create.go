package x509

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha1"
	"crypto/x509"
	"errors"
	"io"
	"sync"

	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
)

// placeholder is a key that crypto/x509 builds structures with. Nothing that it signed is kept.
var placeholder = sync.OnceValues(func() (ed25519.PrivateKey, error) {
	_, private, err := ed25519.GenerateKey(nil)
	return private, err
})

// CreateCertificate makes a certificate in DER, as the function of this name in crypto/x509 does: for the key pub, with the fields of
// template, by the authority parent, whose private key priv signs. For a certificate that signs itself, give template as parent, too.
// pub is a *sm2.PublicKey, a *ecdsa.PublicKey on SM2's curve, or a key of another algorithm that crypto/x509 knows.
//
// The identifier of a key of SM2, for an authority's template without one, is SHA-1 of the point, as nearly all authorities compute it.
// rand makes the serial number of a template without one; nil is crypto/rand.Reader.
//
// If priv is no key of SM2, crypto/x509 signs; then pub cannot be one either. An authority of RSA or ECDSA that issues certificates for
// keys of SM2 is not supported: kuaimi.ErrOtherAlgorithm.
func CreateCertificate(rand io.Reader, template, parent *Certificate, pub, priv any) ([]byte, error) {
	if template == nil || parent == nil {
		return nil, errors.New("x509: the template or the parent is nil")
	}
	subject := sm2Key(pub)
	signer, err := signerOf(priv)
	if err != nil {
		return nil, err
	}
	rand = orDefault(rand)
	if signer == nil {
		if subject != nil {
			return nil, fault.Of(core.OtherAlgorithm)
		}
		return x509.CreateCertificate(rand, template, parent, pub, priv)
	}
	if err := signer.check(template.SignatureAlgorithm); err != nil {
		return nil, err
	}
	if parent.PublicKey != nil && !signer.public.Equal(sm2Key(parent.PublicKey)) {
		return nil, errors.New("x509: provided PrivateKey doesn't match parent's PublicKey")
	}
	stand, err := placeholder()
	if err != nil {
		return nil, err
	}
	own, above := *template, *parent
	above.PublicKey = nil
	if subject != nil {
		pub = stand.Public()
		if own.IsCA && len(own.SubjectKeyId) == 0 {
			id := sha1.Sum(subject.Bytes())
			own.SubjectKeyId = id[:]
		}
	}
	built, err := x509.CreateCertificate(rand, &own, &above, pub, stand)
	if err != nil {
		return nil, err
	}
	return signer.sign(built, certificateKind, subject)
}

// CreateCertificateRequest makes a request in DER (PKCS #10), as the function of this name in crypto/x509 does, for the key of priv,
// which signs it. rand is not used, and may be nil.
func CreateCertificateRequest(rand io.Reader, template *CertificateRequest, priv any) ([]byte, error) {
	if template == nil {
		return nil, errors.New("x509: the template is nil")
	}
	signer, err := signerOf(priv)
	if err != nil {
		return nil, err
	}
	rand = orDefault(rand)
	if signer == nil {
		return x509.CreateCertificateRequest(rand, template, priv)
	}
	if err := signer.check(template.SignatureAlgorithm); err != nil {
		return nil, err
	}
	stand, err := placeholder()
	if err != nil {
		return nil, err
	}
	built, err := x509.CreateCertificateRequest(rand, template, stand)
	if err != nil {
		return nil, err
	}
	return signer.sign(built, requestKind, signer.public)
}

// CreateRevocationList makes a revocation list in DER, as the function of this name in crypto/x509 does. The issuer must have the usage
// KeyUsageCRLSign and an identifier of its key. rand is not used, and may be nil.
func CreateRevocationList(rand io.Reader, template *RevocationList, issuer *Certificate, priv crypto.Signer) ([]byte, error) {
	if template == nil || issuer == nil {
		return nil, errors.New("x509: the template or the issuer is nil")
	}
	signer, err := signerOf(priv)
	if err != nil {
		return nil, err
	}
	rand = orDefault(rand)
	if signer == nil {
		return x509.CreateRevocationList(rand, template, issuer, priv)
	}
	if err := signer.check(template.SignatureAlgorithm); err != nil {
		return nil, err
	}
	if issuer.PublicKey != nil && !signer.public.Equal(sm2Key(issuer.PublicKey)) {
		return nil, errors.New("x509: provided PrivateKey doesn't match the issuer's PublicKey")
	}
	stand, err := placeholder()
	if err != nil {
		return nil, err
	}
	built, err := x509.CreateRevocationList(rand, template, issuer, stand)
	if err != nil {
		return nil, err
	}
	return signer.sign(built, listKind, nil)
}

func orDefault(reader io.Reader) io.Reader {
	if reader == nil {
		return rand.Reader
	}
	return reader
}

// sign puts the signer's signature, and the public key unless it is nil, into what crypto/x509 built.
func (s *signer) sign(built []byte, k kind, key *sm2.PublicKey) ([]byte, error) {
	parts, err := takeApart(built, k)
	if err != nil {
		return nil, err
	}
	var info []byte
	if key != nil {
		if info, err = key.Marshal(sm2.SPKI); err != nil {
			return nil, err
		}
	}
	tbs, err := parts.withSM2(k, info)
	if err != nil {
		return nil, err
	}
	signature, err := s.signature(tbs)
	if err != nil {
		return nil, err
	}
	return signed(tbs, bytes.Clone(signature))
}
