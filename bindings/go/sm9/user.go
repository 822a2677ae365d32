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

// newUser is the key that is a point.
func newUser(kind core.UserKind, point, id []byte, hid byte, master *core.Handle) (*core.Handle, core.Code) {
	point = core.Once(point)
	defer clear(point)
	return core.SM9UserFromBytes(kind, point, core.Once(id), hid, master)
}

// readUser reads a key file.
func readUser(kind core.UserKind, file, password, id []byte, hid byte) (*core.Handle, core.Code) {
	file, password = core.Once(file), core.Once(password)
	defer clear(file)
	defer clear(password)
	return core.SM9UserRead(kind, file, password, core.Once(id), hid)
}

// Marshal writes the key with the master public key, unencrypted, to Go's memory. Wipe it after use. KeyDER is the bare point.
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
