// Package cms has signed and encrypted messages with SM2, SM3 and SM4: those of GM/T 0010 (GB/T 35275), which banks and authorities in
// China exchange, and of CMS (RFC 5652, RFC 5083), which OpenSSL and Bouncy Castle read. All forms are read without an option, in DER,
// BER or PEM.
//
// Sign and Verify, Encrypt and Decrypt take messages in memory. SignDetached and VerifyDetached take a content of any size from a reader,
// and NewEncryptWriter writes a message of any size. There is no reader of decrypted contents: nothing is given out that was not verified
// to its end.
//
// Anybody can sign a message, and name anybody in a certificate: Message.VerifySigners says whether to trust the signers.
//
// This package needs libkuaimi: without cgo, its functions fail with kuaimi.ErrNeedsLibkuaimi.
package cms

import (
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
	"github.com/kuaimi/kuaimi/bindings/go/x509"
)

// A Form is what the object identifiers of a message are written after.
type Form int

const (
	// CMS is RFC 5652: what OpenSSL and Bouncy Castle read.
	CMS Form = iota
	// GM is GM/T 0010 (GB/T 35275): what Chinese banks and authorities expect, and github.com/emmansun/gmsm reads.
	GM
	// GmSSL is GM with the names of algorithms that GmSSL 3 reads, for encrypted messages alone.
	GmSSL
)

// core is the constant of C. Other numbers give ErrInvalidArgument.
func (f Form) core() uint32 {
	if f < 0 {
		return 0
	}
	return uint32(f) + 1
}

// piece is how much of a content is read at a time.
const piece = 256 << 10

// identities is the constant of C.
func identities(chosen x509.Identities) (uint32, error) {
	switch chosen {
	case x509.DefaultIdentity, x509.DefaultOrEmptyIdentity:
		return uint32(chosen) + 1, nil
	}
	return 0, fault.Of(core.InvalidArgument)
}
