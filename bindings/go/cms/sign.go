package cms

import (
	"crypto"
	"crypto/rand"
	"fmt"
	"io"
	"time"

	"github.com/kuaimi/kuaimi/bindings/go/internal/certificates"
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
	"github.com/kuaimi/kuaimi/bindings/go/x509"
)

// A Signer is a certificate and the private key to it: a *sm2.PrivateKey, or another crypto.Signer, such as a key in a device. Its Sign
// gets the 32 bytes of SM3(Z, message), and returns a signature in DER or of 64 bytes, which is verified.
type Signer struct {
	Certificate *x509.Certificate
	Key         crypto.Signer
}

// SignOptions are the choices of who signs. Nil means the zero value.
type SignOptions struct {
	// Form is CMS or GM.
	Form Form
	// SigningTime is when the signer says that it signs; the zero time for nothing.
	SigningTime time.Time
	// Certificates are others that the message is to have: those of the authorities above the signers but the last. The signers' own are
	// in it anyway.
	Certificates []*x509.Certificate
	// NoAttributes signs the content alone, as CFCA's SADK does. Then there is no signing time.
	NoAttributes bool
	// EmptyIdentity signs under the empty identity, which OpenSSL 3 needs and others refuse.
	EmptyIdentity bool
	// ByKeyID names the signers' certificates by the identifier of the key, as CFCA's SADK does: that in the certificate, or else SHA-1 of
	// the key.
	ByKeyID bool
}

// Sign signs a content, and returns the message in DER, with the content inside. With several signers, each signs the content.
//
// kuaimi.ErrInvalidArgument: there is no signer, or more than 64, or options do not fit together. kuaimi.ErrOtherAlgorithm: a certificate
// is not of SM2. kuaimi.ErrInvalidSignature: a signer made another signature than that of its certificate's key, for example since the
// key is another one.
func Sign(content []byte, signers []Signer, options *SignOptions) ([]byte, error) {
	return sign(signers, options, false, func(signing *core.Handle) error {
		return fault.Of(core.CMSSigningUpdate(signing, content))
	})
}

// SignDetached is Sign for a content that is not to be in the message: VerifyDetached needs it, too. It is read to its end, and may be of
// any size.
func SignDetached(content io.Reader, signers []Signer, options *SignOptions) ([]byte, error) {
	return sign(signers, options, true, func(signing *core.Handle) error {
		return pieces(content, func(bytes []byte) core.Code { return core.CMSSigningUpdate(signing, bytes) })
	})
}

func sign(signers []Signer, options *SignOptions, detached bool, update func(signing *core.Handle) error) ([]byte, error) {
	if options == nil {
		options = &SignOptions{}
	}
	chosen := core.CMSSignOptions{
		Form: options.Form.core(), Detached: detached, NoAttributes: options.NoAttributes, EmptyIdentity: options.EmptyIdentity,
		ByKeyID: options.ByKeyID,
	}
	if !options.SigningTime.IsZero() {
		if options.SigningTime.Unix() <= 0 {
			return nil, fault.Of(core.InvalidArgument)
		}
		chosen.SigningTime = uint64(options.SigningTime.Unix())
	}
	var own []*x509.Certificate
	for _, signer := range signers {
		if signer.Key == nil {
			return nil, fault.Of(core.InvalidArgument)
		}
		own = append(own, signer.Certificate)
	}
	those, code := certificates.Open(own...)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	defer those.Close()
	others, code := certificates.Open(options.Certificates...)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	defer others.Close()
	signing, code := core.CMSSigningNew(those, others, chosen)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	defer signing.Close()
	if err := update(signing); err != nil {
		return nil, err
	}
	for i, signer := range signers {
		digest, code := core.CMSSigningDigest(signing, i)
		if code != core.OK {
			return nil, fault.Of(code)
		}
		signature, err := signer.Key.Sign(rand.Reader, digest[:], crypto.Hash(0))
		if err != nil {
			return nil, err
		}
		if code := core.CMSSigningPut(signing, core.Once(signature), i); code != core.OK {
			return nil, fault.Of(code)
		}
	}
	message, code := core.CMSSigningFinish(signing)
	if code == core.InvalidSignature {
		return nil, fmt.Errorf("cms: a signer's certificate is of another key, or the key's method Sign does not sign the digest that it is given: %w",
			fault.Of(code))
	}
	return message, fault.Of(code)
}

// pieces gives a content to take, a piece at a time.
func pieces(content io.Reader, take func(bytes []byte) core.Code) error {
	buffer := make([]byte, piece)
	defer clear(buffer)
	for {
		n, err := content.Read(buffer)
		if code := take(buffer[:n]); code != core.OK {
			return fault.Of(code)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
