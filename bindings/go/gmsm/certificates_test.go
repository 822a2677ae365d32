package gmsm_test

import (
	"bytes"
	"crypto"
	"crypto/rand"
	standard "crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"math/big"
	"testing"
	"time"

	theircfca "github.com/emmansun/gmsm/cfca"
	"github.com/emmansun/gmsm/pkcs"
	"github.com/emmansun/gmsm/pkcs7"
	gmsm "github.com/emmansun/gmsm/sm2"
	"github.com/emmansun/gmsm/smx509"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/cfca"
	"github.com/kuaimi/kuaimi/bindings/go/cms"
	"github.com/kuaimi/kuaimi/bindings/go/internal/authority"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
	"github.com/kuaimi/kuaimi/bindings/go/x509"
)

// private is a key of gmsm's type.
func private(t *testing.T, key *sm2.PrivateKey) *gmsm.PrivateKey {
	t.Helper()
	exported, err := key.ToECDSA(gmsm.P256())
	if err != nil {
		t.Fatal(err)
	}
	return &gmsm.PrivateKey{PrivateKey: *exported}
}

// read is a certificate of gmsm's type.
func read(t *testing.T, certificate *x509.Certificate) *smx509.Certificate {
	t.Helper()
	return check.Must[*smx509.Certificate](t)(smx509.ParseCertificate(certificate.Raw))
}

// smx509 verifies chains, requests and lists that were made here, and the other way.
func TestCertificates(t *testing.T) {
	root := authority.Root(t, "root")
	middle := root.Issue(t, "middle", authority.Authority)
	leaf := middle.Issue(t, "leaf", nil)
	roots, intermediates := smx509.NewCertPool(), smx509.NewCertPool()
	roots.AddCert(read(t, root.Certificate))
	intermediates.AddCert(read(t, middle.Certificate))
	options := smx509.VerifyOptions{Roots: roots, Intermediates: intermediates, DNSName: "leaf.example"}
	theirs := read(t, leaf.Certificate)
	if _, err := theirs.Verify(options); err != nil {
		t.Fatal(err)
	}
	if theirs.Subject.String() != leaf.Certificate.Subject.String() || !bytes.Equal(theirs.SubjectKeyId, leaf.Certificate.SubjectKeyId) ||
		!bytes.Equal(theirs.RawTBSCertificate, leaf.Certificate.RawTBSCertificate) ||
		!bytes.Equal(theirs.RawSubjectPublicKeyInfo, leaf.Certificate.RawSubjectPublicKeyInfo) || theirs.SignatureAlgorithm != smx509.SM2WithSM3 {
		t.Error("gmsm reads other fields")
	}
	request := check.Must[[]byte](t)(x509.CreateCertificateRequest(nil, &x509.CertificateRequest{
		Subject: pkix.Name{CommonName: "leaf"}, DNSNames: []string{"leaf.example"},
	}, leaf.Key))
	if err := check.Must[*smx509.CertificateRequest](t)(smx509.ParseCertificateRequest(request)).CheckSignature(); err != nil {
		t.Error(err)
	}
	now := time.Now()
	list := check.Must[[]byte](t)(x509.CreateRevocationList(nil, &x509.RevocationList{
		Number: big.NewInt(1), ThisUpdate: now, NextUpdate: now.Add(time.Hour),
	}, root.Certificate, root.Key))
	theirList := check.Must[*smx509.RevocationList](t)(smx509.ParseRevocationList(list))
	if err := theirList.CheckSignatureFrom(read(t, root.Certificate)); err != nil {
		t.Error(err)
	}

	// The other way.
	key := private(t, root.Key)
	template := &smx509.Certificate{
		SerialNumber: big.NewInt(7), Subject: pkix.Name{CommonName: "theirs"}, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour),
		KeyUsage: smx509.KeyUsageDigitalSignature, DNSNames: []string{"theirs.example"}, BasicConstraintsValid: true,
	}
	der := check.Must[[]byte](t)(smx509.CreateCertificate(rand.Reader, template, read(t, root.Certificate), &private(t, leaf.Key).PublicKey, key))
	ours := check.Must[*x509.Certificate](t)(x509.ParseCertificate(der))
	if err := x509.CheckSignatureFrom(ours, root.Certificate, x509.DefaultIdentity); err != nil || !leaf.Key.Public().(*sm2.PublicKey).Equal(ours.PublicKey) {
		t.Error(err)
	}
	if kuaimi.Backend() != "gmsm" {
		if _, err := x509.Verify(ours, x509.VerifyOptions{Roots: []*x509.Certificate{root.Certificate}, DNSName: "theirs.example"}); err != nil {
			t.Error(err)
		}
	}
	der = check.Must[[]byte](t)(smx509.CreateCertificateRequest(rand.Reader, &smx509.CertificateRequest{
		Subject: pkix.Name{CommonName: "theirs"},
	}, key))
	if err := x509.CheckRequest(check.Must[*x509.CertificateRequest](t)(x509.ParseCertificateRequest(der)), x509.DefaultIdentity); err != nil {
		t.Error(err)
	}
}

// gmsm's private key is a crypto.Signer, and its public key stands for ours.
func TestSignerOfGmsm(t *testing.T) {
	root := authority.Root(t, "root")
	leaf := root.Issue(t, "leaf", nil)
	var key crypto.Signer = private(t, root.Key)
	certificate := authority.Sign(t, authority.Template("leaf"), root.Certificate, &private(t, leaf.Key).PublicKey, key)
	if err := x509.CheckSignatureFrom(certificate, root.Certificate, x509.DefaultIdentity); err != nil {
		t.Error(err)
	}
	if !leaf.Key.Public().(*sm2.PublicKey).Equal(certificate.PublicKey) {
		t.Error("another public key")
	}
	if kuaimi.Backend() != "gmsm" {
		message := check.Must[[]byte](t)(cms.Sign([]byte("a payment"), []cms.Signer{{Certificate: leaf.Certificate, Key: private(t, leaf.Key)}}, nil))
		check.Must[*cms.Message](t)(cms.Verify(message, nil))
	}
}

// smx509 and this module agree on what a certificate says, whichever bit is wrong.
func TestAlteredCertificates(t *testing.T) {
	leaf := authority.Root(t, "root").Issue(t, "leaf", nil).Certificate.Raw
	agreed := 0
	for place := range leaf {
		for _, flip := range []byte{1, 0x20, 0x80} {
			altered := bytes.Clone(leaf)
			altered[place] ^= flip
			ours, err := x509.ParseCertificate(altered)
			theirs, theirErr := smx509.ParseCertificate(altered)
			if err != nil || theirErr != nil {
				// They may differ in what they refuse, such as a point that is not on the curve.
				continue
			}
			agreed++
			if !bytes.Equal(ours.Raw, altered) || !bytes.Equal(ours.RawTBSCertificate, theirs.RawTBSCertificate) ||
				!bytes.Equal(ours.RawSubjectPublicKeyInfo, theirs.RawSubjectPublicKeyInfo) || ours.Subject.String() != theirs.Subject.String() ||
				ours.KeyUsage != standard.KeyUsage(theirs.KeyUsage) || !ours.NotAfter.Equal(theirs.NotAfter) || ours.SerialNumber.Cmp(theirs.SerialNumber) != 0 {
				t.Errorf("byte %d, %x: other fields", place, flip)
			}
		}
	}
	if agreed < 300 {
		t.Errorf("only %d were read by both", agreed)
	}
}

// Messages of GM/T 0010, both ways.
func TestMessages(t *testing.T) {
	if kuaimi.Backend() == "gmsm" {
		t.Skip("needs libkuaimi")
	}
	root := authority.Root(t, "root")
	leaf := root.Issue(t, "leaf", nil)
	key, certificate := private(t, leaf.Key), read(t, leaf.Certificate)
	content := []byte("a payment")
	signers := []cms.Signer{{Certificate: leaf.Certificate, Key: leaf.Key}}
	roots := smx509.NewCertPool()
	roots.AddCert(read(t, root.Certificate))

	signed := check.Must[[]byte](t)(cms.Sign(content, signers, &cms.SignOptions{Form: cms.GM, SigningTime: time.Now()}))
	theirs := check.Must[*pkcs7.PKCS7](t)(pkcs7.Parse(signed))
	if err := theirs.VerifyWithChain(roots); err != nil || !bytes.Equal(theirs.Content, content) {
		t.Error(err)
	}
	plain := check.Must[[]byte](t)(cms.Sign(content, signers, &cms.SignOptions{Form: cms.GM, NoAttributes: true}))
	if err := theircfca.VerifyMessageAttach(plain); err != nil {
		t.Error(err)
	}
	detached := check.Must[[]byte](t)(cms.SignDetached(bytes.NewReader(content), signers, &cms.SignOptions{Form: cms.GM, NoAttributes: true}))
	if err := theircfca.VerifyMessageDetach(detached, content); err != nil {
		t.Error(err)
	}
	for _, byKey := range []bool{false, true} {
		encrypted := check.Must[[]byte](t)(cms.Encrypt(content, []*x509.Certificate{leaf.Certificate}, &cms.EncryptOptions{Form: cms.GM, ByKeyID: byKey}))
		got, err := check.Must[*pkcs7.PKCS7](t)(pkcs7.Parse(encrypted)).Decrypt(certificate, key)
		if err != nil || !bytes.Equal(got, content) {
			t.Errorf("by key %v: %v", byKey, err)
		}
	}
	sadk := check.Must[[]byte](t)(cms.Encrypt(content, []*x509.Certificate{leaf.Certificate}, &cms.EncryptOptions{Form: cms.GM, Cipher: cms.SM4CBCSADK, ByKeyID: true}))
	if got, err := theircfca.OpenEnvelopedMessage(sadk, certificate, key); err != nil || !bytes.Equal(got, content) {
		t.Error(err)
	}

	// Theirs.
	data := check.Must[*pkcs7.SignedData](t)(pkcs7.NewSMSignedData(content))
	if err := data.AddSigner(certificate, key, pkcs7.SignerInfoConfig{}); err != nil {
		t.Fatal(err)
	}
	for what, message := range map[string][]byte{
		"signed": check.Must[[]byte](t)(data.Finish()), "attached": check.Must[[]byte](t)(theircfca.SignMessageAttach(content, certificate, key)),
	} {
		verified, err := cms.Verify(message, nil)
		if err != nil || !bytes.Equal(verified.Content, content) || !verified.Signers[0].Certificate.Equal(leaf.Certificate) {
			t.Errorf("%s: %v", what, err)
		}
	}
	apart := check.Must[[]byte](t)(theircfca.SignMessageDetach(content, certificate, key))
	if _, err := cms.VerifyDetached(apart, bytes.NewReader(content), nil); err != nil {
		t.Error(err)
	}
	recipients := []*smx509.Certificate{certificate}
	for what, message := range map[string][]byte{
		"CBC":         check.Must[[]byte](t)(pkcs7.EncryptSM(pkcs.SM4CBC, content, recipients)),
		"CMS":         check.Must[[]byte](t)(pkcs7.Encrypt(pkcs.SM4CBC, content, recipients)),
		"SADK":        check.Must[[]byte](t)(theircfca.EnvelopeMessage(pkcs.SM4CBC, content, recipients)),
		"SADK before": check.Must[[]byte](t)(theircfca.EnvelopeMessageLegacy(pkcs.SM4CBC, content, recipients)),
	} {
		if got, err := cms.Decrypt(message, leaf.Key, leaf.Certificate); err != nil || !bytes.Equal(got, content) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// CFCA's key files, both ways.
func TestCFCA(t *testing.T) {
	if kuaimi.Backend() == "gmsm" {
		t.Skip("needs libkuaimi")
	}
	root := authority.Root(t, "root")
	password := []byte("密码")
	file := check.Must[[]byte](t)(cfca.WriteKeyFile(root.Key, root.Certificate, password))
	der := check.Must[[]byte](t)(base64.StdEncoding.DecodeString(string(file)))
	key, certificate, err := theircfca.ParseSM2(password, der)
	if err != nil || !key.Equal(private(t, root.Key)) || !certificate.Equal(read(t, root.Certificate)) {
		t.Error(err)
	}
	theirs := check.Must[[]byte](t)(theircfca.MarshalSM2(password, private(t, root.Key), read(t, root.Certificate)))
	ours, own, err := cfca.ReadKeyFile(theirs, password)
	if err != nil || !ours.Equal(root.Key) || !own.Equal(root.Certificate) {
		t.Error(err)
	}
}
