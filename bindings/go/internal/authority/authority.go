// Package authority makes certificates for tests.
package authority

import (
	"crypto/x509/pkix"
	"math/big"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kuaimi/kuaimi/bindings/go/sm2"
	"github.com/kuaimi/kuaimi/bindings/go/x509"
)

// A Holder has a certificate and the private key to it.
type Holder struct {
	Certificate *x509.Certificate
	Key         *sm2.PrivateKey
}

var serial atomic.Int64

// Template is a template of a certificate that is valid now, for an hour before and after.
func Template(name string) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(1000 + serial.Add(1)),
		Subject:      pkix.Name{CommonName: name, Organization: []string{"Example"}},
		NotBefore:    time.Now().Add(-time.Hour).Truncate(time.Second),
		NotAfter:     time.Now().Add(time.Hour).Truncate(time.Second),
	}
}

// Root is an authority that signed itself.
func Root(t testing.TB, name string) Holder {
	t.Helper()
	template := Template(name)
	template.IsCA, template.BasicConstraintsValid = true, true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageCRLSign
	key := Key(t)
	return Holder{Sign(t, template, template, Public(t, key), key), key}
}

// Issue is a certificate of an authority: with the name, the host name.example, and the usages of a general one. The last argument
// changes the template.
func (h Holder) Issue(t testing.TB, name string, change func(template *x509.Certificate)) Holder {
	t.Helper()
	template := Template(name)
	template.BasicConstraintsValid = true
	template.KeyUsage = x509.KeyUsageDigitalSignature | x509.KeyUsageContentCommitment | x509.KeyUsageKeyEncipherment |
		x509.KeyUsageDataEncipherment | x509.KeyUsageKeyAgreement
	template.DNSNames = []string{name + ".example"}
	template.SubjectKeyId = []byte(name)
	if change != nil {
		change(template)
	}
	key := Key(t)
	return Holder{Sign(t, template, h.Certificate, Public(t, key), h.Key), key}
}

// Authority changes a template to that of an authority.
func Authority(template *x509.Certificate) {
	template.IsCA, template.KeyUsage, template.DNSNames = true, x509.KeyUsageCertSign|x509.KeyUsageCRLSign, nil
}

// Key makes a private key.
func Key(t testing.TB) *sm2.PrivateKey {
	t.Helper()
	key, err := sm2.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// Public is the public key.
func Public(t testing.TB, key *sm2.PrivateKey) *sm2.PublicKey {
	t.Helper()
	public, err := key.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	return public
}

// Sign makes a certificate.
func Sign(t testing.TB, template, parent *x509.Certificate, public, private any) *x509.Certificate {
	t.Helper()
	der, err := x509.CreateCertificate(nil, template, parent, public, private)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return certificate
}
