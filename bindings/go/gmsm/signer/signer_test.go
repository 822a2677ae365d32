package signer_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/x509/pkix"
	"math/big"
	"testing"
	"time"

	gmsm "github.com/emmansun/gmsm/sm2"
	"github.com/emmansun/gmsm/smx509"

	"github.com/kuaimi/kuaimi/bindings/go"
	_ "github.com/kuaimi/kuaimi/bindings/go/gmsm"
	"github.com/kuaimi/kuaimi/bindings/go/gmsm/signer"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
)

func generate(t *testing.T) (*sm2.PrivateKey, *signer.Signer) {
	t.Helper()
	key := check.Must[*sm2.PrivateKey](t)(sm2.GenerateKey())
	return key, check.Must[*signer.Signer](t)(signer.New(key))
}

// gmsm's options are understood where they can be.
func TestOptions(t *testing.T) {
	key, s := generate(t)
	public := s.Public().(*ecdsa.PublicKey)
	// A message that is as long as a digest is a message.
	message := make([]byte, 32)
	signature := check.Must[[]byte](t)(s.Sign(rand.Reader, message, gmsm.DefaultSM2SignerOpts))
	if !gmsm.VerifyASN1WithSM2(public, nil, message, signature) {
		t.Fatal("gmsm does not verify")
	}
	if !gmsm.VerifyASN1(public, message, check.Must[[]byte](t)(s.Sign(rand.Reader, message, nil))) {
		t.Fatal("gmsm does not verify the signature of a digest")
	}
	for _, opts := range []*gmsm.SM2SignerOption{nil, gmsm.NewSM2SignerOption(true, []byte("alice")), gmsm.NewSM2SignerOption(false, nil)} {
		if _, err := s.Sign(rand.Reader, message, opts); err == nil {
			t.Fatal("options that cannot be read were taken")
		}
		if _, err := s.SignMessage(rand.Reader, message, opts); err == nil {
			t.Fatal("options that cannot be read were taken")
		}
	}
	ciphertext := check.Must[[]byte](t)(gmsm.EncryptASN1(rand.Reader, public, message))
	if !bytes.Equal(check.Must[[]byte](t)(s.Decrypt(nil, ciphertext, nil)), message) {
		t.Fatal("another message")
	}
	key.Close()
	_, err := s.Sign(rand.Reader, message, gmsm.DefaultSM2SignerOpts)
	check.Error(t, err, kuaimi.ErrClosed)
	_, err = signer.New(key)
	check.Error(t, err, kuaimi.ErrClosed)
}

// Certificates of gmsm's smx509, signed with keys of Kuaimi, and read by both.
func TestCertificates(t *testing.T) {
	_, centre := generate(t)
	key, user := generate(t)
	template := &smx509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "centre"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Unix(1e9, 0), NotAfter: time.Unix(4e9, 0), KeyUsage: smx509.KeyUsageCertSign,
		SignatureAlgorithm: smx509.SM2WithSM3,
	}
	root := check.Must[[]byte](t)(smx509.CreateCertificate(rand.Reader, template, template, centre.Public(), centre))
	rootCertificate := check.Must[*smx509.Certificate](t)(smx509.ParseCertificate(root))
	if err := rootCertificate.CheckSignatureFrom(rootCertificate); err != nil {
		t.Fatal(err)
	}
	leafTemplate := *template
	leafTemplate.SerialNumber, leafTemplate.Subject.CommonName, leafTemplate.IsCA = big.NewInt(2), "user", false
	leaf := check.Must[[]byte](t)(smx509.CreateCertificate(rand.Reader, &leafTemplate, rootCertificate, user.Public(), centre))
	certificate := check.Must[*smx509.Certificate](t)(smx509.ParseCertificate(leaf))
	if err := certificate.CheckSignatureFrom(rootCertificate); err != nil {
		t.Fatal(err)
	}
	if !check.Must[*sm2.PublicKey](t)(sm2.ParsePublicKey(leaf)).Equal(key.Public()) {
		t.Fatal("another key in the certificate")
	}
	verifier := check.Must[*sm2.PublicKey](t)(sm2.NewPublicKeyFromECDSA(rootCertificate.PublicKey.(*ecdsa.PublicKey)))
	if err := verifier.Verify(certificate.RawTBSCertificate, certificate.Signature); err != nil {
		t.Fatal(err)
	}
	request := check.Must[[]byte](t)(smx509.CreateCertificateRequest(rand.Reader, &smx509.CertificateRequest{
		Subject: pkix.Name{CommonName: "user"}, SignatureAlgorithm: smx509.SM2WithSM3,
	}, user))
	if err := check.Must[*smx509.CertificateRequest](t)(smx509.ParseCertificateRequest(request)).CheckSignature(); err != nil {
		t.Fatal(err)
	}
}
