package sm2

import (
	"hash"

	"github.com/kuaimi/kuaimi/bindings/go/sm3"
)

// A messageHash is a hash that has absorbed Z, also after Reset.
type messageHash struct {
	hash.Hash
	z [32]byte
}

func newMessageHash(z [32]byte) *messageHash {
	h := &messageHash{Hash: sm3.New(), z: z}
	h.Write(z[:])
	return h
}

// Reset begins a new message.
func (h *messageHash) Reset() {
	h.Hash.Reset()
	h.Write(h.z[:])
}
