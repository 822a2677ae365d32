package x509_test

import (
	"bytes"
	"math/big"
	"testing"
	"time"

	"github.com/kuaimi/kuaimi/bindings/go/internal/authority"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
	"github.com/kuaimi/kuaimi/bindings/go/x509"
)

// Whatever the bytes are, they are read or refused; what is read is the whole of them, and its parts are parts of it.
func FuzzParse(f *testing.F) {
	root := authority.Root(f, "root")
	leaf := root.Issue(f, "leaf", nil)
	f.Add(leaf.Certificate.Raw)
	f.Add(check.Must[[]byte](f)(x509.CreateCertificateRequest(nil, &x509.CertificateRequest{DNSNames: []string{"leaf.example"}}, leaf.Key)))
	f.Add(check.Must[[]byte](f)(x509.CreateRevocationList(nil, &x509.RevocationList{
		Number: big.NewInt(1), ThisUpdate: time.Now(), NextUpdate: time.Now(),
	}, root.Certificate, root.Key)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if read, err := x509.ParseCertificate(data); err == nil {
			info, isSM2 := read.PublicKey.(*sm2.PublicKey)
			if !bytes.Equal(read.Raw, data) || !bytes.Contains(data, read.RawTBSCertificate) || !bytes.Contains(read.RawTBSCertificate, read.RawSubjectPublicKeyInfo) ||
				isSM2 && !check.Must[*sm2.PublicKey](t)(sm2.ParsePublicKey(read.RawSubjectPublicKeyInfo)).Equal(info) {
				t.Fatal("other bytes")
			}
			x509.CheckSignatureFrom(read, root.Certificate, x509.DefaultOrEmptyIdentity)
			x509.Verify(read, x509.VerifyOptions{Roots: []*x509.Certificate{root.Certificate}, DNSName: "leaf.example"})
		}
		if read, err := x509.ParseCertificateRequest(data); err == nil {
			x509.CheckRequest(read, x509.DefaultIdentity)
		}
		if read, err := x509.ParseRevocationList(data); err == nil {
			x509.CheckRevocationListFrom(read, root.Certificate, x509.DefaultIdentity)
		}
		x509.ReadCertificates(data)
		x509.ReadCertificateRequest(data)
		x509.ReadRevocationList(data)
		if verifier, err := x509.NewVerifier(x509.VerifyOptions{RevocationLists: [][]byte{data}}); err == nil {
			verifier.Close()
		}
	})
}
