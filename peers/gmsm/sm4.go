package main

import (
	"crypto/cipher"
	"errors"
	"fmt"

	gmcipher "github.com/emmansun/gmsm/cipher"
	"github.com/emmansun/gmsm/sm4"
)

// sm4Crypt encrypts or decrypts in a mode: ecb and cbc on whole blocks, cfb, ofb, ctr, gcm, ccm and ccm_8 (a tag of 8 bytes)
// with the tag after the ciphertext, xts and xts_gb with the data's key and after it the tweak's.
func sm4Crypt(request struct {
	Mode    string `json:"mode"`
	Decrypt bool   `json:"decrypt"`
	Key     octets `json:"key"`
	IV      octets `json:"iv" optional:"yes"`
	Beside  octets `json:"beside" optional:"yes"`
	Data    octets `json:"data"`
}) (answer, error) {
	out := make([]byte, len(request.Data))
	blocks := func(mode cipher.BlockMode, err error) (answer, error) {
		if err != nil {
			return nil, err
		}
		mode.CryptBlocks(out, request.Data)
		return answer{"data": octets(out)}, nil
	}
	stream := func(mode cipher.Stream) (answer, error) {
		mode.XORKeyStream(out, request.Data)
		return answer{"data": octets(out)}, nil
	}
	sealed := func(aead cipher.AEAD, err error) (answer, error) {
		if err != nil {
			return nil, err
		}
		if !request.Decrypt {
			return answer{"data": octets(aead.Seal(nil, request.IV, request.Data, request.Beside))}, nil
		}
		message, err := aead.Open([]byte{}, request.IV, request.Data, request.Beside)
		if err != nil {
			return nil, err
		}
		return answer{"data": octets(message)}, nil
	}
	if request.Mode == "xts" || request.Mode == "xts_gb" {
		if len(request.Key) != 32 {
			return nil, errors.New("a key for XTS has 32 bytes")
		}
		key, tweakKey := request.Key[:16], request.Key[16:]
		switch {
		case request.Mode == "xts" && !request.Decrypt:
			return blocks(gmcipher.NewXTSEncrypter(sm4.NewCipher, key, tweakKey, request.IV))
		case request.Mode == "xts":
			return blocks(gmcipher.NewXTSDecrypter(sm4.NewCipher, key, tweakKey, request.IV))
		case !request.Decrypt:
			return blocks(gmcipher.NewGBXTSEncrypter(sm4.NewCipher, key, tweakKey, request.IV))
		default:
			return blocks(gmcipher.NewGBXTSDecrypter(sm4.NewCipher, key, tweakKey, request.IV))
		}
	}
	block, err := sm4.NewCipher(request.Key)
	if err != nil {
		return nil, err
	}
	switch request.Mode {
	case "ecb":
		if request.Decrypt {
			return blocks(gmcipher.NewECBDecrypter(block), nil)
		}
		return blocks(gmcipher.NewECBEncrypter(block), nil)
	case "cbc":
		if request.Decrypt {
			return blocks(cipher.NewCBCDecrypter(block, request.IV), nil)
		}
		return blocks(cipher.NewCBCEncrypter(block, request.IV), nil)
	case "cfb":
		if request.Decrypt {
			return stream(cipher.NewCFBDecrypter(block, request.IV))
		}
		return stream(cipher.NewCFBEncrypter(block, request.IV))
	case "ofb":
		return stream(cipher.NewOFB(block, request.IV))
	case "ctr":
		return stream(cipher.NewCTR(block, request.IV))
	case "gcm":
		return sealed(cipher.NewGCMWithNonceSize(block, len(request.IV)))
	case "ccm":
		return sealed(gmcipher.NewCCMWithNonceSize(block, len(request.IV)))
	case "ccm_8":
		return sealed(gmcipher.NewCCMWithNonceAndTagSize(block, len(request.IV), 8))
	}
	return nil, fmt.Errorf("unknown mode %q: the modes are ecb, cbc, cfb, ofb, ctr, gcm, ccm, ccm_8, xts and xts_gb", request.Mode)
}

// sm4Operations are what bench measures of SM4: in place, under one key made before.
func sm4Operations() ([]operation, error) {
	key, tweakKey, iv := make([]byte, 16), make([]byte, 16), make([]byte, 16)
	tweakKey[0] = 1
	block, err := sm4.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	list := []operation{}
	for _, size := range []struct {
		name  string
		label string
		bytes int
	}{{"1k", "1 KiB", 1 << 10}, {"16k", "16 KiB", 16 << 10}} {
		data := make([]byte, size.bytes)
		add := func(name, label, condition string, once func() error) {
			list = append(list, operation{"sm4_" + name + "_" + size.name, "sm4", label + " " + size.label, condition, size.bytes, once})
		}
		blocks := func(name, label, condition string, mode cipher.BlockMode) {
			add(name, label, condition, func() error {
				mode.CryptBlocks(data, data)
				return nil
			})
		}
		sealed := gcm.Seal(nil, iv[:12], data, nil)
		room, opened := make([]byte, 0, size.bytes+16), make([]byte, 0, size.bytes)
		stream := cipher.NewCTR(block, iv)
		encrypter, err := gmcipher.NewXTSEncrypter(sm4.NewCipher, key, tweakKey, iv)
		if err != nil {
			return nil, err
		}
		decrypter, err := gmcipher.NewXTSDecrypter(sm4.NewCipher, key, tweakKey, iv)
		if err != nil {
			return nil, err
		}
		add("ctr", "CTR", "one stream, in place", func() error {
			stream.XORKeyStream(data, data)
			return nil
		})
		add("gcm", "GCM", "sealed into another buffer, 12-byte nonce, no data beside it", func() error {
			gcm.Seal(room, iv[:12], data, nil)
			return nil
		})
		add("gcm_open", "GCM open", "opened into another buffer, 12-byte nonce, no data beside it", func() error {
			_, err := gcm.Open(opened, iv[:12], sealed, nil)
			return err
		})
		blocks("cbc_encrypt", "CBC encrypt", "whole blocks, in place", cipher.NewCBCEncrypter(block, iv))
		blocks("cbc_decrypt", "CBC decrypt", "whole blocks, in place", cipher.NewCBCDecrypter(block, iv))
		blocks("ecb", "ECB", "encrypted in place", gmcipher.NewECBEncrypter(block))
		blocks("xts", "XTS", "one long data unit, in place; IEEE 1619", encrypter)
		blocks("xts_decrypt", "XTS decrypt", "one long data unit, in place; IEEE 1619", decrypter)
	}
	return list, nil
}
