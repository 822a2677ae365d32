package fault

import "github.com/kuaimi/kuaimi/bindings/go/internal/core"

// RefuseAll makes an error the result of every item, and returns it. No place keeps what the caller had there: that is nil, most of the
// time, which would mean a success.
func RefuseAll(results []error, code core.Code) error {
	err := Of(code)
	for i := range results {
		results[i] = err
	}
	return err
}

// Refuse is RefuseAll for a batch that makes something, of which nothing is left.
func Refuse[Output any](outputs []Output, results []error, code core.Code) error {
	clear(outputs)
	return RefuseAll(results, code)
}

// Make runs a batch that makes something of each item: the item's result goes to its place in results, and set gets what was made,
// nothing where the item failed. set copies it, unless the batch says that the memory is the caller's.
func Make[Item any](batch func(int, func(int) Item, func(int, core.Code, []byte)), item func(int) Item, set func(i int, made []byte),
	results []error) error {
	RefuseAll(results, core.Internal)
	batch(len(results), item, func(i int, code core.Code, made []byte) {
		if results[i] = Of(code); code != core.OK {
			made = nil
		}
		set(i, made)
	})
	return First(results)
}

// Into is for what Make makes where a place has a fixed size: a copy, or zeros where nothing was made.
func Into(place, made []byte) {
	clear(place[copy(place, made):])
}

// Verify runs a batch of verifications: each item's result goes to its place in results. why is the error for an item whose signature
// is not valid.
func Verify(batch func(*core.Handle, int, func(int) core.VerifyItem, func(int, core.Code)) core.Code, cache *core.Handle,
	item func(int) core.VerifyItem, why func(int) error, results []error) error {
	RefuseAll(results, core.Internal)
	code := batch(cache, len(results), item, func(i int, code core.Code) {
		if results[i] = Of(code); code == core.InvalidSignature {
			results[i] = why(i)
		}
	})
	if code != core.OK {
		return RefuseAll(results, code)
	}
	return First(results)
}

// First is the first error of some results.
func First(results []error) error {
	for _, err := range results {
		if err != nil {
			return err
		}
	}
	return nil
}
