//go:build cgo && !purego

package cms_test

import (
	"bytes"
	"crypto/x509/pkix"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/kuaimi/kuaimi/bindings/go/cms"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
	"github.com/kuaimi/kuaimi/bindings/go/x509"
)

// holder is a certificate that signs itself, and its key. A real one comes from an authority.
func holder(name string) (*x509.Certificate, *sm2.PrivateKey) {
	key, err := sm2.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	template := &x509.Certificate{
		Subject: pkix.Name{CommonName: name}, NotBefore: time.Now(), NotAfter: time.Now().AddDate(1, 0, 0),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageKeyEncipherment,
	}
	der, err := x509.CreateCertificate(nil, template, template, key.Public(), key)
	if err != nil {
		log.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		log.Fatal(err)
	}
	return certificate, key
}

// A signed message: first the signature, then whether to trust who signed.
func Example() {
	certificate, key := holder("Alice")
	message, err := cms.Sign([]byte("a payment"), []cms.Signer{{Certificate: certificate, Key: key}}, &cms.SignOptions{Form: cms.GM})
	if err != nil {
		log.Fatal(err)
	}

	verified, err := cms.Verify(message, nil)
	if err != nil {
		log.Fatal(err)
	}
	verifier, err := x509.NewVerifier(x509.VerifyOptions{Roots: []*x509.Certificate{certificate}, Purpose: x509.PurposeSigning})
	if err != nil {
		log.Fatal(err)
	}
	defer verifier.Close()
	if err := verified.VerifySigners(verifier); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s signed: %s\n", verified.Signers[0].Certificate.Subject, verified.Content)
	// Output: CN=Alice signed: a payment
}

// An encrypted message, in which any change is detected.
func ExampleEncrypt() {
	certificate, key := holder("Bob")
	message, err := cms.Encrypt([]byte("a secret"), []*x509.Certificate{certificate}, &cms.EncryptOptions{Cipher: cms.SM4GCM})
	if err != nil {
		log.Fatal(err)
	}
	content, err := cms.Decrypt(message, key, certificate)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", content)
	message[len(message)-1] ^= 1
	_, err = cms.Decrypt(message, key, certificate)
	fmt.Println(err)
	// Output:
	// a secret
	// kuaimi: decryption failed: another key, another form of ciphertext, or altered data
}

// The signature of a large file, beside it.
func ExampleSignDetached() {
	certificate, key := holder("Alice")
	signature, err := cms.SignDetached(strings.NewReader("a large file"), []cms.Signer{{Certificate: certificate, Key: key}}, nil)
	if err != nil {
		log.Fatal(err)
	}
	_, err = cms.VerifyDetached(signature, strings.NewReader("a large file"), nil)
	fmt.Println(err)
	_, err = cms.VerifyDetached(signature, strings.NewReader("another file"), nil)
	fmt.Println(err)
	// Output:
	// <nil>
	// kuaimi: the signature does not fit this message, key and identity
}

// A large content is encrypted while it is written.
func ExampleNewEncryptWriter() {
	certificate, key := holder("Bob")
	var message bytes.Buffer
	writer, err := cms.NewEncryptWriter(&message, []*x509.Certificate{certificate}, nil)
	if err != nil {
		log.Fatal(err)
	}
	for i := range 3 {
		fmt.Fprintf(writer, "line %d\n", i)
	}
	if err := writer.Close(); err != nil {
		log.Fatal(err)
	}
	content, err := cms.Decrypt(message.Bytes(), key, certificate)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(content))
	// Output:
	// line 0
	// line 1
	// line 2
}
