package sm2

import (
	"crypto"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
)

// A SignatureForm is how a signature is written.
type SignatureForm int

const (
	// DER is the form of GM/T 0009, at most 72 bytes. Reading is strict: a signature has one encoding.
	DER SignatureForm = iota
	// Raw is the numbers r and s, 64 bytes.
	Raw
	// LenientDER is for reading only: DER as some vendors write it against the rules. One signature then has many encodings.
	LenientDER
	// DEROrRaw is for reading only: DER or Raw.
	DEROrRaw
)

// core is the form's constant. Other numbers give ErrInvalidArgument.
func (f SignatureForm) core() core.Form {
	switch f {
	case DER:
		return core.ASN1
	case Raw:
		return core.Raw
	case LenientDER:
		return core.LenientDER
	case DEROrRaw:
		return core.Any
	}
	return 0
}

// A SigningKey is a private key with an identity, in C's memory. It implements crypto.Signer and crypto.MessageSigner.
type SigningKey struct {
	h      *core.Handle
	public *PublicKey
}

var _ crypto.MessageSigner = (*SigningKey)(nil)

func newSigningKey(key *PrivateKey, id []byte) (*SigningKey, error) {
	public, err := key.PublicKey()
	if err != nil {
		return nil, err
	}
	h, code := core.SM2SigningNew(key.h, core.Once(id))
	if code != core.OK {
		return nil, fault.Of(code)
	}
	return &SigningKey{h: h, public: public}, nil
}

// Public is PrivateKey.Public.
func (k *SigningKey) Public() crypto.PublicKey {
	if k.handle().IsClosed() {
		return nil
	}
	return k.public
}

// SignerOpts are the options of signing, for crypto.Signer and crypto.MessageSigner.
type SignerOpts struct {
	// IsMessage says that Sign gets a message, not a digest.
	IsMessage bool
	// Deterministic says that the nonce depends only on the private key and the message.
	Deterministic bool
	// Form is DER or Raw.
	Form SignatureForm
}

// HashFunc is 0, as package crypto has no number for SM3.
func (SignerOpts) HashFunc() crypto.Hash { return 0 }

// options reads what Sign may get.
func options(opts crypto.SignerOpts) (SignerOpts, error) {
	switch opts := opts.(type) {
	case SignerOpts:
		return opts, nil
	case *SignerOpts:
		if opts != nil {
			return *opts, nil
		}
	case nil, crypto.Hash:
	default:
		// Other libraries' options say whether Sign gets a message or a digest: to ignore them would make wrong signatures.
		return SignerOpts{}, fmt.Errorf("sm2: give sm2.SignerOpts, not %T: for packages that give gmsm's options, see %s", opts,
			"github.com/kuaimi/kuaimi/bindings/go/gmsm/signer")
	}
	return SignerOpts{}, nil
}

// Sign signs the digest SM3(Z, message), 32 bytes. With SignerOpts.IsMessage it signs a message, for which SignMessage is simpler.
// opts may be nil, a crypto.Hash or SignerOpts; options of other libraries are an error.
func (k *SigningKey) Sign(_ io.Reader, digest []byte, opts crypto.SignerOpts) ([]byte, error) {
	chosen, err := options(opts)
	if err != nil {
		return nil, err
	}
	if chosen.IsMessage {
		return k.signMessage(digest, chosen)
	}
	if len(digest) != 32 {
		return nil, errors.New("sm2: Sign takes the 32 bytes of SM3(Z, message): for a message, use SignMessage or SignerOpts.IsMessage")
	}
	var out [core.SM2SignatureMax]byte
	own := [32]byte(digest)
	length, code := core.SM2SignDigest(k.handle(), &own, chosen.Deterministic, chosen.Form.core(), &out)
	return signature(&out, length, code)
}

// SignMessage signs a message. opts may be nil: then the signature is in DER.
func (k *SigningKey) SignMessage(_ io.Reader, message []byte, opts crypto.SignerOpts) ([]byte, error) {
	chosen, err := options(opts)
	if err != nil {
		return nil, err
	}
	return k.signMessage(message, chosen)
}

func (k *SigningKey) signMessage(message []byte, chosen SignerOpts) ([]byte, error) {
	var out [core.SM2SignatureMax]byte
	length, code := core.SM2Sign(k.handle(), message, chosen.Deterministic, chosen.Form.core(), &out)
	return signature(&out, length, code)
}

// signature is what was written, as a slice: the one allocation of signing.
func signature(out *[core.SM2SignatureMax]byte, length int, code core.Code) ([]byte, error) {
	if code != core.OK {
		return nil, fault.Of(code)
	}
	return append(make([]byte, 0, length), out[:length]...), nil
}

// AppendSignature appends the signature of a message. It allocates nothing if dst has room for 72 bytes.
func (k *SigningKey) AppendSignature(dst, message []byte, form SignatureForm) ([]byte, error) {
	var out [core.SM2SignatureMax]byte
	length, code := core.SM2Sign(k.handle(), message, false, form.core(), &out)
	if code != core.OK {
		return dst, fault.Of(code)
	}
	return append(dst, out[:length]...), nil
}

// SignDigestRecoverable signs a digest, and also returns the number that Recover needs.
func (k *SigningKey) SignDigestRecoverable(digest []byte, form SignatureForm) ([]byte, byte, error) {
	if len(digest) != 32 {
		return nil, 0, fault.Of(core.InvalidArgument)
	}
	var out [core.SM2SignatureMax]byte
	own := [32]byte(digest)
	length, id, code := core.SM2SignRecoverable(k.handle(), &own, form.core(), &out)
	made, err := signature(&out, length, code)
	return made, id, err
}

// Close wipes the key.
func (k *SigningKey) Close() { k.handle().Close() }

func (k *SigningKey) handle() *core.Handle {
	if k == nil {
		return nil
	}
	return k.h
}

// ConvertSignature writes a signature in another form, DER or Raw.
func ConvertSignature(data []byte, from, to SignatureForm) ([]byte, error) {
	var out [core.SM2SignatureMax]byte
	length, code := core.SM2SignatureConvert(core.Once(data), from.core(), to.core(), &out)
	return signature(&out, length, code)
}

// NewHash is a hash for a message in pieces, under an identity, nil for the default one. Its Sum is the digest that Sign and
// VerifyDigest take.
func (k *PublicKey) NewHash(id []byte) (hash.Hash, error) {
	z, err := k.Z(id)
	if err != nil {
		return nil, err
	}
	return newMessageHash(z), nil
}
