package sm9

import (
	"crypto"
	"io"

	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
)

// A SignatureForm is how a signature is written.
type SignatureForm int

const (
	// DER is the form of GB/T 41389, 104 bytes.
	DER SignatureForm = iota
	// Raw is h and S, 96 bytes.
	Raw
)

// core is the form's constant. Other numbers give ErrInvalidArgument.
func (f SignatureForm) core() core.Form {
	switch f {
	case DER:
		return core.ASN1
	case Raw:
		return core.Raw
	}
	return 0
}

// A SigningKey is a user's private key for signatures, in C's memory.
type SigningKey struct{ user }

// NewSigningKey reads a private key from its point. It checks that the key belongs to this identity under the master key.
func NewSigningKey(point, id []byte, hid byte, master *MasterSigningPublicKey) (*SigningKey, error) {
	h, code := newUser(core.UserSigning, point, id, hid, master.handle())
	return newSigningKey(h, code)
}

// ParseSigningKey reads the private key of the user with this identity from a file in PEM or DER: PKCS#8 with the master public key,
// encrypted or not. The password may be nil.
func ParseSigningKey(file, password, id []byte, hid byte) (*SigningKey, error) {
	h, code := readUser(core.UserSigning, file, password, id, hid)
	return newSigningKey(h, code)
}

func newSigningKey(h *core.Handle, code core.Code) (*SigningKey, error) {
	if code != core.OK {
		return nil, fault.Of(code)
	}
	return &SigningKey{user{h: h, kind: core.UserSigning}}, nil
}

// Prepare makes the table of the key now, which it would make at its second use: signing is faster with it.
func (k *SigningKey) Prepare() error {
	return fault.Of(core.SM9UserPrepare(core.UserSigning, k.handle()))
}

func (k *SigningKey) handle() *core.Handle {
	if k == nil {
		return nil
	}
	return k.h
}

// SignMessage signs a message. The signature is in DER. rand and opts are not used: nonces are derived from the private key, the
// message and the operating system's random generator together.
func (k *SigningKey) SignMessage(_ io.Reader, message []byte, _ crypto.SignerOpts) ([]byte, error) {
	return k.AppendSignature(make([]byte, 0, core.SM9SignatureMax), message, DER)
}

// AppendSignature appends the signature of a message. It allocates nothing if dst has room for 104 bytes.
func (k *SigningKey) AppendSignature(dst, message []byte, form SignatureForm) ([]byte, error) {
	var out [core.SM9SignatureMax]byte
	length, code := core.SM9Sign(k.handle(), message, form.core(), &out)
	if code != core.OK {
		return dst, fault.Of(code)
	}
	return append(dst, out[:length]...), nil
}
