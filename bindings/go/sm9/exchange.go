package sm9

import (
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
)

// An ExchangeKey is a user's private key for key exchange, in C's memory.
type ExchangeKey struct{ user }

// NewExchangeKey reads a private key from its point. It checks that the key belongs to this identity under the master key.
func NewExchangeKey(point, id []byte, hid byte, master *MasterEncryptionPublicKey) (*ExchangeKey, error) {
	h, code := newUser(core.UserExchange, point, id, hid, master.handle())
	return newExchangeKey(h, code)
}

// ParseExchangeKey reads the private key of the user with this identity from a file in PEM or DER: PKCS#8 with the master public key,
// encrypted or not. The password may be nil.
func ParseExchangeKey(file, password, id []byte, hid byte) (*ExchangeKey, error) {
	h, code := readUser(core.UserExchange, file, password, id, hid)
	return newExchangeKey(h, code)
}

func newExchangeKey(h *core.Handle, code core.Code) (*ExchangeKey, error) {
	if code != core.OK {
		return nil, fault.Of(code)
	}
	return &ExchangeKey{user{h: h, kind: core.UserExchange}}, nil
}

// Prepare makes the table of the key now, which it would make at its second use: key exchange is faster with it.
func (k *ExchangeKey) Prepare() error {
	return fault.Of(core.SM9UserPrepare(core.UserExchange, k.handle()))
}

func (k *ExchangeKey) handle() *core.Handle {
	if k == nil {
		return nil
	}
	return k.h
}

// An Initiator is the side that began a key exchange (GB/T 38635.2, 7) and waits for the point of the other side. It finishes once.
type Initiator struct {
	h      *core.Handle
	length int
	// Point is for the responder.
	Point [65]byte
}

// Start begins a key exchange with the user peerID. length is the length of the key to agree on, 1 to 1048576 bytes.
func (k *ExchangeKey) Start(peerID []byte, peerHID byte, length int) (*Initiator, error) {
	if length <= 0 || length > maxDerived {
		return nil, fault.Of(core.DerivedKeyLength)
	}
	i := &Initiator{length: length}
	h, code := core.SM9ExchangeStart(k.handle(), core.Once(peerID), peerHID, length, &i.Point)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	i.h = h
	return i, nil
}

// Finish takes the responder's point and confirmation, and returns the shared key and the confirmation for the responder.
func (i *Initiator) Finish(point, confirmation []byte) (shared, own []byte, err error) {
	var made [32]byte
	shared = make([]byte, i.length)
	if code := core.SM9InitiatorFinish(i.h, core.Once(point), core.Once(confirmation), shared, &made); code != core.OK {
		return nil, nil, fault.Of(code)
	}
	return shared, made[:], nil
}

// Close wipes the state.
func (i *Initiator) Close() {
	if i != nil {
		i.h.Close()
	}
}

// A Responder is the side that answered, before its last step.
type Responder struct {
	h      *core.Handle
	length int
	// Point and Confirmation are for the initiator.
	Point        [65]byte
	Confirmation [32]byte
}

// Respond answers the point of the initiator peerID. length is the length of the key to agree on, 1 to 1048576 bytes.
func (k *ExchangeKey) Respond(peerID []byte, peerHID byte, point []byte, length int) (*Responder, error) {
	if length <= 0 || length > maxDerived {
		return nil, fault.Of(core.DerivedKeyLength)
	}
	r := &Responder{length: length}
	h, code := core.SM9ExchangeRespond(k.handle(), core.Once(peerID), peerHID, core.Once(point), length, &r.Point, &r.Confirmation)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	r.h = h
	return r, nil
}

// Finish takes the initiator's confirmation, and returns the shared key.
func (r *Responder) Finish(confirmation []byte) ([]byte, error) {
	shared := make([]byte, r.length)
	if code := core.SM9ResponseConfirm(r.h, core.Once(confirmation), shared); code != core.OK {
		return nil, fault.Of(code)
	}
	return shared, nil
}

// Close wipes the state.
func (r *Responder) Close() {
	if r != nil {
		r.h.Close()
	}
}
