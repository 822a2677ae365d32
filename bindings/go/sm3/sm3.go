// Package sm3 is the hash function SM3 (GB/T 32905-2016), HMAC with it, and the key derivation function of SM2.
package sm3

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash"

	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/internal/fault"
	"github.com/kuaimi/kuaimi/bindings/go/internal/overlap"
)

const (
	// Size is the length of a digest in bytes.
	Size = 32
	// BlockSize is the length of a block in bytes.
	BlockSize = 64
)

// initial is the state before the first block (4.1).
var initial = [Size]byte{
	0x73, 0x80, 0x16, 0x6f, 0x49, 0x14, 0xb2, 0xb9, 0x17, 0x24, 0x42, 0xd7, 0xda, 0x8a, 0x06, 0x00,
	0xa9, 0x6f, 0x30, 0xbc, 0x16, 0x31, 0x38, 0xaa, 0xe3, 0x8d, 0xee, 0x4d, 0xb0, 0xfb, 0x0e, 0x4e,
}

// A Hash is a hash in progress. It implements hash.Hash, hash.Cloner, encoding.BinaryMarshaler, encoding.BinaryAppender and
// encoding.BinaryUnmarshaler. Its state is in Go's memory, and is as secret as what was hashed; Reset wipes it. For a hash with a key,
// use HMAC, which keeps its state in C's memory.
//
// A Hash must not be used by several goroutines at the same time.
type Hash struct {
	state [Size]byte
	// Bytes absorbed so far. The last length % BlockSize of them are in buffer.
	length uint64
	buffer [BlockSize]byte
}

var (
	_ hash.Hash   = (*Hash)(nil)
	_ hash.Cloner = (*Hash)(nil)
)

// New makes a hash, a *Hash, of an empty message.
func New() hash.Hash {
	return &Hash{state: initial}
}

// Sum is the digest of data.
func Sum(data []byte) [Size]byte {
	var digest [Size]byte
	core.SM3Sum(data, &digest)
	return digest
}

// SumBatch computes the digest of messages[i] into digests[i]; both slices must be equally long. On CPUs with vector instructions it
// is faster than one by one, as several messages are hashed at once. A message may overlap digests only if it starts where its own
// digest starts, and is no longer. Otherwise the error is kuaimi.ErrInvalidArgument.
func SumBatch(messages [][]byte, digests [][Size]byte) error {
	message := func(i int) []byte { return messages[i] }
	if len(messages) != len(digests) || overlap.Shifted(digests, message) {
		return fault.Of(core.InvalidArgument)
	}
	code := core.SM3SumBatch(len(messages), message, func(i int, digest []byte) { copy(digests[i][:], digest) })
	if code != core.OK {
		clear(digests)
	}
	return fault.Of(code)
}

// KDF fills key with the output of the key derivation function for a secret (GB/T 32918.4-2016, 5.4.3).
func KDF(secret, key []byte) error {
	if overlap.Any(secret, key) {
		secret = bytes.Clone(secret)
		defer clear(secret)
	}
	return fault.Of(core.SM3KDF(secret, key))
}

// Write adds data to the message. It never fails.
func (h *Hash) Write(data []byte) (int, error) {
	written := len(data)
	used := int(h.length % BlockSize)
	h.length += uint64(written)
	if used != 0 {
		n := copy(h.buffer[used:], data)
		data = data[n:]
		if used+n < BlockSize {
			return written, nil
		}
		core.SM3Compress(&h.state, h.buffer[:])
	}
	if whole := len(data) / BlockSize * BlockSize; whole != 0 {
		core.SM3Compress(&h.state, data[:whole])
		data = data[whole:]
	}
	copy(h.buffer[:], data)
	return written, nil
}

// Sum appends the digest of all data written so far. It does not change the hash, which may go on.
func (h *Hash) Sum(b []byte) []byte {
	// The padding: a bit 1, zeros, and the length in bits as 64 bits (5.2).
	var blocks [2 * BlockSize]byte
	state := h.state
	used := copy(blocks[:], h.buffer[:h.length%BlockSize])
	blocks[used] = 0x80
	end := BlockSize
	if used >= BlockSize-8 {
		end = 2 * BlockSize
	}
	binary.BigEndian.PutUint64(blocks[end-8:], h.length*8)
	core.SM3Compress(&state, blocks[:end])
	b = append(b, state[:]...)
	clear(blocks[:])
	return b
}

// Reset wipes the state and begins a new message.
func (h *Hash) Reset() {
	*h = Hash{state: initial}
}

// Size is 32.
func (h *Hash) Size() int { return Size }

// BlockSize is 64.
func (h *Hash) BlockSize() int { return BlockSize }

// Clone copies the hash, for messages with the same beginning. It never fails.
func (h *Hash) Clone() (hash.Cloner, error) {
	clone := *h
	return &clone, nil
}

// The saved state, the same as that of github.com/emmansun/gmsm: a name, the eight words, the buffer, the length.
const (
	magic      = "sm3\x03"
	savedState = len(magic) + Size + BlockSize + 8
)

// MarshalBinary is the state of the hash, which is as secret as what was hashed.
func (h *Hash) MarshalBinary() ([]byte, error) {
	return h.AppendBinary(make([]byte, 0, savedState))
}

// AppendBinary appends what MarshalBinary gives.
func (h *Hash) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, magic...)
	b = append(b, h.state[:]...)
	b = append(b, h.buffer[:h.length%BlockSize]...)
	b = append(b, make([]byte, BlockSize-int(h.length%BlockSize))...)
	return binary.BigEndian.AppendUint64(b, h.length), nil
}

// UnmarshalBinary goes on from a state that MarshalBinary returned.
func (h *Hash) UnmarshalBinary(data []byte) error {
	if len(data) != savedState || string(data[:len(magic)]) != magic {
		return errors.New("sm3: the bytes are not a saved state of SM3")
	}
	data = data[len(magic):]
	h.length = binary.BigEndian.Uint64(data[Size+BlockSize:])
	copy(h.state[:], data)
	clear(h.buffer[copy(h.buffer[:h.length%BlockSize], data[Size:]):])
	return nil
}
