//go:build cgo && !purego && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

/*
#cgo noescape kuaimi_sm4_gcm_seal_batch
#cgo nocallback kuaimi_sm4_gcm_seal_batch
#cgo noescape kuaimi_sm4_gcm_open_batch
#cgo nocallback kuaimi_sm4_gcm_open_batch
#include "kuaimi.h"
*/
import "C"

import "unsafe"

const (
	keyLen = 16
	tagLen = 16
	// What one call makes, unless one item is longer: the C library holds copies of all data of a call.
	gcmBytes = 16 << 20
)

// A gcmOutput is Go's memory for what one call makes: one slice, of which each item has a part.
type gcmOutput struct {
	// What the items so far need.
	need int
	all  []byte
	// Bytes of the parts that were given out.
	given int
}

// fits says whether an item with a result of that length goes into the same call.
func (o *gcmOutput) fits(length int) bool {
	if o.need > 0 && o.need+length > gcmBytes {
		return false
	}
	o.need += length
	return true
}

// begin makes the memory, which stays where it is until the batch is reset.
func (o *gcmOutput) begin(b *batch) {
	o.all, o.need, o.given = make([]byte, o.need), 0, 0
	if len(o.all) > 0 {
		b.pinner.Pin(unsafe.SliceData(o.all))
	}
}

// next is the part of the next item.
func (o *gcmOutput) next(length int) []byte {
	end := o.given + length
	part := o.all[o.given:end:end]
	o.given = end
	return part
}

// gcmKey is the key of an item in C's memory. It is nil for one of another length.
func (b *batch) gcmKey(key []byte) *C.uint8_t {
	if len(key) != keyLen {
		return nil
	}
	return b.put(key).data
}

// SM4GCMSealBatch encrypts n messages. done gets each with its tag behind it, in memory that is the caller's from then on.
func SM4GCMSealBatch(n int, item func(int) GCMItem, done func(item int, code Code, sealed []byte)) {
	var output gcmOutput
	inBatches(n, func(b *batch, place, i int) bool {
		it := item(i)
		if !b.fits(it.Key, it.Nonce, it.Beside, it.Data) || !output.fits(len(it.Data)+tagLen) {
			return false
		}
		itemsOf[C.kuaimi_sm4_gcm_seal_item](b)[place] = C.kuaimi_sm4_gcm_seal_item{
			key: b.gcmKey(it.Key), nonce: b.put(it.Nonce), associated_data: b.put(it.Beside), data: b.put(it.Data),
		}
		return true
	}, func(b *batch, count int) {
		items := itemsOf[C.kuaimi_sm4_gcm_seal_item](b)
		output.begin(b)
		for place := range count {
			length := int(items[place].data.len)
			sealed := output.next(length + tagLen)
			items[place].out, items[place].tag = bytes(sealed), bytes(sealed[length:])
		}
		output.given = 0
		first, results := &items[0], &b.c.results[0]
		C.kuaimi_sm4_gcm_seal_batch(first, C.size_t(count), results)
	}, func(b *batch, place, i int) {
		length := int(itemsOf[C.kuaimi_sm4_gcm_seal_item](b)[place].data.len)
		done(i, b.result(place, KeyLength), output.next(length+tagLen))
	})
}

// SM4GCMOpenBatch decrypts n messages, each with its tag behind it. done gets the messages, in memory that is the caller's from then on.
func SM4GCMOpenBatch(n int, item func(int) GCMItem, done func(item int, code Code, opened []byte)) {
	var output gcmOutput
	inBatches(n, func(b *batch, place, i int) bool {
		it := item(i)
		end := len(it.Data) - tagLen
		if !b.fits(it.Key, it.Nonce, it.Beside, it.Data) || !output.fits(max(end, 0)) {
			return false
		}
		own := &itemsOf[C.kuaimi_sm4_gcm_open_item](b)[place]
		*own = C.kuaimi_sm4_gcm_open_item{key: b.gcmKey(it.Key), nonce: b.put(it.Nonce), associated_data: b.put(it.Beside)}
		if end >= 0 {
			own.data = b.put(it.Data)
			own.data.len = C.size_t(end)
			own.tag = (*C.uint8_t)(unsafe.Add(unsafe.Pointer(own.data.data), end))
		}
		return true
	}, func(b *batch, count int) {
		items := itemsOf[C.kuaimi_sm4_gcm_open_item](b)
		output.begin(b)
		for place := range count {
			items[place].out = bytes(output.next(int(items[place].data.len)))
		}
		output.given = 0
		first, results := &items[0], &b.c.results[0]
		C.kuaimi_sm4_gcm_open_batch(first, C.size_t(count), results)
	}, func(b *batch, place, i int) {
		it := &itemsOf[C.kuaimi_sm4_gcm_open_item](b)[place]
		null := KeyLength
		if it.key != nil {
			// Fewer bytes than a tag has.
			null = DecryptionFailed
		}
		done(i, b.result(place, null), output.next(int(it.data.len)))
	})
}
