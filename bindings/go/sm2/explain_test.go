package sm2_test

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
)

// What libkuaimi and gmsm both find, in the same words.
func TestExplain(t *testing.T) {
	key := generate(t)
	public := publicOf(t, key)
	message := []byte("a message")
	sign := func(id, message []byte) []byte {
		signer := check.Must[*sm2.SigningKey](t)(key.SigningKey(id))
		return check.Must[[]byte](t)(signer.AppendSignature(nil, message, sm2.Raw))
	}
	usual := sign(nil, message)
	swapped := append(bytes.Clone(usual[32:]), usual[:32]...)
	reversed := bytes.Clone(usual)
	slices.Reverse(reversed)
	digest := check.Must[[]byte](t)(key.Sign(nil, bytes.Repeat([]byte{7}, 32), nil))
	for _, c := range []struct {
		signature, message, id []byte
		want                   string
	}{
		{usual, message, nil, "the signature fits"},
		{usual, []byte("another"), nil, "it fits nothing that is often meant instead: another key, or altered data"},
		{sign([]byte{}, message), message, nil, "it fits under the empty identity"},
		{usual, message, []byte("alice"), "it fits under the default identity 1234567812345678"},
		{sign([]byte{0xab, 0xcd}, message), message, []byte("abcd"), "it fits under the identity that the given one is in hexadecimal"},
		{sign(nil, []byte("a message\n")), message, nil, "it fits the message with a line feed at its end"},
		{usual, []byte("a message\r\n"), nil, "it fits the message without the line end after it"},
		{usual, []byte(hex.EncodeToString(message)), nil, "it fits the bytes that the message is in hexadecimal"},
		{swapped, message, nil, "it fits with r and s swapped"},
		{reversed, message, nil, "it fits with all 64 bytes of r and s reversed"},
		{digest, bytes.Repeat([]byte{7}, 32), nil, "it fits if the message is the digest e itself"},
	} {
		if got, err := sm2.Explain(public, c.id, c.message, c.signature); got != c.want || err != nil {
			t.Errorf("%q, %v, not %q", got, err, c.want)
		}
	}
	if got, err := sm2.Explain(public, nil, message, usual[1:]); err != nil || !strings.Contains(got, "no signature") {
		t.Errorf("%q, %v", got, err)
	}
	_, err := sm2.Explain(public, make([]byte, 9000), message, usual)
	check.Error(t, err, kuaimi.ErrIdentityTooLong)
	_, err = sm2.Explain(nil, nil, message, usual)
	check.Error(t, err, kuaimi.ErrClosed)
}
