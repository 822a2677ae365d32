package sm2

import (
	"crypto"
	"io"

	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
)

// A CiphertextForm is how a ciphertext is written.
type CiphertextForm int

const (
	// C1C3C2 is point, digest, masked plaintext: the standard's order, 97 bytes more than the plaintext.
	C1C3C2 CiphertextForm = iota
	// C1C2C3 is point, masked plaintext, digest: the order of an older draft, still in use.
	C1C2C3
	// CiphertextDER is the form of GM/T 0009 in DER.
	CiphertextDER
	// AnyForm is for decryption only: any of the others.
	AnyForm
)

// core is the form's constant. Other numbers give ErrInvalidArgument.
func (f CiphertextForm) core() core.CiphertextForm {
	switch f {
	case C1C3C2:
		return core.C1C3C2
	case C1C2C3:
		return core.C1C2C3
	case CiphertextDER:
		return core.ASN1C1C3C2
	case AnyForm:
		return core.AnyC
	}
	return 0
}

// Encrypt encrypts a message of at least one byte.
func (k *PublicKey) Encrypt(message []byte, form CiphertextForm) ([]byte, error) {
	return encrypt(k.handle(), message, form)
}

func encrypt(key *core.Handle, message []byte, form CiphertextForm) ([]byte, error) {
	out := make([]byte, len(message)+core.SM2CiphertextOverhead)
	length, code := core.SM2Encrypt(key, message, form.core(), out)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	return out[:length], nil
}

// DecrypterOpts are the options of decryption, for crypto.Decrypter.
type DecrypterOpts struct {
	Form CiphertextForm
}

// Decrypt decrypts a ciphertext. opts may be DecrypterOpts or a pointer to them, which name the form; with others, or none, it is
// AnyForm. If it fails, the error is always kuaimi.ErrDecryptionFailed.
func (k *PrivateKey) Decrypt(_ io.Reader, ciphertext []byte, opts crypto.DecrypterOpts) ([]byte, error) {
	form := AnyForm
	switch opts := opts.(type) {
	case DecrypterOpts:
		form = opts.Form
	case *DecrypterOpts:
		if opts != nil {
			form = opts.Form
		}
	}
	out := make([]byte, len(ciphertext))
	length, code := core.SM2Decrypt(k.handle(), ciphertext, form.core(), out)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	return out[:length], nil
}

// ConvertCiphertext writes a ciphertext in another form.
func ConvertCiphertext(ciphertext []byte, from, to CiphertextForm) ([]byte, error) {
	data, code := core.SM2CiphertextConvert(core.Once(ciphertext), from.core(), to.core())
	return data, fault.Of(code)
}
