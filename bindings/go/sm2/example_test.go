package sm2_test

import (
	"crypto/rand"
	"fmt"
	"log"

	"github.com/kuaimi/kuaimi/bindings/go/sm2"
)

func Example() {
	key, err := sm2.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	defer key.Close()
	signature, err := key.SignMessage(rand.Reader, []byte("a message"), nil)
	if err != nil {
		log.Fatal(err)
	}

	public, err := key.PublicKey()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(public.Verify([]byte("a message"), signature))
	fmt.Println(public.Verify([]byte("another"), signature))
	// Output:
	// <nil>
	// kuaimi: the signature does not fit this message, key and identity
}

// A signature under an identity, and of a message in pieces.
func ExamplePublicKey_NewHash() {
	key, err := sm2.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	public, err := key.PublicKey()
	if err != nil {
		log.Fatal(err)
	}
	id := []byte("alice@example.com")
	hash, err := public.NewHash(id)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Fprint(hash, "a message ")
	fmt.Fprint(hash, "in pieces")
	signature, err := key.Sign(rand.Reader, hash.Sum(nil), nil)
	if err != nil {
		log.Fatal(err)
	}

	verifier, err := public.VerifyingKey(id)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(verifier.Verify([]byte("a message in pieces"), signature))
	// Output: <nil>
}

func ExamplePublicKey_Encrypt() {
	key, err := sm2.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	public, err := key.PublicKey()
	if err != nil {
		log.Fatal(err)
	}
	ciphertext, err := public.Encrypt([]byte("a secret"), sm2.C1C3C2)
	if err != nil {
		log.Fatal(err)
	}
	plaintext, err := key.Decrypt(nil, ciphertext, nil)
	fmt.Println(string(plaintext), err)
	// Output: a secret <nil>
}

// A key that verifies many signatures.
func ExamplePublicKey_Prepare() {
	key, err := sm2.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	public, err := key.PublicKey()
	if err != nil {
		log.Fatal(err)
	}
	defer public.Close()
	if err := public.Prepare(); err != nil {
		log.Fatal(err)
	}
	for i := range 3 {
		message := fmt.Append(nil, "message ", i)
		signature, err := key.SignMessage(nil, message, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(public.Verify(message, signature))
	}
	// Output:
	// <nil>
	// <nil>
	// <nil>
}

// The signatures of a block, some of which are wrong.
func ExampleVerifyBatch() {
	key, err := sm2.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	public, err := key.PublicKey()
	if err != nil {
		log.Fatal(err)
	}
	signer, err := key.SigningKey(nil)
	if err != nil {
		log.Fatal(err)
	}
	verifier, err := public.VerifyingKey(nil)
	if err != nil {
		log.Fatal(err)
	}

	toSign := []sm2.SignItem{{Key: signer, Message: []byte("one")}, {Key: signer, Message: []byte("two")}}
	signatures, results := make([][64]byte, 2), make([]error, 2)
	if err := sm2.SignBatch(toSign, signatures, results); err != nil {
		log.Fatal(err)
	}

	toVerify := []sm2.VerifyItem{
		{Key: verifier, Message: []byte("one"), Signature: signatures[0][:], Form: sm2.Raw},
		{Key: verifier, Message: []byte("altered"), Signature: signatures[1][:], Form: sm2.Raw},
	}
	fmt.Println("all:", sm2.VerifyBatch(toVerify, results))
	for i, err := range results {
		fmt.Println(i, err)
	}
	// Output:
	// all: kuaimi: the signature does not fit this message, key and identity
	// 0 <nil>
	// 1 kuaimi: the signature does not fit this message, key and identity
}

func ExamplePrivateKey_StartExchange() {
	alice, err := sm2.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	bob, err := sm2.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	alicePublic, err := alice.PublicKey()
	if err != nil {
		log.Fatal(err)
	}
	bobPublic, err := bob.PublicKey()
	if err != nil {
		log.Fatal(err)
	}

	initiator, err := alice.StartExchange([]byte("alice"), bobPublic, []byte("bob"), 32)
	if err != nil {
		log.Fatal(err)
	}
	// Alice sends initiator.Point.
	responder, err := bob.RespondExchange([]byte("bob"), alicePublic, []byte("alice"), initiator.Point[:], 32)
	if err != nil {
		log.Fatal(err)
	}
	// Bob sends responder.Point and responder.Confirmation.
	key, confirmation, err := initiator.Finish(responder.Point[:], responder.Confirmation[:])
	if err != nil {
		log.Fatal(err)
	}
	// Alice sends her confirmation.
	same, err := responder.Finish(confirmation)
	fmt.Println(string(key) == string(same), err)
	// Output: true <nil>
}
