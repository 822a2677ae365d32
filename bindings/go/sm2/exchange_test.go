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

// Answers in batches are those of RespondExchange: an initiator finishes with each, and wrong items fail alone, with the same errors.
func TestRespondExchangeBatch(t *testing.T) {
	closed, closedPeer := generate(t), check.Must[*sm2.PublicKey](t)(sm2.NewPublicKey(publicOf(t, generate(t)).Bytes()))
	closed.Close()
	closedPeer.Close()
	ids := [][]byte{nil, {}, []byte("bob"), bytes.Repeat([]byte("an id "), 1000), make([]byte, 8191)}
	for _, n := range []int{0, 1, 9, 40} {
		initiators, items := make([]*sm2.Initiator, n), make([]sm2.RespondItem, n)
		for i := range n {
			alice, bob := generate(t), generate(t)
			id, peerID := ids[i%len(ids)], ids[i/2%len(ids)]
			initiators[i] = check.Must[*sm2.Initiator](t)(alice.StartExchange(peerID, publicOf(t, bob), id, 48))
			items[i] = sm2.RespondItem{Key: bob, ID: id, Peer: publicOf(t, alice), PeerID: peerID, Point: initiators[i].Point[:]}
		}
		wrong := map[int]func(*sm2.RespondItem){}
		if n == 40 {
			wrong = map[int]func(*sm2.RespondItem){
				3:  func(item *sm2.RespondItem) { item.Key = nil },
				4:  func(item *sm2.RespondItem) { item.Key = closed },
				5:  func(item *sm2.RespondItem) { item.Peer = nil },
				6:  func(item *sm2.RespondItem) { item.Peer = closedPeer },
				7:  func(item *sm2.RespondItem) { item.Point = nil },
				8:  func(item *sm2.RespondItem) { item.Point = append([]byte{4}, make([]byte, 64)...) },
				9:  func(item *sm2.RespondItem) { item.Point = item.Point[:64] },
				30: func(item *sm2.RespondItem) { item.ID = make([]byte, 8192) },
				31: func(item *sm2.RespondItem) { item.PeerID = make([]byte, 8192) },
			}
			for i, change := range wrong {
				change(&items[i])
			}
		}
		responders, results := make([]*sm2.Responder, n), make([]error, n)
		for i := range n {
			responders[i], results[i] = new(sm2.Responder), kuaimi.ErrInternal
		}
		err := sm2.RespondExchangeBatch(items, 48, responders, results)
		var first error
		for i, responder := range responders {
			if wrong[i] != nil {
				_, single := items[i].Key.RespondExchange(items[i].ID, items[i].Peer, items[i].PeerID, items[i].Point, 48)
				if first == nil {
					first = single
				}
				if single == nil || results[i] != single || responder != nil {
					t.Fatalf("item %d: %v, not %v", i, results[i], single)
				}
				continue
			}
			if results[i] != nil {
				t.Fatal(i, results[i])
			}
			key, confirmation, err := initiators[i].Finish(responder.Point[:], responder.Confirmation[:])
			if err != nil {
				t.Fatal(i, err)
			}
			if same := check.Must[[]byte](t)(responder.Finish(confirmation)); len(key) != 48 || !bytes.Equal(key, same) {
				t.Fatalf("item %d of %d: another key", i, n)
			}
			responder.Close()
		}
		if err != first {
			t.Fatal(n, err)
		}
		if n == 0 {
			continue
		}
		for _, length := range []int{-1, 0, 1<<20 + 1} {
			responders[0] = new(sm2.Responder)
			check.Error(t, sm2.RespondExchangeBatch(items, length, responders, results), kuaimi.ErrDerivedKeyLength)
			check.Error(t, results[0], kuaimi.ErrDerivedKeyLength)
			if responders[0] != nil {
				t.Fatal("a responder is left")
			}
		}
		check.Error(t, sm2.RespondExchangeBatch(items[1:], 48, responders, results), kuaimi.ErrInvalidArgument)
		check.Error(t, sm2.RespondExchangeBatch(items, 48, responders[1:], results), kuaimi.ErrInvalidArgument)
		check.Error(t, sm2.RespondExchangeBatch(items, 48, responders, results[1:]), kuaimi.ErrInvalidArgument)
	}
}
