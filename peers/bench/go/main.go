// Command peer answers the requests of ../README.md with emmansun/gmsm or with tjfoc/gmsm, whichever its argument names.
package main

import (
	"crypto/cipher"
	"fmt"
	"os"
	"runtime/debug"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: peer emmansun|tjfoc")
		os.Exit(2)
	}
	path, operations := "github.com/emmansun/gmsm", emmansun
	if os.Args[1] == "tjfoc" {
		path, operations = "github.com/tjfoc/gmsm", tjfoc
	}
	hello := "version=" + versionOf(path) + " signature=der ciphertext=c1c3c2"
	if err := serve(os.Stdin, os.Stdout, hello, operations); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// versionOf is the version that this program was built with.
func versionOf(path string) string {
	build, _ := debug.ReadBuildInfo()
	for _, module := range build.Deps {
		if module.Path == path {
			return module.Version
		}
	}
	return "unknown"
}

// modes are SM4's, over a library's block cipher.
func modes(block func([]byte) (cipher.Block, error)) map[string]operation {
	with := func(make func(cipher.Block, inputs) (func([]byte) []byte, error)) operation {
		return func(given inputs) (func() ([]byte, error), error) {
			cipher, err := block(given["key"])
			if err != nil {
				return nil, err
			}
			crypt, err := make(cipher, given)
			message := given["message"]
			return func() ([]byte, error) { return crypt(message), nil }, err
		}
	}
	return map[string]operation{
		"sm4-cbc": with(func(block cipher.Block, given inputs) (func([]byte) []byte, error) {
			result := make([]byte, len(given["message"]))
			return func(message []byte) []byte {
				cipher.NewCBCEncrypter(block, given["iv"]).CryptBlocks(result, message)
				return result
			}, nil
		}),
		"sm4-cbc-decrypt": with(func(block cipher.Block, given inputs) (func([]byte) []byte, error) {
			result := make([]byte, len(given["message"]))
			return func(message []byte) []byte {
				cipher.NewCBCDecrypter(block, given["iv"]).CryptBlocks(result, message)
				return result
			}, nil
		}),
		"sm4-ctr": with(func(block cipher.Block, given inputs) (func([]byte) []byte, error) {
			result := make([]byte, len(given["message"]))
			return func(message []byte) []byte {
				cipher.NewCTR(block, given["iv"]).XORKeyStream(result, message)
				return result
			}, nil
		}),
		"sm4-gcm": with(func(block cipher.Block, given inputs) (func([]byte) []byte, error) {
			sealed := make([]byte, 0, len(given["message"])+16)
			aead, err := cipher.NewGCM(block)
			return func(message []byte) []byte { return aead.Seal(sealed[:0], given["iv"][:12], message, nil) }, err
		}),
		"sm4-gcm-open": func(given inputs) (func() ([]byte, error), error) {
			cipher128, err := block(given["key"])
			if err != nil {
				return nil, err
			}
			sealed := given["ciphertext"]
			opened := make([]byte, 0, len(sealed))
			aead, err := cipher.NewGCM(cipher128)
			return func() ([]byte, error) { return aead.Open(opened[:0], given["iv"][:12], sealed, nil) }, err
		},
	}
}
