package sm2

import (
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
)

// A DiffieHellmanItem is a shared secret to compute: of one party's private key and the other party's public key.
type DiffieHellmanItem struct {
	Key  *PrivateKey
	Peer *PublicKey
}

// DiffieHellmanBatch computes the shared secrets of plain Diffie-Hellman of all items: the x-coordinate of the product of the private
// key and the public key, as TLS 1.3 does with the group curveSM2 (RFC 8998). Use a fresh private key for each exchange, and derive keys
// from the secret with a key derivation function that also takes both public keys. The key exchange of the standard, which
// authenticates both parties, is StartExchange.
//
// The secret of item i goes to secrets[i], zeros if it failed, and nil or an error to results[i]; both slices must be as long as items.
// DiffieHellmanBatch returns the first error. It allocates nothing for an item, and computes on the calling goroutine, as SignBatch does.
func DiffieHellmanBatch(items []DiffieHellmanItem, secrets [][32]byte, results []error) error {
	if len(secrets) != len(items) || len(results) != len(items) {
		return fault.Refuse(secrets, results, core.InvalidArgument)
	}
	return fault.Make(core.SM2DiffieHellmanBatch, func(i int) core.PairItem {
		return core.PairItem{Key: items[i].Key.handle(), Peer: items[i].Peer.handle()}
	}, func(i int, made []byte) { fault.Into(secrets[i][:], made) }, results)
}
