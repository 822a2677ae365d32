package sm9

import (
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
	"github.com/kuaimi/kuaimi/bindings/go/internal/overlap"
)

// A SignItem is one signature to be made.
type SignItem struct {
	Key     *SigningKey
	Message []byte
}

// A VerifyItem is one signature to be verified.
type VerifyItem struct {
	Key       *VerifyingKey
	Message   []byte
	Signature []byte
	Form      SignatureForm
}

// SignBatch makes the signatures of all items at once. The signature of an item, h and S, goes to the same place of signatures, and
// nil or an error to the same place of results; both must be as long as items. No message may lie in signatures, unless it begins where
// its own signature begins, and is no longer. It returns the first error. Nothing is allocated for an item, and all is computed on the
// calling goroutine.
func SignBatch(items []SignItem, signatures [][96]byte, results []error) error {
	if len(signatures) != len(items) || len(results) != len(items) ||
		overlap.Shifted(signatures, func(i int) []byte { return items[i].Message }) {
		return fault.Refuse(signatures, results, core.InvalidArgument)
	}
	return fault.Sign(core.SM9SignBatch, func(i int) core.SignItem {
		return core.SignItem{Key: items[i].Key.handle(), Content: items[i].Message}
	}, func(i int) []byte { return signatures[i][:] }, results)
}

// VerifyBatch verifies the signatures of all items at once. The result of an item goes to the same place of results, which must be as
// long as items. It returns the first error. Nothing is allocated for an item, and all is computed on the calling goroutine.
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
