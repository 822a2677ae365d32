package main

import (
	"crypto/ecdsa"
	"crypto/rand"
	"encoding/asn1"
	"maps"
	"math/big"

	"github.com/emmansun/gmsm/sm2"
	"github.com/emmansun/gmsm/sm3"
	"github.com/emmansun/gmsm/sm4"
	"github.com/emmansun/gmsm/sm9"
)

var identity = []byte("alice@example.com")

const hidSign, hidEncrypt = 1, 3

// emmansun keeps what the library keeps with a key: see bench.go of the program for peers/gmsm.
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
}

func init() {
	maps.Copy(emmansun, modes(sm4.NewCipher))
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
