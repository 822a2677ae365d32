package sm2

import (
	"golang.org/x/crypto/cryptobyte"
	"golang.org/x/crypto/cryptobyte/asn1"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
)

// verdict is the error for the code of a verification: of a signature that is none in its form, why.
func verdict(code core.Code, form SignatureForm, signature []byte) error {
	if code == core.InvalidSignature {
		return whyInvalid(form, signature)
	}
	return fault.Of(code)
}

// whyInvalid is ErrInvalidSignature, or why the bytes are no signature in the form.
func whyInvalid(form SignatureForm, signature []byte) error {
	var out [core.SM2SignatureMax]byte
	reads := func(form SignatureForm) bool {
		_, code := core.SM2SignatureConvert(signature, form.core(), core.Raw, &out)
		return code == core.OK
	}
	switch {
	case reads(form):
		return kuaimi.ErrInvalidSignature
	case core.IsDeviceSignature(signature):
		return kuaimi.ErrSignatureOfDevice
	case len(signature) != 0 && isText(signature):
		return kuaimi.ErrSignatureText
	case form == DER && reads(Raw):
		return kuaimi.ErrSignatureIsRaw
	case form == Raw && (reads(DER) || reads(LenientDER)):
		return kuaimi.ErrSignatureIsDER
	case isNegative(signature):
		return kuaimi.ErrSignatureNegative
	case reads(LenientDER):
		return kuaimi.ErrSignatureNotStrict
	case form == Raw && len(signature) == 64, form != Raw && isTwoNumbers(signature):
		return kuaimi.ErrSignatureRange
	}
	return kuaimi.ErrSignatureEncoding
}

func isText(data []byte) bool {
	for _, letter := range data {
		if (letter < ' ' || letter > '~') && letter != '\t' && letter != '\r' && letter != '\n' {
			return false
		}
	}
	return true
}

// numbers is the contents of two INTEGERs in a SEQUENCE.
func numbers(der []byte) (r, s cryptobyte.String, ok bool) {
	// A copy, so that the one of a verification stays on the stack.
	input := cryptobyte.String(core.Once(der))
	var fields cryptobyte.String
	ok = input.ReadASN1(&fields, asn1.SEQUENCE) && input.Empty() && fields.ReadASN1(&r, asn1.INTEGER) &&
		fields.ReadASN1(&s, asn1.INTEGER) && fields.Empty() && len(r) > 0 && len(s) > 0
	return r, s, ok
}

func isTwoNumbers(der []byte) bool {
	_, _, ok := numbers(der)
	return ok
}

func isNegative(der []byte) bool {
	r, s, ok := numbers(der)
	return ok && (r[0]|s[0])&0x80 != 0
}
