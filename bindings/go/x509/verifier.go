package x509

import (
	"bytes"
	"errors"
	"slices"
	"time"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/certificates"
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
)

// A Purpose is what the end certificate of a chain is used for, which its keyUsage and extKeyUsage must permit.
type Purpose int

const (
	// PurposeServer is a server of TLS or TLCP. It is the default, as in crypto/x509.
	PurposeServer Purpose = iota
	// PurposeClient is a client of TLS or TLCP.
	PurposeClient
	// PurposeSigning is signing messages and documents: the signing certificate of a pair (GM/T 0015).
	PurposeSigning
	// PurposeEncryption is receiving encrypted messages: the encrypting certificate of a pair (GM/T 0015).
	PurposeEncryption
	// PurposeCode is signing programs.
	PurposeCode
	// PurposeOCSP is signing OCSP responses.
	PurposeOCSP
	// PurposeAny is anything: the usages of the end certificate are not looked at.
	PurposeAny
)

// core is the constant of C, or none.
func (p Purpose) core() uint32 {
	known := []uint32{2, 3, 4, 5, 6, 7, 1}
	if p < 0 || int(p) >= len(known) {
		return 0
	}
	return known[p]
}

// A Revocation is what must be known of the revocation of the certificates of a chain.
type Revocation int

const (
	// RevocationIfGiven refuses a certificate of which a list or response says that it was revoked, and accepts one of which nothing is
	// known. It is the default.
	RevocationIfGiven Revocation = iota
	// RevocationOff does not look at lists and responses.
	RevocationOff
	// RevocationEnd is RevocationIfGiven, and it must be known that the end certificate is not revoked.
	RevocationEnd
	// RevocationAll wants to know of each certificate but the trusted one that it is not revoked.
	RevocationAll
)

func (r Revocation) core() uint32 {
	known := []uint32{2, 1, 3, 4}
	if r < 0 || int(r) >= len(known) {
		return 0
	}
	return known[r]
}

func (i Identities) core() uint32 {
	if i < 0 || i > DefaultOrEmptyIdentity {
		return 0
	}
	return uint32(i) + 1
}

// VerifyOptions say what chains have to fulfil, and what is known.
type VerifyOptions struct {
	// Roots are the certificates that are trusted, which need not have signed themselves. There is no other: the system's are not.
	Roots []*Certificate
	// Intermediates are certificates over which paths may lead, in any order. They are not trusted.
	Intermediates []*Certificate
	// RevocationLists are lists of revoked certificates, complete ones and deltas: each one in DER, or any number in PEM. They are not
	// trusted: a list counts once its signature was verified.
	RevocationLists [][]byte
	// OCSPResponses are responses in DER. They are not trusted either.
	OCSPResponses [][]byte

	// DNSName is whom the end certificate must be for: the name of a host, an IP address or a mailbox. Alternative names alone are looked
	// at. Empty is anybody. A Verifier does not use it: give it for each certificate.
	DNSName string
	// CurrentTime is when all certificates must be valid. The zero time is now, at each verification.
	CurrentTime time.Time
	// Purpose is what the end certificate is used for.
	Purpose Purpose
	// Revocation is what must be known of revocation.
	Revocation Revocation
	// Identities are those under which signatures of SM2 are accepted.
	Identities Identities
}

// policy is what core takes.
func (o *VerifyOptions) policy() (core.Policy, error) {
	now := o.CurrentTime
	if now.IsZero() {
		now = time.Now()
	}
	policy := core.Policy{Purpose: o.Purpose.core(), Revocation: o.Revocation.core(), Identities: o.Identities.core()}
	if policy.Purpose == 0 || policy.Revocation == 0 || policy.Identities == 0 || now.Unix() < 0 {
		return core.Policy{}, fault.Of(core.InvalidArgument)
	}
	policy.Time = uint64(now.Unix())
	return policy, nil
}

// A Verifier verifies chains of many certificates under the same options. Goroutines may share it.
type Verifier struct {
	h       *core.Handle
	options VerifyOptions
	known   []*Certificate
}

// NewVerifier reads what is trusted and known. Close frees it.
func NewVerifier(options VerifyOptions) (*Verifier, error) {
	if _, err := options.policy(); err != nil {
		return nil, err
	}
	h, code := core.VerifierNew()
	if code != core.OK {
		return nil, fault.Of(code)
	}
	v := &Verifier{h: h, options: options, known: slices.Concat(options.Roots, options.Intermediates)}
	if code := v.fill(); code != core.OK {
		v.Close()
		return nil, fault.Of(code)
	}
	return v, nil
}

func (v *Verifier) fill() core.Code {
	handles, code := certificates.Open(v.known...)
	defer handles.Close()
	for i, h := range handles {
		if code == core.OK {
			if i < len(v.options.Roots) {
				code = core.VerifierAddAnchor(v.h, h)
			} else {
				code = core.VerifierAddIntermediate(v.h, h)
			}
		}
	}
	for _, list := range v.options.RevocationLists {
		if code == core.OK {
			code = core.VerifierAddCRL(v.h, list)
		}
	}
	for _, response := range v.options.OCSPResponses {
		if code == core.OK {
			code = core.VerifierAddOCSP(v.h, response)
		}
	}
	return code
}

// Close frees the verifier.
func (v *Verifier) Close() {
	if v != nil {
		v.h.Close()
	}
}

// Verify verifies the chain of a certificate: that a path leads over the intermediates, in any order, to a certificate that is trusted,
// and that all of them may be used as they are. Signatures, dates, basicConstraints, keyUsage, extKeyUsage, name constraints, policies and
// revocation are checked, of the trusted certificate, too (RFC 5280). dnsName is as in VerifyOptions.
//
// The result is the path, the certificate first and a trusted one last. The error for a chain that is refused is a *Refusal, of which
// errors.Is says that it is kuaimi.ErrCertificateRefused. kuaimi.ErrInvalidArgument: dnsName is no name.
func (v *Verifier) Verify(certificate *Certificate, dnsName string, intermediates ...*Certificate) ([]*Certificate, error) {
	chains, results := make([][]*Certificate, 1), make([]error, 1)
	item := VerifyItem{Certificate: certificate, DNSName: dnsName, Intermediates: intermediates}
	if err := v.VerifyBatch([]VerifyItem{item}, chains, results); err != nil {
		return nil, err
	}
	return chains[0], nil
}

// Verify verifies the chain of a certificate, as Verifier.Verify does. A Verifier is faster for many.
func Verify(certificate *Certificate, options VerifyOptions) ([]*Certificate, error) {
	verifier, err := NewVerifier(options)
	if err != nil {
		return nil, err
	}
	defer verifier.Close()
	return verifier.Verify(certificate, options.DNSName)
}

// A VerifyItem is one certificate to verify, with what its holder sends along.
type VerifyItem struct {
	Certificate   *Certificate
	Intermediates []*Certificate
	// DNSName is as in VerifyOptions.
	DNSName string
}

// VerifyBatch verifies the chains of all items, whose signatures are verified together; one that several chains have in common, once.
// The path of item i goes to chains[i], and nil or an error to results[i], as Verify returns them; results must be as long as items, and
// so must chains unless it is nil. VerifyBatch returns the first error. It computes on the calling goroutine.
func (v *Verifier) VerifyBatch(items []VerifyItem, chains [][]*Certificate, results []error) error {
	if len(results) != len(items) || chains != nil && len(chains) != len(items) {
		return fault.Refuse(chains, results, core.InvalidArgument)
	}
	fault.Refuse(chains, results, core.Internal)
	if v == nil || v.h.IsClosed() {
		return fault.Refuse(chains, results, core.Closed)
	}
	policy, err := v.options.policy()
	if err != nil {
		return fault.Refuse(chains, results, core.InvalidArgument)
	}
	// The items that can be read, and where they are.
	var read []core.Chain
	var places []int
	for i, item := range items {
		handles, code := certificates.Open(append([]*Certificate{item.Certificate}, item.Intermediates...)...)
		if code != core.OK {
			results[i] = fault.Of(code)
			continue
		}
		defer handles.Close()
		read = append(read, core.Chain{End: handles[0], Intermediates: handles[1:], Peer: item.DNSName})
		places = append(places, i)
	}
	verdicts, code := core.VerifierVerify(v.h, read, policy)
	if code != core.OK {
		return fault.Refuse(chains, results, code)
	}
	for n, verdict := range verdicts {
		place := places[n]
		switch {
		case verdict.Code == core.OK:
			var chain []*Certificate
			chain, results[place] = v.chain(&items[place], verdict.Path)
			if chains != nil {
				chains[place] = chain
			}
		case verdict.Text != "":
			results[place] = &Refusal{Rule: Rule(verdict.Rule), Depth: verdict.Depth, text: verdict.Text}
		default:
			results[place] = fault.Of(verdict.Code)
		}
	}
	for _, err := range results {
		if err != nil {
			return err
		}
	}
	return nil
}

// chain is a path of the caller's own certificates.
func (v *Verifier) chain(item *VerifyItem, path [][]byte) ([]*Certificate, error) {
	known := slices.Concat([]*Certificate{item.Certificate}, item.Intermediates, v.known)
	chain := make([]*Certificate, len(path))
	for i, der := range path {
		place := slices.IndexFunc(known, func(one *Certificate) bool { return bytes.Equal(one.Raw, der) })
		if place < 0 {
			return nil, fault.Of(core.Internal)
		}
		chain[i] = known[place]
	}
	return chain, nil
}

// A Refusal is why a chain is not accepted: which certificate breaks which rule. If several paths were tried, it is of the one that led
// furthest.
type Refusal struct {
	// Rule is the rule.
	Rule Rule
	// Depth says which certificate: 0 is the end certificate, 1 its issuer.
	Depth int
	text  string
}

// Error is a sentence that names the certificate and the rule. It has names that others chose.
func (r *Refusal) Error() string { return "kuaimi: " + r.text }

// Unwrap is kuaimi.ErrCertificateRefused.
func (r *Refusal) Unwrap() error { return kuaimi.ErrCertificateRefused }

// AsRefusal is the refusal in an error, or nil.
func AsRefusal(err error) *Refusal {
	var refusal *Refusal
	errors.As(err, &refusal)
	return refusal
}

// A Rule is what a certificate of a chain breaks.
type Rule uint32

// The rules.
const (
	// A part of it is malformed.
	RuleMalformed Rule = 1
	// It has extensions, but is not of version 3.
	RuleVersion Rule = 2
	// It has an extension twice.
	RuleRepeatedExtension Rule = 3
	// It has a critical extension that is not known.
	RuleUnknownCriticalExtension Rule = 4
	// It is not valid yet.
	RuleNotYetValid Rule = 5
	// It expired.
	RuleExpired Rule = 6
	// There is no certificate of its issuer.
	RuleUnknownIssuer Rule = 7
	// It signed itself, and is not trusted.
	RuleSelfSigned Rule = 8
	// The name of its issuer is empty.
	RuleEmptyIssuer Rule = 9
	// Its signature does not fit its issuer's key.
	RuleSignature Rule = 10
	// The algorithm of its signature, or of its issuer's key, is not supported.
	RuleAlgorithm Rule = 11
	// Its key is too short.
	RuleWeakKey Rule = 12
	// It is no authority's, and another certificate of the chain was signed with its key.
	RuleNotAnAuthority Rule = 13
	// More authorities stand below it than it permits.
	RulePathLength Rule = 14
	// The path would have too many certificates.
	RuleTooManyCertificates Rule = 15
	// Its keyUsage does not permit what the key is used for.
	RuleKeyUsage Rule = 16
	// Its extKeyUsage does not permit the purpose.
	RuleExtendedKeyUsage Rule = 17
	// It is not for the host, the address or the mailbox.
	RulePeerName Rule = 18
	// It has a name that an authority above it may not name.
	RuleNameConstraints Rule = 19
	// Its name constraints have a form that is not supported.
	RuleUnsupportedConstraint Rule = 20
	// No policy is valid for the whole path, but one is required.
	RulePolicy Rule = 21
	// It was revoked.
	RuleRevoked Rule = 22
	// Whether it was revoked is not known, but must be.
	RuleRevocationUnknown Rule = 23
	// There is too much work to do.
	RuleLimit Rule = 24
	// Another rule.
	RuleOther Rule = 25
)
