//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

import (
	"crypto/rand"
	"crypto/subtle"

	"github.com/emmansun/gmsm/sm9"
)

// The usual function identifiers.
var usualHID = map[UserKind]byte{UserSigning: 1, UserExchange: 2, UserDecryption: 3}

func hidOr(hid byte, kind UserKind) byte {
	if hid == 0 {
		return usualHID[kind]
	}
	return hid
}

// A userKey is the key of a user, one of gmsm's two types, with what else operations need.
type userKey struct {
	kind    UserKind
	signing *sm9.SignPrivateKey
	other   *sm9.EncryptPrivateKey
	id      []byte
	hid     byte
}

func (u *userKey) gmsm() secretKey {
	if u.kind == UserSigning {
		return u.signing
	}
	return u.other
}

// userOf is a key of a kind.
func userOf(h *Handle, kind UserKind) (*userKey, Code) {
	u, code := valueOf[*userKey](h)
	if code == OK && u.kind != kind {
		return nil, Closed
	}
	return u, code
}

// fits says whether a key was made for its identity, by using it.
func (u *userKey) fits() bool {
	if u.kind == UserSigning {
		message := []byte("a message")
		signature, err := sm9.SignASN1(rand.Reader, u.signing, message)
		return err == nil && sm9.VerifyASN1(u.signing.MasterPublic(), u.id, u.hid, message, signature)
	}
	key, c, err := sm9.WrapKey(rand.Reader, u.other.MasterPublic(), u.id, u.hid, 32)
	if err != nil {
		return false
	}
	same, err := sm9.UnwrapKey(u.other, u.id, c, 32)
	return err == nil && subtle.ConstantTimeCompare(key, same) == 1
}

func newUser(kind UserKind, key any, id []byte, hid byte) (*Handle, Code) {
	if len(id) == 0 {
		return nil, EmptyIdentity
	}
	u := &userKey{kind: kind, id: append([]byte{}, id...), hid: hidOr(hid, kind)}
	switch key := key.(type) {
	case *sm9.SignPrivateKey:
		u.signing = key
	case *sm9.EncryptPrivateKey:
		u.other = key
	}
	if (kind == UserSigning) != (u.signing != nil) || (kind == UserSigning) == (u.other != nil) {
		return nil, OtherKey
	}
	return newHandle(u), OK
}

// SM9Extract makes the key of a user. A hid of 0 is the usual one.
func SM9Extract(kind UserKind, master *Handle, id []byte, hid byte) (*Handle, Code) {
	if len(id) == 0 {
		return nil, EmptyIdentity
	}
	if kind == UserSigning {
		centre, code := valueOf[*sm9.SignMasterPrivateKey](master)
		if code != OK {
			return nil, code
		}
		key, err := centre.GenerateUserKey(id, hidOr(hid, kind))
		if err != nil {
			return nil, UnusableMasterKey
		}
		return newUser(kind, key, id, hid)
	}
	centre, code := valueOf[*sm9.EncryptMasterPrivateKey](master)
	if code != OK {
		return nil, code
	}
	key, err := centre.GenerateUserKey(id, hidOr(hid, kind))
	if err != nil {
		return nil, UnusableMasterKey
	}
	return newUser(kind, key, id, hid)
}

// SM9UserFromBytes is the key of a user that is a point. It is checked that it belongs to the user.
func SM9UserFromBytes(kind UserKind, point, id []byte, hid byte, master *Handle) (*Handle, Code) {
	full := 129
	if kind == UserSigning {
		full = 65
	}
	if len(point) == full-1 {
		point = append([]byte{4}, point...)
	}
	if len(point) != full || point[0] != 4 {
		return nil, PointEncoding
	}
	var key any
	if kind == UserSigning {
		public, code := valueOf[*sm9.SignMasterPublicKey](master)
		if code != OK {
			return nil, code
		}
		signing, err := sm9.UnmarshalSignPrivateKeyRaw(point)
		if err != nil {
			return nil, PointNotOnCurve
		}
		signing.SetMasterPublic(public)
		key = signing
	} else {
		public, code := valueOf[*sm9.EncryptMasterPublicKey](master)
		if code != OK {
			return nil, code
		}
		other, err := sm9.UnmarshalEncryptPrivateKeyRaw(point)
		if err != nil {
			return nil, PointNotOnCurve
		}
		other.SetMasterPublic(public)
		key = other
	}
	return checked(newUser(kind, key, id, hid))
}

// checked is a key that was made for its identity.
func checked(h *Handle, code Code) (*Handle, Code) {
	if code == OK && !h.value.(*userKey).fits() {
		return nil, UserKeyMismatch
	}
	return h, code
}

// SM9UserRead reads the content of the key file of a user. The password may be nil.
func SM9UserRead(kind UserKind, data, password, id []byte, hid byte) (*Handle, Code) {
	key, code := parsePrivate(data, password)
	if code != OK {
		return nil, code
	}
	switch key := key.(type) {
	case *sm9.SignPrivateKey:
		if key.MasterPublic() == nil {
			return nil, MasterPublicKeyMissing
		}
	case *sm9.EncryptPrivateKey:
		if key.MasterPublic() == nil {
			return nil, MasterPublicKeyMissing
		}
	case *sm9.SignMasterPrivateKey, *sm9.EncryptMasterPrivateKey:
		return nil, OtherKey
	default:
		return nil, OtherAlgorithm
	}
	return checked(newUser(kind, key, id, hid))
}

// SM9UserPrepare is the same key: gmsm has no tables.
func SM9UserPrepare(kind UserKind, h *Handle) (*Handle, Code) {
	u, code := userOf(h, kind)
	if code != OK {
		return nil, code
	}
	return newHandle(u), OK
}

// SM9UserWrite writes the key of a user.
func SM9UserWrite(kind UserKind, h *Handle, form KeyForm) ([]byte, Code) {
	u, code := userOf(h, kind)
	if code != OK {
		return nil, code
	}
	return writeSecret(u.gmsm(), nil, form, func(point []byte) []byte { return point[1:] })
}

// SM9UserWriteEncrypted writes the key of a user under a password.
func SM9UserWriteEncrypted(kind UserKind, h *Handle, password []byte, form KeyForm) ([]byte, Code) {
	u, code := userOf(h, kind)
	if code != OK {
		return nil, code
	}
	return writePrivate(u.gmsm(), append([]byte{}, password...), form)
}

// An identity is that of a signer or of a recipient.
type identity[Master any] struct {
	master Master
	id     []byte
	hid    byte
}

// SM9VerifyingNew is the identity of a signer. A hid of 0 is the usual one.
func SM9VerifyingNew(master *Handle, id []byte, hid byte) (*Handle, Code) {
	return newIdentity[*sm9.SignMasterPublicKey](master, id, hidOr(hid, UserSigning))
}

// SM9EncryptionNew is the identity of a recipient. A hid of 0 is the usual one.
func SM9EncryptionNew(master *Handle, id []byte, hid byte) (*Handle, Code) {
	return newIdentity[*sm9.EncryptMasterPublicKey](master, id, hidOr(hid, UserDecryption))
}

func newIdentity[Master any](h *Handle, id []byte, hid byte) (*Handle, Code) {
	master, code := valueOf[Master](h)
	if code != OK {
		return nil, code
	}
	if len(id) == 0 {
		return nil, EmptyIdentity
	}
	return newHandle(&identity[Master]{master: master, id: append([]byte{}, id...), hid: hid}), OK
}

// SM9VerifyingPrepare is the same identity: gmsm has no tables.
func SM9VerifyingPrepare(h *Handle) (*Handle, Code) {
	i, code := valueOf[*identity[*sm9.SignMasterPublicKey]](h)
	if code != OK {
		return nil, code
	}
	return newHandle(i), OK
}

// SM9EncryptionPrepare is the same identity: gmsm has no tables.
func SM9EncryptionPrepare(h *Handle) (*Handle, Code) {
	i, code := valueOf[*identity[*sm9.EncryptMasterPublicKey]](h)
	if code != OK {
		return nil, code
	}
	return newHandle(i), OK
}
