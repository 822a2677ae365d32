// Package certificates gives certificates of crypto/x509 to package core, for the time of a call.
package certificates

import (
	"crypto/x509"

	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
)

// Open reads the certificates as libkuaimi has them. Close ends their use; there is none if one cannot be read.
func Open(list ...*x509.Certificate) (Handles, core.Code) {
	handles := make(Handles, 0, len(list))
	for _, certificate := range list {
		if certificate == nil {
			handles.Close()
			return nil, core.InvalidArgument
		}
		h, code := core.CertificateRead(certificate.Raw)
		if code != core.OK {
			handles.Close()
			return nil, code
		}
		handles = append(handles, h)
	}
	return handles, core.OK
}

// Handles are the certificates of one call.
type Handles []*core.Handle

// Close frees them.
func (h Handles) Close() {
	for _, one := range h {
		one.Close()
	}
}
