package sm4

import (
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
)

// A SealItem is a message to encrypt in GCM, with a key of 16 bytes. The nonce may have any length but 0; 12 bytes are the usual ones.
// Never use a nonce twice with a key.
type SealItem struct {
	Key            []byte
	Nonce          []byte
	Plaintext      []byte
	AdditionalData []byte
}

// An OpenItem is a ciphertext, with its tag behind it, to decrypt in GCM with a key of 16 bytes.
type OpenItem struct {
	Key            []byte
	Nonce          []byte
	Ciphertext     []byte
	AdditionalData []byte
}

// SealBatch encrypts the messages of all items, each with a key of its own: for messages of up to 1 KiB several times faster than
// NewGCM and Seal one by one. sealed[i] becomes the ciphertext of item i with its tag, which is what Seal gives, or nil, and
// results[i] becomes nil or the error; both slices must be as long as items. SealBatch returns the first error. The ciphertexts are in
// new memory, which many of them share, and nothing is allocated for an item alone. It computes on the calling goroutine: to use more
// CPUs, split the items among several goroutines, some hundred for each at least. For many messages with one key, use NewGCM.
func SealBatch(items []SealItem, sealed [][]byte, results []error) error {
	return gcmBatch(core.SM4GCMSealBatch, len(items), func(i int) core.GCMItem {
		item := &items[i]
		return core.GCMItem{Key: item.Key, Nonce: item.Nonce, Beside: item.AdditionalData, Data: item.Plaintext}
	}, sealed, results)
}

// OpenBatch decrypts the ciphertexts of all items whose tags are right, as SealBatch encrypts. opened[i] becomes the message of item i,
// or nil, and results[i] becomes nil or the error: kuaimi.ErrDecryptionFailed if anything was altered.
func OpenBatch(items []OpenItem, opened [][]byte, results []error) error {
	return gcmBatch(core.SM4GCMOpenBatch, len(items), func(i int) core.GCMItem {
		item := &items[i]
		return core.GCMItem{Key: item.Key, Nonce: item.Nonce, Beside: item.AdditionalData, Data: item.Ciphertext}
	}, opened, results)
}

func gcmBatch(batch func(int, func(int) core.GCMItem, func(int, core.Code, []byte)), n int, item func(int) core.GCMItem,
	outputs [][]byte, results []error) error {
	if len(outputs) != n || len(results) != n {
		return fault.Refuse(outputs, results, core.InvalidArgument)
	}
	clear(outputs)
	return fault.Make(batch, item, func(i int, made []byte) { outputs[i] = made }, results)
}
