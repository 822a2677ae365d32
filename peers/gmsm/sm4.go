package main

import (
	"crypto/cipher"
	"errors"
	"fmt"

	gmcipher "github.com/emmansun/gmsm/cipher"
	"github.com/emmansun/gmsm/sm4"
)

// sm4Crypt encrypts or decrypts in a mode: ecb and cbc on whole blocks, ctr, gcm with the tag after the ciphertext, xts and
// xts_gb with the data's key and after it the tweak's.
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
	case "ctr":
		cipher.NewCTR(block, request.IV).XORKeyStream(out, request.Data)
		return answer{"data": octets(out)}, nil
	case "gcm":
		aead, err := cipher.NewGCMWithNonceSize(block, len(request.IV))
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
	return nil, fmt.Errorf("unknown mode %q: the modes are ecb, cbc, ctr, gcm, xts and xts_gb", request.Mode)
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
		sealed := make([]byte, 0, size.bytes+16)
		stream := cipher.NewCTR(block, iv)
		list = append(list,
			operation{"sm4_ctr_" + size.name, "sm4", "CTR " + size.label, "one stream, in place", size.bytes, func() error {
				stream.XORKeyStream(data, data)
				return nil
			}},
			operation{"sm4_gcm_" + size.name, "sm4", "GCM " + size.label, "12-byte nonce, no data beside it", size.bytes, func() error {
				gcm.Seal(sealed, iv[:12], data, nil)
				return nil
			}})
	}
	data := make([]byte, 16<<10)
	encrypter := cipher.NewCBCEncrypter(block, iv)
	decrypter := cipher.NewCBCDecrypter(block, iv)
	xts, err := gmcipher.NewXTSEncrypter(sm4.NewCipher, key, tweakKey, iv)
	if err != nil {
		return nil, err
	}
	return append(list,
		operation{"sm4_cbc_encrypt_16k", "sm4", "CBC encrypt 16 KiB", "in place", len(data), func() error {
			encrypter.CryptBlocks(data, data)
			return nil
		}},
		operation{"sm4_cbc_decrypt_16k", "sm4", "CBC decrypt 16 KiB", "in place", len(data), func() error {
			decrypter.CryptBlocks(data, data)
			return nil
		}},
		operation{"sm4_xts_16k", "sm4", "XTS 16 KiB", "one long data unit, in place", len(data), func() error {
			xts.CryptBlocks(data, data)
			return nil
		}}), nil
}
