package sm9

import (
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
)

// A user is what the three kinds of users' keys share.
type user struct {
	h    *core.Handle
	kind core.UserKind
}

// Marshal writes the key with the master public key, not encrypted, to Go's memory. Wipe it after use. DER is the point alone.
func (u *user) Marshal(form KeyForm) ([]byte, error) {
	data, code := core.SM9UserWrite(u.kind, u.h, core.KeyForm(form))
	return data, fault.Of(code)
}

// MarshalEncrypted writes the key under a password, as PKCS8PEM or PKCS8. It takes some tenths of a second.
func (u *user) MarshalEncrypted(password []byte, form KeyForm) ([]byte, error) {
	data, code := core.SM9UserWriteEncrypted(u.kind, u.h, password, core.KeyForm(form))
	return data, fault.Of(code)
}

// Bytes is the point without a first byte 04, in Go's memory. Wipe it after use.
func (u *user) Bytes() ([]byte, error) {
	data, code := core.SM9UserWrite(u.kind, u.h, core.KeyRaw)
	return data, fault.Of(code)
}

// Close wipes the key.
func (u *user) Close() { u.h.Close() }
