package sm2_test

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
)

// A deterministic signature takes the digest for the nonce and for itself: two digests in one call would be two signatures with one
// nonce in two calls, which give the private key away.
func TestChangingDigest(t *testing.T) {
	signer := check.Must[*sm2.SigningKey](t)(generate(t).SigningKey(nil))
	digest := bytes.Repeat([]byte{7}, 32)
	seen := map[string]bool{}
	check.Changing(t, digest, 3000, func() {
		seen[string(check.Must[[]byte](t)(signer.Sign(nil, digest, sm2.SignerOpts{Deterministic: true})))] = true
	})
	if len(seen) != 2 {
		t.Fatalf("%d signatures of two digests", len(seen))
	}
}

// A key that is kept is one that was checked.
func TestChangingKeys(t *testing.T) {
	key := generate(t)
	point := publicOf(t, key).Bytes()
	curve := curve()
	check.Changing(t, point[1:], 3000, func() {
		if public, err := sm2.NewPublicKey(point); err == nil {
			bytes := public.Bytes()
			//lint:ignore SA1019 a public value
			if !curve.IsOnCurve(new(big.Int).SetBytes(bytes[1:33]), new(big.Int).SetBytes(bytes[33:])) {
				t.Fatal("a point off the curve")
			}
		}
	})
	number := check.Must[[]byte](t)(key.Bytes())
	check.Changing(t, number[31:], 3000, func() {
		private := check.Must[*sm2.PrivateKey](t)(sm2.NewPrivateKey(number))
		kept := check.Must[[]byte](t)(private.Bytes())
		if !check.Must[*sm2.PrivateKey](t)(sm2.NewPrivateKey(kept)).Equal(private) {
			t.Fatal("a public key of another private one")
		}
	})
}
