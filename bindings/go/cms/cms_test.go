package cms_test

import (
	"bytes"
	"crypto"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/cms"
	"github.com/kuaimi/kuaimi/bindings/go/internal/authority"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
	"github.com/kuaimi/kuaimi/bindings/go/x509"
)

// needsLibkuaimi ends a test without libkuaimi, once it has seen the error.
func needsLibkuaimi(t testing.TB) {
	t.Helper()
	if kuaimi.Backend() != "gmsm" {
		return
	}
	key := authority.Key(t)
	_, err := cms.Sign(nil, nil, nil)
	check.Error(t, err, kuaimi.ErrNeedsLibkuaimi)
	_, err = cms.Verify(nil, nil)
	check.Error(t, err, kuaimi.ErrNeedsLibkuaimi)
	_, err = cms.Encrypt(nil, nil, nil)
	check.Error(t, err, kuaimi.ErrNeedsLibkuaimi)
	_, err = cms.Decrypt(nil, key, nil)
	check.Error(t, err, kuaimi.ErrNeedsLibkuaimi)
	t.Skip("needs libkuaimi")
}

// device is a key that is elsewhere: it has what crypto.Signer has, and gives 64 bytes.
type device struct{ key *sm2.PrivateKey }

func (d device) Public() crypto.PublicKey { return d.key.Public() }
func (d device) Sign(random io.Reader, digest []byte, opts crypto.SignerOpts) ([]byte, error) {
	der, err := d.key.Sign(random, digest, opts)
	if err != nil {
		return nil, err
	}
	return sm2.ConvertSignature(der, sm2.DER, sm2.Raw)
}

// broken is a device that fails.
type broken struct{ device }

var errBroken = errors.New("the device fails")

func (broken) Sign(io.Reader, []byte, crypto.SignerOpts) ([]byte, error) { return nil, errBroken }

func TestSign(t *testing.T) {
	needsLibkuaimi(t)
	root := authority.Root(t, "root")
	middle := root.Issue(t, "middle", authority.Authority)
	first, second := middle.Issue(t, "first", nil), middle.Issue(t, "second", nil)
	signers := []cms.Signer{{Certificate: first.Certificate, Key: first.Key}, {Certificate: second.Certificate, Key: device{second.Key}}}
	now := time.Now().Truncate(time.Second)
	count := 0
	for _, content := range [][]byte{{}, []byte("a payment"), bytes.Repeat([]byte("long"), 100<<10)} {
		for choice := range 64 {
			bit := func(place int) bool { return choice>>place&1 == 1 }
			options := &cms.SignOptions{
				Certificates: []*x509.Certificate{middle.Certificate}, NoAttributes: bit(0), EmptyIdentity: bit(1), ByKeyID: bit(2),
			}
			if bit(3) {
				options.Form = cms.GM
			}
			if !options.NoAttributes {
				options.SigningTime = now
			}
			these := signers[:1]
			if bit(4) {
				these = signers
			}
			var message []byte
			if bit(5) {
				message = check.Must[[]byte](t)(cms.SignDetached(iotest.HalfReader(bytes.NewReader(content)), these, options))
			} else {
				message = check.Must[[]byte](t)(cms.Sign(content, these, options))
			}
			verify := func(content []byte, identities x509.Identities) (*cms.Message, error) {
				if bit(5) {
					return cms.VerifyDetached(message, iotest.HalfReader(bytes.NewReader(content)), &cms.VerifyOptions{Identities: identities})
				}
				return cms.Verify(message, &cms.VerifyOptions{Identities: identities})
			}
			if _, err := verify(content, x509.DefaultIdentity); (err != nil) != options.EmptyIdentity ||
				err != nil && !errors.Is(err, kuaimi.ErrInvalidSignature) {
				t.Fatalf("choice %d: %v", choice, err)
			}
			verified := check.Must[*cms.Message](t)(verify(content, x509.DefaultOrEmptyIdentity))
			if bit(5) {
				if verified.Content != nil {
					t.Errorf("choice %d: a content that is not in the message", choice)
				}
				_, err := verify([]byte("another"), x509.DefaultOrEmptyIdentity)
				check.Error(t, err, kuaimi.ErrInvalidSignature)
			} else if !bytes.Equal(verified.Content, content) {
				t.Errorf("choice %d: another content", choice)
			}
			if len(verified.Signers) != len(these) || len(verified.Certificates) != len(these)+1 {
				t.Errorf("choice %d: %d signers, %d certificates", choice, len(verified.Signers), len(verified.Certificates))
			}
			for _, signer := range verified.Signers {
				if !signer.SigningTime.Equal(options.SigningTime) || !signer.Certificate.Equal(first.Certificate) &&
					!signer.Certificate.Equal(second.Certificate) {
					t.Errorf("choice %d: %v", choice, signer)
				}
			}
			count++
		}
	}
	if count != 192 {
		t.Error(count)
	}
}

// A right signature says nothing of who signed.
func TestVerifySigners(t *testing.T) {
	needsLibkuaimi(t)
	root, stranger := authority.Root(t, "root"), authority.Root(t, "stranger")
	middle := root.Issue(t, "middle", authority.Authority)
	good, bad := middle.Issue(t, "good", nil), stranger.Issue(t, "bad", nil)
	encrypting := middle.Issue(t, "encrypting", func(template *x509.Certificate) { template.KeyUsage = x509.KeyUsageKeyEncipherment })
	verifier := check.Must[*x509.Verifier](t)(x509.NewVerifier(x509.VerifyOptions{
		Roots: []*x509.Certificate{root.Certificate}, Purpose: x509.PurposeSigning,
	}))
	defer verifier.Close()
	options := &cms.SignOptions{Certificates: []*x509.Certificate{middle.Certificate}}
	for _, c := range []struct {
		signers []authority.Holder
		rule    x509.Rule
	}{
		{[]authority.Holder{good}, 0}, {[]authority.Holder{bad}, x509.RuleUnknownIssuer}, {[]authority.Holder{good, bad}, x509.RuleUnknownIssuer},
		{[]authority.Holder{encrypting}, x509.RuleKeyUsage},
	} {
		var signers []cms.Signer
		for _, it := range c.signers {
			signers = append(signers, cms.Signer{Certificate: it.Certificate, Key: it.Key})
		}
		message := check.Must[*cms.Message](t)(cms.Verify(check.Must[[]byte](t)(cms.Sign([]byte("a payment"), signers, options)), nil))
		err := message.VerifySigners(verifier)
		refusal := x509.AsRefusal(err)
		if c.rule == 0 && err != nil || c.rule != 0 && (refusal == nil || refusal.Rule != c.rule) {
			t.Errorf("%v, not %d", err, c.rule)
		}
	}
	check.Error(t, new(cms.Message).VerifySigners(verifier), kuaimi.ErrInvalidArgument)
}

func TestSignRefusals(t *testing.T) {
	needsLibkuaimi(t)
	root := authority.Root(t, "root")
	leaf, other := root.Issue(t, "leaf", nil), root.Issue(t, "other", nil)
	closed := root.Issue(t, "closed", nil)
	closed.Key.Close()
	good := cms.Signer{Certificate: leaf.Certificate, Key: leaf.Key}
	for what, c := range map[string]struct {
		signers []cms.Signer
		options *cms.SignOptions
		want    error
	}{
		"no signer":        {nil, nil, kuaimi.ErrInvalidArgument},
		"65 signers":       {slicesRepeat(good, 65), nil, kuaimi.ErrInvalidArgument},
		"no key":           {[]cms.Signer{{Certificate: leaf.Certificate}}, nil, kuaimi.ErrInvalidArgument},
		"no certificate":   {[]cms.Signer{{Key: leaf.Key}}, nil, kuaimi.ErrInvalidArgument},
		"another key":      {[]cms.Signer{good, {Certificate: leaf.Certificate, Key: other.Key}}, nil, kuaimi.ErrInvalidSignature},
		"a closed key":     {[]cms.Signer{{Certificate: closed.Certificate, Key: closed.Key}}, nil, kuaimi.ErrClosed},
		"a device fails":   {[]cms.Signer{{Certificate: leaf.Certificate, Key: broken{}}}, nil, errBroken},
		"a form for none":  {[]cms.Signer{good}, &cms.SignOptions{Form: cms.GmSSL}, kuaimi.ErrInvalidArgument},
		"no form":          {[]cms.Signer{good}, &cms.SignOptions{Form: -1}, kuaimi.ErrInvalidArgument},
		"time, unsigned":   {[]cms.Signer{good}, &cms.SignOptions{NoAttributes: true, SigningTime: time.Now()}, kuaimi.ErrInvalidArgument},
		"a time before":    {[]cms.Signer{good}, &cms.SignOptions{SigningTime: time.Unix(-5, 0)}, kuaimi.ErrInvalidArgument},
		"nil among others": {[]cms.Signer{good}, &cms.SignOptions{Certificates: []*x509.Certificate{nil}}, kuaimi.ErrInvalidArgument},
	} {
		message, err := cms.Sign([]byte("a payment"), c.signers, c.options)
		if err == nil || message != nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v", what, err)
		}
		// Who has two keys is told what is wrong, as the kind of error does not say it.
		if says := strings.Contains(err.Error(), "certificate is of another key"); says != (what == "another key") {
			t.Errorf("%s: %v", what, err)
		}
	}
	// A reader that fails is no shorter content.
	failing := io.MultiReader(strings.NewReader("a pay"), iotest.ErrReader(errBroken))
	if message, err := cms.SignDetached(failing, []cms.Signer{good}, nil); message != nil || !errors.Is(err, errBroken) {
		t.Error(err)
	}
	detached := check.Must[[]byte](t)(cms.SignDetached(strings.NewReader("a pay"), []cms.Signer{good}, nil))
	failing = io.MultiReader(strings.NewReader("a pay"), iotest.ErrReader(errBroken))
	if message, err := cms.VerifyDetached(detached, failing, nil); message != nil || !errors.Is(err, errBroken) {
		t.Error(err)
	}
	// The content is inside, or is not.
	attached := check.Must[[]byte](t)(cms.Sign([]byte("a pay"), []cms.Signer{good}, nil))
	_, err := cms.VerifyDetached(attached, strings.NewReader("a pay"), nil)
	check.Error(t, err, kuaimi.ErrInvalidArgument)
	_, err = cms.Verify(detached, nil)
	check.Error(t, err, kuaimi.ErrInvalidArgument)
	for _, wrong := range [][]byte{nil, []byte("text"), leaf.Certificate.Raw, attached[:len(attached)-1]} {
		if message, err := cms.Verify(wrong, nil); err == nil || message != nil || errors.Is(err, kuaimi.ErrInvalidSignature) {
			t.Error(err)
		}
	}
}

func slicesRepeat(signer cms.Signer, count int) (all []cms.Signer) {
	for range count {
		all = append(all, signer)
	}
	return all
}

func TestEncrypt(t *testing.T) {
	needsLibkuaimi(t)
	root := authority.Root(t, "root")
	first, second, other := root.Issue(t, "first", nil), root.Issue(t, "second", nil), root.Issue(t, "other", nil)
	recipients := []*x509.Certificate{first.Certificate, second.Certificate}
	for _, content := range [][]byte{{}, []byte("a secret"), bytes.Repeat([]byte("long"), 70<<10)} {
		for _, cipher := range []cms.Cipher{cms.SM4CBC, cms.SM4GCM, cms.SM4CBCSADK} {
			for _, form := range []cms.Form{cms.CMS, cms.GM, cms.GmSSL} {
				for _, byKey := range []bool{false, true} {
					options := &cms.EncryptOptions{Form: form, Cipher: cipher, ByKeyID: byKey}
					whole := check.Must[[]byte](t)(cms.Encrypt(content, recipients, options))
					var inPieces bytes.Buffer
					writer := check.Must[*cms.EncryptWriter](t)(cms.NewEncryptWriter(&inPieces, recipients, options))
					if n, err := io.Copy(writer, iotest.HalfReader(bytes.NewReader(content))); err != nil || n != int64(len(content)) {
						t.Fatal(n, err)
					}
					if err := errors.Join(writer.Close(), writer.Close()); err != nil {
						t.Fatal(err)
					}
					if bytes.Contains(whole, []byte("a secret")) || whole[1] == 0x80 || inPieces.Bytes()[1] != 0x80 {
						t.Errorf("not encrypted, or not DER and BER: %x", whole[:10])
					}
					for _, message := range [][]byte{whole, inPieces.Bytes()} {
						for _, holder := range []authority.Holder{first, second} {
							for _, certificate := range []*x509.Certificate{holder.Certificate, nil} {
								if got, err := cms.Decrypt(message, holder.Key, certificate); err != nil || !bytes.Equal(got, content) {
									t.Fatalf("%v, %v: %v", cipher, form, err)
								}
							}
						}
						_, err := cms.Decrypt(message, other.Key, nil)
						check.Error(t, err, kuaimi.ErrDecryptionFailed)
						_, err = cms.Decrypt(message, other.Key, other.Certificate)
						check.Error(t, err, kuaimi.ErrOtherKey)
						// Another key under this certificate.
						_, err = cms.Decrypt(message, other.Key, first.Certificate)
						check.Error(t, err, kuaimi.ErrDecryptionFailed)
					}
				}
			}
		}
	}
}

func TestEncryptRefusals(t *testing.T) {
	needsLibkuaimi(t)
	root := authority.Root(t, "root")
	leaf := root.Issue(t, "leaf", nil)
	leafs := []*x509.Certificate{leaf.Certificate}
	for _, c := range []struct {
		recipients []*x509.Certificate
		options    *cms.EncryptOptions
	}{
		{nil, nil}, {[]*x509.Certificate{nil}, nil}, {leafs, &cms.EncryptOptions{Form: 3}}, {leafs, &cms.EncryptOptions{Form: -1}},
		{leafs, &cms.EncryptOptions{Cipher: 3}}, {leafs, &cms.EncryptOptions{Cipher: -1}},
	} {
		_, err := cms.Encrypt([]byte("a secret"), c.recipients, c.options)
		check.Error(t, err, kuaimi.ErrInvalidArgument)
		_, err = cms.NewEncryptWriter(io.Discard, c.recipients, c.options)
		check.Error(t, err, kuaimi.ErrInvalidArgument)
	}
	// Whatever bit is changed, an authenticated content is that which was encrypted, or is not given out.
	message := check.Must[[]byte](t)(cms.Encrypt([]byte("a secret"), leafs, &cms.EncryptOptions{Cipher: cms.SM4GCM}))
	for place := range message {
		altered := bytes.Clone(message)
		altered[place] ^= 0x10
		if content, err := cms.Decrypt(altered, leaf.Key, leaf.Certificate); err == nil && string(content) != "a secret" || err != nil && content != nil {
			t.Errorf("byte %d: %q, %v", place, content, err)
		}
	}
	_, err := cms.Decrypt(message, nil, nil)
	check.Error(t, err, kuaimi.ErrClosed)
	leaf.Key.Close()
	_, err = cms.Decrypt(message, leaf.Key, leaf.Certificate)
	check.Error(t, err, kuaimi.ErrClosed)

	// After an error of the writer behind it, a message is not ended.
	writer := check.Must[*cms.EncryptWriter](t)(cms.NewEncryptWriter(&full{}, leafs, nil))
	if _, err := writer.Write([]byte("a secret")); !errors.Is(err, errBroken) {
		t.Error(err)
	}
	if err := writer.Close(); !errors.Is(err, errBroken) {
		t.Error(err)
	}
	ended := check.Must[*cms.EncryptWriter](t)(cms.NewEncryptWriter(io.Discard, leafs, nil))
	if err := ended.Close(); err != nil {
		t.Error(err)
	}
	if _, err := ended.Write([]byte("more")); !errors.Is(err, kuaimi.ErrClosed) {
		t.Error(err)
	}
}

// full is a writer that fails.
type full struct{}

func (*full) Write([]byte) (int, error) { return 0, errBroken }
