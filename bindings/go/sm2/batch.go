package sm2

import (
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
	"github.com/kuaimi/kuaimi/bindings/go/internal/overlap"
)

// A SignItem is a signature to make: of Digest, the 32 bytes of SM3(Z, message), if it is not nil, and otherwise of Message.
type SignItem struct {
	Key     *SigningKey
	Message []byte
	Digest  []byte
}

// A VerifyItem is a signature to verify: of Digest, the 32 bytes of SM3(Z, message), if it is not nil, and otherwise of Message.
type VerifyItem struct {
	Key       *VerifyingKey
	Message   []byte
	Digest    []byte
	Signature []byte
	Form      SignatureForm
}

// content is what is signed, and whether it is a digest.
func content(message, digest []byte) ([]byte, bool) {
	if digest != nil {
		return digest, true
	}
	return message, false
}

// SignBatch makes the signatures of all items, several times faster than one by one. The signature of item i, r and s, goes to
// signatures[i], and nil or an error to results[i]; both slices must be as long as items. A message or digest may overlap signatures
// only if it starts where its own signature starts, and is no longer. SignBatch returns the first error. It allocates nothing for an
// item, and computes on the calling goroutine: to use more CPUs, split the items among several goroutines, some hundred for each at
// least.
func SignBatch(items []SignItem, signatures [][64]byte, results []error) error {
	if len(signatures) != len(items) || len(results) != len(items) || overlap.Shifted(signatures, func(i int) []byte {
		bytes, _ := content(items[i].Message, items[i].Digest)
		return bytes
	}) {
		return fault.Refuse(signatures, results, core.InvalidArgument)
	}
	return fault.Make(core.SM2SignBatch, func(i int) core.SignItem {
		item := &items[i]
		bytes, isDigest := content(item.Message, item.Digest)
		return core.SignItem{Key: item.Key.handle(), Content: bytes, IsDigest: isDigest}
	}, func(i int, made []byte) { fault.Into(signatures[i][:], made) }, results)
}

// VerifyBatch verifies the signatures of all items, several times faster than one by one, with any mixture of keys. results[i] becomes
// nil or the error for item i: that of VerifyingKey.Verify if its key is open and its form known. results must be as long as items.
// VerifyBatch returns the first error. It allocates nothing for an item, and computes on the calling goroutine, as SignBatch does.
func VerifyBatch(items []VerifyItem, results []error) error {
	return verifyBatch(nil, items, results)
}

func verifyBatch(cache *core.Handle, items []VerifyItem, results []error) error {
	if len(results) != len(items) {
		return fault.RefuseAll(results, core.InvalidArgument)
	}
	return fault.Verify(core.SM2VerifyBatch, cache, func(i int) core.VerifyItem {
		item := &items[i]
		bytes, isDigest := content(item.Message, item.Digest)
		return core.VerifyItem{
			Key: item.Key.handle(), Content: bytes, IsDigest: isDigest, Signature: item.Signature, Form: item.Form.core(),
		}
	}, func(i int) error { return whyInvalid(items[i].Form, items[i].Signature) }, results)
}
