package sm9

import (
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
)

// A MasterEncryptionKey is the master private key of a key generation centre for encryption, key encapsulation and key exchange, in
// C's memory.
type MasterEncryptionKey struct{ master }

// GenerateMasterEncryptionKey makes a master key.
func GenerateMasterEncryptionKey() (*MasterEncryptionKey, error) {
	h, code := core.SM9MasterGenerate(core.SM9Encryption)
	return newMasterEncryptionKey(h, code)
}

// NewMasterEncryptionKey reads a master key from its 32 bytes, most significant byte first.
func NewMasterEncryptionKey(number []byte) (*MasterEncryptionKey, error) {
	h, code := masterOf(core.SM9Encryption, number)
	return newMasterEncryptionKey(h, code)
}

// ParseMasterEncryptionKey reads a key file in PEM or DER: PKCS#8, encrypted or not. The password may be nil.
func ParseMasterEncryptionKey(file, password []byte) (*MasterEncryptionKey, error) {
	h, code := readMaster(core.SM9Encryption, file, password)
	return newMasterEncryptionKey(h, code)
}

func newMasterEncryptionKey(h *core.Handle, code core.Code) (*MasterEncryptionKey, error) {
	m, err := newMaster(core.SM9Encryption, h, code)
	if err != nil {
		return nil, err
	}
	return &MasterEncryptionKey{m}, nil
}

// PublicKey is the master public key.
func (m *MasterEncryptionKey) PublicKey() (*MasterEncryptionPublicKey, error) {
	h, code := core.SM9MasterPublicOf(core.SM9Encryption, m.h)
	return newMasterEncryptionPublicKey(h, code)
}

// A MasterEncryptionPublicKey is the master public key of a key generation centre for encryption, key encapsulation and key exchange.
// It keeps what operations have computed once.
type MasterEncryptionPublicKey struct{ masterPublic }

// NewMasterEncryptionPublicKey reads a master public key from its point, with or without its first byte 04.
func NewMasterEncryptionPublicKey(point []byte) (*MasterEncryptionPublicKey, error) {
	h, code := core.SM9MasterPublicFromBytes(core.SM9Encryption, core.Once(point))
	return newMasterEncryptionPublicKey(h, code)
}

// ParseMasterEncryptionPublicKey reads a key file in PEM or DER: a SubjectPublicKeyInfo.
func ParseMasterEncryptionPublicKey(file []byte) (*MasterEncryptionPublicKey, error) {
	h, code := core.SM9MasterPublicRead(core.SM9Encryption, core.Once(file))
	return newMasterEncryptionPublicKey(h, code)
}

func newMasterEncryptionPublicKey(h *core.Handle, code core.Code) (*MasterEncryptionPublicKey, error) {
	m, err := newMasterPublic(core.SM9Encryption, h, code)
	if err != nil {
		return nil, err
	}
	return &MasterEncryptionPublicKey{m}, nil
}

func (m *MasterEncryptionPublicKey) handle() *core.Handle {
	if m == nil {
		return nil
	}
	return m.h
}

// Extract makes a user's private key for decryption.
func (m *MasterEncryptionKey) Extract(id []byte, hid byte) (*DecryptionKey, error) {
	h, code := core.SM9Extract(core.UserDecryption, m.h, core.Once(id), hid)
	return newDecryptionKey(h, code)
}

// ExtractExchange makes a user's private key for key exchange.
func (m *MasterEncryptionKey) ExtractExchange(id []byte, hid byte) (*ExchangeKey, error) {
	h, code := core.SM9Extract(core.UserExchange, m.h, core.Once(id), hid)
	return newExchangeKey(h, code)
}
