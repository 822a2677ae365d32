package x509_test

import (
	"crypto/sha1"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"math/big"
	"testing"
	"time"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/authority"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/x509"
)

// The structures of RFC 6960, as far as this responder writes them.
type (
	certID struct {
		Hash         pkix.AlgorithmIdentifier
		Name, Key    []byte
		SerialNumber *big.Int
	}
	single struct {
		ID         certID
		Good       asn1.Flag     `asn1:"tag:0,optional"`
		Revoked    asn1.RawValue `asn1:"optional"`
		ThisUpdate time.Time     `asn1:"generalized"`
		NextUpdate time.Time     `asn1:"generalized,explicit,tag:0"`
	}
	responseData struct {
		KeyHash    []byte    `asn1:"explicit,tag:2"`
		ProducedAt time.Time `asn1:"generalized"`
		Singles    []single
		Extensions []pkix.Extension `asn1:"explicit,tag:1,optional,omitempty"`
	}
	basic struct {
		Data      asn1.RawValue
		Algorithm pkix.AlgorithmIdentifier
		Signature asn1.BitString
	}
	response struct {
		Status asn1.Enumerated
		Bytes  struct {
			Type  asn1.ObjectIdentifier
			Value []byte
		} `asn1:"explicit,tag:0"`
	}
)

// respond is an answer about a certificate, signed by a responder with the issuer's name.
func respond(t *testing.T, issuer, signer authority.Holder, certificate *x509.Certificate, nonce []byte, isRevoked bool) []byte {
	t.Helper()
	marshal := func(value any) []byte { return check.Must[[]byte](t)(asn1.Marshal(value)) }
	name, key := sha1.Sum(issuer.Certificate.RawSubject), sha1.Sum(authority.Public(t, issuer.Key).Bytes())
	now := time.Now().UTC().Truncate(time.Second)
	answer := single{
		ID: certID{pkix.AlgorithmIdentifier{Algorithm: asn1.ObjectIdentifier{1, 3, 14, 3, 2, 26}, Parameters: asn1.NullRawValue}, name[:], key[:],
			certificate.SerialNumber},
		ThisUpdate: now.Add(-time.Minute), NextUpdate: now.Add(time.Hour),
	}
	if isRevoked {
		when := marshal(struct {
			At time.Time `asn1:"generalized"`
		}{now.Add(-time.Minute)})
		answer.Revoked = asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: 1, IsCompound: true, Bytes: when[2:]}
	} else {
		answer.Good = true
	}
	data := responseData{KeyHash: key[:], ProducedAt: now, Singles: []single{answer}}
	if nonce != nil {
		data.Extensions = []pkix.Extension{{Id: asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 48, 1, 2}, Value: marshal(nonce)}}
	}
	tbs := marshal(data)
	signature := check.Must[[]byte](t)(signer.Key.SignMessage(nil, tbs, nil))
	all := response{}
	all.Bytes.Type = asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 48, 1, 1}
	all.Bytes.Value = marshal(basic{
		asn1.RawValue{FullBytes: tbs}, pkix.AlgorithmIdentifier{Algorithm: asn1.ObjectIdentifier{1, 2, 156, 10197, 1, 501}},
		asn1.BitString{Bytes: signature, BitLength: 8 * len(signature)},
	})
	return marshal(all)
}

func TestOCSP(t *testing.T) {
	needsLibkuaimi(t)
	root, other := authority.Root(t, "root"), authority.Root(t, "other")
	leaf, another := root.Issue(t, "leaf", nil).Certificate, root.Issue(t, "another", nil).Certificate
	nonce := []byte("a nonce")
	request := check.Must[[]byte](t)(x509.CreateOCSPRequest(leaf, root.Certificate, nonce, x509.OCSPHashSHA1))
	var read struct {
		TBS struct {
			List []struct{ ID certID }
			More []pkix.Extension `asn1:"explicit,tag:2"`
		}
	}
	if _, err := asn1.Unmarshal(request, &read); err != nil || read.TBS.List[0].ID.SerialNumber.Cmp(leaf.SerialNumber) != 0 ||
		len(read.TBS.More) != 1 {
		t.Fatalf("%v: %+v", err, read)
	}
	good, revoked := respond(t, root, root, leaf, nonce, false), respond(t, root, root, leaf, nonce, true)
	answer, err := x509.CheckOCSPResponse(good, leaf, root.Certificate, nonce, time.Time{}, x509.DefaultIdentity)
	if err != nil || answer.Status != x509.OCSPGood || !answer.RevokedAt.IsZero() || answer.NextUpdate.Sub(answer.ThisUpdate) != 61*time.Minute {
		t.Errorf("%+v, %v", answer, err)
	}
	answer, err = x509.CheckOCSPResponse(revoked, leaf, root.Certificate, nonce, time.Time{}, x509.DefaultIdentity)
	if err != nil || answer.Status != x509.OCSPRevoked || !answer.RevokedAt.Equal(answer.ThisUpdate) {
		t.Errorf("%+v, %v", answer, err)
	}
	for what, c := range map[string]struct {
		response    []byte
		certificate *x509.Certificate
		nonce       []byte
		now         time.Time
		want        kuaimi.Error
	}{
		"another nonce":       {good, leaf, []byte("another"), time.Time{}, kuaimi.ErrInvalidSignature},
		"another certificate": {good, another, nonce, time.Time{}, kuaimi.ErrInvalidSignature},
		"too old":             {good, leaf, nonce, time.Now().Add(2 * time.Hour), kuaimi.ErrInvalidSignature},
		"another signer":      {respond(t, root, other, leaf, nonce, false), leaf, nonce, time.Time{}, kuaimi.ErrInvalidSignature},
		"no response":         {request, leaf, nonce, time.Time{}, kuaimi.ErrDER},
		"an empty nonce":      {good, leaf, []byte{}, time.Time{}, kuaimi.ErrInvalidArgument},
		"no certificate":      {good, nil, nonce, time.Time{}, kuaimi.ErrInvalidArgument},
	} {
		answer, err := x509.CheckOCSPResponse(c.response, c.certificate, root.Certificate, c.nonce, c.now, x509.DefaultIdentity)
		if answer != nil || !errors.Is(err, c.want) {
			t.Errorf("%s: %+v, %v", what, answer, err)
		}
	}
	for _, wrong := range [][]byte{{}, make([]byte, 33)} {
		_, err := x509.CreateOCSPRequest(leaf, root.Certificate, wrong, x509.OCSPHashSM3)
		check.Error(t, err, kuaimi.ErrInvalidArgument)
	}
	_, err = x509.CreateOCSPRequest(leaf, root.Certificate, nil, 2)
	check.Error(t, err, kuaimi.ErrInvalidArgument)
	// In a chain.
	options := x509.VerifyOptions{Roots: []*x509.Certificate{root.Certificate}, Revocation: x509.RevocationEnd, OCSPResponses: [][]byte{good}}
	if _, err := x509.Verify(leaf, options); err != nil {
		t.Error(err)
	}
	options.OCSPResponses = [][]byte{revoked}
	if _, err := x509.Verify(leaf, options); x509.AsRefusal(err) == nil || x509.AsRefusal(err).Rule != x509.RuleRevoked {
		t.Error(err)
	}
}
