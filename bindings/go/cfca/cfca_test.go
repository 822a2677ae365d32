package cfca_test

import (
	"encoding/base64"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/cfca"
	"github.com/kuaimi/kuaimi/bindings/go/internal/authority"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
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
