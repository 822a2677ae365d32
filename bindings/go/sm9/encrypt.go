package sm9

import (
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
)

// maxDerived is the most bytes that a key may have that is derived here: far more than any key has.
const maxDerived = 1 << 20

// An EncryptionKey is the identity of a recipient under a master key.
type EncryptionKey struct {
	h *core.Handle
}

// EncryptionKey is the identity of a recipient.
func (m *MasterEncryptionPublicKey) EncryptionKey(id []byte, hid byte) (*EncryptionKey, error) {
	return newEncryptionKey(core.SM9EncryptionNew(m.handle(), core.Once(id), hid))
}

func newEncryptionKey(h *core.Handle, code core.Code) (*EncryptionKey, error) {
	if code != core.OK {
		return nil, fault.Of(code)
	}
	return &EncryptionKey{h: h}, nil
}

// Prepare makes the table of the identity now, which it would make at its second use: encryption is faster with it.
func (k *EncryptionKey) Prepare() error {
	return fault.Of(core.SM9EncryptionPrepare(k.handle()))
}

// Encrypt encrypts a message of at least one byte, with a key stream as long as the message, to DER (GB/T 41389).
func (k *EncryptionKey) Encrypt(message []byte) ([]byte, error) {
	out := make([]byte, len(message)+core.SM9CiphertextOverhead)
	length, code := core.SM9Encrypt(k.handle(), message, out)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	return out[:length], nil
}

// Encapsulate makes a key of 1 to 1048576 bytes, and the point of 65 bytes from which the recipient gets the same key.
func (k *EncryptionKey) Encapsulate(length int) (key, point []byte, err error) {
	if length <= 0 || length > maxDerived {
		return nil, nil, fault.Of(core.DerivedKeyLength)
	}
	var c [core.PointSize]byte
	key = make([]byte, length)
	if code := core.SM9Encapsulate(k.handle(), key, &c); code != core.OK {
		return nil, nil, fault.Of(code)
	}
	return key, c[:], nil
}

// Close frees the key.
func (k *EncryptionKey) Close() { k.handle().Close() }

func (k *EncryptionKey) handle() *core.Handle {
	if k == nil {
		return nil
	}
	return k.h
}

// A DecryptionKey is a user's private key for decryption, in C's memory.
type DecryptionKey struct{ user }

// NewDecryptionKey reads a private key from its point. It checks that the key belongs to this identity under the master key.
func NewDecryptionKey(point, id []byte, hid byte, master *MasterEncryptionPublicKey) (*DecryptionKey, error) {
	h, code := newUser(core.UserDecryption, point, id, hid, master.handle())
	return newDecryptionKey(h, code)
}

// ParseDecryptionKey reads the private key of the user with this identity from a file in PEM or DER: PKCS#8 with the master public
// key, encrypted or not. The password may be nil.
func ParseDecryptionKey(file, password, id []byte, hid byte) (*DecryptionKey, error) {
	h, code := readUser(core.UserDecryption, file, password, id, hid)
	return newDecryptionKey(h, code)
}

func newDecryptionKey(h *core.Handle, code core.Code) (*DecryptionKey, error) {
	if code != core.OK {
		return nil, fault.Of(code)
	}
	return &DecryptionKey{user{h: h, kind: core.UserDecryption}}, nil
}

// Prepare makes the table of the key now, which it would make at its second use: decryption is faster with it.
func (k *DecryptionKey) Prepare() error {
	return fault.Of(core.SM9UserPrepare(core.UserDecryption, k.handle()))
}

func (k *DecryptionKey) handle() *core.Handle {
	if k == nil {
		return nil
	}
	return k.h
}

// Decrypt decrypts a ciphertext in DER. If it fails, the error is always kuaimi.ErrDecryptionFailed.
func (k *DecryptionKey) Decrypt(ciphertext []byte) ([]byte, error) {
	out := make([]byte, len(ciphertext))
	length, code := core.SM9Decrypt(k.handle(), ciphertext, out)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	return out[:length], nil
}

// Decapsulate is the key for a point that Encapsulate returned.
func (k *DecryptionKey) Decapsulate(point []byte, length int) ([]byte, error) {
	if length <= 0 || length > maxDerived {
		return nil, fault.Of(core.DerivedKeyLength)
	}
	key := make([]byte, length)
	if code := core.SM9Decapsulate(k.handle(), core.Once(point), key); code != core.OK {
		return nil, fault.Of(code)
	}
	return key, nil
}
