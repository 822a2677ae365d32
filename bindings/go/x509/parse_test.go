package x509_test

import (
	"bytes"
	standard "crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/authority"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
	"github.com/kuaimi/kuaimi/bindings/go/x509"
)

func TestReadCertificates(t *testing.T) {
	root, other := authority.Root(t, "root").Certificate, authority.Root(t, "other").Certificate
	block := func(kind string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	text := "a comment\n" + block("CERTIFICATE", root.Raw) + block("EC PARAMETERS", []byte{5, 0}) + block("CERTIFICATE", other.Raw)
	list := check.Must[[]*x509.Certificate](t)(x509.ReadCertificates([]byte(text)))
	if len(list) != 2 || !list[0].Equal(root) || !list[1].Equal(other) {
		t.Errorf("%d certificates", len(list))
	}
	if list = check.Must[[]*x509.Certificate](t)(x509.ReadCertificates(root.Raw)); len(list) != 1 || !list[0].Equal(root) {
		t.Error("in DER")
	}
	// Functions for DER name those for PEM.
	_, err := x509.ParseCertificate([]byte(text))
	_, requestErr := x509.ParseCertificateRequest([]byte(text))
	_, listErr := x509.ParseRevocationList([]byte(text))
	for reader, err := range map[string]error{"ReadCertificates": err, "ReadCertificateRequest": requestErr, "ReadRevocationList": listErr} {
		if err == nil || !strings.Contains(err.Error(), "read it with "+reader+":") {
			t.Errorf("%s: %v", reader, err)
		}
	}
	// PEM in a certificate is a part of it, and no file.
	template := authority.Template("outer")
	comment := pkix.Extension{Id: asn1.ObjectIdentifier{2, 16, 840, 1, 113730, 1, 13}, Value: []byte("\n" + block("CERTIFICATE", other.Raw))}
	template.ExtraExtensions = []pkix.Extension{comment}
	key := authority.Key(t)
	outer := authority.Sign(t, template, template, authority.Public(t, key), key)
	if list = check.Must[[]*x509.Certificate](t)(x509.ReadCertificates(outer.Raw)); len(list) != 1 || !list[0].Equal(outer) {
		t.Error("the certificate in a certificate was read")
	}
	// A text may begin with the byte of a SEQUENCE, and the error says what a file is instead.
	if list = check.Must[[]*x509.Certificate](t)(x509.ReadCertificates([]byte("0 is the root\n" + text))); len(list) != 2 {
		t.Errorf("%d certificates", len(list))
	}
	if _, err := x509.ReadCertificates([]byte(block("CERTIFICATE REQUEST", root.Raw))); err == nil || !strings.Contains(err.Error(), "CERTIFICATE REQUEST") {
		t.Error(err)
	}
	for _, wrong := range []string{"", "text", block("PRIVATE KEY", root.Raw), strings.ReplaceAll(text, "-----BEGIN", "----BEGIN")} {
		_, err := x509.ReadCertificates([]byte(wrong))
		check.Error(t, err, kuaimi.ErrText)
	}
	for _, wrong := range []string{block("CERTIFICATE", root.Raw[:100]), string(root.Raw) + "\n", string(root.Raw[:100])} {
		if list, err := x509.ReadCertificates([]byte(wrong)); err == nil || list != nil {
			t.Errorf("%d certificates", len(list))
		}
	}
	_, err = x509.ParseCertificate(append(bytes.Clone(root.Raw), '\n'))
	if err == nil || !strings.Contains(err.Error(), "trailing data") {
		t.Error(err)
	}
}

// A key that is no point of the curve is none, whatever crypto/x509 passed over.
func TestWrongKeys(t *testing.T) {
	root := authority.Root(t, "root").Certificate
	point := root.PublicKey.(*sm2.PublicKey).Bytes()
	place := bytes.Index(root.Raw, point)
	for _, change := range []func(der []byte){
		func(der []byte) { der[place+64] ^= 1 },
		func(der []byte) { der[place] = 5 },
		func(der []byte) { clear(der[place+1 : place+65]) },
		// Bits that are left over in the bit string.
		func(der []byte) { der[place-1] = 1 },
	} {
		altered := bytes.Clone(root.Raw)
		change(altered)
		if certificate, err := x509.ParseCertificate(altered); err == nil {
			t.Errorf("%T", certificate.PublicKey)
		}
	}
	// What the caller changes later changes nothing that was read.
	der := bytes.Clone(root.Raw)
	certificate := check.Must[*x509.Certificate](t)(x509.ParseCertificate(der))
	clear(der)
	if !certificate.Equal(root) || certificate.Subject.CommonName != "root" || !bytes.Equal(certificate.RawSubject, root.RawSubject) {
		t.Error("the caller's memory is used")
	}
}

// Certificates of real authorities.
func TestRealCertificates(t *testing.T) {
	folder := "../../../crates/kuaimi-pki/tests/data/certificates"
	for name, subject := range map[string]string{"cfca-test-sm2-oca1.pem": "CFCA", "sheca-sm2.pem": ""} {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Skip("the files are in the repository alone")
		}
		for _, certificate := range check.Must[[]*x509.Certificate](t)(x509.ReadCertificates(data)) {
			if _, ok := certificate.PublicKey.(*sm2.PublicKey); !ok || !strings.Contains(certificate.Subject.String(), subject) {
				t.Errorf("%s: %T, %v", name, certificate.PublicKey, certificate.Subject)
			}
			// What crypto/x509 says of it alone.
			if _, err := standard.ParseCertificate(certificate.Raw); err == nil {
				t.Error("crypto/x509 reads SM2: much of this package is not needed any more")
			}
		}
	}
}

// SM2's curve in the place of the algorithm, as some authorities write it.
func TestKeyNamedAsItsCurve(t *testing.T) {
	root := authority.Root(t, "root").Certificate
	var whole struct{ TBS, Algorithm, Signature asn1.RawValue }
	if _, err := asn1.Unmarshal(root.Raw, &whole); err != nil {
		t.Fatal(err)
	}
	point := root.PublicKey.(*sm2.PublicKey).Bytes()
	key := check.Must[[]byte](t)(asn1.Marshal(struct {
		Algorithm struct{ ID asn1.ObjectIdentifier }
		Key       asn1.BitString
	}{struct{ ID asn1.ObjectIdentifier }{asn1.ObjectIdentifier{1, 2, 156, 10197, 1, 301}}, asn1.BitString{Bytes: point, BitLength: 8 * len(point)}}))
	whole.TBS.Bytes = bytes.Replace(whole.TBS.Bytes, root.RawSubjectPublicKeyInfo, key, 1)
	whole.TBS.FullBytes = nil
	der := check.Must[[]byte](t)(asn1.Marshal(whole))
	read := check.Must[*x509.Certificate](t)(x509.ParseCertificate(der))
	if !root.PublicKey.(*sm2.PublicKey).Equal(read.PublicKey) || !bytes.Equal(read.RawSubjectPublicKeyInfo, key) || !bytes.Equal(read.Raw, der) {
		t.Errorf("%T", read.PublicKey)
	}
	check.Error(t, x509.CheckSignatureFrom(read, root, x509.DefaultIdentity), kuaimi.ErrInvalidSignature)
}
