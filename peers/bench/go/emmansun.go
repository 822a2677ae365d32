package main

import (
	"crypto/cipher"
	"crypto/ecdsa"
	"crypto/rand"
	"encoding/asn1"
	"errors"
	"maps"
	"math/big"

	gmcipher "github.com/emmansun/gmsm/cipher"
	"github.com/emmansun/gmsm/ecdh"
	"github.com/emmansun/gmsm/sm2"
	"github.com/emmansun/gmsm/sm3"
	"github.com/emmansun/gmsm/sm4"
	"github.com/emmansun/gmsm/sm9"
)

var identity = []byte("alice@example.com")

const hidSign, hidExchange, hidEncrypt = 1, 2, 3

// emmansun works with one key again and again, the most favourable case for gmsm. What is kept between operations, and is therefore in place
// after the one before the clock: with an *sm2.PrivateKey, in a weak map, the internal key with (1+d)^-1; with an *ecdsa.PublicKey the
// internal, checked key; in SM9's master public keys the pairing g and a table of its powers; in a user's encryption key the lines of the
// Miller loop. Z is hashed anew every time, and an identity's point computed anew. There is no table of multiples of a public key. The
// pairing is not exported: the nearest is the first decapsulation with a key just read.
var emmansun = map[string]operation{
	"sm2-keygen": func(inputs) (func() ([]byte, error), error) {
		return func() ([]byte, error) {
			_, err := sm2.GenerateKey(rand.Reader)
			return nil, err
		}, nil
	},
	"sm2-sign": func(given inputs) (func() ([]byte, error), error) {
		key, err := sm2.NewPrivateKey(given["secret"])
		return func() ([]byte, error) { return key.Sign(rand.Reader, given["message"], sm2.DefaultSM2SignerOpts) }, err
	},
	"sm2-verify": withPublic(func(key *ecdsa.PublicKey, given inputs) ([]byte, error) {
		return truth(sm2.VerifyASN1WithSM2(key, nil, given["message"], given["signature"])), nil
	}),
	"sm2-encrypt": withPublic(func(key *ecdsa.PublicKey, given inputs) ([]byte, error) {
		return sm2.Encrypt(rand.Reader, key, given["message"], nil)
	}),
	"sm2-decrypt": func(given inputs) (func() ([]byte, error), error) {
		key, err := sm2.NewPrivateKey(given["secret"])
		return func() ([]byte, error) { return sm2.Decrypt(key, given["ciphertext"]) }, err
	},
	"sm2-exchange": exchange,
	"sm3": func(given inputs) (func() ([]byte, error), error) {
		message := given["message"]
		return func() ([]byte, error) {
			digest := sm3.Sum(message)
			return digest[:], nil
		}, nil
	},
	"sm9-extract": func(given inputs) (func() ([]byte, error), error) {
		master, err := sm9.UnmarshalSignMasterPrivateKeyASN1(integer(given["master"]))
		return func() ([]byte, error) {
			key, err := master.GenerateUserKey(identity, hidSign)
			if err != nil {
				return nil, err
			}
			return key.Bytes(), nil
		}, err
	},
	"sm9-extract-encryption": func(given inputs) (func() ([]byte, error), error) {
		master, err := sm9.UnmarshalEncryptMasterPrivateKeyASN1(integer(given["master"]))
		return func() ([]byte, error) {
			key, err := master.GenerateUserKey(identity, hidEncrypt)
			if err != nil {
				return nil, err
			}
			return key.Bytes(), nil
		}, err
	},
	"sm9-sign": withSigner(func(key *sm9.SignPrivateKey, given inputs) ([]byte, error) {
		return sm9.SignASN1(rand.Reader, key, given["message"])
	}),
	"sm9-verify": withSigner(func(key *sm9.SignPrivateKey, given inputs) ([]byte, error) {
		public := key.MasterPublic()
		return truth(sm9.VerifyASN1(public, identity, hidSign, given["message"], given["signature"])), nil
	}),
	"sm9-encrypt": withReader(func(key *sm9.EncryptPrivateKey, given inputs) ([]byte, error) {
		ciphertext, err := sm9.Encrypt(rand.Reader, key.MasterPublic(), identity, hidEncrypt, given["message"], nil)
		// Its point comes without the 04 before it.
		return append([]byte{4}, ciphertext...), err
	}),
	"sm9-decrypt": withReader(func(key *sm9.EncryptPrivateKey, given inputs) ([]byte, error) {
		return sm9.Decrypt(key, identity, given["ciphertext"][1:], nil)
	}),
	"sm9-encapsulate": withReader(func(key *sm9.EncryptPrivateKey, given inputs) ([]byte, error) {
		shared, point, err := sm9.WrapKey(rand.Reader, key.MasterPublic(), identity, hidEncrypt, 32)
		return append(point, shared...), err
	}),
	"sm9-decapsulate": withReader(func(key *sm9.EncryptPrivateKey, given inputs) ([]byte, error) {
		return sm9.UnwrapKey(key, identity, given["encapsulated"], 32)
	}),
	"sm9-pairing": withReader(func(key *sm9.EncryptPrivateKey, given inputs) ([]byte, error) {
		read, err := sm9.UnmarshalEncryptPrivateKeyRaw(key.Bytes())
		if err != nil {
			return nil, err
		}
		return sm9.UnwrapKey(read, identity, given["encapsulated"], 32)
	}),
	"sm9-exchange": sm9Exchange,
}

func init() {
	maps.Copy(emmansun, modes(sm4.NewCipher))
	maps.Copy(emmansun, map[string]operation{
		"sm4-ecb": blocks(func(key, _ []byte) (cipher.BlockMode, error) {
			block, err := sm4.NewCipher(key)
			return gmcipher.NewECBEncrypter(block), err
		}),
		// One data unit after the other would need new key schedules: the tweak goes on from one message to the next.
		"sm4-xts": blocks(func(key, iv []byte) (cipher.BlockMode, error) {
			return gmcipher.NewXTSEncrypter(sm4.NewCipher, key, iv, iv)
		}),
		"sm4-xts-decrypt": blocks(func(key, iv []byte) (cipher.BlockMode, error) {
			return gmcipher.NewXTSDecrypter(sm4.NewCipher, key, iv, iv)
		}),
	})
}

func blocks(mode func(key, iv []byte) (cipher.BlockMode, error)) operation {
	return func(given inputs) (func() ([]byte, error), error) {
		mode, err := mode(given["key"], given["iv"])
		message, result := given["message"], make([]byte, len(given["message"]))
		return func() ([]byte, error) {
			mode.CryptBlocks(result, message)
			return result, nil
		}, err
	}
}

// exchange is both sides of SM2's key exchange, with ephemeral keys of their own, between the key pair that was given and a new one.
func exchange(given inputs) (func() ([]byte, error), error) {
	curve := ecdh.P256()
	initiator, err := curve.NewPrivateKey(given["secret"])
	if err != nil {
		return nil, err
	}
	responder, err := curve.GenerateKey(rand.Reader)
	return func() ([]byte, error) {
		ephemeral := [2]*ecdh.PrivateKey{}
		for side := range ephemeral {
			if ephemeral[side], err = curve.GenerateKey(rand.Reader); err != nil {
				return nil, err
			}
		}
		keys := [2][]byte{}
		static := [2]*ecdh.PrivateKey{initiator, responder}
		for side := range static {
			peer := static[1-side].PublicKey()
			shared, err := static[side].SM2MQV(ephemeral[side], peer, ephemeral[1-side].PublicKey())
			if err != nil {
				return nil, err
			}
			if keys[side], err = shared.SM2SharedKey(side == 1, 16, static[side].PublicKey(), peer, nil, nil); err != nil {
				return nil, err
			}
		}
		return truth(string(keys[0]) == string(keys[1])), nil
	}, err
}

// sm9Exchange is both sides of SM9's key exchange, without confirmation.
func sm9Exchange(given inputs) (func() ([]byte, error), error) {
	other := []byte("bob@example.com")
	master, err := sm9.UnmarshalEncryptMasterPrivateKeyASN1(integer(given["master"]))
	if err != nil {
		return nil, err
	}
	first, err := master.GenerateUserKey(identity, hidExchange)
	if err != nil {
		return nil, err
	}
	second, err := master.GenerateUserKey(other, hidExchange)
	return func() ([]byte, error) {
		initiator := first.NewKeyExchange(identity, other, 16, false)
		responder := second.NewKeyExchange(other, identity, 16, false)
		pointA, err := initiator.InitKeyExchange(rand.Reader, hidExchange)
		if err != nil {
			return nil, err
		}
		pointB, _, err := responder.RespondKeyExchange(rand.Reader, hidExchange, pointA)
		if err != nil {
			return nil, err
		}
		ours, _, err := initiator.ConfirmResponder(pointB, nil)
		if err != nil {
			return nil, err
		}
		theirs, err := responder.ConfirmInitiator(nil)
		if err == nil && len(ours) != 16 {
			err = errors.New("the key has another length")
		}
		return truth(string(ours) == string(theirs)), err
	}, err
}

// integer is the DER of a master key.
func integer(number []byte) []byte {
	der, _ := asn1.Marshal(new(big.Int).SetBytes(number))
	return der
}

func withPublic(once func(*ecdsa.PublicKey, inputs) ([]byte, error)) operation {
	return func(given inputs) (func() ([]byte, error), error) {
		key, err := sm2.NewPublicKey(given["public"])
		return func() ([]byte, error) { return once(key, given) }, err
	}
}

func withSigner(once func(*sm9.SignPrivateKey, inputs) ([]byte, error)) operation {
	return func(given inputs) (func() ([]byte, error), error) {
		master, err := sm9.UnmarshalSignMasterPrivateKeyASN1(integer(given["master"]))
		if err != nil {
			return nil, err
		}
		key, err := master.GenerateUserKey(identity, hidSign)
		return func() ([]byte, error) { return once(key, given) }, err
	}
}

func withReader(once func(*sm9.EncryptPrivateKey, inputs) ([]byte, error)) operation {
	return func(given inputs) (func() ([]byte, error), error) {
		master, err := sm9.UnmarshalEncryptMasterPrivateKeyASN1(integer(given["master"]))
		if err != nil {
			return nil, err
		}
		key, err := master.GenerateUserKey(identity, hidEncrypt)
		return func() ([]byte, error) { return once(key, given) }, err
	}
}
