package pkcs12_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/authority"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/pkcs12"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
	"github.com/kuaimi/kuaimi/bindings/go/x509"
)

var password = []byte("a long password, 密码")

// needsLibkuaimi ends a test without libkuaimi, once it has seen the error.
func needsLibkuaimi(t testing.TB) {
	t.Helper()
	if kuaimi.Backend() != "gmsm" {
		return
	}
	_, err := pkcs12.Decode(nil, nil)
	check.Error(t, err, kuaimi.ErrNeedsLibkuaimi)
	_, err = pkcs12.Encode(nil, nil, pkcs12.SM)
	check.Error(t, err, kuaimi.ErrNeedsLibkuaimi)
	t.Skip("needs libkuaimi")
}

func TestFiles(t *testing.T) {
	needsLibkuaimi(t)
	root := authority.Root(t, "root")
	middle := root.Issue(t, "middle", authority.Authority)
	signing, encrypting := middle.Issue(t, "signing", nil), middle.Issue(t, "encrypting", nil)
	chain := []*x509.Certificate{middle.Certificate, root.Certificate}
	pair := []pkcs12.Entry{{Key: signing.Key, Certificate: signing.Certificate, Chain: chain}, {Key: encrypting.Key, Certificate: encrypting.Certificate, Chain: chain}}
	for _, profile := range []pkcs12.Profile{pkcs12.Compatible, pkcs12.SM, pkcs12.SMOpenSSL, pkcs12.Legacy} {
		for count := 1; count <= 2; count++ {
			file := check.Must[[]byte](t)(pkcs12.Encode(pair[:count], password, profile))
			entries := check.Must[[]pkcs12.Entry](t)(pkcs12.DecodeAll(file, password))
			if len(entries) != count {
				t.Fatalf("%d keys", len(entries))
			}
			for i, entry := range entries {
				if !entry.Key.Equal(pair[i].Key) || !entry.Certificate.Equal(pair[i].Certificate) || len(entry.Chain) != 2 ||
					!entry.Chain[0].Equal(middle.Certificate) || !entry.Chain[1].Equal(root.Certificate) {
					t.Errorf("entry %d of %d: %+v", i, count, entry)
				}
			}
			if bytes.Count(file, middle.Certificate.RawSubject) != 0 && profile != pkcs12.Legacy {
				t.Error("the certificates are not encrypted")
			}
			_, err := pkcs12.Decode(file, []byte("another"))
			check.Error(t, err, kuaimi.ErrWrongPassword)
		}
	}
	file := check.Must[[]byte](t)(pkcs12.Encode(pair, password, pkcs12.Legacy))
	first := check.Must[pkcs12.Entry](t)(pkcs12.Decode(file, password))
	if !first.Key.Equal(signing.Key) {
		t.Error("the first key is another")
	}
	for i := 0; i < len(file); i += 97 {
		altered := bytes.Clone(file)
		altered[i] ^= 1
		if entry, err := pkcs12.Decode(altered, password); err == nil && !entry.Key.Equal(signing.Key) {
			t.Errorf("byte %d: another key", i)
		}
	}
}

func TestMisuse(t *testing.T) {
	needsLibkuaimi(t)
	root, other := authority.Root(t, "root"), authority.Root(t, "other")
	closed := authority.Root(t, "closed")
	closed.Key.Close()
	for _, c := range []struct {
		entries  []pkcs12.Entry
		password []byte
		profile  pkcs12.Profile
		want     kuaimi.Error
	}{
		{nil, password, pkcs12.SM, kuaimi.ErrInvalidArgument},
		{[]pkcs12.Entry{{Key: root.Key}}, password, pkcs12.SM, kuaimi.ErrInvalidArgument},
		{[]pkcs12.Entry{{Key: root.Key, Certificate: other.Certificate}}, password, pkcs12.SM, kuaimi.ErrInvalidArgument},
		{[]pkcs12.Entry{{Certificate: root.Certificate}}, password, pkcs12.SM, kuaimi.ErrClosed},
		{[]pkcs12.Entry{{Key: closed.Key, Certificate: closed.Certificate}}, password, pkcs12.SM, kuaimi.ErrClosed},
		{[]pkcs12.Entry{{Key: root.Key, Certificate: root.Certificate}}, []byte{0xff}, pkcs12.SM, kuaimi.ErrInvalidArgument},
		{[]pkcs12.Entry{{Key: root.Key, Certificate: root.Certificate}}, password, 4, kuaimi.ErrInvalidArgument},
		{[]pkcs12.Entry{{Key: root.Key, Certificate: root.Certificate}}, password, -1, kuaimi.ErrInvalidArgument},
	} {
		file, err := pkcs12.Encode(c.entries, c.password, c.profile)
		check.Error(t, err, c.want)
		if file != nil {
			t.Error("there is a file")
		}
	}
	for _, wrong := range [][]byte{nil, []byte("text"), root.Certificate.Raw} {
		_, err := pkcs12.Decode(wrong, password)
		check.Error(t, err, kuaimi.ErrDER)
	}
}

// OpenSSL opens the file, and what it writes is opened.
func TestOpenSSL(t *testing.T) {
	needsLibkuaimi(t)
	program, err := exec.LookPath("openssl")
	if err != nil {
		t.Skip("no openssl")
	}
	folder := t.TempDir()
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
	root := authority.Root(t, "root")
	leaf := root.Issue(t, "leaf", nil)
	entry := pkcs12.Entry{Key: leaf.Key, Certificate: leaf.Certificate, Chain: []*x509.Certificate{root.Certificate}}
	file := check.Must[[]byte](t)(pkcs12.Encode([]pkcs12.Entry{entry}, []byte("password"), pkcs12.Compatible))
	path := filepath.Join(folder, "ours.p12")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	text := openssl("pkcs12", "-in", path, "-passin", "pass:password", "-nodes")
	if strings.Count(text, "BEGIN CERTIFICATE") != 2 || !strings.Contains(text, "CN = leaf") {
		t.Error(text)
	}
	key := check.Must[*sm2.PrivateKey](t)(sm2.ParsePrivateKey([]byte(text[strings.Index(text, "-----BEGIN PRIVATE KEY"):]), nil))
	if !key.Equal(leaf.Key) {
		t.Error("another key")
	}
	for name, content := range map[string]string{"all.pem": text} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	openssl("pkcs12", "-export", "-in", "all.pem", "-out", "theirs.p12", "-passout", "pass:theirs")
	data, err := os.ReadFile(filepath.Join(folder, "theirs.p12"))
	if err != nil {
		t.Fatal(err)
	}
	theirs := check.Must[pkcs12.Entry](t)(pkcs12.Decode(data, []byte("theirs")))
	if !theirs.Key.Equal(leaf.Key) || !theirs.Certificate.Equal(leaf.Certificate) || len(theirs.Chain) != 1 {
		t.Errorf("%+v", theirs)
	}
}

// Files of other programs: go-pkcs12, Bouncy Castle, keytool, OpenSSL and authorities.
func TestOtherPrograms(t *testing.T) {
	needsLibkuaimi(t)
	folder := "../../../crates/kuaimi-pki/tests/data/pkcs12"
	file := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Skip("the files are in the repository alone")
		}
		return data
	}
	wanted := check.Must[*sm2.PrivateKey](t)(sm2.ParsePrivateKey(file("sign.key"), nil))
	own := check.Must[[]*x509.Certificate](t)(x509.ReadCertificates(file("sign.pem")))[0]
	for _, name := range []string{
		"go-shangmi.p12", "go-modern.p12", "go-rc2.p12", "go-des.p12", "bouncycastle.p12", "bouncycastle-aes.p12", "openssl-default.p12",
		"openssl-sm4-sm3.p12", "openssl-3des.p12",
	} {
		entry, err := pkcs12.Decode(file(name), []byte("密码"))
		if err != nil || !entry.Key.Equal(wanted) || !entry.Certificate.Equal(own) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"gmcert.p12", "field.p12"} {
		if entry, err := pkcs12.Decode(file(name), []byte("123456")); err != nil || entry.Certificate == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := pkcs12.Decode(file("openssl-rsa.p12"), []byte("password"))
	check.Error(t, err, kuaimi.ErrNotAKey)
	_, err = pkcs12.Decode(file("openssl-no-mac.p12"), []byte("密码"))
	check.Error(t, err, kuaimi.ErrDER)
}
