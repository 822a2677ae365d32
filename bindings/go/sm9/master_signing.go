package sm9

import (
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
)

// A MasterSigningKey is the master private key of a key generation centre for signatures, in C's memory.
type MasterSigningKey struct{ master }

// GenerateMasterSigningKey makes a master key.
func GenerateMasterSigningKey() (*MasterSigningKey, error) {
	h, code := core.SM9MasterGenerate(core.SM9Signing)
	return newMasterSigningKey(h, code)
}

// NewMasterSigningKey reads a master key from its 32 bytes, most significant byte first.
func NewMasterSigningKey(number []byte) (*MasterSigningKey, error) {
	h, code := masterOf(core.SM9Signing, number)
	return newMasterSigningKey(h, code)
}

// ParseMasterSigningKey reads a key file in PEM or DER: PKCS#8, encrypted or not. The password may be nil.
func ParseMasterSigningKey(file, password []byte) (*MasterSigningKey, error) {
	h, code := readMaster(core.SM9Signing, file, password)
	return newMasterSigningKey(h, code)
}

func newMasterSigningKey(h *core.Handle, code core.Code) (*MasterSigningKey, error) {
	m, err := newMaster(core.SM9Signing, h, code)
	if err != nil {
		return nil, err
	}
	return &MasterSigningKey{m}, nil
}

// PublicKey is the master public key.
func (m *MasterSigningKey) PublicKey() (*MasterSigningPublicKey, error) {
	h, code := core.SM9MasterPublicOf(core.SM9Signing, m.h)
	return newMasterSigningPublicKey(h, code)
}

// A MasterSigningPublicKey is the master public key of a key generation centre for signatures. It keeps what operations have computed
// once.
type MasterSigningPublicKey struct{ masterPublic }

// NewMasterSigningPublicKey reads a master public key from its point, with or without its first byte 04.
func NewMasterSigningPublicKey(point []byte) (*MasterSigningPublicKey, error) {
	h, code := core.SM9MasterPublicFromBytes(core.SM9Signing, core.Once(point))
	return newMasterSigningPublicKey(h, code)
}

// ParseMasterSigningPublicKey reads a key file in PEM or DER: a SubjectPublicKeyInfo.
func ParseMasterSigningPublicKey(file []byte) (*MasterSigningPublicKey, error) {
	h, code := core.SM9MasterPublicRead(core.SM9Signing, core.Once(file))
	return newMasterSigningPublicKey(h, code)
}

func newMasterSigningPublicKey(h *core.Handle, code core.Code) (*MasterSigningPublicKey, error) {
	m, err := newMasterPublic(core.SM9Signing, h, code)
	if err != nil {
		return nil, err
	}
	return &MasterSigningPublicKey{m}, nil
}

func (m *MasterSigningPublicKey) handle() *core.Handle {
	if m == nil {
		return nil
	}
	return m.h
}

// Extract makes a user's private key.
func (m *MasterSigningKey) Extract(id []byte, hid byte) (*SigningKey, error) {
	h, code := core.SM9Extract(core.UserSigning, m.h, core.Once(id), hid)
	return newSigningKey(h, code)
}
