package x509_test

import (
	"bytes"
	"encoding/pem"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/authority"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/x509"
)

// needsLibkuaimi ends a test without libkuaimi, once it has seen the error.
func needsLibkuaimi(t testing.TB) {
	t.Helper()
	if kuaimi.Backend() != "gmsm" {
		return
	}
	root := authority.Root(t, "root")
	_, err := x509.Verify(root.Certificate, x509.VerifyOptions{Roots: []*x509.Certificate{root.Certificate}})
	check.Error(t, err, kuaimi.ErrNeedsLibkuaimi)
	if errors.Is(err, kuaimi.ErrCertificateRefused) {
		t.Error("that is no verdict")
	}
	t.Skip("needs libkuaimi")
}

func verifier(t testing.TB, options x509.VerifyOptions) *x509.Verifier {
	t.Helper()
	v := check.Must[*x509.Verifier](t)(x509.NewVerifier(options))
	t.Cleanup(v.Close)
	return v
}

// Each rule is broken by one change.
func TestVerifyRules(t *testing.T) {
	needsLibkuaimi(t)
	root, stranger := authority.Root(t, "root"), authority.Root(t, "root")
	middle := root.Issue(t, "middle", authority.Authority)
	leaf := middle.Issue(t, "leaf", nil)
	client := middle.Issue(t, "client", func(template *x509.Certificate) {
		template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	})
	old := middle.Issue(t, "old", func(template *x509.Certificate) { template.NotAfter = time.Now().Add(-time.Minute) })
	future := middle.Issue(t, "future", func(template *x509.Certificate) { template.NotBefore = time.Now().Add(time.Minute) })
	signing := middle.Issue(t, "signing", func(template *x509.Certificate) {
		template.KeyUsage = x509.KeyUsageDigitalSignature | x509.KeyUsageContentCommitment
	})
	// Signed by a key that is no authority's.
	under := leaf.Issue(t, "under", nil)
	altered := bytes.Replace(leaf.Certificate.Raw, []byte("leaf.example"), []byte("laaf.example"), 1)
	wrong := check.Must[*x509.Certificate](t)(x509.ParseCertificate(altered))

	known := []*x509.Certificate{middle.Certificate}
	for what, c := range map[string]struct {
		certificate *x509.Certificate
		options     x509.VerifyOptions
		host        string
		rule        x509.Rule
		depth       int
	}{
		"accepted":                  {leaf.Certificate, x509.VerifyOptions{}, "leaf.example", 0, 0},
		"accepted for anybody":      {leaf.Certificate, x509.VerifyOptions{}, "", 0, 0},
		"accepted as a client":      {client.Certificate, x509.VerifyOptions{Purpose: x509.PurposeClient}, "", 0, 0},
		"accepted at another time":  {old.Certificate, x509.VerifyOptions{CurrentTime: time.Now().Add(-10 * time.Minute)}, "", 0, 0},
		"another host":              {leaf.Certificate, x509.VerifyOptions{}, "other.example", x509.RulePeerName, 0},
		"no server":                 {client.Certificate, x509.VerifyOptions{}, "", x509.RuleExtendedKeyUsage, 0},
		"it expired":                {old.Certificate, x509.VerifyOptions{}, "", x509.RuleExpired, 0},
		"not yet":                   {future.Certificate, x509.VerifyOptions{}, "", x509.RuleNotYetValid, 0},
		"it may not encrypt":        {signing.Certificate, x509.VerifyOptions{Purpose: x509.PurposeEncryption}, "", x509.RuleKeyUsage, 0},
		"it may sign":               {signing.Certificate, x509.VerifyOptions{Purpose: x509.PurposeSigning}, "", 0, 0},
		"under no authority":        {under.Certificate, x509.VerifyOptions{Intermediates: []*x509.Certificate{leaf.Certificate}}, "", x509.RuleNotAnAuthority, 1},
		"altered":                   {wrong, x509.VerifyOptions{}, "", x509.RuleSignature, 0},
		"of an authority's double":  {stranger.Issue(t, "leaf", nil).Certificate, x509.VerifyOptions{}, "", x509.RuleSignature, 0},
		"signed itself":             {authority.Root(t, "other").Certificate, x509.VerifyOptions{Purpose: x509.PurposeAny}, "", x509.RuleSelfSigned, 0},
		"nothing is known of it":    {leaf.Certificate, x509.VerifyOptions{Revocation: x509.RevocationEnd}, "", x509.RuleRevocationUnknown, 0},
		"the root's time is over":   {leaf.Certificate, x509.VerifyOptions{CurrentTime: time.Now().Add(2 * time.Hour)}, "", x509.RuleExpired, 0},
		"nothing of an authority's": {leaf.Certificate, x509.VerifyOptions{Revocation: x509.RevocationAll}, "", x509.RuleRevocationUnknown, 0},
	} {
		c.options.Roots = []*x509.Certificate{root.Certificate}
		c.options.Intermediates = append(c.options.Intermediates, known...)
		c.options.DNSName = c.host
		chain, err := x509.Verify(c.certificate, c.options)
		refusal := x509.AsRefusal(err)
		if c.rule == 0 {
			if err != nil || len(chain) != 3 || chain[0] != c.certificate || chain[1] != middle.Certificate || chain[2] != root.Certificate {
				t.Errorf("%s: %v, %v", what, chain, err)
			}
			continue
		}
		if refusal == nil || refusal.Rule != c.rule || refusal.Depth != c.depth || chain != nil || !errors.Is(err, kuaimi.ErrCertificateRefused) {
			t.Errorf("%s: %v (%+v), %v", what, err, refusal, chain)
		}
	}
	// The intermediate may come along.
	v := verifier(t, x509.VerifyOptions{Roots: []*x509.Certificate{root.Certificate}})
	if _, err := v.Verify(leaf.Certificate, "leaf.example"); err == nil || x509.AsRefusal(err).Rule != x509.RuleUnknownIssuer ||
		!strings.Contains(err.Error(), "CN=leaf,O=Example was issued by CN=middle,O=Example") {
		t.Error(err)
	}
	if _, err := v.Verify(leaf.Certificate, "leaf.example", middle.Certificate); err != nil {
		t.Error(err)
	}
}

func TestVerifyMisuse(t *testing.T) {
	needsLibkuaimi(t)
	root := authority.Root(t, "root")
	roots := []*x509.Certificate{root.Certificate}
	for _, options := range []x509.VerifyOptions{
		{Roots: roots, Purpose: -1}, {Roots: roots, Purpose: 7}, {Roots: roots, Revocation: 4}, {Roots: roots, Identities: 2},
		{Roots: roots, CurrentTime: time.Unix(-1, 0)}, {Roots: []*x509.Certificate{nil}},
	} {
		_, err := x509.Verify(root.Certificate, options)
		check.Error(t, err, kuaimi.ErrInvalidArgument)
	}
	for _, c := range []struct {
		options x509.VerifyOptions
		want    kuaimi.Error
	}{
		{x509.VerifyOptions{RevocationLists: [][]byte{[]byte("text")}}, kuaimi.ErrText},
		{x509.VerifyOptions{RevocationLists: [][]byte{root.Certificate.Raw}}, kuaimi.ErrDER},
		{x509.VerifyOptions{OCSPResponses: [][]byte{root.Certificate.Raw}}, kuaimi.ErrDER},
		{x509.VerifyOptions{Roots: []*x509.Certificate{{Raw: []byte("no certificate")}}}, kuaimi.ErrText},
	} {
		_, err := x509.NewVerifier(c.options)
		check.Error(t, err, c.want)
	}
	v := verifier(t, x509.VerifyOptions{Roots: roots, Purpose: x509.PurposeAny})
	_, err := v.Verify(root.Certificate, "not a name!")
	check.Error(t, err, kuaimi.ErrInvalidArgument)
	_, err = v.Verify(nil, "")
	check.Error(t, err, kuaimi.ErrInvalidArgument)
	check.Error(t, v.VerifyBatch(make([]x509.VerifyItem, 2), nil, make([]error, 1)), kuaimi.ErrInvalidArgument)
	v.Close()
	chains, results := [][]*x509.Certificate{roots}, []error{nil}
	check.Error(t, v.VerifyBatch([]x509.VerifyItem{{Certificate: root.Certificate}}, chains, results), kuaimi.ErrClosed)
	if chains[0] != nil || results[0] == nil {
		t.Error("what was there looks like a success")
	}
	var none *x509.Verifier
	_, err = none.Verify(root.Certificate, "")
	check.Error(t, err, kuaimi.ErrClosed)
}

// Each item of a batch has the result that it has alone.
func TestVerifyBatch(t *testing.T) {
	needsLibkuaimi(t)
	root := authority.Root(t, "root")
	middle := root.Issue(t, "middle", authority.Authority)
	v := verifier(t, x509.VerifyOptions{Roots: []*x509.Certificate{root.Certificate}})
	var items []x509.VerifyItem
	for i := range 40 {
		leaf := middle.Issue(t, "leaf", nil)
		item := x509.VerifyItem{Certificate: leaf.Certificate, Intermediates: []*x509.Certificate{middle.Certificate}, DNSName: "leaf.example"}
		switch i % 8 {
		case 3:
			item.DNSName = "other.example"
		case 4:
			item.Intermediates = nil
		case 5:
			item.Certificate = nil
		case 6:
			item.DNSName = "not a name!"
		case 7:
			item.Certificate = check.Must[*x509.Certificate](t)(x509.ParseCertificate(
				bytes.Replace(leaf.Certificate.Raw, []byte("leaf.example"), []byte("laaf.example"), 1)))
		}
		items = append(items, item)
	}
	chains, results := make([][]*x509.Certificate, len(items)), make([]error, len(items))
	if err := v.VerifyBatch(items, chains, results); err == nil || err != results[3] {
		t.Error(err, results[3])
	}
	for i, item := range items {
		chain, err := v.Verify(item.Certificate, item.DNSName, item.Intermediates...)
		if (err == nil) != (i%8 < 3) || (results[i] == nil) != (err == nil) || len(chains[i]) != len(chain) {
			t.Errorf("item %d: %v, %v, %d certificates", i, results[i], err, len(chains[i]))
		}
		if err != nil && err.Error() != results[i].Error() {
			t.Errorf("item %d: %v, alone %v", i, results[i], err)
		}
	}
}

// A list says what was revoked, and what was not.
func TestRevocation(t *testing.T) {
	needsLibkuaimi(t)
	root := authority.Root(t, "root")
	good, revoked := root.Issue(t, "good", nil), root.Issue(t, "revoked", nil)
	now := time.Now()
	list := check.Must[[]byte](t)(x509.CreateRevocationList(nil, &x509.RevocationList{
		Number: big.NewInt(1), ThisUpdate: now.Add(-time.Minute), NextUpdate: now.Add(time.Hour),
		RevokedCertificateEntries: []x509.RevocationListEntry{
			{SerialNumber: revoked.Certificate.SerialNumber, RevocationTime: now.Add(-time.Minute), ReasonCode: 1},
		},
	}, root.Certificate, root.Key))
	options := x509.VerifyOptions{
		Roots: []*x509.Certificate{root.Certificate}, Revocation: x509.RevocationEnd,
		RevocationLists: [][]byte{pem.EncodeToMemory(&pem.Block{Type: "X509 CRL", Bytes: list})},
	}
	if _, err := x509.Verify(good.Certificate, options); err != nil {
		t.Error(err)
	}
	_, err := x509.Verify(revoked.Certificate, options)
	if refusal := x509.AsRefusal(err); refusal == nil || refusal.Rule != x509.RuleRevoked || !strings.Contains(err.Error(), "the key was compromised") {
		t.Error(err)
	}
	options.Revocation = x509.RevocationOff
	if _, err := x509.Verify(revoked.Certificate, options); err != nil {
		t.Error(err)
	}
}
