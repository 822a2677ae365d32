package cfca_test

import (
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/cfca"
	"github.com/kuaimi/kuaimi/bindings/go/internal/authority"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
)

// needsLibkuaimi ends a test without libkuaimi, once it has seen the error.
func needsLibkuaimi(t testing.TB) {
	t.Helper()
	if kuaimi.Backend() != "gmsm" {
		return
	}
	_, _, err := cfca.ReadKeyFile(nil, nil)
	check.Error(t, err, kuaimi.ErrNeedsLibkuaimi)
	_, err = cfca.OpenReturnedKey(nil, nil)
	check.Error(t, err, kuaimi.ErrNeedsLibkuaimi)
	t.Skip("needs libkuaimi")
}

func TestKeyFile(t *testing.T) {
	needsLibkuaimi(t)
	root, other := authority.Root(t, "root"), authority.Root(t, "other")
	file := check.Must[[]byte](t)(cfca.WriteKeyFile(root.Key, root.Certificate, []byte("password")))
	for _, form := range [][]byte{file, der(t, file)} {
		key, certificate, err := cfca.ReadKeyFile(form, []byte("password"))
		if err != nil || !key.Equal(root.Key) || !certificate.Equal(root.Certificate) {
			t.Error(err)
		}
		_, _, err = cfca.ReadKeyFile(form, []byte("another"))
		check.Error(t, err, kuaimi.ErrWrongPassword)
	}
	_, err := cfca.WriteKeyFile(other.Key, root.Certificate, []byte("password"))
	check.Error(t, err, kuaimi.ErrInvalidArgument)
	_, err = cfca.WriteKeyFile(root.Key, nil, []byte("password"))
	check.Error(t, err, kuaimi.ErrInvalidArgument)
	_, err = cfca.WriteKeyFile(nil, root.Certificate, []byte("password"))
	check.Error(t, err, kuaimi.ErrClosed)
	if _, _, err := cfca.ReadKeyFile(root.Certificate.Raw, []byte("password")); err == nil {
		t.Error("a certificate is no key")
	}
}

func der(t *testing.T, file []byte) []byte {
	t.Helper()
	der, err := base64.StdEncoding.DecodeString(string(file))
	if err != nil {
		t.Fatal(err)
	}
	return der
}

// Files of CFCA's SADK and of gmsm, and keys that CFCA returned.
func TestOtherPrograms(t *testing.T) {
	needsLibkuaimi(t)
	file := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join("../../../crates/kuaimi-pki/tests/data", name))
		if err != nil {
			t.Skip("the files are in the repository alone")
		}
		return data
	}
	for name, password := range map[string]string{"field.sm2": "123456", "sadk.pem": "ys123456", "gmsm.sm2": "密码"} {
		key, certificate, err := cfca.ReadKeyFile(file("cfca/"+name), []byte(password))
		if err != nil || !key.Public().(*sm2.PublicKey).Equal(certificate.PublicKey) {
			t.Errorf("%s: %v", name, err)
		}
	}
	temporary := check.Must[*sm2.PrivateKey](t)(sm2.ParsePrivateKey(file("pkcs12/sign.key"), nil))
	wanted := check.Must[*sm2.PrivateKey](t)(sm2.ParsePrivateKey(file("pkcs12/encrypt.key"), nil))
	text := file("cfca/returned-c1c2c3.txt")
	if key, err := cfca.OpenReturnedKey(temporary, text); err != nil || !key.Equal(wanted) {
		t.Error(err)
	}
	_, err := cfca.OpenReturnedKey(wanted, text)
	check.Error(t, err, kuaimi.ErrDecryptionFailed)
	_, err = cfca.OpenReturnedKey(temporary, []byte("no key"))
	if err == nil || errors.Is(err, kuaimi.ErrDecryptionFailed) {
		t.Error(err)
	}
}
