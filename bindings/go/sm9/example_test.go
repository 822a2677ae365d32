package sm9_test

import (
	"fmt"
	"log"

	"github.com/kuaimi/kuaimi/bindings/go/sm9"
)

func Example() {
	// The centre.
	master, err := sm9.GenerateMasterSigningKey()
	if err != nil {
		log.Fatal(err)
	}
	public, err := master.PublicKey()
	if err != nil {
		log.Fatal(err)
	}
	key, err := master.Extract([]byte("alice@example.com"), 0)
	if err != nil {
		log.Fatal(err)
	}

	// Alice.
	signature, err := key.SignMessage(nil, []byte("a message"), nil)
	if err != nil {
		log.Fatal(err)
	}

	// Everybody else needs the centre's public key, and her address.
	alice, err := public.VerifyingKey([]byte("alice@example.com"), 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(alice.Verify([]byte("a message"), signature))
	// Output: <nil>
}

func ExampleEncryptionKey_Encrypt() {
	master, err := sm9.GenerateMasterEncryptionKey()
	if err != nil {
		log.Fatal(err)
	}
	public, err := master.PublicKey()
	if err != nil {
		log.Fatal(err)
	}
	bob, err := public.EncryptionKey([]byte("bob@example.com"), 0)
	if err != nil {
		log.Fatal(err)
	}
	ciphertext, err := bob.Encrypt([]byte("a secret"))
	if err != nil {
		log.Fatal(err)
	}
	key, err := master.Extract([]byte("bob@example.com"), 0)
	if err != nil {
		log.Fatal(err)
	}
	plaintext, err := key.Decrypt(ciphertext)
	fmt.Println(string(plaintext), err)
	// Output: a secret <nil>
}
