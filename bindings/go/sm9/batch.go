package sm9

import (
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
	"github.com/kuaimi/kuaimi/bindings/go/internal/overlap"
)

// A SignItem is a signature to make.
type SignItem struct {
	Key     *SigningKey
	Message []byte
}

// A VerifyItem is a signature to verify.
type VerifyItem struct {
	Key       *VerifyingKey
	Message   []byte
	Signature []byte
	Form      SignatureForm
}

// SignBatch makes the signatures of all items. The signature of item i, h and S, goes to signatures[i], and nil or an error to
// results[i]; both slices must be as long as items. A message may overlap signatures only if it starts where its own signature starts,
// and is no longer. SignBatch returns the first error. It allocates nothing for an item, and computes on the calling goroutine.
func SignBatch(items []SignItem, signatures [][96]byte, results []error) error {
	if len(signatures) != len(items) || len(results) != len(items) ||
		overlap.Shifted(signatures, func(i int) []byte { return items[i].Message }) {
		return fault.Refuse(signatures, results, core.InvalidArgument)
	}
	return fault.Make(core.SM9SignBatch, func(i int) core.SignItem {
		return core.SignItem{Key: items[i].Key.handle(), Content: items[i].Message}
	}, func(i int, made []byte) { fault.Into(signatures[i][:], made) }, results)
}

// VerifyBatch verifies the signatures of all items. results[i] becomes nil or the error for item i; results must be as long as items.
// VerifyBatch returns the first error. It allocates nothing for an item, and computes on the calling goroutine.
func VerifyBatch(items []VerifyItem, results []error) error {
	return verifyBatch(nil, items, results)
}

func verifyBatch(cache *core.Handle, items []VerifyItem, results []error) error {
	if len(results) != len(items) {
		return fault.RefuseAll(results, core.InvalidArgument)
	}
	return fault.Verify(core.SM9VerifyBatch, cache, func(i int) core.VerifyItem {
		item := &items[i]
		return core.VerifyItem{Key: item.Key.handle(), Content: item.Message, Signature: item.Signature, Form: item.Form.core()}
	}, func(i int) error { return whyInvalid(items[i].Form, items[i].Signature) }, results)
}
