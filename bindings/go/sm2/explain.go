package sm2

import (
	"strings"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
)

// Explain says in a sentence why a signature that Verify found invalid may not fit, such as "it fits under the empty identity". It
// tries common mistakes: another identity, a line end too many or too few, a message in hexadecimal or Base64, a digest instead of a
// message, r and s swapped or reversed. id is the identity that was used, nil for the default one; the signature is in DER or 64
// bytes. The sentence is never empty: it also says that the signature fits, that the bytes are not a signature, or that no reason was
// found.
//
// It is a hint for people, and never makes a signature valid: to accept what it finds would be to accept many signatures for one
// message. It takes some milliseconds, and up to a second for long messages. With gmsm instead of libkuaimi, fewer reasons are tried.
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

// keyError is the error for a file that is not a key, and says what the file is. A password is not tried again.
func keyError(code core.Code, explain func() string) error {
	if code != core.WrongPassword {
		if text := explain(); text != "" {
			return &kuaimi.KeyError{Err: kuaimi.Error(code), Text: text}
		}
	}
	return fault.Of(code)
}
