package sm2

import (
	"encoding/asn1"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
)

// verdict is the error for the code of a verification. If the bytes are not a signature in the form, it says why.
func verdict(code core.Code, form SignatureForm, signature []byte) error {
	if code == core.InvalidSignature {
		return whyInvalid(form, signature)
	}
	return fault.Of(code)
}

// whyInvalid is ErrInvalidSignature, or why the bytes are not a signature in the form.
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
func numbers(der []byte) (r, s []byte, ok bool) {
	var fields []asn1.RawValue
	// A copy, so that the one of a verification stays on the stack.
	rest, err := asn1.Unmarshal(core.Once(der), &fields)
	if err != nil || len(rest) != 0 || len(fields) != 2 {
		return nil, nil, false
	}
	for _, field := range fields {
		if field.Class != asn1.ClassUniversal || field.Tag != asn1.TagInteger || field.IsCompound || len(field.Bytes) == 0 {
			return nil, nil, false
		}
	}
	return fields[0].Bytes, fields[1].Bytes, true
}

func isTwoNumbers(der []byte) bool {
	_, _, ok := numbers(der)
	return ok
}

func isNegative(der []byte) bool {
	r, s, ok := numbers(der)
	return ok && (r[0]|s[0])&0x80 != 0
}
