package sm2_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/internal/vectors"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
)

// codes is which error the words in vectors/key_forms.json are; other words name what is no key at all.
var codes = map[string]kuaimi.Error{
	"this is a private key":               kuaimi.ErrOtherKey,
	"this is a public key":                kuaimi.ErrOtherKey,
	"an odd number of hexadecimal digits": kuaimi.ErrText,
	"NIST P-256":                          kuaimi.ErrOtherAlgorithm,
	"its curve is NIST P-256":             kuaimi.ErrOtherAlgorithm,
	"its algorithm is RSA":                kuaimi.ErrOtherAlgorithm,
	"not those of SM2's curve":            kuaimi.ErrOtherAlgorithm,
	"this is an ECCSignature":             kuaimi.ErrSignatureEncoding,
	"out of range":                        kuaimi.ErrPrivateKeyRange,
}

// Keys as people have them, and things that are given in their place: the same with libkuaimi and with gmsm.
func TestKeyForms(t *testing.T) {
	file := vectors.Load[struct {
		D     vectors.Hex `json:"private_key"`
		Point vectors.Hex `json:"public_key"`
		Cases []struct {
			Name, Private, Public string
			Input                 vectors.Hex
		}
	}](t, "key_forms.json")
	if len(file.Cases) < 40 {
		t.Fatal("few cases")
	}
	key := check.Must[*sm2.PrivateKey](t)(sm2.NewPrivateKey(file.D))
	for _, c := range file.Cases {
		private, err := sm2.ParsePrivateKey(c.Input, nil)
		expectForm(t, c.Name+", private", c.Private, err)
		if err == nil && !private.Equal(key) {
			t.Errorf("%s: another private key", c.Name)
		}
		public, err := sm2.ParsePublicKey(c.Input)
		expectForm(t, c.Name+", public", c.Public, err)
		if err == nil && !bytes.Equal(public.Bytes(), file.Point) {
			t.Errorf("%s: another public key", c.Name)
		}
	}
}

func expectForm(t *testing.T, name, words string, err error) {
	t.Helper()
	if words == "key" {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return
	}
	if kuaimi.Backend() != "gmsm" && !strings.Contains(err.Error(), words) {
		t.Errorf("%s: %q does not say %q", name, err, words)
	}
	want := kuaimi.ErrNotAKey
	words, _, _ = strings.Cut(words, " (")
	if code, isKnown := codes[words]; isKnown {
		want = code
	}
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, not %v", name, err, want)
	}
}

// What looks like one of the forms and is not: nothing is guessed.
func TestDamagedKeyForms(t *testing.T) {
	key := generate(t)
	digits := bytes.Split([]byte(strings.Repeat("a2:", 32)), []byte(":"))[:32]
	dump := append(append([]byte("priv:\n  "), bytes.Join(digits, []byte(":"))...), '\n')
	pem := check.Must[[]byte](t)(key.Marshal(sm2.PKCS8PEM))
	der := check.Must[[]byte](t)(key.Marshal(sm2.PKCS8))
	for name, c := range map[string]struct {
		file []byte
		want kuaimi.Error
	}{
		"nothing":                      {nil, kuaimi.ErrNotAKey},
		"a zero left out":              {bytes.Replace(bytes.Join(digits, []byte(":")), []byte(":a2"), []byte(":2"), 1), kuaimi.ErrNotAKey},
		"one quote":                    {append([]byte(`"`), bytes.Join(digits, nil)...), kuaimi.ErrNotAKey},
		"33 bytes without a zero":      {append([]byte{1}, make([]byte, 32)...), kuaimi.ErrNotAKey},
		"a dump without a curve":       {dump, kuaimi.ErrOtherAlgorithm},
		"a dump of another curve":      {append(dump, "ASN1 OID: secp256k1\n"...), kuaimi.ErrOtherAlgorithm},
		"a block without an end":       {pem[:len(pem)-10], kuaimi.ErrText},
		"a block with another end":     {bytes.Replace(pem, []byte("END PRIVATE"), []byte("END PUBLIC"), 1), kuaimi.ErrText},
		"a block with headers":         {bytes.Replace(pem, []byte("KEY-----\n"), []byte("KEY-----\nA: b\n\n"), 1), kuaimi.ErrText},
		"a block of before PKCS#8":     {bytes.Replace(pem, []byte("KEY-----\n"), []byte("KEY-----\nProc-Type: 4,ENCRYPTED\n\n"), 1), kuaimi.ErrUnsupportedEncryption},
		"a block of other letters":     {bytes.Replace(pem, []byte("M"), []byte("*"), 1), kuaimi.ErrText},
		"bytes after the DER":          {append(bytes.Clone(der), 0), kuaimi.ErrTrailingBytes},
		"a block that is not encoded":  {[]byte("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"), kuaimi.ErrDER},
		"parameters of another curve":  {append([]byte("-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"), pem...), kuaimi.ErrOtherAlgorithm},
		"a public key that is another": {check.Must[[]byte](t)(generate(t).Marshal(sm2.SEC1)), 0},
	} {
		if c.want == 0 {
			// The number of one key with the point of another.
			own := check.Must[[]byte](t)(key.Marshal(sm2.SEC1))
			c.file, c.want = append(bytes.Clone(own[:len(own)-64]), c.file[len(c.file)-64:]...), kuaimi.ErrPublicKeyMismatch
		}
		if _, err := sm2.ParsePrivateKey(c.file, nil); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, not %v", name, err, c.want)
		}
	}
}

// Each byte of explicit parameters that is changed is another curve.
func TestExplicitParameters(t *testing.T) {
	file := vectors.Load[struct {
		Cases []struct {
			Name  string
			Input vectors.Hex
		}
	}](t, "key_forms.json")
	for _, c := range file.Cases {
		if c.Name != "explicit parameters of SM2" {
			continue
		}
		from := bytes.Index(c.Input, []byte{0x2a, 0x86, 0x48, 0xce, 0x3d, 1, 1})
		to := bytes.Index(c.Input, []byte{0x53, 0xbb, 0xf4, 0x09, 0x39, 0xd5, 0x41, 0x23}) + 8
		for place := from; place < to; place++ {
			other := bytes.Clone(c.Input)
			other[place] ^= 1
			if _, err := sm2.ParsePrivateKey(other, nil); err == nil {
				t.Fatal("the byte at", place)
			}
		}
		return
	}
	t.Fatal("no case")
}
