package main

import (
	"crypto/rand"
	"errors"
	"maps"
	"math/big"

	"github.com/tjfoc/gmsm/sm2"
	"github.com/tjfoc/gmsm/sm3"
	"github.com/tjfoc/gmsm/sm4"
)

var tjfoc = map[string]operation{
	"sm2-keygen": func(inputs) (func() ([]byte, error), error) {
		return func() ([]byte, error) {
			_, err := sm2.GenerateKey(rand.Reader)
			return nil, err
		}, nil
	},
	"sm2-sign": withKey(func(key *sm2.PrivateKey, given inputs) ([]byte, error) {
		return key.Sign(rand.Reader, given["message"], nil)
	}),
	"sm2-verify": withKey(func(key *sm2.PrivateKey, given inputs) ([]byte, error) {
		return truth(key.PublicKey.Verify(given["message"], given["signature"])), nil
	}),
	"sm2-encrypt": withKey(func(key *sm2.PrivateKey, given inputs) ([]byte, error) {
		return sm2.Encrypt(&key.PublicKey, given["message"], rand.Reader, sm2.C1C3C2)
	}),
	"sm2-decrypt": withKey(func(key *sm2.PrivateKey, given inputs) ([]byte, error) {
		return sm2.Decrypt(key, given["ciphertext"], sm2.C1C3C2)
	}),
	"sm3": func(given inputs) (func() ([]byte, error), error) {
		message := given["message"]
		return func() ([]byte, error) { return sm3.Sm3Sum(message), nil }, nil
	},
}

func init() {
	maps.Copy(tjfoc, modes(sm4.NewCipher))
}

func withKey(once func(*sm2.PrivateKey, inputs) ([]byte, error)) operation {
	return func(given inputs) (func() ([]byte, error), error) {
		public := given["public"]
		if len(public) != 65 {
			return nil, errors.New("no public key was set")
		}
		key := &sm2.PrivateKey{D: new(big.Int).SetBytes(given["secret"])}
		key.Curve = sm2.P256Sm2()
		key.X, key.Y = new(big.Int).SetBytes(public[1:33]), new(big.Int).SetBytes(public[33:])
		return func() ([]byte, error) { return once(key, given) }, nil
	}
}
