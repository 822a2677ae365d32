package x509_test

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	standard "crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/authority"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
	"github.com/kuaimi/kuaimi/bindings/go/x509"
)

// Each field that crypto/x509 writes is read again, and the key, the bytes and the signature are SM2's.
func TestCreateCertificate(t *testing.T) {
	root := authority.Root(t, "root")
	uri, _ := url.Parse("https://leaf.example/")
	key := authority.Key(t)
	template := authority.Template("leaf")
	template.DNSNames, template.URIs, template.EmailAddresses = []string{"leaf.example"}, []*url.URL{uri}, []string{"a@leaf.example"}
	template.IPAddresses = []net.IP{net.IPv4(192, 0, 2, 1).To4()}
	template.KeyUsage, template.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	template.BasicConstraintsValid, template.SubjectKeyId = true, []byte("an identifier")
	template.CRLDistributionPoints, template.OCSPServer = []string{"http://ca.example/crl"}, []string{"http://ca.example/ocsp"}
	leaf := authority.Sign(t, template, root.Certificate, authority.Public(t, key), root.Key)

	if leaf.Subject.String() != "CN=leaf,O=Example" || leaf.Issuer.String() != "CN=root,O=Example" ||
		leaf.SerialNumber.Cmp(template.SerialNumber) != 0 || !leaf.NotAfter.Equal(template.NotAfter) ||
		leaf.DNSNames[0] != "leaf.example" || leaf.URIs[0].String() != uri.String() || leaf.EmailAddresses[0] != "a@leaf.example" ||
		!leaf.IPAddresses[0].Equal(template.IPAddresses[0]) || leaf.KeyUsage != template.KeyUsage ||
		leaf.ExtKeyUsage[0] != x509.ExtKeyUsageServerAuth || string(leaf.SubjectKeyId) != "an identifier" ||
		leaf.CRLDistributionPoints[0] != "http://ca.example/crl" || leaf.OCSPServer[0] != "http://ca.example/ocsp" || leaf.Version != 3 {
		t.Errorf("%+v", leaf)
	}
	if !bytes.Equal(leaf.AuthorityKeyId, root.Certificate.SubjectKeyId) || len(leaf.AuthorityKeyId) != 20 {
		t.Errorf("%x, %x", leaf.AuthorityKeyId, root.Certificate.SubjectKeyId)
	}
	public := leaf.PublicKey.(*sm2.PublicKey)
	if !public.Equal(key.Public()) || leaf.PublicKeyAlgorithm != 0 || leaf.SignatureAlgorithm != 0 {
		t.Errorf("%T, %v, %v", leaf.PublicKey, leaf.PublicKeyAlgorithm, leaf.SignatureAlgorithm)
	}
	// The bytes are parts of one another, and those of the real key.
	info, err := public.Marshal(sm2.SPKI)
	if err != nil || !bytes.Equal(leaf.RawSubjectPublicKeyInfo, info) || !bytes.Contains(leaf.RawTBSCertificate, info) ||
		!bytes.Contains(leaf.Raw, leaf.RawTBSCertificate) {
		t.Error("the bytes of the structure are others", err)
	}
	if err := authority.Public(t, root.Key).Verify(leaf.RawTBSCertificate, leaf.Signature); err != nil {
		t.Error(err)
	}
	if err := x509.CheckSignatureFrom(leaf, root.Certificate, x509.DefaultIdentity); err != nil {
		t.Error(err)
	}
	if err := x509.CheckSignatureFrom(leaf, leaf, x509.DefaultIdentity); err == nil {
		t.Error("the leaf did not sign itself, and is no authority")
	}
	// crypto/x509 must not accept what it did not verify.
	pool := standard.NewCertPool()
	pool.AddCert(root.Certificate)
	if _, err := leaf.Verify(standard.VerifyOptions{Roots: pool}); err == nil {
		t.Error("crypto/x509 accepts a signature that it cannot verify")
	}
	if leaf.VerifyHostname("leaf.example") != nil || leaf.VerifyHostname("other.example") == nil {
		t.Error("the method of crypto/x509")
	}
	// A version of the certificate's is a template.
	again := authority.Sign(t, leaf, root.Certificate, leaf.PublicKey, root.Key)
	if again.Equal(leaf) || !bytes.Equal(again.RawTBSCertificate, leaf.RawTBSCertificate) {
		t.Error("a renewed certificate differs")
	}
}

// The same algorithm identifiers and forms as GM/T 0015 has: no parameters.
func TestSignatureAlgorithm(t *testing.T) {
	root := authority.Root(t, "root")
	wanted := []byte{0x30, 0x0a, 6, 8, 0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x83, 0x75}
	if n := bytes.Count(root.Certificate.Raw, wanted); n != 2 {
		t.Errorf("the algorithm is there %d times", n)
	}
	for _, other := range [][]byte{{0x2b, 0x65, 0x70}, {0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 0x63}} {
		if bytes.Contains(root.Certificate.Raw, other) {
			t.Errorf("what stood for SM2 is still there: %x", other)
		}
	}
}

func TestCreateRefusals(t *testing.T) {
	root, other := authority.Root(t, "root"), authority.Root(t, "other")
	public := authority.Public(t, other.Key)
	p256, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	closed := authority.Key(t)
	closed.Close()
	withAlgorithm := authority.Template("leaf")
	withAlgorithm.SignatureAlgorithm = standard.ECDSAWithSHA256
	negative := authority.Template("leaf")
	negative.SerialNumber = big.NewInt(-1)
	for what, c := range map[string]struct {
		template, parent *x509.Certificate
		public, private  any
	}{
		"another key than the parent's": {authority.Template("leaf"), root.Certificate, public, other.Key},
		"a key that is closed":          {authority.Template("leaf"), authority.Template("root"), public, closed},
		"no key":                        {authority.Template("leaf"), root.Certificate, public, nil},
		"a public key":                  {authority.Template("leaf"), root.Certificate, public, public},
		"no template":                   {nil, root.Certificate, public, root.Key},
		"an algorithm of crypto/x509":   {withAlgorithm, root.Certificate, public, root.Key},
		"what crypto/x509 refuses":      {negative, root.Certificate, public, root.Key},
		"no public key":                 {authority.Template("leaf"), root.Certificate, nil, root.Key},
		"an authority of ECDSA":         {authority.Template("leaf"), authority.Template("root"), public, p256},
	} {
		if der, err := x509.CreateCertificate(rand.Reader, c.template, c.parent, c.public, c.private); err == nil || der != nil {
			t.Errorf("%s: there is a certificate", what)
		}
	}
	// What has nothing to do with SM2 is for crypto/x509, and an authority of SM2 also certifies other keys.
	for _, private := range []any{p256, root.Key} {
		parent := authority.Template("root")
		der, err := x509.CreateCertificate(nil, authority.Template("leaf"), parent, p256.Public(), private)
		if err != nil {
			t.Fatal(err)
		}
		certificate, err := x509.ParseCertificate(der)
		if err != nil || !p256.PublicKey.Equal(certificate.PublicKey) {
			t.Errorf("%v, %T", err, certificate.PublicKey)
		}
	}
}

// lying is a device that signs something else.
type lying struct{ *sm2.PrivateKey }

func (l lying) Sign(random io.Reader, digest []byte, opts crypto.SignerOpts) ([]byte, error) {
	digest = bytes.Clone(digest)
	digest[0] ^= 1
	return l.PrivateKey.Sign(random, digest, opts)
}

// raw is a device that gives 64 bytes.
type raw struct{ *sm2.PrivateKey }

func (r raw) Sign(random io.Reader, digest []byte, opts crypto.SignerOpts) ([]byte, error) {
	der, err := r.PrivateKey.Sign(random, digest, opts)
	if err != nil {
		return nil, err
	}
	return sm2.ConvertSignature(der, sm2.DER, sm2.Raw)
}

func TestDevices(t *testing.T) {
	root := authority.Root(t, "root")
	template := authority.Template("leaf")
	public := authority.Public(t, authority.Key(t))
	leaf := authority.Sign(t, template, root.Certificate, public, raw{root.Key})
	if err := x509.CheckSignatureFrom(leaf, root.Certificate, x509.DefaultIdentity); err != nil {
		t.Error(err)
	}
	_, err := x509.CreateCertificate(nil, template, root.Certificate, public, lying{root.Key})
	if !errors.Is(err, kuaimi.ErrInvalidSignature) || !strings.Contains(err.Error(), "must sign the digest") {
		t.Error(err)
	}
	if der, err := x509.CreateCertificateRequest(nil, &x509.CertificateRequest{}, lying{root.Key}); der != nil ||
		!errors.Is(err, kuaimi.ErrInvalidSignature) {
		t.Error(err)
	}
}

func TestRequests(t *testing.T) {
	key := authority.Key(t)
	template := &x509.CertificateRequest{
		Subject: pkix.Name{CommonName: "leaf"}, DNSNames: []string{"leaf.example"}, EmailAddresses: []string{"a@leaf.example"},
	}
	der, err := x509.CreateCertificateRequest(nil, template, key)
	if err != nil {
		t.Fatal(err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE REQUEST", Bytes: der})
	for _, file := range [][]byte{der, text} {
		request, err := x509.ReadCertificateRequest(file)
		if err != nil {
			t.Fatal(err)
		}
		if request.Subject.CommonName != "leaf" || request.DNSNames[0] != "leaf.example" || request.EmailAddresses[0] != "a@leaf.example" ||
			!key.Public().(*sm2.PublicKey).Equal(request.PublicKey) || !bytes.Equal(request.Raw, der) {
			t.Errorf("%+v", request)
		}
		if err := x509.CheckRequest(request, x509.DefaultIdentity); err != nil {
			t.Error(err)
		}
		// Another name than that which was signed.
		altered := bytes.Replace(der, []byte("leaf.example"), []byte("root.example"), 1)
		request, err = x509.ParseCertificateRequest(altered)
		if err != nil || request.DNSNames[0] != "root.example" {
			t.Fatal(err)
		}
		if err := x509.CheckRequest(request, x509.DefaultOrEmptyIdentity); !errors.Is(err, kuaimi.ErrInvalidSignature) {
			t.Error(err)
		}
	}
}

func TestRevocationLists(t *testing.T) {
	root, other := authority.Root(t, "root"), authority.Root(t, "other")
	leaf := root.Issue(t, "leaf", nil)
	now := time.Now().Truncate(time.Second)
	template := &x509.RevocationList{
		Number: big.NewInt(7), ThisUpdate: now, NextUpdate: now.Add(time.Hour),
		RevokedCertificateEntries: []x509.RevocationListEntry{
			{SerialNumber: leaf.Certificate.SerialNumber, RevocationTime: now, ReasonCode: 1},
		},
	}
	der, err := x509.CreateRevocationList(nil, template, root.Certificate, root.Key)
	if err != nil {
		t.Fatal(err)
	}
	list, err := x509.ReadRevocationList(pem.EncodeToMemory(&pem.Block{Type: "X509 CRL", Bytes: der}))
	if err != nil {
		t.Fatal(err)
	}
	if list.Number.Int64() != 7 || len(list.RevokedCertificateEntries) != 1 || list.RevokedCertificateEntries[0].ReasonCode != 1 ||
		list.RevokedCertificateEntries[0].SerialNumber.Cmp(leaf.Certificate.SerialNumber) != 0 || !list.NextUpdate.Equal(template.NextUpdate) {
		t.Errorf("%+v", list)
	}
	if err := x509.CheckRevocationListFrom(list, root.Certificate, x509.DefaultIdentity); err != nil {
		t.Error(err)
	}
	if err := x509.CheckRevocationListFrom(list, other.Certificate, x509.DefaultIdentity); !errors.Is(err, kuaimi.ErrInvalidSignature) {
		t.Error(err)
	}
	if err := x509.CheckRevocationListFrom(list, leaf.Certificate, x509.DefaultIdentity); err == nil {
		t.Error("who may not sign lists")
	}
	if _, err := x509.CreateRevocationList(nil, template, root.Certificate, other.Key); err == nil {
		t.Error("another key than the issuer's")
	}
	if _, err := x509.CreateRevocationList(nil, template, leaf.Certificate, leaf.Key); err == nil {
		t.Error("an issuer that may not")
	}
}

// OpenSSL reads and verifies what was made, and its own certificates and requests are read.
func TestOpenSSL(t *testing.T) {
	program, err := exec.LookPath("openssl")
	if err != nil {
		t.Skip("no openssl")
	}
	folder := t.TempDir()
	file := func(name, kind string, der []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	openssl := func(arguments ...string) string {
		t.Helper()
		command := exec.Command(program, arguments...)
		command.Dir = folder
		output, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("openssl %v: %v\n%s", arguments, err, output)
		}
		return string(output)
	}
	const distid = "distid:1234567812345678"
	root := authority.Root(t, "root")
	leaf := root.Issue(t, "leaf", nil)
	ca, end := file("ca.crt", "CERTIFICATE", root.Certificate.Raw), file("leaf.crt", "CERTIFICATE", leaf.Certificate.Raw)
	openssl("verify", "-CAfile", ca, "-vfyopt", distid, end)
	text := openssl("x509", "-in", end, "-noout", "-text")
	for _, line := range []string{"Subject: O = Example, CN = leaf", "Issuer: O = Example, CN = root", "ASN1 OID: SM2", "DNS:leaf.example", "SM2-with-SM3"} {
		if !strings.Contains(text, line) {
			t.Errorf("no %q in\n%s", line, text)
		}
	}
	request, err := x509.CreateCertificateRequest(nil, &x509.CertificateRequest{Subject: pkix.Name{CommonName: "leaf"}}, leaf.Key)
	if err != nil {
		t.Fatal(err)
	}
	openssl("req", "-in", file("leaf.csr", "CERTIFICATE REQUEST", request), "-verify", "-noout", "-vfyopt", distid)
	list, err := x509.CreateRevocationList(nil, &x509.RevocationList{
		Number: big.NewInt(1), ThisUpdate: time.Now().Add(-time.Minute), NextUpdate: time.Now().Add(time.Hour),
	}, root.Certificate, root.Key)
	if err != nil {
		t.Fatal(err)
	}
	if text := openssl("crl", "-in", file("ca.crl", "X509 CRL", list), "-noout", "-text"); !strings.Contains(text, "No Revoked Certificates") {
		t.Error(text)
	}

	// Theirs, under the empty identity of OpenSSL 3, or under the default one.
	openssl("genpkey", "-algorithm", "SM2", "-out", "theirs.pem")
	for _, c := range []struct {
		option    []string
		isDefault bool
	}{{nil, false}, {[]string{"-sigopt", distid}, true}} {
		openssl(append([]string{"req", "-new", "-x509", "-key", "theirs.pem", "-subj", "/CN=theirs", "-out", "theirs.crt", "-days", "1",
			"-addext", "keyUsage=keyCertSign"}, c.option...)...)
		data, err := os.ReadFile(filepath.Join(folder, "theirs.crt"))
		if err != nil {
			t.Fatal(err)
		}
		list, err := x509.ReadCertificates(data)
		if err != nil || len(list) != 1 {
			t.Fatal(err)
		}
		if err := x509.CheckSignatureFrom(list[0], list[0], x509.DefaultIdentity); (err == nil) != c.isDefault {
			t.Errorf("%v: %v", c.option, err)
		}
		if err := x509.CheckSignatureFrom(list[0], list[0], x509.DefaultOrEmptyIdentity); err != nil {
			t.Errorf("%v: %v", c.option, err)
		}
	}
	openssl("req", "-new", "-key", "theirs.pem", "-subj", "/CN=theirs", "-out", "theirs.csr", "-sigopt", distid)
	data, err := os.ReadFile(filepath.Join(folder, "theirs.csr"))
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := x509.ReadCertificateRequest(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := x509.CheckRequest(theirs, x509.DefaultIdentity); err != nil || theirs.Subject.CommonName != "theirs" {
		t.Error(err)
	}
	// Version 1, which the certificate does not say.
	openssl("x509", "-req", "-in", "theirs.csr", "-signkey", "theirs.pem", "-out", "first.crt", "-days", "1", "-vfyopt", distid, "-sigopt", distid)
	if data, err = os.ReadFile(filepath.Join(folder, "first.crt")); err != nil {
		t.Fatal(err)
	}
	first, err := x509.ReadCertificates(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := x509.CheckSignatureFrom(first[0], first[0], x509.DefaultIdentity); err != nil || first[0].Version != 1 {
		t.Error(err, first[0].Version)
	}
}
