package sm2_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"math/big"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
)

func TestKeyFiles(t *testing.T) {
	key := generate(t)
	public := publicOf(t, key)
	for _, form := range []sm2.KeyForm{sm2.PKCS8PEM, sm2.PKCS8, sm2.SEC1PEM, sm2.SEC1} {
		file := check.Must[[]byte](t)(key.Marshal(form))
		read := check.Must[*sm2.PrivateKey](t)(sm2.ParsePrivateKey(file, nil))
		if !read.Equal(key) || !key.Equal(read) {
			t.Fatal("another private key")
		}
		_, err := sm2.ParsePublicKey(file)
		if err == nil {
			t.Fatal("a private key was read as a public one")
		}
		if _, err := public.Marshal(form); err == nil {
			t.Fatal("a public key was written in a form of private ones")
		}
	}
	for _, form := range []sm2.KeyForm{sm2.SPKIPEM, sm2.SPKI} {
		file := check.Must[[]byte](t)(public.Marshal(form))
		if !check.Must[*sm2.PublicKey](t)(sm2.ParsePublicKey(file)).Equal(public) {
			t.Fatal("another public key")
		}
		_, err := sm2.ParsePrivateKey(file, nil)
		check.Error(t, err, kuaimi.ErrOtherKey)
	}
	for _, form := range []sm2.KeyForm{sm2.Uncompressed, sm2.Compressed} {
		point := check.Must[[]byte](t)(public.Marshal(form))
		if !check.Must[*sm2.PublicKey](t)(sm2.NewPublicKey(point)).Equal(public) {
			t.Fatal("another point")
		}
	}
	if !check.Must[*sm2.PublicKey](t)(sm2.NewPublicKey(public.Bytes()[1:])).Equal(public) {
		t.Fatal("another point")
	}
	number := check.Must[[]byte](t)(key.Bytes())
	if !check.Must[*sm2.PrivateKey](t)(sm2.NewPrivateKey(number)).Equal(key) {
		t.Fatal("another number")
	}
	if generate(t).Equal(key) || key.Equal(public) || public.Equal(key) || publicOf(t, generate(t)).Equal(public) {
		t.Fatal("different keys are equal")
	}
}

func TestEncryptedKeyFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("keys are derived from passwords slowly")
	}
	key := generate(t)
	for i, form := range []sm2.KeyForm{sm2.PKCS8PEM, sm2.PKCS8} {
		file := check.Must[[]byte](t)(key.MarshalEncrypted([]byte("password"), form))
		if !check.Must[*sm2.PrivateKey](t)(sm2.ParsePrivateKey(file, []byte("password"))).Equal(key) {
			t.Fatal("another private key")
		}
		if i == 0 {
			_, err := sm2.ParsePrivateKey(file, []byte("passwort"))
			check.Error(t, err, kuaimi.ErrWrongPassword)
		}
		_, err := sm2.ParsePrivateKey(file, nil)
		check.Error(t, err, kuaimi.ErrPasswordNeeded)
	}
}

func TestEnvelopes(t *testing.T) {
	key, recipient := generate(t), generate(t)
	envelope := check.Must[[]byte](t)(key.Envelope(publicOf(t, recipient)))
	if !check.Must[*sm2.PrivateKey](t)(recipient.OpenEnvelope(envelope)).Equal(key) {
		t.Fatal("another key")
	}
	if _, err := key.OpenEnvelope(envelope); err == nil {
		t.Fatal("another recipient opened the envelope")
	}
}

func TestWrongKeys(t *testing.T) {
	n, _ := new(big.Int).SetString("FFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFF7203DF6B21C6052B53BBF40939D54123", 16)
	for _, number := range []*big.Int{nil, new(big.Int), big.NewInt(-1), n, new(big.Int).Lsh(n, 1), new(big.Int).Sub(n, big.NewInt(1))} {
		_, err := sm2.NewPrivateKeyFromInt(number)
		check.Error(t, err, kuaimi.ErrPrivateKeyRange)
	}
	_, err := sm2.NewPrivateKey(make([]byte, 31))
	check.Error(t, err, kuaimi.ErrKeyLength)
	_, err = sm2.NewPublicKey(make([]byte, 65))
	check.Error(t, err, kuaimi.ErrPointEncoding)
	_, err = sm2.NewPublicKey(append([]byte{4}, make([]byte, 64)...))
	check.Error(t, err, kuaimi.ErrPointNotOnCurve)
	_, err = sm2.NewPublicKeyFromCoordinates(nil, n)
	check.Error(t, err, kuaimi.ErrPointEncoding)
	_, err = sm2.ParsePrivateKey([]byte("-----BEGIN PRIVATE KEY-----\nAAAA"), nil)
	check.Error(t, err, kuaimi.ErrText)
}

// curve is SM2's as crypto/elliptic computes on it.
func curve() *elliptic.CurveParams {
	number := func(hex string) *big.Int {
		n, _ := new(big.Int).SetString(hex, 16)
		return n
	}
	return &elliptic.CurveParams{
		P:       number("FFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF00000000FFFFFFFFFFFFFFFF"),
		N:       number("FFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFF7203DF6B21C6052B53BBF40939D54123"),
		B:       number("28E9FA9E9D9F5E344D5A9E4BCF6509A7F39789F515AB8F92DDBCBD414D940E93"),
		Gx:      number("32C4AE2C1F1981195F9904466A39C9948FE30BBFF2660BE1715A4589334C74C7"),
		Gy:      number("BC3736A2F4F6779C59BDCEE36B692153D0A9877CC62A474002DF32E52139F0A0"),
		BitSize: 256,
	}
}

// Keys as crypto/ecdsa's types have them, both ways.
func TestECDSATypes(t *testing.T) {
	key := generate(t)
	theirs := check.Must[*ecdsa.PrivateKey](t)(key.ToECDSA(curve()))
	//lint:ignore SA1019 a public value
	if !curve().IsOnCurve(theirs.X, theirs.Y) {
		t.Fatal("a point off the curve")
	}
	if !check.Must[*sm2.PrivateKey](t)(sm2.NewPrivateKeyFromECDSA(theirs)).Equal(key) ||
		!check.Must[*sm2.PublicKey](t)(sm2.NewPublicKeyFromECDSA(&theirs.PublicKey)).Equal(key.Public()) {
		t.Fatal("another key")
	}
	_, err := sm2.NewPrivateKeyFromECDSA(nil)
	check.Error(t, err, kuaimi.ErrNotAKey)
	_, err = sm2.NewPublicKeyFromECDSA(nil)
	check.Error(t, err, kuaimi.ErrNotAKey)
	other := check.Must[*ecdsa.PrivateKey](t)(generate(t).ToECDSA(curve()))
	_, err = sm2.NewPrivateKeyFromECDSA(&ecdsa.PrivateKey{PublicKey: theirs.PublicKey, D: other.D})
	check.Error(t, err, kuaimi.ErrPublicKeyMismatch)
	altered := curve()
	altered.Gx, altered.Gy = theirs.X, theirs.Y
	for _, wrong := range []elliptic.Curve{nil, elliptic.P256(), (*elliptic.CurveParams)(nil), &elliptic.CurveParams{}, altered} {
		_, err := key.ToECDSA(wrong)
		check.Error(t, err, kuaimi.ErrOtherAlgorithm)
	}
	key.Close()
	_, err = key.ToECDSA(curve())
	check.Error(t, err, kuaimi.ErrClosed)
}

// Options that this package does not know may ask for anything.
func TestOtherOptions(t *testing.T) {
	key := generate(t)
	for _, opts := range []crypto.SignerOpts{nil, crypto.Hash(0), crypto.SHA256, sm2.SignerOpts{}, (*sm2.SignerOpts)(nil)} {
		check.Must[[]byte](t)(key.Sign(nil, make([]byte, 32), opts))
	}
	if _, err := key.Sign(nil, make([]byte, 32), otherOptions{}); err == nil {
		t.Fatal("options of another library were ignored")
	}
	if _, err := key.SignMessage(nil, make([]byte, 32), otherOptions{}); err == nil {
		t.Fatal("options of another library were ignored")
	}
}

type otherOptions struct{}

func (otherOptions) HashFunc() crypto.Hash { return 0 }
