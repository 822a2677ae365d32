package sm2

import (
	"strings"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
)

// Explain says in a sentence why a signature may not fit that Verify found invalid, such as "it fits under the empty identity". What people
// get wrong is tried: another identity, a line end more or less, a message in hexadecimal or Base64, a digest in place of a message, r and
// s swapped or reversed. id is the identity that was used, nil for the default one; the signature is in DER or 64 bytes. There is a sentence
// always, also for a signature that fits, for bytes that are none, and where no reason is found.
//
// It is a hint for people, and never makes a signature valid: who accepts what it finds accepts many signatures for one message. It takes
// some milliseconds, and up to a second for long messages. With gmsm in place of libkuaimi, fewer reasons are tried.
func Explain(key *PublicKey, id, message, signature []byte) (string, error) {
	signature = core.Once(signature)
	text, code := core.SM2Explain(key.handle(), core.Once(id), message, core.Any, signature)
	switch code {
	case core.OK:
		return text, nil
	case core.Closed, core.IdentityTooLong:
		return "", fault.Of(code)
	}
	return strings.TrimPrefix(whyInvalid(DEROrRaw, signature).Error(), "kuaimi: "), nil
}

// keyError is the error for a file that is no key, with what it is. A password is not tried again.
func keyError(code core.Code, explain func() string) error {
	if code != core.WrongPassword {
		if text := explain(); text != "" {
			return &kuaimi.KeyError{Err: kuaimi.Error(code), Text: text}
		}
	}
	return fault.Of(code)
}
