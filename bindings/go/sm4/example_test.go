package sm4_test

import (
	"crypto/cipher"
	"crypto/rand"
	"fmt"
	"log"

	"github.com/kuaimi/kuaimi/bindings/go/sm4"
)

// Authenticated encryption through crypto/cipher.
func ExampleNewCipher() {
	key := make([]byte, sm4.KeySize)
	rand.Read(key)
	block, err := sm4.NewCipher(key)
	if err != nil {
		log.Fatal(err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		log.Fatal(err)
	}
	nonce := make([]byte, aead.NonceSize())
	rand.Read(nonce)
	sealed := aead.Seal(nil, nonce, []byte("a secret"), nil)
	opened, err := aead.Open(nil, nonce, sealed, nil)
	fmt.Println(string(opened), err)
	// Output: a secret <nil>
}
