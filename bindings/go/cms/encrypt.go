package cms

import (
	"io"
	"sync"

	"github.com/kuaimi/kuaimi/bindings/go/internal/bridge"
	"github.com/kuaimi/kuaimi/bindings/go/internal/certificates"
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
	"github.com/kuaimi/kuaimi/bindings/go/x509"
)

// A Cipher is that of a message's content.
type Cipher int

const (
	// SM4CBC is what most programs read. It is not authenticated: who can change the message can change the content.
	SM4CBC Cipher = iota
	// SM4GCM detects any change (RFC 5083).
	SM4GCM
	// SM4CBCSADK is SM4CBC, named without the mode, as CFCA's SADK does.
	SM4CBCSADK
)

func (c Cipher) core() uint32 {
	if c < 0 {
		return 0
	}
	return uint32(c) + 1
}

// EncryptOptions are the choices of who encrypts. Nil means the zero value.
type EncryptOptions struct {
	// Form is CMS, GM or GmSSL.
	Form Form
	// Cipher is SM4CBC, SM4GCM or SM4CBCSADK.
	Cipher Cipher
	// ByKeyID names the recipients' certificates by the identifier of the key, as CFCA's SADK does: that in the certificate, or else SHA-1
	// of the key.
	ByKeyID bool
}

// Encrypt encrypts a content for the holders of these certificates, and returns the message in DER. Of a pair, give the encrypting
// certificate. The certificates are not verified: x509.Verify with x509.PurposeEncryption does that.
//
// kuaimi.ErrOtherAlgorithm: a certificate is not of SM2. kuaimi.ErrInvalidArgument: there is no certificate.
func Encrypt(content []byte, recipients []*x509.Certificate, options *EncryptOptions) ([]byte, error) {
	encryption, err := begin(recipients, options, uint64(len(content)))
	if err != nil {
		return nil, err
	}
	defer encryption.Close()
	message, code := core.CMSEncryptionUpdate(encryption, content)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	end, code := core.CMSEncryptionFinish(encryption)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	return append(message, end...), nil
}

func begin(recipients []*x509.Certificate, options *EncryptOptions, length uint64) (*core.Handle, error) {
	if options == nil {
		options = &EncryptOptions{}
	}
	handles, code := certificates.Open(recipients...)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	defer handles.Close()
	encryption, code := core.CMSEncryptionNew(handles, options.Form.core(), options.Cipher.core(), options.ByKeyID, length)
	return encryption, fault.Of(code)
}

// An EncryptWriter encrypts what is written to it. One goroutine may use it.
type EncryptWriter struct {
	encryption *core.Handle
	out        io.Writer
	ended      sync.Once
	// The first error: after it, the message has a gap, and there is no way to end it.
	err error
}

// NewEncryptWriter is a writer that encrypts for the holders of these certificates, as Encrypt does, and writes the message to out in BER,
// whose lengths are indefinite. Close ends the message; it does not close out. Without Close, or if a call failed, what was written is no
// message.
func NewEncryptWriter(out io.Writer, recipients []*x509.Certificate, options *EncryptOptions) (*EncryptWriter, error) {
	encryption, err := begin(recipients, options, core.CMSLengthUnknown)
	if err != nil {
		return nil, err
	}
	return &EncryptWriter{encryption: encryption, out: out}, nil
}

// Write encrypts the next bytes of the content.
func (w *EncryptWriter) Write(content []byte) (int, error) {
	done := 0
	for w.err == nil && done < len(content) {
		part := content[done:min(len(content), done+piece)]
		message, code := core.CMSEncryptionUpdate(w.encryption, part)
		if code != core.OK {
			w.err = fault.Of(code)
			break
		}
		if _, w.err = w.out.Write(message); w.err == nil {
			done += len(part)
		}
	}
	return done, w.err
}

// Close ends the message. A second call returns what the first one did.
func (w *EncryptWriter) Close() error {
	w.ended.Do(func() {
		defer w.encryption.Close()
		if w.err != nil {
			return
		}
		message, code := core.CMSEncryptionFinish(w.encryption)
		if w.err = fault.Of(code); w.err == nil {
			_, w.err = w.out.Write(message)
		}
	})
	return w.err
}

// Decrypt decrypts a message with a private key. certificate is that of the key, by which its part of the message is found; nil to try
// the key on the first eight recipients. The result is a secret, in Go's memory: wipe it after use.
//
// The signers of signedAndEnvelopedData (GM/T 0010, clause 9) must be right, too, but are not returned: nothing says whether to trust
// them.
//
// kuaimi.ErrDecryptionFailed: another key, or an altered message; which of these is not said. Do not tell senders of messages with SM4CBC
// even that: from many such answers an attacker reads the content. kuaimi.ErrOtherKey: the message was not encrypted for this
// certificate. kuaimi.ErrDER and others: it is no such message.
func Decrypt(message []byte, key *sm2.PrivateKey, certificate *x509.Certificate) ([]byte, error) {
	private := bridge.Private(key)
	if certificate == nil {
		content, code := core.CMSDecrypt(private, nil, message)
		return content, fault.Of(code)
	}
	handles, code := certificates.Open(certificate)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	defer handles.Close()
	content, code := core.CMSDecrypt(private, handles[0], message)
	return content, fault.Of(code)
}
