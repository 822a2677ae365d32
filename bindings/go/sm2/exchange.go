package sm2

import (
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
)

// maxShared is the most bytes to agree on: far more than any key has.
const maxShared = 1 << 20

// An Initiator is the side that began a key exchange (GB/T 32918.3) and waits for the point of the other side. It finishes once.
type Initiator struct {
	h      *core.Handle
	length int
	// Point is for the responder.
	Point [65]byte
}

// StartExchange begins a key exchange with a peer. Identities may be nil for the default one. length is the length of the key to agree
// on, 1 to 1048576 bytes.
func (k *PrivateKey) StartExchange(id []byte, peer *PublicKey, peerID []byte, length int) (*Initiator, error) {
	if length <= 0 || length > maxShared {
		return nil, fault.Of(core.DerivedKeyLength)
	}
	i := &Initiator{length: length}
	h, code := core.SM2ExchangeStart(k.handle(), core.Once(id), peer.handle(), core.Once(peerID), length, &i.Point)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	i.h = h
	return i, nil
}

// Finish takes the responder's point and confirmation. It returns the shared key, and the confirmation for the responder. If the
// confirmation is nil, none is checked and none is made: then a wrong peer is noticed only because the keys differ.
func (i *Initiator) Finish(point, confirmation []byte) (shared, own []byte, err error) {
	var made [32]byte
	shared = make([]byte, i.length)
	if code := core.SM2InitiatorFinish(i.h, core.Once(point), core.Once(confirmation), shared, &made); code != core.OK {
		return nil, nil, fault.Of(code)
	}
	if confirmation == nil {
		return shared, nil, nil
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

// RespondExchange answers the initiator's point. Identities may be nil for the default one. length is the length of the key to agree
// on, 1 to 1048576 bytes.
func (k *PrivateKey) RespondExchange(id []byte, peer *PublicKey, peerID, point []byte, length int) (*Responder, error) {
	if length <= 0 || length > maxShared {
		return nil, fault.Of(core.DerivedKeyLength)
	}
	r := &Responder{length: length}
	h, code := core.SM2ExchangeRespond(k.handle(), core.Once(id), peer.handle(), core.Once(peerID), core.Once(point), length,
		&r.Point, &r.Confirmation)
	if code != core.OK {
		return nil, fault.Of(code)
	}
	r.h = h
	return r, nil
}

// A RespondItem is a key exchange to answer, by the owner of Key: Peer and Point are the initiator's. Identities may be nil for the
// default one.
type RespondItem struct {
	Key    *PrivateKey
	ID     []byte
	Peer   *PublicKey
	PeerID []byte
	Point  []byte
}

// RespondExchangeBatch answers the initiators of all items, as PrivateKey.RespondExchange does, but faster: three times with AVX-512, from
// sixteen items on. It is for servers with many initiators. length is the length of the keys to agree on, 1 to 1048576 bytes. Item i's
// responder goes to responders[i], nil if it failed, and nil or an error to results[i]; both slices must be as long as items.
// RespondExchangeBatch returns the first error, and computes on the calling goroutine, as SignBatch does.
func RespondExchangeBatch(items []RespondItem, length int, responders []*Responder, results []error) error {
	switch {
	case len(responders) != len(items) || len(results) != len(items):
		return fault.Refuse(responders, results, core.InvalidArgument)
	case length <= 0 || length > maxShared:
		return fault.Refuse(responders, results, core.DerivedKeyLength)
	}
	fault.Refuse(responders, results, core.Internal)
	core.SM2RespondBatch(len(items), length, func(i int) core.RespondItem {
		item := &items[i]
		return core.RespondItem{
			Key: item.Key.handle(), ID: core.Once(item.ID), Peer: item.Peer.handle(), PeerID: core.Once(item.PeerID), Point: core.Once(item.Point),
		}
	}, func(i int, code core.Code, response *core.Handle, point, confirmation []byte) {
		if results[i] = fault.Of(code); code != core.OK {
			return
		}
		made := &Responder{h: response, length: length}
		copy(made.Point[:], point)
		copy(made.Confirmation[:], confirmation)
		responders[i] = made
	})
	return fault.First(results)
}

// Finish takes the initiator's confirmation, and returns the shared key. If the confirmation is nil, none is checked.
func (r *Responder) Finish(confirmation []byte) ([]byte, error) {
	shared := make([]byte, r.length)
	if code := core.SM2ResponseConfirm(r.h, core.Once(confirmation), shared); code != core.OK {
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
