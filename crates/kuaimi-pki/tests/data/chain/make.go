// Makes the files of tests/data/chain with gmsm.
package main

import (
	"crypto/rand"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"time"

	"github.com/emmansun/gmsm/sm2"
	"github.com/emmansun/gmsm/smx509"
)

var from = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
var to = time.Date(2046, 1, 1, 0, 0, 0, 0, time.UTC)

func key() *sm2.PrivateKey { k, err := sm2.GenerateKey(rand.Reader); check(err); return k }
func check(err error) {
	if err != nil {
		panic(err)
	}
}
func write(name, kind string, der []byte) []byte {
	check(os.WriteFile(name, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o644))
	return der
}
func issue(name string, t, parent *smx509.Certificate, k *sm2.PrivateKey, by *sm2.PrivateKey) *smx509.Certificate {
	t.NotBefore, t.NotAfter = from, to
	der, err := smx509.CreateCertificate(rand.Reader, t, parent, k.Public(), by)
	check(err)
	c, err := smx509.ParseCertificate(write(name, "CERTIFICATE", der))
	check(err)
	return c
}

func main() {
	rk, mk, ek := key(), key(), key()
	root := &smx509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "gmsm root", Country: []string{"CN"}}, IsCA: true, BasicConstraintsValid: true, KeyUsage: smx509.KeyUsageCertSign | smx509.KeyUsageCRLSign}
	root = issue("root.pem", root, root, rk, rk)
	middle := &smx509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "gmsm middle", Country: []string{"CN"}}, IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true, KeyUsage: smx509.KeyUsageCertSign | smx509.KeyUsageCRLSign, PermittedDNSDomainsCritical: true, PermittedDNSDomains: []string{"bank.example"}}
	middle = issue("middle.pem", middle, root, mk, rk)
	server := func(serial int64, host string) *smx509.Certificate {
		return &smx509.Certificate{SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: host}, KeyUsage: smx509.KeyUsageDigitalSignature, ExtKeyUsage: []smx509.ExtKeyUsage{smx509.ExtKeyUsageServerAuth}, DNSNames: []string{host}}
	}
	issue("end.pem", server(3, "www.bank.example"), middle, ek, mk)
	issue("outside.pem", server(4, "www.other.example"), middle, ek, mk)
	issue("revoked.pem", server(5, "old.bank.example"), middle, ek, mk)
	list := &smx509.RevocationList{Number: big.NewInt(9), ThisUpdate: from, NextUpdate: to, RevokedCertificateEntries: []smx509.RevocationListEntry{{SerialNumber: big.NewInt(5), RevocationTime: from, ReasonCode: 4}}}
	der, err := smx509.CreateRevocationList(rand.Reader, list, middle, mk)
	check(err)
	write("list.pem", "X509 CRL", der)
}
