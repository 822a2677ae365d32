package sm2_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
)

// Bytes that are no signature in their form: why, the same with libkuaimi and with gmsm, from every function that verifies.
func TestNotASignature(t *testing.T) {
	message := []byte("field trial")
	der, _ := hex.DecodeString("3046022100cf332ef4827eafe1cd257e545542381d9caf0251b8176e9125ae878848ea0e01022100f4c671033ae1c116f45875c7736c56e79e85416c505e0bd31ce437faae1eb07c")
	raw := check.Must[[]byte](t)(sm2.ConvertSignature(der, sm2.DER, sm2.Raw))
	point, _ := hex.DecodeString("04c9f663659ff094d18c841d60772b8cb52ffe52995b478c9f6c3da159b4af9249cbbb3c0f6409f39751a638885d9bb47bf1b413c44f5b72229f42ae21d6056410")
	public := check.Must[*sm2.PublicKey](t)(sm2.NewPublicKey(point))
	verifier := check.Must[*sm2.VerifyingKey](t)(public.VerifyingKey(nil))
	cache := check.Must[*sm2.KeyCache](t)(sm2.NewKeyCache(1 << 20))
	if err := verifier.Verify(message, der); err != nil {
		t.Fatal(err)
	}
	zeros := make([]byte, 32)
	device := join(zeros, raw[:32], zeros, raw[32:])
	negative := join([]byte{0x30, 68, 2, 32}, raw[:32], []byte{2, 32}, raw[32:])
	padded := join([]byte{0x30, 72, 2, 34, 0, 0}, raw[:32], []byte{2, 34, 0, 0}, raw[32:])
	long := join([]byte{0x30, 0x81, 70}, der[2:])
	zero := []byte{0x30, 6, 2, 1, 0, 2, 1, 1}
	other := bytes.Clone(der)
	other[40] ^= 1
	otherRaw := check.Must[[]byte](t)(sm2.ConvertSignature(other, sm2.DER, sm2.Raw))
	for _, c := range []struct {
		name      string
		signature []byte
		form      sm2.SignatureForm
		want      kuaimi.Error
	}{
		{"another signature", other, sm2.DER, kuaimi.ErrInvalidSignature},
		{"another signature", other, sm2.DEROrRaw, kuaimi.ErrInvalidSignature},
		{"another signature", otherRaw, sm2.Raw, kuaimi.ErrInvalidSignature},
		{"64 bytes", raw, sm2.DER, kuaimi.ErrSignatureIsRaw},
		{"DER", der, sm2.Raw, kuaimi.ErrSignatureIsDER},
		{"of a device", device, sm2.DER, kuaimi.ErrSignatureOfDevice},
		{"of a device", device, sm2.Raw, kuaimi.ErrSignatureOfDevice},
		{"of a device", device, sm2.DEROrRaw, kuaimi.ErrSignatureOfDevice},
		{"hexadecimal", []byte(hex.EncodeToString(der)), sm2.DER, kuaimi.ErrSignatureText},
		{"hexadecimal", []byte(hex.EncodeToString(raw)), sm2.Raw, kuaimi.ErrSignatureText},
		{"Base64", []byte(base64.StdEncoding.EncodeToString(der) + "\n"), sm2.DEROrRaw, kuaimi.ErrSignatureText},
		{"negative", negative, sm2.DER, kuaimi.ErrSignatureNegative},
		{"negative", negative, sm2.DEROrRaw, kuaimi.ErrSignatureNegative},
		{"zeros before the numbers", padded, sm2.DER, kuaimi.ErrSignatureNotStrict},
		{"a long length", long, sm2.DER, kuaimi.ErrSignatureNotStrict},
		{"bytes behind", append(bytes.Clone(der), 0), sm2.DER, kuaimi.ErrSignatureNotStrict},
		{"r is zero", zero, sm2.DER, kuaimi.ErrSignatureRange},
		{"r is zero", zero, sm2.LenientDER, kuaimi.ErrSignatureRange},
		{"r is too large", bytes.Repeat([]byte{0xff}, 64), sm2.Raw, kuaimi.ErrSignatureRange},
		{"nothing", nil, sm2.DER, kuaimi.ErrSignatureEncoding},
		{"noise", bytes.Repeat([]byte{0xff}, 63), sm2.Raw, kuaimi.ErrSignatureEncoding},
		{"cut", der[:70], sm2.DEROrRaw, kuaimi.ErrSignatureEncoding},
	} {
		results := make([]error, 1)
		items := []sm2.VerifyItem{{Key: verifier, Message: message, Signature: c.signature, Form: c.form}}
		for way, err := range map[string]error{
			"VerifyForm":          verifier.VerifyForm(message, c.signature, c.form),
			"VerifyDigest":        verifier.VerifyDigest(make([]byte, 32), c.signature, c.form),
			"a cache":             cache.VerifyForm(verifier, message, c.signature, c.form),
			"a cache of digests":  cache.VerifyDigest(verifier, make([]byte, 32), c.signature, c.form),
			"VerifyBatch":         sm2.VerifyBatch(items, results),
			"VerifyBatch's items": results[0],
			"a batch of a cache":  cache.VerifyBatch(items, results),
		} {
			if err != c.want || !errors.Is(err, kuaimi.ErrInvalidSignature) {
				t.Errorf("%s in form %d, %s: %v, not %v", c.name, c.form, way, err, c.want)
			}
		}
		if c.form == sm2.DER {
			if err := public.Verify(message, c.signature); err != c.want {
				t.Errorf("%s: %v, not %v", c.name, err, c.want)
			}
		}
	}
	// What is read leniently is right.
	for _, signature := range [][]byte{der, negative, padded, long, append(bytes.Clone(der), 0)} {
		if err := verifier.VerifyForm(message, signature, sm2.LenientDER); err != nil {
			t.Errorf("%x: %v", signature, err)
		}
	}
	if errors.Is(kuaimi.ErrInvalidSignature, kuaimi.ErrSignatureEncoding) || errors.Is(kuaimi.ErrDER, kuaimi.ErrInvalidSignature) {
		t.Error("other errors are taken for these")
	}
}
