//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package gmsm

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"math/big"
	"slices"

	"github.com/emmansun/gmsm/sm2"
	"github.com/emmansun/gmsm/sm3"

	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
)

// The most frequent of the reasons that libkuaimi looks for (crates/kuaimi/src/sm2/explain), one at a time, in its words.

// longestExplained is the longest message that is examined.
const longestExplained = 16 << 20

// SM2PrivateExplain says nothing: the code is all that is known.
func (functions) SM2PrivateExplain([]byte, []byte) string { return "" }

// SM2PublicExplain says nothing: the code is all that is known.
func (functions) SM2PublicExplain([]byte) string { return "" }

// SM2Explain says what a signature fits that does not fit a message under an identity.
func (functions) SM2Explain(h *core.Handle, id, message []byte, form core.Form, signature []byte) (string, core.Code) {
	key, code := valueOf[*ecdsa.PublicKey](h)
	if code != core.OK {
		return "", code
	}
	r, s, code := readSignature(form, signature)
	if code != core.OK {
		return "", code
	}
	if id == nil {
		id = []byte(defaultID)
	}
	var z [32]byte
	if code := identityDigest(key, id, &z); code != core.OK {
		return "", code
	}
	if fits(key, id, message, r, s) {
		return "the signature fits", core.OK
	}
	const unknown = "it fits nothing that is often meant instead: another key, or altered data"
	if len(message) > longestExplained {
		return unknown, core.OK
	}
	for _, other := range otherIdentities(id) {
		if fits(key, other.bytes, message, r, s) {
			return "it fits" + other.words, core.OK
		}
	}
	for _, other := range otherContents(message) {
		if fits(key, id, other.bytes, r, s) {
			return "it fits" + other.words, core.OK
		}
	}
	sm3Digest, sha256Digest := sm3.Sum(message), sha256.Sum256(message)
	for _, e := range []candidate{
		{" the SM3 digest of the message without the identity: the signer left Z out", sm3Digest[:]},
		{" if the message is the digest e itself", message},
		{" if the message is the digest e itself, in hexadecimal", unhex(message)},
		{" the SHA-256 digest of the message without the identity", sha256Digest[:]},
	} {
		if len(e.bytes) == 32 && sm2.Verify(key, e.bytes, r, s) {
			return "it fits" + e.words, core.OK
		}
	}
	little := func(number *big.Int) *big.Int {
		bytes := number.FillBytes(make([]byte, 32))
		slices.Reverse(bytes)
		return new(big.Int).SetBytes(bytes)
	}
	switch {
	case fits(key, id, message, s, r):
		return "it fits with r and s swapped", core.OK
	case fits(key, id, message, little(r), little(s)):
		return "it fits with r and s read as little-endian numbers: their bytes are reversed", core.OK
	case fits(key, id, message, little(s), little(r)):
		return "it fits with all 64 bytes of r and s reversed", core.OK
	}
	return unknown, core.OK
}

func fits(key *ecdsa.PublicKey, id, message []byte, r, s *big.Int) bool {
	var z [32]byte
	return identityDigest(key, id, &z) == core.OK && sm2.Verify(key, messageDigest(&z, message)[:], r, s)
}

// A candidate is what may have been signed; bytes are nil if it does not exist.
type candidate struct {
	words string
	bytes []byte
}

func otherIdentities(id []byte) []candidate {
	return existing([]candidate{
		{" under the default identity 1234567812345678", []byte(defaultID)},
		{" under the empty identity", []byte{}},
		{" under the identity that the given one is in hexadecimal", unhex(id)},
		{" under the given identity written in hexadecimal", hex.AppendEncode(nil, id)},
		{" under the given identity with a zero byte at its end", append(bytes.Clone(id), 0)},
		{" under the given identity with a line feed at its end", append(bytes.Clone(id), '\n')},
		{" under the given identity without white space around it", bytes.TrimSpace(id)},
	})
}

func otherContents(message []byte) []candidate {
	digest := sm3.Sum(message)
	withoutEnd, hasEnd := bytes.CutSuffix(message, []byte("\n"))
	withoutEnd = bytes.TrimSuffix(withoutEnd, []byte("\r"))
	if !hasEnd {
		withoutEnd = nil
	}
	decoded, err := base64.StdEncoding.DecodeString(string(bytes.TrimSpace(message)))
	if err != nil || len(decoded) == 0 {
		decoded = nil
	}
	return existing([]candidate{
		{" the message with a line feed at its end", append(bytes.Clone(message), '\n')},
		{" the message without the line end after it", withoutEnd},
		{" the message with the line end CR LF after it", append(bytes.Clone(message), "\r\n"...)},
		{" the SM3 digest of the message: the signer hashed the message first", digest[:]},
		{" the message written in hexadecimal", hex.AppendEncode(nil, message)},
		{" the bytes that the message is in hexadecimal", unhex(message)},
		{" the message written in Base64", base64.StdEncoding.AppendEncode(nil, message)},
		{" the bytes that the message is in Base64", decoded},
		{" the message without white space around it", bytes.TrimSpace(message)},
	})
}

func existing(all []candidate) []candidate {
	return slices.DeleteFunc(all, func(c candidate) bool { return c.bytes == nil })
}

// unhex is what hexadecimal digits stand for, or nil.
func unhex(text []byte) []byte {
	out, err := hex.DecodeString(string(bytes.TrimSpace(text)))
	if err != nil || len(out) == 0 {
		return nil
	}
	return out
}
