package main

import (
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"

	"github.com/emmansun/gmsm/ecdh"
	"github.com/emmansun/gmsm/sm3"
)

// party is one side of a key exchange (GB/T 32918.3). gmsm v0.44 gives the shared point and the key; the two
// confirmation values, which it leaves to its caller, are computed here over its point and its Z.
type party struct {
	responder   bool
	static      *ecdh.PrivateKey
	ephemeral   *ecdh.PrivateKey
	id          []byte
	peer        *ecdh.PublicKey
	peerID      []byte
	keyLength   int
	responderS  []byte // SB, which the responder sends
	initiatorS  []byte // SA, which the initiator sends
	derivedOnce bool
}

// derive computes the key and both confirmation values from the other side's ephemeral point.
func (p *party) derive(peerEphemeral []byte) (key []byte, err error) {
	if p.derivedOnce {
		return nil, errors.New("this exchange has its key already: start another")
	}
	remote, err := ecdh.P256().NewPublicKey(peerEphemeral)
	if err != nil {
		return nil, err
	}
	shared, err := p.static.SM2MQV(p.ephemeral, p.peer, remote)
	if err != nil {
		return nil, err
	}
	key, err = shared.SM2SharedKey(p.responder, p.keyLength, p.static.PublicKey(), p.peer, p.id, p.peerID)
	if err != nil {
		return nil, err
	}
	p.responderS, p.initiatorS, err = p.confirmations(shared, remote)
	p.derivedOnce = true
	return key, err
}

func (p *party) confirmations(shared, remote *ecdh.PublicKey) (responderS, initiatorS []byte, err error) {
	z, err := p.static.PublicKey().SM2ZA(sm3.New(), p.id)
	if err != nil {
		return nil, nil, err
	}
	peerZ, err := p.peer.SM2ZA(sm3.New(), p.peerID)
	if err != nil {
		return nil, nil, err
	}
	initiatorZ, responderZ := z, peerZ
	initiatorR, responderR := p.ephemeral.PublicKey().Bytes(), remote.Bytes()
	if p.responder {
		initiatorZ, responderZ = responderZ, initiatorZ
		initiatorR, responderR = responderR, initiatorR
	}
	u := shared.Bytes()
	inner := sm3.New()
	inner.Write(u[1:33])
	inner.Write(initiatorZ)
	inner.Write(responderZ)
	inner.Write(initiatorR[1:])
	inner.Write(responderR[1:])
	digest := inner.Sum(nil)
	value := func(tag byte) []byte {
		outer := sm3.New()
		outer.Write([]byte{tag})
		outer.Write(u[33:])
		outer.Write(digest)
		return outer.Sum(nil)
	}
	return value(2), value(3), nil
}

// exchanges holds the parties between the lines of one exchange.
type exchanges struct {
	parties map[int]*party
	last    int
}

func newExchanges() *exchanges {
	return &exchanges{parties: map[int]*party{}}
}

func (e *exchanges) get(handle int, responder bool) (*party, error) {
	p, known := e.parties[handle]
	if !known {
		return nil, fmt.Errorf("there is no exchange with the handle %d", handle)
	}
	if p.responder != responder {
		return nil, errors.New("this request belongs to the other role of the exchange")
	}
	return p, nil
}

// start makes a party and draws its ephemeral key, or takes it from the request so that a test can repeat the
// standard's example.
func (e *exchanges) start(request struct {
	Role       string `json:"role"`
	D          octets `json:"d"`
	ID         octets `json:"id" optional:"yes"`
	PeerPublic octets `json:"peer_public"`
	PeerID     octets `json:"peer_id" optional:"yes"`
	KeyLength  int    `json:"key_length"`
	Ephemeral  octets `json:"ephemeral_d" optional:"yes"`
}) (answer, error) {
	if request.Role != "initiator" && request.Role != "responder" {
		return nil, fmt.Errorf("unknown role %q: initiator or responder", request.Role)
	}
	for _, id := range []octets{request.ID, request.PeerID} {
		if id != nil && len(id) == 0 {
			return nil, errors.New("gmsm cannot hash an empty ID: it takes the default ID in its place; leave the field out for the default")
		}
	}
	if request.KeyLength < 1 || request.KeyLength > 1<<20 {
		return nil, errors.New("key_length must be from 1 to 1048576 bytes")
	}
	curve := ecdh.P256()
	static, err := curve.NewPrivateKey(request.D)
	if err != nil {
		return nil, err
	}
	peer, err := curve.NewPublicKey(request.PeerPublic)
	if err != nil {
		return nil, err
	}
	var ephemeral *ecdh.PrivateKey
	if request.Ephemeral == nil {
		ephemeral, err = curve.GenerateKey(rand.Reader)
	} else {
		ephemeral, err = curve.NewPrivateKey(request.Ephemeral)
	}
	if err != nil {
		return nil, err
	}
	e.last++
	e.parties[e.last] = &party{
		responder: request.Role == "responder",
		static:    static,
		ephemeral: ephemeral,
		id:        request.ID,
		peer:      peer,
		peerID:    request.PeerID,
		keyLength: request.KeyLength,
	}
	return answer{"handle": e.last, "ephemeral_public": octets(ephemeral.PublicKey().Bytes())}, nil
}

// respond is the responder's step: it has RA, and gives the key and SB. The handle stays for exchange_check.
func (e *exchanges) respond(request struct {
	Handle        int    `json:"handle"`
	PeerEphemeral octets `json:"peer_ephemeral"`
}) (answer, error) {
	p, err := e.get(request.Handle, true)
	if err != nil {
		return nil, err
	}
	key, err := p.derive(request.PeerEphemeral)
	if err != nil {
		return nil, err
	}
	return answer{"key": octets(key), "confirmation": octets(p.responderS)}, nil
}

// finish is the initiator's step: it has RB and, with confirmation, SB, which it checks; it gives the key and SA.
func (e *exchanges) finish(request struct {
	Handle        int    `json:"handle"`
	PeerEphemeral octets `json:"peer_ephemeral"`
	Confirmation  octets `json:"confirmation" optional:"yes"`
}) (answer, error) {
	p, err := e.get(request.Handle, false)
	if err != nil {
		return nil, err
	}
	key, err := p.derive(request.PeerEphemeral)
	delete(e.parties, request.Handle)
	if err != nil {
		return nil, err
	}
	if request.Confirmation != nil && subtle.ConstantTimeCompare(request.Confirmation, p.responderS) != 1 {
		return nil, errors.New("the responder's confirmation is wrong")
	}
	return answer{"key": octets(key), "confirmation": octets(p.initiatorS)}, nil
}

// check is the responder's last step: it has SA. The handle ends here.
func (e *exchanges) check(request struct {
	Handle       int    `json:"handle"`
	Confirmation octets `json:"confirmation"`
}) (answer, error) {
	p, err := e.get(request.Handle, true)
	if err != nil {
		return nil, err
	}
	if !p.derivedOnce {
		return nil, errors.New("exchange_respond comes before exchange_check")
	}
	delete(e.parties, request.Handle)
	if subtle.ConstantTimeCompare(request.Confirmation, p.initiatorS) != 1 {
		return nil, errors.New("the initiator's confirmation is wrong")
	}
	return answer{}, nil
}
