// Messages by github.com/emmansun/gmsm, and its reading of this library's.
//
//	go run . write ..        writes gmsm-*.der into the folder above
//	go run . read FOLDER ..  reads kuaimi-*.der in FOLDER
package main

import (
	"bytes"
	"crypto"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/emmansun/gmsm/cfca"
	"github.com/emmansun/gmsm/pkcs"
	"github.com/emmansun/gmsm/pkcs7"
	"github.com/emmansun/gmsm/smx509"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func block(name string) []byte {
	block, _ := pem.Decode(must(os.ReadFile(name)))
	return block.Bytes
}

var content = []byte("a content by gmsm, 密信")

func main() {
	folder := os.Args[len(os.Args)-1]
	certificate := func(name string) *smx509.Certificate {
		return must(smx509.ParseCertificate(block(filepath.Join(folder, name+".pem"))))
	}
	key := func(name string) crypto.PrivateKey {
		return must(smx509.ParsePKCS8PrivateKey(block(filepath.Join(folder, name+".key"))))
	}
	if os.Args[1] == "read" {
		read(os.Args[2], certificate, key)
		return
	}
	write := func(name string, der []byte, err error) {
		if err != nil {
			panic(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "gmsm-"+name+".der"), der, 0o644); err != nil {
			panic(err)
		}
	}
	alice, bob := certificate("alice"), certificate("bob")
	aliceKey := key("alice")
	signed := func(gm, detached bool, attributes bool) ([]byte, error) {
		var data *pkcs7.SignedData
		if gm {
			data = must(pkcs7.NewSMSignedData(content))
		} else {
			data = must(pkcs7.NewSignedData(content))
			data.SetDigestAlgorithm(pkcs7.OIDDigestAlgorithmSM3)
		}
		var err error
		if attributes {
			err = data.AddSigner(alice, aliceKey, pkcs7.SignerInfoConfig{})
		} else {
			err = data.SignWithoutAttr(alice, aliceKey, pkcs7.SignerInfoConfig{})
		}
		if err != nil {
			return nil, err
		}
		if detached {
			data.Detach()
		}
		return data.Finish()
	}
	for _, gm := range []bool{true, false} {
		for _, detached := range []bool{true, false} {
			for _, attributes := range []bool{true, false} {
				name := "signed"
				if !gm {
					name += "-cms"
				}
				if detached {
					name += "-detached"
				}
				if !attributes {
					name += "-plain"
				}
				der, err := signed(gm, detached, attributes)
				write(name, der, err)
			}
		}
	}
	der, err := cfca.SignMessageAttach(content, alice, aliceKey)
	write("signed-cfca", der, err)
	der, err = cfca.SignMessageDetach(content, alice, aliceKey)
	write("signed-cfca-detached", der, err)

	recipients := []*smx509.Certificate{alice, bob}
	for name, cipher := range map[string]pkcs.Cipher{"cbc": pkcs.SM4CBC, "gcm": pkcs.SM4GCM, "sm4": pkcs.SM4} {
		der, err = pkcs7.EncryptSM(cipher, content, recipients)
		write("enveloped-"+name, der, err)
		der, err = pkcs7.EncryptSMUsingPSK(cipher, content, must(hex.DecodeString("000102030405060708090a0b0c0d0e0f")))
		write("encrypted-"+name, der, err)
	}
	der, err = pkcs7.Encrypt(pkcs.SM4CBC, content, recipients)
	write("enveloped-cms", der, err)
	// By key identifier, which Bob's certificate does not have.
	der, err = cfca.EnvelopeMessage(pkcs.SM4, content, recipients[:1])
	write("enveloped-cfca", der, err)
	der, err = cfca.EnvelopeMessageLegacy(pkcs.SM4, content, recipients)
	write("enveloped-cfca-legacy", der, err)

	both := must(pkcs7.NewSMSignedAndEnvelopedData(content, pkcs.SM4CBC))
	if err := both.AddSigner(alice, aliceKey); err != nil {
		panic(err)
	}
	for _, recipient := range recipients {
		if err := both.AddRecipient(recipient); err != nil {
			panic(err)
		}
	}
	der, err = both.Finish()
	write("both", der, err)
}

func read(folder string, certificate func(string) *smx509.Certificate, key func(string) crypto.PrivateKey) {
	bob, bobKey := certificate("bob"), key("bob")
	alice, aliceKey := certificate("alice"), key("alice")
	expected := must(os.ReadFile(filepath.Join(folder, "content")))
	failed := false
	for _, file := range must(filepath.Glob(filepath.Join(folder, "kuaimi-*.der"))) {
		name := filepath.Base(file)
		message, err := pkcs7.Parse(must(os.ReadFile(file)))
		var found []byte
		if err == nil {
			switch {
			case strings.Contains(name, "both"):
				found, err = message.DecryptAndVerify(bob, bobKey, message.Verify)
			case strings.Contains(name, "signed"):
				if strings.Contains(name, "detached") {
					message.Content = expected
				}
				err = message.Verify()
				found = message.Content
			case strings.Contains(name, "enveloped-key"):
				found, err = message.Decrypt(alice, aliceKey)
			case strings.Contains(name, "enveloped"):
				found, err = message.Decrypt(bob, bobKey)
			case strings.Contains(name, "encrypted"):
				found, err = message.DecryptUsingPSK(must(hex.DecodeString("000102030405060708090a0b0c0d0e0f")))
			}
		}
		good := err == nil && bytes.Equal(found, expected)
		failed = failed || !good
		fmt.Println(name, good, err)
	}
	if failed {
		os.Exit(1)
	}
}
