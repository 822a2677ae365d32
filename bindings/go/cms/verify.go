package cms

import (
	"io"
	"time"

	"github.com/kuaimi/kuaimi/bindings/go/internal/certificates"
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
	"github.com/kuaimi/kuaimi/bindings/go/x509"
)

// VerifyOptions are what a verification accepts. Nil means the zero value.
type VerifyOptions struct {
	// Certificates are those that signers may have, besides those in the message.
	Certificates []*x509.Certificate
	// Identities are those under which signatures are accepted.
	Identities x509.Identities
}

// A Message is a signed message whose signatures are all right.
type Message struct {
	// Content is what was signed; nil where it is not in the message.
	Content []byte
	// Signers are those who signed; one at least.
	Signers []SignerInfo
	// Certificates are those in the message, for which nobody has vouched. What crypto/x509 cannot read is left out.
	Certificates []*x509.Certificate
}

// A SignerInfo is one signer of a message.
type SignerInfo struct {
	// Certificate is that whose key signed.
	Certificate *x509.Certificate
	// SigningTime is when the signer says that it signed; the zero time if it does not say. Nothing proves it.
	SigningTime time.Time
}

// Verify verifies a signed message that has its content inside. Whether to trust the signers is for Message.VerifySigners.
//
// kuaimi.ErrInvalidSignature: a signature is not right, or the certificate of a signer is not there. kuaimi.ErrInvalidArgument: the
// content is not inside. kuaimi.ErrDER and others: it is no signed message, or has no signer.
func Verify(message []byte, options *VerifyOptions) (*Message, error) {
	return verify(options, func(known []*core.Handle, accepted uint32) (*core.CMSMessage, error) {
		found, code := core.CMSVerify(known, message, accepted)
		return found, fault.Of(code)
	})
}

// VerifyDetached verifies a signed message that does not have its content inside. The content is read to its end, and may be of any size:
// do not act upon it before VerifyDetached returned no error. Errors as of Verify; kuaimi.ErrInvalidArgument: the content is inside.
func VerifyDetached(message []byte, content io.Reader, options *VerifyOptions) (*Message, error) {
	return verify(options, func(known []*core.Handle, accepted uint32) (*core.CMSMessage, error) {
		detached, code := core.CMSDetachedNew(known, message, accepted)
		if code != core.OK {
			return nil, fault.Of(code)
		}
		defer detached.Close()
		err := pieces(content, func(bytes []byte) core.Code { return core.CMSDetachedUpdate(detached, bytes) })
		if err != nil {
			return nil, err
		}
		found, code := core.CMSDetachedFinish(detached)
		if code != core.OK {
			return nil, fault.Of(code)
		}
		found.Content = nil
		return found, nil
	})
}

func verify(options *VerifyOptions, read func(known []*core.Handle, accepted uint32) (*core.CMSMessage, error)) (*Message, error) {
	if options == nil {
		options = &VerifyOptions{}
	}
	accepted, err := identities(options.Identities)
	if err != nil {
		return nil, err
	}
	known, code := certificates.Open(options.Certificates...)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	defer known.Close()
	found, err := read(known, accepted)
	if err != nil {
		return nil, err
	}
	message := &Message{Content: found.Content}
	for _, signer := range found.Signers {
		certificate, err := x509.ParseCertificate(signer.Certificate)
		if err != nil {
			return nil, err
		}
		info := SignerInfo{Certificate: certificate}
		if signer.SigningTime != 0 {
			info.SigningTime = time.Unix(int64(signer.SigningTime), 0).UTC()
		}
		message.Signers = append(message.Signers, info)
	}
	for _, der := range found.Certificates {
		if certificate, err := x509.ParseCertificate(der); err == nil {
			message.Certificates = append(message.Certificates, certificate)
		}
	}
	return message, nil
}

// VerifySigners verifies the chain of every signer, over the certificates in the message. The verifier's Purpose should be
// x509.PurposeSigning. The error is that of the first signer who is not trusted: a *x509.Refusal.
func (m *Message) VerifySigners(verifier *x509.Verifier) error {
	if len(m.Signers) == 0 {
		return fault.Of(core.InvalidArgument)
	}
	items := make([]x509.VerifyItem, len(m.Signers))
	for i, signer := range m.Signers {
		items[i] = x509.VerifyItem{Certificate: signer.Certificate, Intermediates: m.Certificates}
	}
	return verifier.VerifyBatch(items, nil, make([]error, len(items)))
}
