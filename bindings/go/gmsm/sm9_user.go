//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package gmsm

import (
	"crypto/rand"
	"crypto/subtle"

	"github.com/emmansun/gmsm/sm9"

	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
)

// The default function identifiers.
var defaultHID = map[core.UserKind]byte{core.UserSigning: 1, core.UserExchange: 2, core.UserDecryption: 3}

func hidOr(hid byte, kind core.UserKind) byte {
	if hid == 0 {
		return defaultHID[kind]
	}
	return hid
}

// A userKey is the key of a user, one of gmsm's two types, with what else operations need.
type userKey struct {
	kind    core.UserKind
	signing *sm9.SignPrivateKey
	other   *sm9.EncryptPrivateKey
	id      []byte
	hid     byte
}

func (u *userKey) gmsm() secretKey {
	if u.kind == core.UserSigning {
		return u.signing
	}
	return u.other
}

// userOf is a key of a kind.
func userOf(h *core.Handle, kind core.UserKind) (*userKey, core.Code) {
	u, code := valueOf[*userKey](h)
	if code == core.OK && u.kind != kind {
		return nil, core.Closed
	}
	return u, code
}

// fits says whether a key was made for its identity, by using it.
func (u *userKey) fits() bool {
	if u.kind == core.UserSigning {
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

func newUser(kind core.UserKind, key any, id []byte, hid byte) (*core.Handle, core.Code) {
	if len(id) == 0 {
		return nil, core.EmptyIdentity
	}
	u := &userKey{kind: kind, id: append([]byte{}, id...), hid: hidOr(hid, kind)}
	switch key := key.(type) {
	case *sm9.SignPrivateKey:
		u.signing = key
	case *sm9.EncryptPrivateKey:
		u.other = key
	}
	if (kind == core.UserSigning) != (u.signing != nil) || (kind == core.UserSigning) == (u.other != nil) {
		return nil, core.OtherKey
	}
	return core.NewHandle(u), core.OK
}

// SM9Extract makes the key of a user. A hid of 0 is the default one.
func (functions) SM9Extract(kind core.UserKind, master *core.Handle, id []byte, hid byte) (*core.Handle, core.Code) {
	if len(id) == 0 {
		return nil, core.EmptyIdentity
	}
	if kind == core.UserSigning {
		centre, code := valueOf[*sm9.SignMasterPrivateKey](master)
		if code != core.OK {
			return nil, code
		}
		key, err := centre.GenerateUserKey(id, hidOr(hid, kind))
		if err != nil {
			return nil, core.UnusableMasterKey
		}
		return newUser(kind, key, id, hid)
	}
	centre, code := valueOf[*sm9.EncryptMasterPrivateKey](master)
	if code != core.OK {
		return nil, code
	}
	key, err := centre.GenerateUserKey(id, hidOr(hid, kind))
	if err != nil {
		return nil, core.UnusableMasterKey
	}
	return newUser(kind, key, id, hid)
}

// SM9UserFromBytes is the key of a user that is a point. It is checked that it belongs to the user.
func (functions) SM9UserFromBytes(kind core.UserKind, point, id []byte, hid byte, master *core.Handle) (*core.Handle, core.Code) {
	full := 129
	if kind == core.UserSigning {
		full = 65
	}
	if len(point) == full-1 {
		point = append([]byte{4}, point...)
	}
	if len(point) != full || point[0] != 4 {
		return nil, core.PointEncoding
	}
	var key any
	if kind == core.UserSigning {
		public, code := valueOf[*sm9.SignMasterPublicKey](master)
		if code != core.OK {
			return nil, code
		}
		signing, err := sm9.UnmarshalSignPrivateKeyRaw(point)
		if err != nil {
			return nil, core.PointNotOnCurve
		}
		signing.SetMasterPublic(public)
		key = signing
	} else {
		public, code := valueOf[*sm9.EncryptMasterPublicKey](master)
		if code != core.OK {
			return nil, code
		}
		other, err := sm9.UnmarshalEncryptPrivateKeyRaw(point)
		if err != nil {
			return nil, core.PointNotOnCurve
		}
		other.SetMasterPublic(public)
		key = other
	}
	return checked(newUser(kind, key, id, hid))
}

// checked is a key that was made for its identity.
func checked(h *core.Handle, code core.Code) (*core.Handle, core.Code) {
	if code == core.OK && !h.Value().(*userKey).fits() {
		return nil, core.UserKeyMismatch
	}
	return h, code
}

// SM9UserRead reads the content of the key file of a user. The password may be nil.
func (functions) SM9UserRead(kind core.UserKind, data, password, id []byte, hid byte) (*core.Handle, core.Code) {
	key, code := parsePrivate(data, password)
	if code != core.OK {
		return nil, code
	}
	switch key := key.(type) {
	case *sm9.SignPrivateKey:
		if key.MasterPublic() == nil {
			return nil, core.MasterPublicKeyMissing
		}
	case *sm9.EncryptPrivateKey:
		if key.MasterPublic() == nil {
			return nil, core.MasterPublicKeyMissing
		}
	case *sm9.SignMasterPrivateKey, *sm9.EncryptMasterPrivateKey:
		return nil, core.OtherKey
	default:
		return nil, core.OtherAlgorithm
	}
	return checked(newUser(kind, key, id, hid))
}

// SM9UserPrepare does nothing: gmsm has no tables.
func (functions) SM9UserPrepare(kind core.UserKind, h *core.Handle) core.Code {
	_, code := userOf(h, kind)
	return code
}

// SM9UserWrite writes the key of a user.
func (functions) SM9UserWrite(kind core.UserKind, h *core.Handle, form core.KeyForm) ([]byte, core.Code) {
	u, code := userOf(h, kind)
	if code != core.OK {
		return nil, code
	}
	return writeSecret(u.gmsm(), nil, form, func(point []byte) []byte { return point[1:] })
}

// SM9UserWriteEncrypted writes the key of a user under a password.
func (functions) SM9UserWriteEncrypted(kind core.UserKind, h *core.Handle, password []byte, form core.KeyForm) ([]byte, core.Code) {
	u, code := userOf(h, kind)
	if code != core.OK {
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

// SM9VerifyingNew is the identity of a signer. A hid of 0 is the default one.
func (functions) SM9VerifyingNew(master *core.Handle, id []byte, hid byte) (*core.Handle, core.Code) {
	return newIdentity[*sm9.SignMasterPublicKey](master, id, hidOr(hid, core.UserSigning))
}

// SM9EncryptionNew is the identity of a recipient. A hid of 0 is the default one.
func (functions) SM9EncryptionNew(master *core.Handle, id []byte, hid byte) (*core.Handle, core.Code) {
	return newIdentity[*sm9.EncryptMasterPublicKey](master, id, hidOr(hid, core.UserDecryption))
}

func newIdentity[Master any](h *core.Handle, id []byte, hid byte) (*core.Handle, core.Code) {
	master, code := valueOf[Master](h)
	if code != core.OK {
		return nil, code
	}
	if len(id) == 0 {
		return nil, core.EmptyIdentity
	}
	return core.NewHandle(&identity[Master]{master: master, id: append([]byte{}, id...), hid: hid}), core.OK
}

// SM9VerifyingPrepare does nothing: gmsm has no tables.
func (functions) SM9VerifyingPrepare(h *core.Handle) core.Code {
	_, code := valueOf[*identity[*sm9.SignMasterPublicKey]](h)
	return code
}

// SM9EncryptionPrepare does nothing: gmsm has no tables.
func (functions) SM9EncryptionPrepare(h *core.Handle) core.Code {
	_, code := valueOf[*identity[*sm9.EncryptMasterPublicKey]](h)
	return code
}
