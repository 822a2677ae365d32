package x509

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"slices"

	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
)

// ParseCertificate reads a certificate in DER, with a key of SM2 or another one. Nothing of it is verified.
func ParseCertificate(der []byte) (*Certificate, error) {
	der = core.Once(der)
	s, hidden := hide(der, certificateKind)
	if hidden == nil {
		certificate, err := x509.ParseCertificate(der)
		return certificate, orPEM(err, der, "ReadCertificates")
	}
	certificate, err := x509.ParseCertificate(hidden)
	if err != nil {
		return nil, err
	}
	info := s.fields[certificateKind.key].of(der)
	key, err := sm2.ParsePublicKey(info)
	if err != nil {
		return nil, err
	}
	certificate.Raw, certificate.RawTBSCertificate, certificate.RawSubjectPublicKeyInfo = der, s.tbs.of(der), info
	certificate.PublicKey = key
	return certificate, nil
}

// of is the element's bytes.
func (e element) of(der []byte) []byte { return der[e.start:e.end:e.end] }

// hide takes a structure in DER apart, and is a copy of it for crypto/x509: see structure.hideKey. The copy is nil for what is none, too,
// of which crypto/x509 says what is wrong.
func hide(der []byte, k kind) (*structure, []byte) {
	s, err := takeApart(der, k)
	if err != nil {
		return nil, nil
	}
	return s, s.hideKey(k)
}

// ReadCertificates reads the certificates of a file: any number in PEM, where other blocks are passed over, or one in DER.
func ReadCertificates(file []byte) ([]*Certificate, error) {
	file = core.Once(file)
	var list []*Certificate
	blocks, err := blocks(file, "CERTIFICATE", "X509 CERTIFICATE")
	if err != nil {
		return nil, err
	}
	for _, der := range blocks {
		certificate, err := ParseCertificate(der)
		if err != nil {
			return nil, err
		}
		list = append(list, certificate)
	}
	return list, nil
}

// orPEM is the error for bytes that are no DER, and says which function reads them if they are PEM.
func orPEM(err error, file []byte, reader string) error {
	if err != nil && !isDER(file) && bytes.Contains(file, []byte("-----BEGIN ")) {
		return fmt.Errorf("x509: this is PEM and no DER: read it with %s: %w", reader, err)
	}
	return err
}

// blocks are the contents of blocks in PEM of these types, or a file in DER. kuaimi.ErrText: there is none, and what there is instead.
func blocks(file []byte, types ...string) ([][]byte, error) {
	if isDER(file) {
		return [][]byte{file}, nil
	}
	var list [][]byte
	other := ""
	for {
		var block *pem.Block
		if block, file = pem.Decode(file); block == nil {
			break
		}
		switch {
		case slices.Contains(types, block.Type):
			list = append(list, block.Bytes)
		case other == "":
			other = block.Type
		}
	}
	switch {
	case len(list) != 0:
		return list, nil
	case other != "":
		return nil, fmt.Errorf("x509: the file has %.64q and no %q: %w", other, types[0], fault.Of(core.Text))
	}
	return nil, fault.Of(core.Text)
}

// isDER says whether a file is no text. A certificate may have PEM inside, as a comment, and a text may begin with the byte of a SEQUENCE,
// which is the digit 0.
func isDER(file []byte) bool {
	if !bytes.HasPrefix(file, []byte{0x30}) {
		return false
	}
	if whole, err := first(file, 0, len(file)); err == nil && whole.end == len(file) {
		return true
	}
	return !bytes.Contains(file, []byte("-----BEGIN "))
}

// ParseCertificateRequest reads a request in DER (PKCS #10). CheckRequest says whether the holder of its key signed it.
func ParseCertificateRequest(der []byte) (*CertificateRequest, error) {
	der = core.Once(der)
	s, hidden := hide(der, requestKind)
	if hidden == nil {
		request, err := x509.ParseCertificateRequest(der)
		return request, orPEM(err, der, "ReadCertificateRequest")
	}
	request, err := x509.ParseCertificateRequest(hidden)
	if err != nil {
		return nil, err
	}
	info := s.fields[requestKind.key].of(der)
	key, err := sm2.ParsePublicKey(info)
	if err != nil {
		return nil, err
	}
	request.Raw, request.RawTBSCertificateRequest, request.RawSubjectPublicKeyInfo = der, s.tbs.of(der), info
	request.PublicKey = key
	return request, nil
}

// ReadCertificateRequest reads the first request of a file in PEM or DER.
func ReadCertificateRequest(file []byte) (*CertificateRequest, error) {
	blocks, err := blocks(core.Once(file), "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST")
	if err != nil {
		return nil, err
	}
	return ParseCertificateRequest(blocks[0])
}

// ParseRevocationList reads a revocation list in DER. CheckRevocationListFrom says whether an authority signed it.
func ParseRevocationList(der []byte) (*RevocationList, error) {
	der = core.Once(der)
	list, err := x509.ParseRevocationList(der)
	return list, orPEM(err, der, "ReadRevocationList")
}

// ReadRevocationList reads the first revocation list of a file in PEM or DER.
func ReadRevocationList(file []byte) (*RevocationList, error) {
	blocks, err := blocks(core.Once(file), "X509 CRL")
	if err != nil {
		return nil, err
	}
	return ParseRevocationList(blocks[0])
}
