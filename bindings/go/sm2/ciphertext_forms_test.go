package sm2_test

import (
	"bytes"
	"encoding/hex"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
)

// Ciphertexts as other libraries write them, the same with libkuaimi and with gmsm: without the point's first byte (sm-crypto), also
// where the next byte looks like it, and with a compressed point.
func TestCiphertextForms(t *testing.T) {
	number, _ := hex.DecodeString("a2fb4dac741e249212bddc94982de8d6fb8f2b89d58c8eb0ce73b454fc0f1cf5")
	key := check.Must[*sm2.PrivateKey](t)(sm2.NewPrivateKey(number))
	bare, _ := hex.DecodeString("049ccd68e9c18d8f829aa02085afc43aafc161e40622009cba291715b9e1e20cb2fe38571d51fb93b25f621b2d95624f3c60bb8b88b3917dc29c07e1949d" +
		"b605f64c55e77f120fee582d86ab5612f88344c7ebf1bd8913d4260f4feb7bd604d58620e9dbb4690102dd7e2584c79258c4")
	message := []byte("field trial text")
	c1c3c2 := append([]byte{4}, bare...)
	compressed := append([]byte{2 + bare[63]&1}, append(bytes.Clone(bare[:32]), bare[64:]...)...)
	other := check.Must[[]byte](t)(sm2.ConvertCiphertext(c1c3c2, sm2.C1C3C2, sm2.C1C2C3))
	for name, ciphertext := range map[string][]byte{
		"C1C3C2": c1c3c2, "bare C1C3C2": bare, "compressed C1C3C2": compressed,
		"C1C2C3": other, "bare C1C2C3": other[1:],
		"DER": check.Must[[]byte](t)(sm2.ConvertCiphertext(c1c3c2, sm2.C1C3C2, sm2.CiphertextDER)),
	} {
		got, err := key.Decrypt(nil, ciphertext, nil)
		if err != nil || !bytes.Equal(got, message) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		for i := range ciphertext {
			changed := bytes.Clone(ciphertext)
			changed[i] ^= 0x80
			_, err := key.Decrypt(nil, changed, nil)
			check.Error(t, err, kuaimi.ErrDecryptionFailed)
		}
	}
	if got := check.Must[[]byte](t)(sm2.ConvertCiphertext(compressed, sm2.C1C3C2, sm2.C1C3C2)); !bytes.Equal(got, c1c3c2) {
		t.Error("a compressed point is converted to another")
	}
	_, err := key.Decrypt(nil, bare, sm2.DecrypterOpts{Form: sm2.C1C3C2})
	check.Error(t, err, kuaimi.ErrDecryptionFailed)
}
