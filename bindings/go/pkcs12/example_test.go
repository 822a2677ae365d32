//go:build cgo && !purego

package pkcs12_test

import (
	"crypto/x509/pkix"
	"fmt"
	"log"
	"time"

	"github.com/kuaimi/kuaimi/bindings/go/pkcs12"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
	"github.com/kuaimi/kuaimi/bindings/go/x509"
)

func Example() {
	key, err := sm2.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	template := &x509.Certificate{Subject: pkix.Name{CommonName: "leaf"}, NotBefore: time.Now(), NotAfter: time.Now().AddDate(1, 0, 0)}
	der, err := x509.CreateCertificate(nil, template, template, key.Public(), key)
	if err != nil {
		log.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		log.Fatal(err)
	}

	file, err := pkcs12.Encode([]pkcs12.Entry{{Key: key, Certificate: certificate}}, []byte("a password"), pkcs12.Compatible)
	if err != nil {
		log.Fatal(err)
	}
	entry, err := pkcs12.Decode(file, []byte("a password"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(entry.Certificate.Subject, entry.Key.Equal(key))
	_, err = pkcs12.Decode(file, []byte("another"))
	fmt.Println(err)
	// Output:
	// CN=leaf true
	// kuaimi: the private key does not decrypt with this password: give the right one, or the file was altered
}
