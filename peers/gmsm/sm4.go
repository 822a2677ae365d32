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
