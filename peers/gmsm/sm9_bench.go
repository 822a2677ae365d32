package main

import (
	"crypto/rand"
	"errors"

	"github.com/emmansun/gmsm/sm9"
)

// sm9Operations makes every operation over one master key and one identity, used again and again: the most favourable case for
// gmsm.
//
// What is kept between operations, and is therefore in place after the warm-up: in a master public key, the pairing g and a table
// of its powers; in a user's encryption key, the lines of the Miller loop. There is no table of a user's signing key, and an
// identity's point is computed anew every time. The pairing itself is not exported: the nearest is the first decapsulation with a
// key just read, which also checks the key's point, computes its lines and derives 32 bytes.
func sm9Operations() ([]operation, error) {
	const hidSign, hidExchange, hidEncrypt = 1, 2, 3
	alice, bob := []byte("alice@example.com"), []byte("bob@example.com")
	message := make([]byte, 32)
	if _, err := rand.Read(message); err != nil {
		return nil, err
	}
	signing, err := sm9.GenerateSignMasterKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	encryption, err := sm9.GenerateEncryptMasterKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	signer, err := signing.GenerateUserKey(alice, hidSign)
	if err != nil {
		return nil, err
	}
	reader, err := encryption.GenerateUserKey(bob, hidEncrypt)
	if err != nil {
		return nil, err
	}
	aliceKey, err := encryption.GenerateUserKey(alice, hidExchange)
	if err != nil {
		return nil, err
	}
	bobKey, err := encryption.GenerateUserKey(bob, hidExchange)
	if err != nil {
		return nil, err
	}
	signature, err := sm9.SignASN1(rand.Reader, signer, message)
	if err != nil {
		return nil, err
	}
	ciphertext, err := sm9.EncryptASN1(rand.Reader, encryption.PublicKey(), bob, hidEncrypt, message, nil)
	if err != nil {
		return nil, err
	}
	_, encapsulated, err := sm9.WrapKey(rand.Reader, encryption.PublicKey(), bob, hidEncrypt, 32)
	if err != nil {
		return nil, err
	}
	readerBytes := reader.Bytes()
	return []operation{
		{"sm9_extract_sign", "sm9", "extract-sign", "H1 and the key; one identity", 0, func() error {
			_, err := signing.GenerateUserKey(alice, hidSign)
			return err
		}},
		{"sm9_extract_enc", "sm9", "extract-enc", "H1 and the key; one identity", 0, func() error {
			_, err := encryption.GenerateUserKey(bob, hidEncrypt)
			return err
		}},
		{"sm9_sign", "sm9", "sign", "32-byte message, crypto/rand, DER; table of g kept", 0, func() error {
			_, err := sm9.SignASN1(rand.Reader, signer, message)
			return err
		}},
		{"sm9_verify", "sm9", "verify", "32-byte message, DER; table of g kept", 0, func() error {
			if !sm9.VerifyASN1(signing.PublicKey(), alice, hidSign, message, signature) {
				return errors.New("a good signature was refused")
			}
			return nil
		}},
		{"sm9_encrypt", "sm9", "encrypt", "32 bytes, stream, DER; table of g kept", 0, func() error {
			_, err := sm9.EncryptASN1(rand.Reader, encryption.PublicKey(), bob, hidEncrypt, message, nil)
			return err
		}},
		{"sm9_decrypt", "sm9", "decrypt", "32 bytes, stream, DER; lines of the key kept", 0, func() error {
			_, err := sm9.DecryptASN1(reader, bob, ciphertext)
			return err
		}},
		{"sm9_encap", "sm9", "encap", "32-byte key; table of g kept", 0, func() error {
			_, _, err := sm9.WrapKey(rand.Reader, encryption.PublicKey(), bob, hidEncrypt, 32)
			return err
		}},
		{"sm9_decap", "sm9", "decap", "32-byte key; lines of the key kept", 0, func() error {
			_, err := sm9.UnwrapKey(reader, bob, encapsulated, 32)
			return err
		}},
		{"sm9_exchange", "sm9", "exchange", "both sides, 16-byte key, no confirmation; table of g and lines kept", 0, func() error {
			a := aliceKey.NewKeyExchange(alice, bob, 16, false)
			b := bobKey.NewKeyExchange(bob, alice, 16, false)
			pointA, err := a.InitKeyExchange(rand.Reader, hidExchange)
			if err != nil {
				return err
			}
			pointB, _, err := b.RespondKeyExchange(rand.Reader, hidExchange, pointA)
			if err != nil {
				return err
			}
			if _, _, err := a.ConfirmResponder(pointB, nil); err != nil {
				return err
			}
			_, err = b.ConfirmInitiator(nil)
			return err
		}},
		{"sm9_pairing", "sm9", "pairing", "decapsulation with a key just read: point checked, lines, Miller loop, final exponentiation, key derived", 0, func() error {
			key, err := sm9.UnmarshalEncryptPrivateKeyRaw(readerBytes)
			if err != nil {
				return err
			}
			_, err = sm9.UnwrapKey(key, bob, encapsulated, 32)
			return err
		}},
	}, nil
}
