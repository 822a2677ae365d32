//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

import (
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/subtle"
	"sync"

	"github.com/emmansun/gmsm/ecdh"
	"github.com/emmansun/gmsm/sm2"
	"github.com/emmansun/gmsm/sm3"
)

// SM2Encrypt encrypts a message, which needs SM2CiphertextOverhead bytes more than it has.
func SM2Encrypt(h *Handle, message []byte, form CiphertextForm, out []byte) (int, Code) {
	key, code := valueOf[*ecdsa.PublicKey](h)
	if code != OK {
		return 0, code
	}
	if len(message) == 0 {
		return 0, EmptyMessage
	}
	var options *sm2.EncrypterOpts
	switch form {
	case C1C3C2:
		options = sm2.NewPlainEncrypterOpts(sm2.MarshalUncompressed, sm2.C1C3C2)
	case C1C2C3:
		options = sm2.NewPlainEncrypterOpts(sm2.MarshalUncompressed, sm2.C1C2C3)
	case ASN1C1C3C2:
		options = sm2.ASN1EncrypterOpts
	default:
		return 0, InvalidArgument
	}
	ciphertext, err := sm2.Encrypt(rand.Reader, key, message, options)
	if err != nil {
		return 0, Random
	}
	return copy(out, ciphertext), OK
}

// SM2Decrypt decrypts a ciphertext into a buffer that is as long.
func SM2Decrypt(h *Handle, ciphertext []byte, form CiphertextForm, out []byte) (int, Code) {
	key, code := valueOf[*sm2.PrivateKey](h)
	if code != OK {
		return 0, code
	}
	type attempt struct {
		form       CiphertextForm
		ciphertext []byte
	}
	var attempts []attempt
	switch form {
	case C1C3C2, C1C2C3, ASN1C1C3C2:
		attempts = []attempt{{form, ciphertext}}
	case AnyC:
		// Without the point's first byte, whatever the next byte is.
		bare := append([]byte{4}, ciphertext...)
		attempts = []attempt{
			{ASN1C1C3C2, ciphertext}, {C1C3C2, ciphertext}, {C1C2C3, ciphertext}, {C1C3C2, bare}, {C1C2C3, bare},
		}
	default:
		return 0, InvalidArgument
	}
	for _, a := range attempts {
		ciphertext, fits := inForm(a.ciphertext, a.form)
		if !fits {
			continue
		}
		options := sm2.ASN1DecrypterOpts
		switch a.form {
		case C1C3C2:
			options = sm2.NewPlainDecrypterOpts(sm2.C1C3C2)
		case C1C2C3:
			options = sm2.NewPlainDecrypterOpts(sm2.C1C2C3)
		}
		if message, err := key.Decrypt(rand.Reader, ciphertext, options); err == nil {
			return copy(out, message), OK
		}
	}
	return 0, DecryptionFailed
}

// inForm is a ciphertext with its point in 65 bytes, and whether it may have a form: gmsm goes by the first byte, whatever it is told.
func inForm(ciphertext []byte, form CiphertextForm) ([]byte, bool) {
	switch {
	case len(ciphertext) == 0:
		return nil, false
	case form == ASN1C1C3C2:
		return ciphertext, ciphertext[0] == 0x30
	case len(ciphertext) > 33+32 && (ciphertext[0] == 2 || ciphertext[0] == 3):
		point, code := SM2PublicFromBytes(ciphertext[:33])
		if code != OK {
			return nil, false
		}
		return append(uncompressed(point.value.(*ecdsa.PublicKey)), ciphertext[33:]...), true
	}
	return ciphertext, len(ciphertext) > PointSize+32 && ciphertext[0] == 4
}

// SM2CiphertextConvert writes a ciphertext in another form.
func SM2CiphertextConvert(ciphertext []byte, from, to CiphertextForm) ([]byte, Code) {
	if from != C1C3C2 && from != C1C2C3 && from != ASN1C1C3C2 || to != C1C3C2 && to != C1C2C3 && to != ASN1C1C3C2 {
		return nil, InvalidArgument
	}
	ciphertext, fits := inForm(ciphertext, from)
	if !fits {
		return nil, CiphertextEncoding
	}
	orders := map[CiphertextForm]bool{C1C3C2: true, C1C2C3: false}
	_, fromPlain := orders[from]
	_, toPlain := orders[to]
	var result []byte
	var err error
	switch {
	case !fromPlain && !toPlain:
		// Read, so that bytes that are no ciphertext fail.
		if _, err = sm2.ASN1Ciphertext2Plain(ciphertext, nil); err == nil {
			result = append(result, ciphertext...)
		}
	case !fromPlain:
		options := sm2.NewPlainEncrypterOpts(sm2.MarshalUncompressed, sm2.C1C3C2)
		if to == C1C2C3 {
			options = sm2.NewPlainEncrypterOpts(sm2.MarshalUncompressed, sm2.C1C2C3)
		}
		result, err = sm2.ASN1Ciphertext2Plain(ciphertext, options)
	case !toPlain:
		if from == C1C2C3 {
			result, err = sm2.PlainCiphertext2ASN1(ciphertext, sm2.C1C2C3)
		} else {
			result, err = sm2.PlainCiphertext2ASN1(ciphertext, sm2.C1C3C2)
		}
	default:
		if _, err = sm2.NewPublicKey(ciphertext[:PointSize]); err == nil {
			result = append(result, ciphertext...)
			first, middle := 32, len(ciphertext)-PointSize-32
			if from == C1C2C3 {
				first, middle = middle, first
			}
			if from != to {
				copy(result[PointSize:], ciphertext[PointSize+first:])
				copy(result[PointSize+middle:], ciphertext[PointSize:PointSize+first])
			}
		}
	}
	if err != nil {
		return nil, CiphertextEncoding
	}
	return result, OK
}

// An exchange is one side of a key exchange (GB/T 32918.3). gmsm gives the shared point; the key and the confirmations are computed
// here, as gmsm takes an empty identity for the usual one.
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

func newExchange(h *Handle, id []byte, peer *Handle, peerID []byte, length int, isResponder bool) (*exchange, Code) {
	key, code := valueOf[*sm2.PrivateKey](h)
	if code != OK {
		return nil, code
	}
	peerKey, code := valueOf[*ecdsa.PublicKey](peer)
	if code != OK {
		return nil, code
	}
	e := &exchange{isResponder: isResponder, length: length}
	if code := identityDigest(&key.PublicKey, id, &e.z); code != OK {
		return nil, code
	}
	if code := identityDigest(peerKey, peerID, &e.peerZ); code != OK {
		return nil, code
	}
	var err error
	if e.static, err = key.ECDH(); err != nil {
		return nil, Internal
	}
	if e.peer, err = sm2.PublicKeyToECDH(peerKey); err != nil {
		return nil, Internal
	}
	if e.ephemeral, err = ecdh.P256().GenerateKey(rand.Reader); err != nil {
		return nil, Random
	}
	return e, OK
}

// derive computes the shared key, and the confirmations of the responder and of the initiator.
func (e *exchange) derive(point []byte) (shared, ofResponder, ofInitiator []byte, code Code) {
	switch {
	case len(point) == 64:
		point = append([]byte{4}, point...)
	case len(point) != PointSize && len(point) != 33:
		return nil, nil, nil, PointEncoding
	}
	h, code := SM2PublicFromBytes(point)
	if code != OK {
		return nil, nil, nil, code
	}
	remote, err := sm2.PublicKeyToECDH(h.value.(*ecdsa.PublicKey))
	if err != nil {
		return nil, nil, nil, PointNotOnCurve
	}
	u, err := e.static.SM2MQV(e.ephemeral, e.peer, remote)
	if err != nil {
		return nil, nil, nil, PointNotOnCurve
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
	return shared, confirmation(2), confirmation(3), OK
}

// SM2ExchangeStart is the initiator's first step.
func SM2ExchangeStart(key *Handle, id []byte, peer *Handle, peerID []byte, length int, point *[PointSize]byte) (*Handle, Code) {
	e, code := newExchange(key, id, peer, peerID, length, false)
	if code != OK {
		return nil, code
	}
	copy(point[:], e.ephemeral.PublicKey().Bytes())
	return newHandle(e), OK
}

// SM2ExchangeRespond is the responder's step.
func SM2ExchangeRespond(key *Handle, id []byte, peer *Handle, peerID, initiatorPoint []byte, length int,
	point *[PointSize]byte, confirmation *[32]byte) (*Handle, Code) {
	e, code := newExchange(key, id, peer, peerID, length, true)
	if code != OK {
		return nil, code
	}
	shared, own, expected, code := e.derive(initiatorPoint)
	if code != OK {
		return nil, code
	}
	e.shared, e.expected = shared, expected
	copy(point[:], e.ephemeral.PublicKey().Bytes())
	copy(confirmation[:], own)
	return newHandle(e), OK
}

// SM2InitiatorFinish is the initiator's last step. Without a confirmation, none is checked or made.
func SM2InitiatorFinish(initiator *Handle, point, confirmation, shared []byte, own *[32]byte) Code {
	e, code := valueOf[*exchange](initiator)
	if code != OK {
		return code
	}
	if confirmation != nil && len(confirmation) != 32 {
		return ConfirmationFailed
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.used {
		return AlreadyUsed
	}
	key, expected, made, code := e.derive(point)
	if code != OK {
		return code
	}
	e.used = true
	if confirmation != nil && subtle.ConstantTimeCompare(confirmation, expected) != 1 {
		return ConfirmationFailed
	}
	copy(shared, key)
	copy(own[:], made)
	return OK
}

// SM2ResponseConfirm is the responder's last step. Without a confirmation, none is checked.
func SM2ResponseConfirm(response *Handle, confirmation, shared []byte) Code {
	e, code := valueOf[*exchange](response)
	if code != OK {
		return code
	}
	if confirmation != nil && len(confirmation) != 32 {
		return ConfirmationFailed
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.used {
		return AlreadyUsed
	}
	e.used = true
	defer clear(e.shared)
	if confirmation != nil && subtle.ConstantTimeCompare(confirmation, e.expected) != 1 {
		return ConfirmationFailed
	}
	copy(shared, e.shared)
	return OK
}
