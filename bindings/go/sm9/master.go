// Package sm9 has SM9's signatures, encryption, key encapsulation and key exchange (GB/T 38635.2): a public key is an identity, such as
// a mail address, and a key generation centre makes the users' private keys from its master key.
//
// Each operation has a function identifier, a byte hid, which goes into users' keys: 0 means the default one, which is 1 for signatures, 2
// for key exchange and 3 for encryption.
package sm9

import (
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
)

// A KeyForm is how a key is written to a file.
type KeyForm int

const (
	// PKCS8PEM is for private keys.
	PKCS8PEM KeyForm = KeyForm(core.KeyPKCS8PEM)
	// PKCS8 is for private keys.
	PKCS8 KeyForm = KeyForm(core.KeyPKCS8)
	// SPKIPEM is for master public keys.
	SPKIPEM KeyForm = KeyForm(core.KeySPKIPEM)
	// SPKI is for master public keys.
	SPKI KeyForm = KeyForm(core.KeySPKI)
	// KeyDER is the bare number or point, in the DER of GB/T 41389. It is for writing only.
	KeyDER KeyForm = KeyForm(core.KeyDER)
)

// A master is what the two kinds of master keys share.
type master struct {
	h    *core.Handle
	kind core.SM9Kind
}

func newMaster(kind core.SM9Kind, h *core.Handle, code core.Code) (master, error) {
	return master{h: h, kind: kind}, fault.Of(code)
}

// masterOf is the key that is a number.
func masterOf(kind core.SM9Kind, number []byte) (*core.Handle, core.Code) {
	number = core.Once(number)
	defer clear(number)
	return core.SM9MasterFromBytes(kind, number)
}

// readMaster reads a key file.
func readMaster(kind core.SM9Kind, file, password []byte) (*core.Handle, core.Code) {
	file, password = core.Once(file), core.Once(password)
	defer clear(file)
	defer clear(password)
	return core.SM9MasterRead(kind, file, password)
}

// Marshal writes the key unencrypted, to Go's memory. Wipe it after use.
func (m *master) Marshal(form KeyForm) ([]byte, error) {
	data, code := core.SM9MasterWrite(m.kind, m.h, core.KeyForm(form))
	return data, fault.Of(code)
}

// MarshalEncrypted writes the key under a password, as PKCS8PEM or PKCS8. It takes some tenths of a second.
func (m *master) MarshalEncrypted(password []byte, form KeyForm) ([]byte, error) {
	data, code := core.SM9MasterWriteEncrypted(m.kind, m.h, password, core.KeyForm(form))
	return data, fault.Of(code)
}

// Bytes is the key as 32 bytes, most significant byte first, in Go's memory. Wipe them after use.
func (m *master) Bytes() ([]byte, error) {
	data, code := core.SM9MasterWrite(m.kind, m.h, core.KeyRaw)
	return data, fault.Of(code)
}

// Close wipes the key.
func (m *master) Close() { m.h.Close() }

// A masterPublic is what the two kinds of master public keys share.
type masterPublic struct {
	h    *core.Handle
	kind core.SM9Kind
}

func newMasterPublic(kind core.SM9Kind, h *core.Handle, code core.Code) (masterPublic, error) {
	return masterPublic{h: h, kind: kind}, fault.Of(code)
}

// Marshal writes the key, as SPKIPEM, SPKI or KeyDER.
func (m *masterPublic) Marshal(form KeyForm) ([]byte, error) {
	data, code := core.SM9MasterPublicWrite(m.kind, m.h, core.KeyForm(form))
	return data, fault.Of(code)
}

// Bytes is the point, which begins with 04: 65 bytes for encryption, 129 for signatures.
func (m *masterPublic) Bytes() ([]byte, error) {
	data, code := core.SM9MasterPublicWrite(m.kind, m.h, core.KeyUncompressed)
	return data, fault.Of(code)
}

// Close frees the key.
func (m *masterPublic) Close() { m.h.Close() }
