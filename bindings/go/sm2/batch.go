package sm2

import (
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
	"github.com/kuaimi/kuaimi/bindings/go/internal/overlap"
)

// A SignItem is one signature to be made: of Message, or of Digest, the 32 bytes of SM3(Z, message), where that is not nil.
type SignItem struct {
	Key     *SigningKey
	Message []byte
	Digest  []byte
}

// A VerifyItem is one signature to be verified: of Message, or of Digest, the 32 bytes of SM3(Z, message), where that is not nil.
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

// SignBatch makes the signatures of all items at once, several times faster than one by one. The signature of an item, r and s, goes
// to the same place of signatures, and nil or an error to the same place of results; both must be as long as items. No message or
// digest may lie in signatures, unless it begins where its own signature begins, and is no longer. It returns the first error. Nothing
// is allocated for an item. All is computed on the calling goroutine: to use more CPUs, give each of several goroutines a part, of some
// hundred items at least.
func SignBatch(items []SignItem, signatures [][64]byte, results []error) error {
	if len(signatures) != len(items) || len(results) != len(items) || overlap.Shifted(signatures, func(i int) []byte {
		bytes, _ := content(items[i].Message, items[i].Digest)
		return bytes
	}) {
		return fault.Refuse(signatures, results, core.InvalidArgument)
	}
	return fault.Sign(core.SM2SignBatch, func(i int) core.SignItem {
		item := &items[i]
		bytes, isDigest := content(item.Message, item.Digest)
		return core.SignItem{Key: item.Key.handle(), Content: bytes, IsDigest: isDigest}
	}, func(i int) []byte { return signatures[i][:] }, results)
}

// VerifyBatch verifies the signatures of all items at once, several times faster than one by one: any mixture of keys. The result of
// an item, nil or an error of VerifyingKey.Verify if its key is open and its form known, goes to the same place of results, which must be as
// long as items. It returns the first error. Nothing is allocated for an item. All is computed on the calling goroutine, as by
// SignBatch.
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
