package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"

	"github.com/emmansun/gmsm/sm2"
	"github.com/emmansun/gmsm/sm3"
	"golang.org/x/crypto/cryptobyte"
	"golang.org/x/crypto/cryptobyte/asn1"
)

func sm3Digest(request struct {
	Data octets `json:"data"`
}) (answer, error) {
	digest := sm3.Sum(request.Data)
	return answer{"digest": octets(digest[:])}, nil
}

func hmacSM3(request struct {
	Key  octets `json:"key"`
	Data octets `json:"data"`
}) (answer, error) {
	mac := hmac.New(sm3.New, request.Key)
	mac.Write(request.Data)
	return answer{"mac": octets(mac.Sum(nil))}, nil
}

func keyAnswer(key *sm2.PrivateKey) answer {
	return answer{
		"d":      octets(key.D.FillBytes(make([]byte, 32))),
		"public": octets(uncompressed(&key.PublicKey)),
	}
}

func uncompressed(public *ecdsa.PublicKey) []byte {
	encoded := make([]byte, 65)
	encoded[0] = 4
	public.X.FillBytes(encoded[1:33])
	public.Y.FillBytes(encoded[33:])
	return encoded
}

func sm2Keygen(struct{}) (answer, error) {
	key, err := sm2.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	return keyAnswer(key), nil
}

func sm2Public(request struct {
	D octets `json:"d"`
}) (answer, error) {
	key, err := sm2.NewPrivateKey(request.D)
	if err != nil {
		return nil, err
	}
	return keyAnswer(key), nil
}

// messageDigest is e = SM3(Z || M). An ID left out is the default one. gmsm reads an empty ID as the default one too,
// which would make a comparison about empty IDs wrong without a word; so an empty ID is refused here.
func messageDigest(public *ecdsa.PublicKey, id, message octets) ([]byte, error) {
	if id != nil && len(id) == 0 {
		return nil, errors.New("gmsm cannot hash an empty ID: it takes the default ID in its place; leave the field out for the default")
	}
	if len(id) >= 1<<13 {
		return nil, errors.New("the ID is longer than 8191 bytes")
	}
	return sm2.CalculateSM2Hash(public, message, id)
}

func signatureAnswer(der []byte) (answer, error) {
	var inner cryptobyte.String
	r, s := new(big.Int), new(big.Int)
	input := cryptobyte.String(der)
	if !input.ReadASN1(&inner, asn1.SEQUENCE) || !input.Empty() ||
		!inner.ReadASN1Integer(r) || !inner.ReadASN1Integer(s) || !inner.Empty() {
		return nil, errors.New("gmsm made a signature that is not SEQUENCE { INTEGER, INTEGER }")
	}
	raw := make([]byte, 64)
	r.FillBytes(raw[:32])
	s.FillBytes(raw[32:])
	return answer{"signature": octets(der), "raw": octets(raw)}, nil
}

func signDigest(key *sm2.PrivateKey, digest []byte, deterministic bool) (answer, error) {
	var (
		der []byte
		err error
		raw = crypto.Hash(0) // the digest is signed as it is
	)
	if deterministic {
		der, err = sm2.SignDeterministic(key, digest, raw)
	} else {
		der, err = sm2.SignASN1(rand.Reader, key, digest, raw)
	}
	if err != nil {
		return nil, err
	}
	return signatureAnswer(der)
}

func sm2Sign(request struct {
	D             octets `json:"d"`
	ID            octets `json:"id" optional:"yes"`
	Message       octets `json:"message"`
	Deterministic bool   `json:"deterministic"`
}) (answer, error) {
	key, err := sm2.NewPrivateKey(request.D)
	if err != nil {
		return nil, err
	}
	// Not through SM2SignerOption, which refuses an empty message.
	digest, err := messageDigest(&key.PublicKey, request.ID, request.Message)
	if err != nil {
		return nil, err
	}
	return signDigest(key, digest, request.Deterministic)
}

func sm2SignDigest(request struct {
	D             octets `json:"d"`
	Digest        octets `json:"digest"`
	Deterministic bool   `json:"deterministic"`
}) (answer, error) {
	key, err := sm2.NewPrivateKey(request.D)
	if err != nil {
		return nil, err
	}
	if len(request.Digest) != sm3.Size {
		return nil, fmt.Errorf("the digest has %d bytes, not 32", len(request.Digest))
	}
	return signDigest(key, request.Digest, request.Deterministic)
}

func sm2Verify(request struct {
	Public    octets `json:"public"`
	ID        octets `json:"id" optional:"yes"`
	Message   octets `json:"message"`
	Signature octets `json:"signature"`
}) (answer, error) {
	public, err := sm2.NewPublicKey(request.Public)
	if err != nil {
		return nil, err
	}
	digest, err := messageDigest(public, request.ID, request.Message)
	if err != nil {
		return nil, err
	}
	return answer{"valid": sm2.VerifyASN1(public, digest, request.Signature)}, nil
}

func sm2VerifyDigest(request struct {
	Public    octets `json:"public"`
	Digest    octets `json:"digest"`
	Signature octets `json:"signature"`
}) (answer, error) {
	public, err := sm2.NewPublicKey(request.Public)
	if err != nil {
		return nil, err
	}
	if len(request.Digest) != sm3.Size {
		return nil, fmt.Errorf("the digest has %d bytes, not 32", len(request.Digest))
	}
	return answer{"valid": sm2.VerifyASN1(public, request.Digest, request.Signature)}, nil
}

// The plain forms are C1 || C3 || C2 and C1 || C2 || C3; "der" is GM/T 0009's SEQUENCE.
func encrypterOptions(form, point string) (*sm2.EncrypterOpts, error) {
	mode := sm2.MarshalUncompressed
	switch point {
	case "", "uncompressed":
	case "compressed":
		mode = sm2.MarshalCompressed
	default:
		return nil, fmt.Errorf("unknown point form %q: uncompressed or compressed", point)
	}
	switch form {
	case "c1c3c2":
		return sm2.NewPlainEncrypterOpts(mode, sm2.C1C3C2), nil
	case "c1c2c3":
		return sm2.NewPlainEncrypterOpts(mode, sm2.C1C2C3), nil
	case "der":
		return sm2.ASN1EncrypterOpts, nil
	}
	return nil, fmt.Errorf("unknown form %q: c1c3c2, c1c2c3 or der", form)
}

// pointPrefix is the byte that begins an uncompressed C1. gmsm always writes and expects it; "prefix": false, which
// some implementations exchange, drops it after encryption and puts it back before decryption.
const pointPrefix = 4

func sm2Encrypt(request struct {
	Public  octets `json:"public"`
	Message octets `json:"message"`
	Form    string `json:"form"`
	Point   string `json:"point"`
	Prefix  *bool  `json:"prefix"`
}) (answer, error) {
	public, err := sm2.NewPublicKey(request.Public)
	if err != nil {
		return nil, err
	}
	options, err := encrypterOptions(request.Form, request.Point)
	if err != nil {
		return nil, err
	}
	if len(request.Message) == 0 {
		return nil, errors.New("gmsm does not encrypt an empty message")
	}
	ciphertext, err := sm2.Encrypt(rand.Reader, public, request.Message, options)
	if err != nil {
		return nil, err
	}
	if request.Prefix != nil && !*request.Prefix {
		if request.Form == "der" || ciphertext[0] != pointPrefix {
			return nil, errors.New("only the plain forms with an uncompressed point have a prefix to leave out")
		}
		ciphertext = ciphertext[1:]
	}
	return answer{"ciphertext": octets(ciphertext)}, nil
}

func sm2Decrypt(request struct {
	D          octets `json:"d"`
	Ciphertext octets `json:"ciphertext"`
	Form       string `json:"form"`
	Prefix     *bool  `json:"prefix"`
}) (answer, error) {
	key, err := sm2.NewPrivateKey(request.D)
	if err != nil {
		return nil, err
	}
	options := sm2.ASN1DecrypterOpts
	switch request.Form {
	case "der":
	case "c1c3c2":
		options = sm2.NewPlainDecrypterOpts(sm2.C1C3C2)
	case "c1c2c3":
		options = sm2.NewPlainDecrypterOpts(sm2.C1C2C3)
	default:
		return nil, fmt.Errorf("unknown form %q: c1c3c2, c1c2c3 or der", request.Form)
	}
	ciphertext := request.Ciphertext
	if request.Prefix != nil && !*request.Prefix {
		if request.Form == "der" {
			return nil, errors.New("the DER form has no prefix to leave out")
		}
		ciphertext = append(octets{pointPrefix}, ciphertext...)
	}
	// gmsm tells the DER form by its first byte, whatever the options say: hold the caller to the form that was named.
	if len(ciphertext) > 0 && (ciphertext[0] == byte(asn1.SEQUENCE)) != (request.Form == "der") {
		return nil, fmt.Errorf("the ciphertext is not of the form %s", request.Form)
	}
	message, err := key.Decrypt(rand.Reader, ciphertext, options)
	if err != nil {
		return nil, err
	}
	return answer{"message": octets(message)}, nil
}

func pointCompress(request struct {
	Public octets `json:"public"`
}) (answer, error) {
	public, err := sm2.NewPublicKey(request.Public)
	if err != nil {
		return nil, err
	}
	return answer{"compressed": octets(elliptic.MarshalCompressed(sm2.P256(), public.X, public.Y))}, nil
}

func pointDecompress(request struct {
	Compressed octets `json:"compressed"`
}) (answer, error) {
	x, y := elliptic.UnmarshalCompressed(sm2.P256(), request.Compressed)
	if x == nil {
		return nil, errors.New("not a compressed point of the curve")
	}
	public := &ecdsa.PublicKey{Curve: sm2.P256(), X: x, Y: y}
	return answer{"public": octets(uncompressed(public))}, nil
}
