package sm3_test

import (
	"fmt"
	"log"

	"github.com/kuaimi/kuaimi/bindings/go/sm3"
)

func ExampleSum() {
	fmt.Printf("%x\n", sm3.Sum([]byte("abc")))
	// Output: 66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0
}

func ExampleNew() {
	hash := sm3.New()
	fmt.Fprint(hash, "a")
	fmt.Fprint(hash, "bc")
	fmt.Printf("%x\n", hash.Sum(nil))
	// Output: 66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0
}

func ExampleNewHMAC() {
	mac, err := sm3.NewHMAC([]byte("key"))
	if err != nil {
		log.Fatal(err)
	}
	defer mac.Close()
	fmt.Fprint(mac, "a message")
	tag := mac.Sum(nil)
	fmt.Println(mac.Verify(tag))
	// Output: <nil>
}
