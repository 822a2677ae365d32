package sm2_test

import (
	"bytes"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
)

func TestExchange(t *testing.T) {
	alice, bob := generate(t), generate(t)
	for _, ids := range [][2][]byte{{nil, nil}, {{}, []byte("bob")}, {[]byte("alice"), []byte("bob")}} {
		start := func() (*sm2.Initiator, *sm2.Responder) {
			initiator := check.Must[*sm2.Initiator](t)(alice.StartExchange(ids[0], publicOf(t, bob), ids[1], 48))
			responder := check.Must[*sm2.Responder](t)(bob.RespondExchange(ids[1], publicOf(t, alice), ids[0], initiator.Point[:], 48))
			return initiator, responder
		}
		initiator, responder := start()
		key, confirmation, err := initiator.Finish(responder.Point[:], responder.Confirmation[:])
		if err != nil {
			t.Fatal(err)
		}
		same := check.Must[[]byte](t)(responder.Finish(confirmation))
		if len(key) != 48 || !bytes.Equal(key, same) || bytes.Equal(key, make([]byte, 48)) {
			t.Fatal("the keys differ")
		}
		_, _, err = initiator.Finish(responder.Point[:], responder.Confirmation[:])
		check.Error(t, err, kuaimi.ErrAlreadyUsed)
		_, err = responder.Finish(confirmation)
		check.Error(t, err, kuaimi.ErrAlreadyUsed)

		initiator, responder = start()
		key, none, err := initiator.Finish(responder.Point[:], nil)
		if err != nil || none != nil || !bytes.Equal(key, check.Must[[]byte](t)(responder.Finish(nil))) {
			t.Fatal("without confirmations", err)
		}

		initiator, responder = start()
		responder.Confirmation[0] ^= 1
		_, _, err = initiator.Finish(responder.Point[:], responder.Confirmation[:])
		check.Error(t, err, kuaimi.ErrConfirmationFailed)
		_, err = responder.Finish(make([]byte, 32))
		check.Error(t, err, kuaimi.ErrConfirmationFailed)

		initiator, _ = start()
		_, _, err = initiator.Finish(append([]byte{4}, make([]byte, 64)...), nil)
		check.Error(t, err, kuaimi.ErrPointNotOnCurve)
	}
	// Another identity, another key.
	initiator := check.Must[*sm2.Initiator](t)(alice.StartExchange(nil, publicOf(t, bob), []byte("bob"), 16))
	responder := check.Must[*sm2.Responder](t)(bob.RespondExchange([]byte("carol"), publicOf(t, alice), nil, initiator.Point[:], 16))
	_, _, err := initiator.Finish(responder.Point[:], responder.Confirmation[:])
	check.Error(t, err, kuaimi.ErrConfirmationFailed)
	for _, length := range []int{-1, 0, 1<<20 + 1} {
		_, err := alice.StartExchange(nil, publicOf(t, bob), nil, length)
		check.Error(t, err, kuaimi.ErrDerivedKeyLength)
		_, err = alice.RespondExchange(nil, publicOf(t, bob), nil, initiator.Point[:], length)
		check.Error(t, err, kuaimi.ErrDerivedKeyLength)
	}
}
