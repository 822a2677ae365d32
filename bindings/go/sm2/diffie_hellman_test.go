package sm2_test

import (
	"math/big"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
)

// Both parties have the same secrets, which are x-coordinates as crypto/elliptic computes them.
func TestDiffieHellmanBatch(t *testing.T) {
	closed, closedPeer := generate(t), check.Must[*sm2.PublicKey](t)(sm2.NewPublicKey(publicOf(t, generate(t)).Bytes()))
	closed.Close()
	closedPeer.Close()
	curve := curve()
	for _, n := range []int{0, 1, 7, 16, 33} {
		ours, theirs := make([]sm2.DiffieHellmanItem, n), make([]sm2.DiffieHellmanItem, n)
		for i := range n {
			a, b := generate(t), generate(t)
			ours[i] = sm2.DiffieHellmanItem{Key: a, Peer: publicOf(t, b)}
			theirs[i] = sm2.DiffieHellmanItem{Key: b, Peer: publicOf(t, a)}
		}
		run := func(items []sm2.DiffieHellmanItem, want error) ([][32]byte, []error) {
			t.Helper()
			secrets, results := make([][32]byte, n), make([]error, n)
			for i := range secrets {
				secrets[i], results[i] = [32]byte{1}, kuaimi.ErrInternal
			}
			if err := sm2.DiffieHellmanBatch(items, secrets, results); err != want {
				t.Fatal(n, err)
			}
			return secrets, results
		}
		first, results := run(ours, nil)
		second, _ := run(theirs, nil)
		for i := range n {
			point, number := ours[i].Peer.Bytes(), check.Must[[]byte](t)(ours[i].Key.Bytes())
			//lint:ignore SA1019 a peer
			x, _ := curve.ScalarMult(new(big.Int).SetBytes(point[1:33]), new(big.Int).SetBytes(point[33:]), number)
			if results[i] != nil || first[i] != second[i] || first[i] != [32]byte(x.FillBytes(make([]byte, 32))) {
				t.Fatalf("item %d of %d: another secret, %v", i, n, results[i])
			}
		}
		if n < 7 {
			continue
		}
		ours[1].Key, ours[2].Key, ours[4].Peer, ours[5].Peer = nil, closed, nil, closedPeer
		beside, results := run(ours, kuaimi.ErrClosed)
		for i := range n {
			switch i {
			case 1, 2, 4, 5:
				check.Error(t, results[i], kuaimi.ErrClosed)
				if beside[i] != [32]byte{} {
					t.Fatal("an item that failed has a secret")
				}
			default:
				if results[i] != nil || beside[i] != first[i] {
					t.Fatal("a right item beside wrong ones", i, results[i])
				}
			}
		}
		check.Error(t, sm2.DiffieHellmanBatch(ours[1:], beside, results), kuaimi.ErrInvalidArgument)
		check.Error(t, results[0], kuaimi.ErrInvalidArgument)
		if beside[0] != [32]byte{} {
			t.Fatal("a secret is left")
		}
		check.Error(t, sm2.DiffieHellmanBatch(ours, beside[1:], results), kuaimi.ErrInvalidArgument)
		check.Error(t, sm2.DiffieHellmanBatch(ours, beside, results[1:]), kuaimi.ErrInvalidArgument)
	}
}
