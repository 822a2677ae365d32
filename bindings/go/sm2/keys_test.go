package sm2_test

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
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
)

func TestKeyFiles(t *testing.T) {
	key := generate(t)
	public := publicOf(t, key)
	for _, form := range []sm2.KeyForm{sm2.PKCS8PEM, sm2.PKCS8, sm2.SEC1PEM, sm2.SEC1} {
		file := check.Must[[]byte](t)(key.Marshal(form))
		read := check.Must[*sm2.PrivateKey](t)(sm2.ParsePrivateKey(file, nil))
		if !read.Equal(key) || !key.Equal(read) {
			t.Fatal("another private key")
		}
		_, err := sm2.ParsePublicKey(file)
		if err == nil {
			t.Fatal("a private key was read as a public one")
		}
		if _, err := public.Marshal(form); err == nil {
			t.Fatal("a public key was written in a form of private ones")
		}
	}
	for _, form := range []sm2.KeyForm{sm2.SPKIPEM, sm2.SPKI} {
		file := check.Must[[]byte](t)(public.Marshal(form))
		if !check.Must[*sm2.PublicKey](t)(sm2.ParsePublicKey(file)).Equal(public) {
			t.Fatal("another public key")
		}
		_, err := sm2.ParsePrivateKey(file, nil)
		check.Error(t, err, kuaimi.ErrOtherKey)
	}
	for _, form := range []sm2.KeyForm{sm2.Uncompressed, sm2.Compressed} {
		point := check.Must[[]byte](t)(public.Marshal(form))
		if !check.Must[*sm2.PublicKey](t)(sm2.NewPublicKey(point)).Equal(public) {
			t.Fatal("another point")
		}
	}
	if !check.Must[*sm2.PublicKey](t)(sm2.NewPublicKey(public.Bytes()[1:])).Equal(public) {
		t.Fatal("another point")
	}
	number := check.Must[[]byte](t)(key.Bytes())
	if !check.Must[*sm2.PrivateKey](t)(sm2.NewPrivateKey(number)).Equal(key) {
		t.Fatal("another number")
	}
	if generate(t).Equal(key) || key.Equal(public) || public.Equal(key) || publicOf(t, generate(t)).Equal(public) {
		t.Fatal("different keys are equal")
	}
}

func TestEncryptedKeyFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("keys are derived from passwords slowly")
	}
	key := generate(t)
	for i, form := range []sm2.KeyForm{sm2.PKCS8PEM, sm2.PKCS8} {
		file := check.Must[[]byte](t)(key.MarshalEncrypted([]byte("password"), form))
		if !check.Must[*sm2.PrivateKey](t)(sm2.ParsePrivateKey(file, []byte("password"))).Equal(key) {
			t.Fatal("another private key")
		}
		if i == 0 {
			_, err := sm2.ParsePrivateKey(file, []byte("passwort"))
			check.Error(t, err, kuaimi.ErrWrongPassword)
		}
		_, err := sm2.ParsePrivateKey(file, nil)
		check.Error(t, err, kuaimi.ErrPasswordNeeded)
	}
}

func TestEnvelopes(t *testing.T) {
	key, recipient := generate(t), generate(t)
	envelope := check.Must[[]byte](t)(key.Envelope(publicOf(t, recipient)))
	if !check.Must[*sm2.PrivateKey](t)(recipient.OpenEnvelope(envelope)).Equal(key) {
		t.Fatal("another key")
	}
	if _, err := key.OpenEnvelope(envelope); err == nil {
		t.Fatal("another recipient opened the envelope")
	}
}

func TestWrongKeys(t *testing.T) {
	n, _ := new(big.Int).SetString("FFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFF7203DF6B21C6052B53BBF40939D54123", 16)
	for _, number := range []*big.Int{nil, new(big.Int), big.NewInt(-1), n, new(big.Int).Lsh(n, 1), new(big.Int).Sub(n, big.NewInt(1))} {
		_, err := sm2.NewPrivateKeyFromInt(number)
		check.Error(t, err, kuaimi.ErrPrivateKeyRange)
	}
	_, err := sm2.NewPrivateKey(make([]byte, 31))
	check.Error(t, err, kuaimi.ErrKeyLength)
	_, err = sm2.NewPublicKey(make([]byte, 65))
	check.Error(t, err, kuaimi.ErrPointEncoding)
	_, err = sm2.NewPublicKey(append([]byte{4}, make([]byte, 64)...))
	check.Error(t, err, kuaimi.ErrPointNotOnCurve)
	_, err = sm2.NewPublicKeyFromCoordinates(nil, n)
	check.Error(t, err, kuaimi.ErrPointEncoding)
	_, err = sm2.ParsePrivateKey([]byte("-----BEGIN PRIVATE KEY-----\nAAAA"), nil)
	check.Error(t, err, kuaimi.ErrText)
	_, err = sm2.FromECDSA(nil)
	check.Error(t, err, kuaimi.ErrNotAKey)
	one, other := check.Must[*ecdsa.PrivateKey](t)(generate(t).ToECDSA()), check.Must[*ecdsa.PrivateKey](t)(generate(t).ToECDSA())
	_, err = sm2.FromECDSA(&ecdsa.PrivateKey{PublicKey: one.PublicKey, D: other.D})
	check.Error(t, err, kuaimi.ErrPublicKeyMismatch)
}

// Keys of gmsm's own types, both ways, and what each signs and encrypts for the other.
func TestGmsmTypes(t *testing.T) {
	theirs, err := gmsm.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	ours := check.Must[*sm2.PrivateKey](t)(sm2.FromECDSA(&theirs.PrivateKey))
	public := check.Must[*sm2.PublicKey](t)(sm2.PublicKeyFromECDSA(&theirs.PublicKey))
	if !publicOf(t, ours).Equal(public) || !public.Equal(&theirs.PublicKey) || !theirs.PublicKey.Equal(ours.Public()) {
		t.Fatal("another public key")
	}
	back := check.Must[*ecdsa.PrivateKey](t)(ours.ToECDSA())
	if !back.Equal(&theirs.PrivateKey) {
		t.Fatal("another private key")
	}
	message := []byte("a message")
	signature := check.Must[[]byte](t)(theirs.Sign(rand.Reader, message, gmsm.DefaultSM2SignerOpts))
	if err := public.Verify(message, signature); err != nil {
		t.Fatal(err)
	}
	// gmsm's options are understood where they can be.
	signature = check.Must[[]byte](t)(ours.Sign(rand.Reader, message, gmsm.DefaultSM2SignerOpts))
	if !gmsm.VerifyASN1WithSM2(&theirs.PublicKey, nil, message, signature) {
		t.Fatal("gmsm does not verify")
	}
	if _, err := ours.Sign(rand.Reader, message, gmsm.NewSM2SignerOption(true, []byte("alice"))); err == nil {
		t.Fatal("an identity that cannot be read was taken for the usual one")
	}
	ciphertext := check.Must[[]byte](t)(gmsm.EncryptASN1(rand.Reader, &theirs.PublicKey, message))
	if got := check.Must[[]byte](t)(ours.Decrypt(nil, ciphertext, nil)); !bytes.Equal(got, message) {
		t.Fatal("another message")
	}
	ciphertext = check.Must[[]byte](t)(public.Encrypt(message, sm2.ASN1))
	if got := check.Must[[]byte](t)(gmsm.Decrypt(theirs, ciphertext)); !bytes.Equal(got, message) {
		t.Fatal("another message for gmsm")
	}
	// Files, both ways.
	file := check.Must[[]byte](t)(ours.Marshal(sm2.PKCS8))
	read, err := smx509.ParsePKCS8PrivateKey(file)
	if err != nil || !read.(*gmsm.PrivateKey).Equal(theirs) {
		t.Fatal("gmsm reads another private key", err)
	}
	file = check.Must[[]byte](t)(smx509.MarshalPKCS8PrivateKey(theirs))
	if !check.Must[*sm2.PrivateKey](t)(sm2.ParsePrivateKey(file, nil)).Equal(ours) {
		t.Fatal("another private key")
	}
	file = check.Must[[]byte](t)(public.Marshal(sm2.SPKI))
	readPublic, err := smx509.ParsePKIXPublicKey(file)
	if err != nil || !public.Equal(readPublic) {
		t.Fatal("gmsm reads another public key", err)
	}
	file = check.Must[[]byte](t)(smx509.MarshalPKIXPublicKey(&theirs.PublicKey))
	if !check.Must[*sm2.PublicKey](t)(sm2.ParsePublicKey(file)).Equal(public) {
		t.Fatal("another public key")
	}
}

// Certificates of gmsm's smx509, signed with a key of this package, and read by both.
func TestCertificates(t *testing.T) {
	centre, user := generate(t), generate(t)
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
	if !check.Must[*sm2.PublicKey](t)(sm2.ParsePublicKey(leaf)).Equal(publicOf(t, user)) {
		t.Fatal("another key in the certificate")
	}
	verifier := check.Must[*sm2.PublicKey](t)(sm2.PublicKeyFromECDSA(rootCertificate.PublicKey.(*ecdsa.PublicKey)))
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
