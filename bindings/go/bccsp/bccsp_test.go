package bccsp_test

import (
	"bytes"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go/bccsp"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/sm4"
)

type fabricKey interface{ SKI() []byte }

type importOpts struct{}

func (importOpts) Algorithm() string { return bccsp.SM4 }
func (importOpts) Ephemeral() bool   { return true }

type provider = bccsp.Provider[fabricKey, importOpts, importOpts, importOpts, importOpts, any, any, any]

// The identifier of a key is that of the key that encrypts.
func TestChangingKey(t *testing.T) {
	var p provider
	raw := bytes.Repeat([]byte{6}, 16)
	expected := [2][]byte{}
	for i := range expected {
		raw[0] = byte(6 + i)
		expected[i] = check.Must[fabricKey](t)(p.KeyImport(raw, importOpts{})).SKI()
	}
	check.Changing(t, raw, 20000, func() {
		key := check.Must[fabricKey](t)(p.KeyImport(raw, importOpts{}))
		sealed := check.Must[[]byte](t)(p.Encrypt(key, nil, nil))
		for i, ski := range expected {
			own := bytes.Repeat([]byte{6}, 16)
			own[0] = byte(6 + i)
			_, err := check.Must[*sm4.AEAD](t)(sm4.NewGCM(own)).Open(nil, sealed[:12], sealed[12:], nil)
			if (err == nil) != bytes.Equal(key.SKI(), ski) {
				t.Fatal("a key has another's identifier")
			}
		}
	})
}
