//go:build cgo && !purego

package x509_test

import (
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"log"
	"math/big"
	"time"

	"github.com/kuaimi/kuaimi/bindings/go/sm2"
	"github.com/kuaimi/kuaimi/bindings/go/x509"
)

// An authority, a request of somebody else, the certificate for it, and its chain.
func Example() {
	now := time.Now()
	rootKey, err := sm2.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	template := &x509.Certificate{
		Subject: pkix.Name{CommonName: "Root"}, NotBefore: now, NotAfter: now.AddDate(10, 0, 0),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
	}
	der, err := x509.CreateCertificate(nil, template, template, rootKey.Public(), rootKey)
	if err != nil {
		log.Fatal(err)
	}
	root, err := x509.ParseCertificate(der)
	if err != nil {
		log.Fatal(err)
	}

	// The holder asks.
	leafKey, err := sm2.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	der, err = x509.CreateCertificateRequest(nil, &x509.CertificateRequest{
		Subject: pkix.Name{CommonName: "leaf"}, DNSNames: []string{"leaf.example"},
	}, leafKey)
	if err != nil {
		log.Fatal(err)
	}

	// The authority looks at the request, and answers.
	request, err := x509.ParseCertificateRequest(der)
	if err != nil {
		log.Fatal(err)
	}
	if err := x509.CheckRequest(request, x509.DefaultIdentity); err != nil {
		log.Fatal(err)
	}
	der, err = x509.CreateCertificate(nil, &x509.Certificate{
		Subject: request.Subject, DNSNames: request.DNSNames, NotBefore: now, NotAfter: now.AddDate(1, 0, 0),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, BasicConstraintsValid: true,
	}, root, request.PublicKey, rootKey)
	if err != nil {
		log.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		log.Fatal(err)
	}

	// Whom it is shown verifies it.
	options := x509.VerifyOptions{Roots: []*x509.Certificate{root}, DNSName: "leaf.example"}
	chain, err := x509.Verify(leaf, options)
	if err != nil {
		log.Fatal(err)
	}
	for _, certificate := range chain {
		fmt.Println(certificate.Subject)
	}
	options.DNSName = "other.example"
	_, err = x509.Verify(leaf, options)
	fmt.Println(err)
	// Output:
	// CN=leaf
	// CN=Root
	// kuaimi: the certificate of CN=leaf is not for other.example
}

// A list of revoked certificates, in PEM.
func ExampleCreateRevocationList() {
	issuer, key, err := authorityOf("Root")
	if err != nil {
		log.Fatal(err)
	}
	now := time.Now()
	der, err := x509.CreateRevocationList(nil, &x509.RevocationList{
		Number: big.NewInt(1), ThisUpdate: now, NextUpdate: now.AddDate(0, 0, 30),
		RevokedCertificateEntries: []x509.RevocationListEntry{{SerialNumber: big.NewInt(1234), RevocationTime: now, ReasonCode: 1}},
	}, issuer, key)
	if err != nil {
		log.Fatal(err)
	}
	list, err := x509.ReadRevocationList(pem.EncodeToMemory(&pem.Block{Type: "X509 CRL", Bytes: der}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(list.Issuer, list.RevokedCertificateEntries[0].SerialNumber)
	fmt.Println(x509.CheckRevocationListFrom(list, issuer, x509.DefaultIdentity))
	// Output:
	// CN=Root 1234
	// <nil>
}

// authorityOf is an authority that signs itself.
func authorityOf(name string) (*x509.Certificate, *sm2.PrivateKey, error) {
	key, err := sm2.GenerateKey()
	if err != nil {
		return nil, nil, err
	}
	template := &x509.Certificate{
		Subject: pkix.Name{CommonName: name}, NotBefore: time.Now(), NotAfter: time.Now().AddDate(10, 0, 0),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
	}
	der, err := x509.CreateCertificate(nil, template, template, key.Public(), key)
	if err != nil {
		return nil, nil, err
	}
	certificate, err := x509.ParseCertificate(der)
	return certificate, key, err
}
