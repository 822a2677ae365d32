package sm2_test

import (
	"bytes"
	"crypto"
	"errors"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/internal/vectors"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
)

func generate(t testing.TB) *sm2.PrivateKey {
	t.Helper()
	key, err := sm2.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(key.Close)
	return key
}

func publicOf(t testing.TB, key *sm2.PrivateKey) *sm2.PublicKey {
	t.Helper()
	return check.Must[*sm2.PublicKey](t)(key.PublicKey())
}

type file struct {
	Signature struct {
		Message string `json:"message_ascii"`
		ID      string `json:"id_ascii"`
		D       vectors.Hex
		PX, PY  vectors.Hex
		Z, E    vectors.Hex
		R, S    vectors.Hex
	}
	Encryption struct {
		Message    string `json:"message_ascii"`
		D          vectors.Hex
		C1, C2, C3 vectors.Hex
		DER        vectors.Hex `json:"der_gmt0009"`
	}
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func TestStandardSignature(t *testing.T) {
	v := vectors.Load[file](t, "sm2.json").Signature
	key := check.Must[*sm2.PrivateKey](t)(sm2.NewPrivateKey(v.D))
	public := publicOf(t, key)
	if !bytes.Equal(public.Bytes(), join([]byte{4}, v.PX, v.PY)) {
		t.Fatal("another public key")
	}
	z := check.Must[[32]byte](t)(public.Z([]byte(v.ID)))
	usual := check.Must[[32]byte](t)(public.Z(nil))
	if !bytes.Equal(z[:], v.Z) || z != usual || v.ID != sm2.DefaultID {
		t.Fatal("another Z")
	}
	hash, err := public.NewHash(nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		hash.Write([]byte(v.Message[:3]))
		hash.Write([]byte(v.Message[3:]))
		if !bytes.Equal(hash.Sum(nil), v.E) {
			t.Fatal("another digest")
		}
		hash.Reset()
	}
	verifier := check.Must[*sm2.VerifyingKey](t)(public.VerifyingKey(nil))
	raw := join(v.R, v.S)
	der := check.Must[[]byte](t)(sm2.ConvertSignature(raw, sm2.Raw, sm2.DER))
	for _, err := range []error{
		verifier.VerifyForm([]byte(v.Message), raw, sm2.Raw),
		verifier.VerifyForm([]byte(v.Message), raw, sm2.DEROrRaw),
		verifier.VerifyForm([]byte(v.Message), der, sm2.DEROrRaw),
		verifier.VerifyForm([]byte(v.Message), der, sm2.LenientDER),
		verifier.VerifyDigest(v.E, raw, sm2.Raw),
		verifier.Verify([]byte(v.Message), der),
		public.Verify([]byte(v.Message), der),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range raw {
		changed := bytes.Clone(raw)
		changed[i] ^= 1
		check.Error(t, verifier.VerifyForm([]byte(v.Message), changed, sm2.Raw), kuaimi.ErrInvalidSignature)
	}
	for i := range der {
		changed := bytes.Clone(der)
		changed[i] ^= 1
		check.Error(t, verifier.Verify([]byte(v.Message), changed), kuaimi.ErrInvalidSignature)
		check.Error(t, verifier.Verify([]byte(v.Message), der[:i]), kuaimi.ErrInvalidSignature)
	}
	check.Error(t, verifier.Verify([]byte(v.Message+" "), der), kuaimi.ErrInvalidSignature)
}

func TestStandardCiphertext(t *testing.T) {
	v := vectors.Load[file](t, "sm2.json").Encryption
	key := check.Must[*sm2.PrivateKey](t)(sm2.NewPrivateKey(v.D))
	point := v.C1
	if len(point) == 64 {
		point = join([]byte{4}, point)
	}
	forms := map[sm2.CiphertextForm][]byte{
		sm2.C1C3C2: join(point, v.C3, v.C2), sm2.C1C2C3: join(point, v.C2, v.C3), sm2.CiphertextDER: v.DER,
	}
	for form, ciphertext := range forms {
		for _, opts := range []crypto.DecrypterOpts{nil, sm2.DecrypterOpts{Form: form}, &sm2.DecrypterOpts{Form: form}} {
			message := check.Must[[]byte](t)(key.Decrypt(nil, ciphertext, opts))
			if string(message) != v.Message {
				t.Fatalf("another message: %q", message)
			}
		}
		for to, expected := range forms {
			converted := check.Must[[]byte](t)(sm2.ConvertCiphertext(ciphertext, form, to))
			if !bytes.Equal(converted, expected) {
				t.Fatalf("form %d to %d: %x, not %x", form, to, converted, expected)
			}
		}
		for i := range ciphertext {
			changed := bytes.Clone(ciphertext)
			changed[i] ^= 1
			for _, tried := range [][]byte{changed, ciphertext[:i]} {
				_, err := key.Decrypt(nil, tried, sm2.DecrypterOpts{Form: form})
				check.Error(t, err, kuaimi.ErrDecryptionFailed)
			}
		}
	}
}

// The interfaces of package crypto, and every option.
func TestSigners(t *testing.T) {
	key := generate(t)
	public := publicOf(t, key)
	for _, id := range [][]byte{nil, {}, []byte("alice@example.com")} {
		signer := check.Must[*sm2.SigningKey](t)(key.SigningKey(id))
		verifier := check.Must[*sm2.VerifyingKey](t)(public.VerifyingKey(id))
		message := []byte("a message")
		hash, err := public.NewHash(id)
		if err != nil {
			t.Fatal(err)
		}
		hash.Write(message)
		digest := hash.Sum(nil)
		var previous []byte
		for _, form := range []sm2.SignatureForm{sm2.DER, sm2.Raw} {
			for _, deterministic := range []bool{false, true} {
				opts := sm2.SignerOpts{Form: form, Deterministic: deterministic}
				asMessage := opts
				asMessage.IsMessage = true
				signatures := [][]byte{
					check.Must[[]byte](t)(signer.Sign(nil, digest, opts)),
					check.Must[[]byte](t)(signer.Sign(nil, digest, &opts)),
					check.Must[[]byte](t)(signer.Sign(nil, message, asMessage)),
					check.Must[[]byte](t)(signer.SignMessage(nil, message, opts)),
				}
				for _, signature := range signatures {
					if err := verifier.VerifyForm(message, signature, form); err != nil {
						t.Fatal(err)
					}
					if err := verifier.VerifyDigest(digest, signature, form); err != nil {
						t.Fatal(err)
					}
					if bytes.Equal(signature, signatures[0]) != (deterministic || &signature[0] == &signatures[0][0]) {
						t.Fatal("signatures are equal that should not be, or the other way round")
					}
				}
				if bytes.Equal(signatures[0], previous) {
					t.Fatal("the options make no difference")
				}
				previous = signatures[0]
			}
		}
		dst := check.Must[[]byte](t)(signer.AppendSignature([]byte("before"), message, sm2.Raw))
		if string(dst[:6]) != "before" || verifier.VerifyForm(message, dst[6:], sm2.Raw) != nil {
			t.Fatal("AppendSignature")
		}
		if other := check.Must[*sm2.VerifyingKey](t)(public.VerifyingKey([]byte("bob"))); other.Verify(message, dst) == nil {
			t.Fatal("another identity verifies")
		}
	}
	if _, err := key.Sign(nil, []byte("not a digest"), nil); err == nil {
		t.Fatal("a digest of 12 bytes was signed")
	}
	for _, wrong := range []sm2.SignatureForm{sm2.LenientDER, sm2.DEROrRaw, -1, 77} {
		_, err := key.SignMessage(nil, nil, sm2.SignerOpts{Form: wrong})
		check.Error(t, err, kuaimi.ErrInvalidArgument)
	}
	if _, err := key.SigningKey(make([]byte, 8192)); !errors.Is(err, kuaimi.ErrIdentityTooLong) {
		t.Fatal(err)
	}
}

func TestRecovery(t *testing.T) {
	key := generate(t)
	public := publicOf(t, key)
	signer := check.Must[*sm2.SigningKey](t)(key.SigningKey(nil))
	seen := map[byte]bool{}
	for i := range byte(20) {
		digest := bytes.Repeat([]byte{i}, 32)
		signature, id, err := signer.SignDigestRecoverable(digest, sm2.Raw)
		if err != nil {
			t.Fatal(err)
		}
		recovered := check.Must[*sm2.PublicKey](t)(sm2.Recover(digest, signature, sm2.Raw, id))
		if !recovered.Equal(public) {
			t.Fatal("another key")
		}
		seen[id] = true
		if other, err := sm2.Recover(digest, signature, sm2.Raw, id^1); err == nil && other.Equal(public) {
			t.Fatal("both numbers lead to the key")
		}
	}
	if !seen[0] || !seen[1] {
		t.Fatal("one number alone in twenty signatures")
	}
	digest := make([]byte, 32)
	signature, _, err := signer.SignDigestRecoverable(digest, sm2.DER)
	if err != nil {
		t.Fatal(err)
	}
	_, err = sm2.Recover(digest, signature, sm2.DER, 4)
	check.Error(t, err, kuaimi.ErrRecoveryID)
}
