//go:build cgo && !purego && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

/*
#cgo noescape kuaimi_sm2_sign_batch
#cgo nocallback kuaimi_sm2_sign_batch
#cgo noescape kuaimi_sm2_verify_batch
#cgo nocallback kuaimi_sm2_verify_batch
#cgo noescape kuaimi_sm2_key_cache_verify_batch
#cgo nocallback kuaimi_sm2_key_cache_verify_batch
#cgo noescape kuaimi_sm9_sign_batch
#cgo nocallback kuaimi_sm9_sign_batch
#cgo noescape kuaimi_sm9_verify_batch
#cgo nocallback kuaimi_sm9_verify_batch
#cgo noescape kuaimi_sm9_identity_cache_verify_batch
#cgo nocallback kuaimi_sm9_identity_cache_verify_batch
#cgo noescape kuaimi_sm3_digest_many
#cgo nocallback kuaimi_sm3_digest_many
#cgo noescape kuaimi_sm2_diffie_hellman_batch
#cgo nocallback kuaimi_sm2_diffie_hellman_batch
#cgo noescape kuaimi_sm2_exchange_respond_batch
#cgo nocallback kuaimi_sm2_exchange_respond_batch
#include "kuaimi.h"

// What one call of a batch takes: 4096 items with 256 bytes each on average, or fewer longer ones.
#define ITEMS 4096
#define BYTES (1 << 20)

// Memory for one call. It is not Go's, as Go's pointers must not be in Go's memory that C reads: the messages are copied to bytes, and
// longer ones are pinned instead.
typedef struct {
	union {
		kuaimi_sm2_sign_item sm2_sign[ITEMS];
		kuaimi_sm2_verify_item sm2_verify[ITEMS];
		kuaimi_sm9_sign_item sm9_sign[ITEMS];
		kuaimi_sm9_verify_item sm9_verify[ITEMS];
		kuaimi_bytes messages[ITEMS];
		kuaimi_sm4_gcm_seal_item gcm_seal[ITEMS];
		kuaimi_sm4_gcm_open_item gcm_open[ITEMS];
		kuaimi_sm2_diffie_hellman_item diffie_hellman[ITEMS];
		kuaimi_sm2_respond_item respond[ITEMS];
	} items;
	kuaimi_sm2_response *responses[ITEMS];
	kuaimi_error results[ITEMS];
	uint8_t out[ITEMS * 96];
	uint8_t bytes[BYTES];
} kuaimi_go_batch;
*/
import "C"

import (
	"runtime"
	"sync"
	"syscall"
	"unsafe"
)

// Bytes from which on pinning costs less than copying: some tens of nanoseconds.
const pinned = 4096

// A batch has the items of one call.
type batch struct {
	c *C.kuaimi_go_batch
	// Bytes of c.bytes that are used.
	used   int
	pinner runtime.Pinner
	// The keys of the items, each acquired.
	keys []*Handle
}

// The memory is mapped, so that pages which no batch touches take none, and all of it goes back at the end: malloc would give and keep
// memory that was touched before.
var batches = sync.Pool{New: func() any {
	memory, err := syscall.Mmap(-1, 0, C.sizeof_kuaimi_go_batch, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		// As the runtime does without memory.
		panic("kuaimi: no memory for a batch: " + err.Error())
	}
	b := &batch{c: (*C.kuaimi_go_batch)(unsafe.Pointer(unsafe.SliceData(memory)))}
	runtime.AddCleanup(b, func(memory []byte) { syscall.Munmap(memory) }, memory)
	return b
}}

// itemsOf is the place of the items of one kind.
func itemsOf[Item any](b *batch) *[C.ITEMS]Item {
	return (*[C.ITEMS]Item)(unsafe.Pointer(&b.c.items))
}

// fits says whether some slices fit beside what is there. They always do where nothing is.
func (b *batch) fits(slices ...[]byte) bool {
	need := 0
	for _, slice := range slices {
		if len(slice) < pinned {
			need += len(slice)
		}
	}
	return b.used+need <= C.BYTES
}

// put is a slice as C has it: copied, or pinned where it is long.
func (b *batch) put(slice []byte) C.kuaimi_bytes {
	if len(slice) >= pinned {
		start := unsafe.SliceData(slice)
		b.pinner.Pin(start)
		return C.kuaimi_bytes{data: (*C.uint8_t)(start), len: size(slice)}
	}
	if len(slice) == 0 {
		return C.kuaimi_bytes{}
	}
	start := &b.c.bytes[b.used]
	copy(unsafe.Slice((*byte)(start), len(slice)), slice)
	b.used += len(slice)
	return C.kuaimi_bytes{data: start, len: size(slice)}
}

// identity is as put: an empty one is not the default one, which is nil.
func (b *batch) identity(slice []byte) C.kuaimi_bytes {
	if slice != nil && len(slice) == 0 {
		return C.kuaimi_bytes{data: &b.c.bytes[0]}
	}
	return b.put(slice)
}

// key is what a handle points to, kept until reset. It is nil for a closed one.
func (b *batch) key(h *Handle) unsafe.Pointer {
	if last := len(b.keys) - 1; last >= 0 && b.keys[last] == h {
		return h.pointer
	}
	if !h.acquire() {
		return nil
	}
	b.keys = append(b.keys, h)
	return h.pointer
}

// result is the code of an item. null is what it means that C found a null pointer: a key that was closed, if not said otherwise.
func (b *batch) result(item int, null Code) Code {
	const nullPointer = 10
	if code := Code(b.c.results[item]); code != nullPointer {
		return code
	}
	return null
}

// out is the result of an item, of that many bytes.
func (b *batch) out(item, length int) []byte {
	return unsafe.Slice((*byte)(&b.c.out[item*length]), length)
}

// reset forgets the items, and wipes the messages, which may be secrets.
func (b *batch) reset() {
	clear(unsafe.Slice((*byte)(&b.c.bytes[0]), b.used))
	b.used = 0
	b.pinner.Unpin()
	for _, key := range b.keys {
		key.release()
	}
	clear(b.keys)
	b.keys = b.keys[:0]
}

// In calls, the address of an array's element is taken before: cgo would check, and copy, the whole array of an address that is taken
// in the call.

// inBatches gives n items to C, many at a time. put fills a place with an item, unless there is no room left for it; call runs
// the batch; done takes an item's result.
func inBatches(n int, put func(b *batch, place, item int) bool, call func(b *batch, count int), done func(b *batch, place, item int)) {
	b := batches.Get().(*batch)
	defer func() {
		b.reset()
		batches.Put(b)
	}()
	for first := 0; first < n; {
		count := 0
		for count < C.ITEMS && first+count < n && put(b, count, first+count) {
			count++
		}
		// If the call fails before it writes results, those of the previous call must not remain.
		for place := range count {
			b.c.results[place] = C.KUAIMI_ERROR_INTERNAL
		}
		call(b, count)
		for place := range count {
			done(b, place, first+place)
		}
		b.reset()
		first += count
	}
}

// SM2SignBatch makes n signatures of 64 bytes, which done gets in order.
func SM2SignBatch(n int, item func(int) SignItem, done func(item int, code Code, signature []byte)) {
	inBatches(n, func(b *batch, place, i int) bool {
		it := item(i)
		if !b.fits(it.Content) {
			return false
		}
		itemsOf[C.kuaimi_sm2_sign_item](b)[place] = C.kuaimi_sm2_sign_item{
			key: (*C.kuaimi_sm2_signing_key)(b.key(it.Key)), content: b.put(it.Content), content_kind: contentKind(it.IsDigest),
		}
		return true
	}, func(b *batch, count int) {
		items, out, results := &itemsOf[C.kuaimi_sm2_sign_item](b)[0], &b.c.out[0], &b.c.results[0]
		C.kuaimi_sm2_sign_batch(items, C.size_t(count), out, results)
	}, func(b *batch, place, i int) {
		done(i, b.result(place, Closed), b.out(place, C.KUAIMI_SM2_SIGNATURE_LEN))
	})
}

func contentKind(isDigest bool) C.kuaimi_content_kind {
	if isDigest {
		return C.KUAIMI_CONTENT_DIGEST
	}
	return C.KUAIMI_CONTENT_MESSAGE
}

// verifyBatch verifies n signatures. set fills an item's place; call gets what the cache points to, nil for none.
func verifyBatch(cache *Handle, n int, item func(int) VerifyItem, done func(item int, code Code),
	set func(b *batch, place int, it VerifyItem), call func(b *batch, cache unsafe.Pointer, count C.size_t)) Code {
	var table unsafe.Pointer
	if cache != nil {
		if !cache.acquire() {
			return Closed
		}
		defer cache.release()
		table = cache.pointer
	}
	inBatches(n, func(b *batch, place, i int) bool {
		it := item(i)
		if !b.fits(it.Content, it.Signature) {
			return false
		}
		set(b, place, it)
		return true
	}, func(b *batch, count int) {
		call(b, table, C.size_t(count))
	}, func(b *batch, place, i int) {
		done(i, b.result(place, Closed))
	})
	return OK
}

// SM2VerifyBatch verifies n signatures, with the tables of a cache where there is one. done gets the results in order.
func SM2VerifyBatch(cache *Handle, n int, item func(int) VerifyItem, done func(item int, code Code)) Code {
	return verifyBatch(cache, n, item, done, func(b *batch, place int, it VerifyItem) {
		itemsOf[C.kuaimi_sm2_verify_item](b)[place] = C.kuaimi_sm2_verify_item{
			key: (*C.kuaimi_sm2_verifying_key)(b.key(it.Key)), content: b.put(it.Content), signature: b.put(it.Signature),
			content_kind: contentKind(it.IsDigest), form: C.kuaimi_signature_form(it.Form),
		}
	}, func(b *batch, cache unsafe.Pointer, count C.size_t) {
		items, results := &itemsOf[C.kuaimi_sm2_verify_item](b)[0], &b.c.results[0]
		if cache != nil {
			C.kuaimi_sm2_key_cache_verify_batch((*C.kuaimi_sm2_key_cache)(cache), items, count, results)
		} else {
			C.kuaimi_sm2_verify_batch(items, count, results)
		}
	})
}

// SM9SignBatch makes n signatures of 96 bytes, which done gets in order.
func SM9SignBatch(n int, item func(int) SignItem, done func(item int, code Code, signature []byte)) {
	inBatches(n, func(b *batch, place, i int) bool {
		it := item(i)
		if !b.fits(it.Content) {
			return false
		}
		itemsOf[C.kuaimi_sm9_sign_item](b)[place] = C.kuaimi_sm9_sign_item{key: (*C.kuaimi_sm9_signing_key)(b.key(it.Key)), message: b.put(it.Content)}
		return true
	}, func(b *batch, count int) {
		items, out, results := &itemsOf[C.kuaimi_sm9_sign_item](b)[0], &b.c.out[0], &b.c.results[0]
		C.kuaimi_sm9_sign_batch(items, C.size_t(count), out, results)
	}, func(b *batch, place, i int) {
		done(i, b.result(place, Closed), b.out(place, C.KUAIMI_SM9_SIGNATURE_LEN))
	})
}

// SM9VerifyBatch verifies n signatures, with the tables of a cache where there is one. done gets the results in order.
func SM9VerifyBatch(cache *Handle, n int, item func(int) VerifyItem, done func(item int, code Code)) Code {
	return verifyBatch(cache, n, item, done, func(b *batch, place int, it VerifyItem) {
		itemsOf[C.kuaimi_sm9_verify_item](b)[place] = C.kuaimi_sm9_verify_item{
			key: (*C.kuaimi_sm9_verifying_key)(b.key(it.Key)), message: b.put(it.Content),
			signature: b.put(it.Signature), form: C.kuaimi_signature_form(it.Form),
		}
	}, func(b *batch, cache unsafe.Pointer, count C.size_t) {
		items, results := &itemsOf[C.kuaimi_sm9_verify_item](b)[0], &b.c.results[0]
		if cache != nil {
			C.kuaimi_sm9_identity_cache_verify_batch((*C.kuaimi_sm9_identity_cache)(cache), items, count, results)
		} else {
			C.kuaimi_sm9_verify_batch(items, count, results)
		}
	})
}

// SM3SumBatch hashes n messages.
func SM3SumBatch(n int, message func(int) []byte, done func(item int, digest []byte)) Code {
	code := OK
	inBatches(n, func(b *batch, place, i int) bool {
		it := message(i)
		if !b.fits(it) {
			return false
		}
		itemsOf[C.kuaimi_bytes](b)[place] = b.put(it)
		return true
	}, func(b *batch, count int) {
		messages, out := &itemsOf[C.kuaimi_bytes](b)[0], &b.c.out[0]
		if result := C.kuaimi_sm3_digest_many(messages, C.size_t(count), out); result != 0 {
			code = Code(result)
		}
	}, func(b *batch, place, i int) {
		done(i, b.out(place, C.KUAIMI_SM3_DIGEST_LEN))
	})
	return code
}

// SM2DiffieHellmanBatch computes n shared secrets of 32 bytes, which done gets in order. They are wiped after it.
func SM2DiffieHellmanBatch(n int, item func(int) PairItem, done func(item int, code Code, secret []byte)) {
	inBatches(n, func(b *batch, place, i int) bool {
		it := item(i)
		itemsOf[C.kuaimi_sm2_diffie_hellman_item](b)[place] = C.kuaimi_sm2_diffie_hellman_item{
			key: (*C.kuaimi_sm2_private_key)(b.key(it.Key)), peer: (*C.kuaimi_sm2_public_key)(b.key(it.Peer)),
		}
		return true
	}, func(b *batch, count int) {
		items, out, results := &itemsOf[C.kuaimi_sm2_diffie_hellman_item](b)[0], &b.c.out[0], &b.c.results[0]
		C.kuaimi_sm2_diffie_hellman_batch(items, C.size_t(count), out, results)
	}, func(b *batch, place, i int) {
		secret := b.out(place, C.KUAIMI_SM2_SHARED_SECRET_LEN)
		done(i, b.result(place, Closed), secret)
		clear(secret)
	})
}

// SM2RespondBatch answers n key exchanges, with shared keys of that many bytes. done gets, in order, the response, and what is for the
// initiator: the point and the confirmation, which are not kept.
func SM2RespondBatch(n, length int, item func(int) RespondItem,
	done func(item int, code Code, response *Handle, point, confirmation []byte)) {
	inBatches(n, func(b *batch, place, i int) bool {
		it := item(i)
		if !b.fits(it.ID, it.PeerID, it.Point) {
			return false
		}
		itemsOf[C.kuaimi_sm2_respond_item](b)[place] = C.kuaimi_sm2_respond_item{
			key: (*C.kuaimi_sm2_private_key)(b.key(it.Key)), peer: (*C.kuaimi_sm2_public_key)(b.key(it.Peer)),
			id: b.identity(it.ID), peer_id: b.identity(it.PeerID), r_a: b.put(it.Point),
		}
		return true
	}, func(b *batch, count int) {
		items, responses, results := &itemsOf[C.kuaimi_sm2_respond_item](b)[0], &b.c.responses[0], &b.c.results[0]
		C.kuaimi_sm2_exchange_respond_batch(items, C.size_t(count), C.size_t(length), responses, results)
	}, func(b *batch, place, i int) {
		if code := b.result(place, Closed); code != OK {
			done(i, code, nil, nil, nil)
			return
		}
		response, code := newHandle(func(p unsafe.Pointer) {
			C.kuaimi_sm2_response_free((*C.kuaimi_sm2_response)(p))
		}, func(out *unsafe.Pointer) C.kuaimi_error {
			*out = unsafe.Pointer(b.c.responses[place])
			return C.KUAIMI_OK
		})
		it := &itemsOf[C.kuaimi_sm2_respond_item](b)[place]
		done(i, code, response, unsafe.Slice((*byte)(&it.r_b[0]), len(it.r_b)), unsafe.Slice((*byte)(&it.s_b[0]), len(it.s_b)))
	})
}
