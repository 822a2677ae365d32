package core

// NeedsLibkuaimi says that only libkuaimi has this operation, and that this program is built without it. C has no such code.
const NeedsLibkuaimi Code = 900

// A Chain is an end certificate to be verified.
type Chain struct {
	End           *Handle
	Intermediates []*Handle
	// Whom the certificate must be for; empty for anybody.
	Peer string
}

// A Policy is what chains have to fulfil: constants KUAIMI_PURPOSE_…, KUAIMI_REVOCATION_… and KUAIMI_IDENTITIES_….
type Policy struct {
	Purpose, Revocation, Identities uint32
	// Seconds since 1970.
	Time uint64
}

// A Verdict is what was found of a chain.
type Verdict struct {
	Code  Code
	Rule  uint32
	Depth int
	Text  string
	// The path in DER, the end certificate first.
	Path [][]byte
}

// An OCSPAnswer is what a responder says of a certificate. Times are seconds since 1970.
type OCSPAnswer struct {
	ThisUpdate, NextUpdate, RevokedAt uint64
	Status, Reason                    uint32
}

// CMSSignOptions are the choices of who signs a message: constants KUAIMI_CMS_….
type CMSSignOptions struct {
	Form uint32
	// Seconds since 1970; 0 for nothing.
	SigningTime                                    uint64
	Detached, NoAttributes, EmptyIdentity, ByKeyID bool
}

// A CMSMessage is what was verified.
type CMSMessage struct {
	Content      []byte
	Signers      []CMSSigner
	Certificates [][]byte
}

// A CMSSigner is one signer of a message.
type CMSSigner struct {
	Certificate []byte
	// Seconds since 1970; 0 for nothing.
	SigningTime uint64
}

// A PKCS12Key is a private key with its certificate and those above it.
type PKCS12Key struct {
	Key          *Handle
	Certificates [][]byte
}

// CMSLengthUnknown is the length of a content that is not known beforehand.
const CMSLengthUnknown = 1<<64 - 1
