//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package gmsm

import (
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/subtle"
	"sync"

	"github.com/emmansun/gmsm/ecdh"
	"github.com/emmansun/gmsm/sm2"
	"github.com/emmansun/gmsm/sm3"

	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
)

// SM2Encrypt encrypts a message, which needs SM2CiphertextOverhead bytes more than it has.
func (functions) SM2Encrypt(h *core.Handle, message []byte, form core.CiphertextForm, out []byte) (int, core.Code) {
	key, code := valueOf[*ecdsa.PublicKey](h)
	if code != core.OK {
		return 0, code
	}
	if len(message) == 0 {
		return 0, core.EmptyMessage
	}
	var options *sm2.EncrypterOpts
	switch form {
	case core.C1C3C2:
		options = sm2.NewPlainEncrypterOpts(sm2.MarshalUncompressed, sm2.C1C3C2)
	case core.C1C2C3:
		options = sm2.NewPlainEncrypterOpts(sm2.MarshalUncompressed, sm2.C1C2C3)
	case core.ASN1C1C3C2:
		options = sm2.ASN1EncrypterOpts
	default:
		return 0, core.InvalidArgument
	}
	ciphertext, err := sm2.Encrypt(rand.Reader, key, message, options)
	if err != nil {
		return 0, core.Random
	}
	return copy(out, ciphertext), core.OK
}

// SM2Decrypt decrypts a ciphertext into a buffer that is as long.
func (functions) SM2Decrypt(h *core.Handle, ciphertext []byte, form core.CiphertextForm, out []byte) (int, core.Code) {
	key, code := valueOf[*sm2.PrivateKey](h)
	if code != core.OK {
		return 0, code
	}
	type attempt struct {
		form       core.CiphertextForm
		ciphertext []byte
	}
	var attempts []attempt
	switch form {
	case core.C1C3C2, core.C1C2C3, core.ASN1C1C3C2:
		attempts = []attempt{{form, ciphertext}}
	case core.AnyC:
		// Without the point's first byte; the next byte may have any value.
		bare := append([]byte{4}, ciphertext...)
		attempts = []attempt{
			{core.ASN1C1C3C2, ciphertext}, {core.C1C3C2, ciphertext}, {core.C1C2C3, ciphertext}, {core.C1C3C2, bare}, {core.C1C2C3, bare},
		}
	default:
		return 0, core.InvalidArgument
	}
	for _, a := range attempts {
		ciphertext, fits := inForm(a.ciphertext, a.form)
		if !fits {
			continue
		}
		options := sm2.ASN1DecrypterOpts
		switch a.form {
		case core.C1C3C2:
			options = sm2.NewPlainDecrypterOpts(sm2.C1C3C2)
		case core.C1C2C3:
			options = sm2.NewPlainDecrypterOpts(sm2.C1C2C3)
		}
		if message, err := key.Decrypt(rand.Reader, ciphertext, options); err == nil {
			return copy(out, message), core.OK
		}
	}
	return 0, core.DecryptionFailed
}

// inForm is a ciphertext with its point in 65 bytes, and whether it may have a form: gmsm decides by the first byte, and not by its options.
func inForm(ciphertext []byte, form core.CiphertextForm) ([]byte, bool) {
	switch {
	case len(ciphertext) == 0:
		return nil, false
	case form == core.ASN1C1C3C2:
		return ciphertext, ciphertext[0] == 0x30
	case len(ciphertext) > 33+32 && (ciphertext[0] == 2 || ciphertext[0] == 3):
		point, code := publicFromBytes(ciphertext[:33])
		if code != core.OK {
			return nil, false
		}
		return append(uncompressed(point), ciphertext[33:]...), true
	}
	return ciphertext, len(ciphertext) > core.PointSize+32 && ciphertext[0] == 4
}

// SM2CiphertextConvert writes a ciphertext in another form.
func (functions) SM2CiphertextConvert(ciphertext []byte, from, to core.CiphertextForm) ([]byte, core.Code) {
	if from != core.C1C3C2 && from != core.C1C2C3 && from != core.ASN1C1C3C2 || to != core.C1C3C2 && to != core.C1C2C3 && to != core.ASN1C1C3C2 {
		return nil, core.InvalidArgument
	}
	ciphertext, fits := inForm(ciphertext, from)
	if !fits {
		return nil, core.CiphertextEncoding
	}
	orders := map[core.CiphertextForm]bool{core.C1C3C2: true, core.C1C2C3: false}
	_, fromPlain := orders[from]
	_, toPlain := orders[to]
	var result []byte
	var err error
	switch {
	case !fromPlain && !toPlain:
		// Read, so that bytes that are not a ciphertext fail.
		if _, err = sm2.ASN1Ciphertext2Plain(ciphertext, nil); err == nil {
			result = append(result, ciphertext...)
		}
	case !fromPlain:
		options := sm2.NewPlainEncrypterOpts(sm2.MarshalUncompressed, sm2.C1C3C2)
		if to == core.C1C2C3 {
			options = sm2.NewPlainEncrypterOpts(sm2.MarshalUncompressed, sm2.C1C2C3)
		}
		result, err = sm2.ASN1Ciphertext2Plain(ciphertext, options)
	case !toPlain:
		if from == core.C1C2C3 {
			result, err = sm2.PlainCiphertext2ASN1(ciphertext, sm2.C1C2C3)
		} else {
			result, err = sm2.PlainCiphertext2ASN1(ciphertext, sm2.C1C3C2)
		}
	default:
		if _, err = sm2.NewPublicKey(ciphertext[:core.PointSize]); err == nil {
			result = append(result, ciphertext...)
			first, middle := 32, len(ciphertext)-core.PointSize-32
			if from == core.C1C2C3 {
				first, middle = middle, first
			}
			if from != to {
				copy(result[core.PointSize:], ciphertext[core.PointSize+first:])
				copy(result[core.PointSize+middle:], ciphertext[core.PointSize:core.PointSize+first])
			}
		}
	}
	if err != nil {
		return nil, core.CiphertextEncoding
	}
	return result, core.OK
}

// An exchange is one side of a key exchange (GB/T 32918.3). gmsm gives the shared point; the key and the confirmations are computed
// here, as gmsm takes an empty identity for the default one.
type exchange struct {
	mutex       sync.Mutex
	used        bool
	isResponder bool
	static      *ecdh.PrivateKey
	ephemeral   *ecdh.PrivateKey
	peer        *ecdh.PublicKey
	z, peerZ    [32]byte
	length      int
	// What the responder keeps for its last step.
	shared, expected []byte
}

func newExchange(h *core.Handle, id []byte, peer *core.Handle, peerID []byte, length int, isResponder bool) (*exchange, core.Code) {
	key, code := valueOf[*sm2.PrivateKey](h)
	if code != core.OK {
		return nil, code
	}
	peerKey, code := valueOf[*ecdsa.PublicKey](peer)
	if code != core.OK {
		return nil, code
	}
	e := &exchange{isResponder: isResponder, length: length}
	if code := identityDigest(&key.PublicKey, id, &e.z); code != core.OK {
		return nil, code
	}
	if code := identityDigest(peerKey, peerID, &e.peerZ); code != core.OK {
		return nil, code
	}
	var err error
	if e.static, err = key.ECDH(); err != nil {
		return nil, core.Internal
	}
	if e.peer, err = sm2.PublicKeyToECDH(peerKey); err != nil {
		return nil, core.Internal
	}
	if e.ephemeral, err = ecdh.P256().GenerateKey(rand.Reader); err != nil {
		return nil, core.Random
	}
	return e, core.OK
}

// derive computes the shared key, and the confirmations of the responder and of the initiator.
func (e *exchange) derive(point []byte) (shared, ofResponder, ofInitiator []byte, code core.Code) {
	switch {
	case len(point) == 64:
		point = append([]byte{4}, point...)
	case len(point) != core.PointSize && len(point) != 33:
		return nil, nil, nil, core.PointEncoding
	}
	public, code := publicFromBytes(point)
	if code != core.OK {
		return nil, nil, nil, code
	}
	remote, err := sm2.PublicKeyToECDH(public)
	if err != nil {
		return nil, nil, nil, core.PointNotOnCurve
	}
	u, err := e.static.SM2MQV(e.ephemeral, e.peer, remote)
	if err != nil {
		return nil, nil, nil, core.PointNotOnCurve
	}
	zs := [2]*[32]byte{&e.z, &e.peerZ}
	points := [2][]byte{e.ephemeral.PublicKey().Bytes()[1:], remote.Bytes()[1:]}
	if e.isResponder {
		zs[0], zs[1] = zs[1], zs[0]
		points[0], points[1] = points[1], points[0]
	}
	xy := u.Bytes()[1:]
	secret := append(append(append([]byte{}, xy...), zs[0][:]...), zs[1][:]...)
	shared = sm3.Kdf(secret, e.length)
	clear(secret)
	inner := sm3.New()
	for _, part := range [][]byte{xy[:32], zs[0][:], zs[1][:], points[0], points[1]} {
		inner.Write(part)
	}
	digest := inner.Sum(nil)
	confirmation := func(tag byte) []byte {
		outer := sm3.New()
		outer.Write([]byte{tag})
		outer.Write(xy[32:])
		outer.Write(digest)
		return outer.Sum(nil)
	}
	return shared, confirmation(2), confirmation(3), core.OK
}

// SM2ExchangeStart is the initiator's first step.
func (functions) SM2ExchangeStart(key *core.Handle, id []byte, peer *core.Handle, peerID []byte, length int, point *[core.PointSize]byte) (*core.Handle, core.Code) {
	e, code := newExchange(key, id, peer, peerID, length, false)
	if code != core.OK {
		return nil, code
	}
	copy(point[:], e.ephemeral.PublicKey().Bytes())
	return core.NewHandle(e), core.OK
}

// SM2ExchangeRespond is the responder's step.
func (functions) SM2ExchangeRespond(key *core.Handle, id []byte, peer *core.Handle, peerID, initiatorPoint []byte, length int,
	point *[core.PointSize]byte, confirmation *[32]byte) (*core.Handle, core.Code) {
	e, code := newExchange(key, id, peer, peerID, length, true)
	if code != core.OK {
		return nil, code
	}
	shared, own, expected, code := e.derive(initiatorPoint)
	if code != core.OK {
		return nil, code
	}
	e.shared, e.expected = shared, expected
	copy(point[:], e.ephemeral.PublicKey().Bytes())
	copy(confirmation[:], own)
	return core.NewHandle(e), core.OK
}

// SM2InitiatorFinish is the initiator's last step. Without a confirmation, none is checked or made.
func (functions) SM2InitiatorFinish(initiator *core.Handle, point, confirmation, shared []byte, own *[32]byte) core.Code {
	e, code := valueOf[*exchange](initiator)
	if code != core.OK {
		return code
	}
	if confirmation != nil && len(confirmation) != 32 {
		return core.ConfirmationFailed
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.used {
		return core.AlreadyUsed
	}
	key, expected, made, code := e.derive(point)
	if code != core.OK {
		return code
	}
	e.used = true
	if confirmation != nil && subtle.ConstantTimeCompare(confirmation, expected) != 1 {
		return core.ConfirmationFailed
	}
	copy(shared, key)
	copy(own[:], made)
	return core.OK
}

// SM2ResponseConfirm is the responder's last step. Without a confirmation, none is checked.
func (functions) SM2ResponseConfirm(response *core.Handle, confirmation, shared []byte) core.Code {
	e, code := valueOf[*exchange](response)
	if code != core.OK {
		return code
	}
	if confirmation != nil && len(confirmation) != 32 {
		return core.ConfirmationFailed
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.used {
		return core.AlreadyUsed
	}
	e.used = true
	defer clear(e.shared)
	if confirmation != nil && subtle.ConstantTimeCompare(confirmation, e.expected) != 1 {
		return core.ConfirmationFailed
	}
	copy(shared, e.shared)
	return core.OK
}

// SM2RespondBatch answers n key exchanges, one after another, which done gets in order.
func (f functions) SM2RespondBatch(n, length int, item func(int) core.RespondItem,
	done func(item int, code core.Code, response *core.Handle, point, confirmation []byte)) {
	for i := range n {
		it := item(i)
		var point [core.PointSize]byte
		var confirmation [32]byte
		response, code := f.SM2ExchangeRespond(it.Key, it.ID, it.Peer, it.PeerID, it.Point, length, &point, &confirmation)
		done(i, code, response, point[:], confirmation[:])
	}
}

// SM2DiffieHellmanBatch computes n shared secrets, one after another, which done gets in order.
func (functions) SM2DiffieHellmanBatch(n int, item func(int) core.PairItem, done func(item int, code core.Code, secret []byte)) {
	for i := range n {
		secret, code := diffieHellman(item(i))
		done(i, code, secret)
	}
}

func diffieHellman(it core.PairItem) ([]byte, core.Code) {
	key, code := valueOf[*sm2.PrivateKey](it.Key)
	if code != core.OK {
		return nil, code
	}
	peer, code := valueOf[*ecdsa.PublicKey](it.Peer)
	if code != core.OK {
		return nil, code
	}
	own, err := key.ECDH()
	if err != nil {
		return nil, core.Internal
	}
	other, err := sm2.PublicKeyToECDH(peer)
	if err != nil {
		return nil, core.Internal
	}
	secret, err := own.ECDH(other)
	if err != nil {
		return nil, core.Internal
	}
	return secret, core.OK
}
