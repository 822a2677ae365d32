package sm3_test

import (
	"bytes"
	"crypto/hmac"
	"encoding"
	"encoding/binary"
	"hash"
	"math/rand/v2"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/vectors"
	"github.com/kuaimi/kuaimi/bindings/go/sm3"
)

func TestStandard(t *testing.T) {
	file := vectors.Load[struct {
		SM3 []struct{ Message, Digest vectors.Hex }
	}](t, "sm3_sm4.json")
	if len(file.SM3) == 0 {
		t.Fatal("no examples")
	}
	for _, v := range file.SM3 {
		if digest := sm3.Sum(v.Message); !bytes.Equal(digest[:], v.Digest) {
			t.Fatalf("%x", digest)
		}
	}
}

func message(n int) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(i * 7)
	}
	return data
}

// Every length around the edges of blocks, in one piece and in many, with copies and saved states in between.
func TestPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for length := range 300 {
		data := message(length)
		want := sm3.Sum(data)
		h := sm3.New()
		for rest := data; len(rest) > 0; {
			n := 1 + random.IntN(len(rest))
			if random.IntN(2) == 0 {
				n = min(n, 5)
			}
			if written, err := h.Write(rest[:n]); written != n || err != nil {
				t.Fatal(written, err)
			}
			rest = rest[n:]
			before := h.Sum(nil)
			state, err := h.(encoding.BinaryMarshaler).MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			// A copy goes on; the first one is given something else.
			clone, err := h.(hash.Cloner).Clone()
			if err != nil {
				t.Fatal(err)
			}
			h.Write([]byte("not of the message"))
			h = sm3.New()
			if random.IntN(2) == 0 {
				h = clone
			} else if err := h.(encoding.BinaryUnmarshaler).UnmarshalBinary(state); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(h.Sum(nil), before) {
				t.Fatal("a copy has another digest")
			}
		}
		if got := h.Sum([]byte("before")); !bytes.Equal(got[6:], want[:]) || string(got[:6]) != "before" {
			t.Fatal("another digest of", length)
		}
		h.Reset()
		h.Write([]byte("abc"))
		if abc := sm3.Sum([]byte("abc")); !bytes.Equal(h.Sum(nil), abc[:]) {
			t.Fatal("after Reset")
		}
	}
	h := sm3.New()
	if h.Size() != 32 || h.BlockSize() != 64 {
		t.Fatal("sizes")
	}
	state, _ := h.(encoding.BinaryMarshaler).MarshalBinary()
	for i := range state {
		if h.(encoding.BinaryUnmarshaler).UnmarshalBinary(state[:i]) == nil {
			t.Fatal("part of a state was read")
		}
	}
	state[0] ^= 1
	if h.(encoding.BinaryUnmarshaler).UnmarshalBinary(state) == nil {
		t.Fatal("the state of another hash was read")
	}
}

func TestSumBatch(t *testing.T) {
	var messages [][]byte
	for i := range 5000 {
		messages = append(messages, message(i%150))
	}
	messages[77] = message(2 << 20)
	digests := make([][32]byte, len(messages))
	if err := sm3.SumBatch(messages, digests); err != nil {
		t.Fatal(err)
	}
	for i, m := range messages {
		if digests[i] != sm3.Sum(m) {
			t.Fatal("another digest of message", i)
		}
	}
	if sm3.SumBatch(messages, digests[1:]) != kuaimi.ErrInvalidArgument || sm3.SumBatch(nil, nil) != nil {
		t.Fatal("lengths")
	}
}

func TestHMAC(t *testing.T) {
	for _, length := range []int{0, 1, 16, 63, 64, 65, 200} {
		key, data := message(length), message(100)
		// By crypto/hmac, in one piece, and in pieces.
		want := hmac.New(sm3.New, key)
		want.Write(data)
		once := sm3.SumHMAC(key, data)
		if !bytes.Equal(once[:], want.Sum(nil)) {
			t.Fatal("another HMAC")
		}
		m, err := sm3.NewHMAC(key)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			m.Write(data[:33])
			if partly := sm3.SumHMAC(key, data[:33]); !bytes.Equal(m.Sum(nil), partly[:]) {
				t.Fatal("Sum ends the message")
			}
			m.Write(data[33:])
			if !bytes.Equal(m.Sum(nil), once[:]) || m.Verify(once[:]) != nil {
				t.Fatal("another HMAC")
			}
			if m.Verify(once[1:]) != kuaimi.ErrInvalidSignature || m.Verify(make([]byte, 32)) != kuaimi.ErrInvalidSignature {
				t.Fatal("a wrong HMAC was verified")
			}
			m.Reset()
		}
		m.Close()
		if _, err := m.Write(data); err != kuaimi.ErrClosed {
			t.Fatal(err)
		}
		if m.Verify(once[:]) != kuaimi.ErrClosed {
			t.Fatal("a closed HMAC verifies")
		}
	}
}

// The key derivation function as the standard writes it.
func TestKDF(t *testing.T) {
	secret := []byte("a shared secret")
	for _, length := range []int{1, 31, 32, 33, 100, 1000} {
		key := make([]byte, length)
		if err := sm3.KDF(secret, key); err != nil {
			t.Fatal(err)
		}
		var want []byte
		for counter := uint32(1); len(want) < length; counter++ {
			digest := sm3.Sum(binary.BigEndian.AppendUint32(bytes.Clone(secret), counter))
			want = append(want, digest[:]...)
		}
		if !bytes.Equal(key, want[:length]) {
			t.Fatal("another key of", length)
		}
	}
}

func TestAllocations(t *testing.T) {
	if kuaimi.Backend() == "gmsm" {
		t.Skip("gmsm allocates more")
	}
	data := message(1000)
	digest := make([]byte, 0, 32)
	if n := testing.AllocsPerRun(100, func() { sm3.Sum(data) }); n != 0 {
		t.Errorf("Sum: %v", n)
	}
	if n := testing.AllocsPerRun(100, func() {
		h := sm3.New()
		h.Write(data)
		h.Sum(digest)
	}); n > 1 {
		t.Errorf("New, Write and Sum: %v", n)
	}
}

// However a message is cut, its digest is the same.
func FuzzPieces(f *testing.F) {
	f.Add([]byte("abc"), []byte{1})
	f.Add(message(200), []byte{63, 1, 64, 0, 10})
	f.Fuzz(func(t *testing.T, data, cuts []byte) {
		h := sm3.New()
		rest := data
		for _, cut := range cuts {
			n := min(int(cut), len(rest))
			h.Write(rest[:n])
			rest = rest[n:]
		}
		h.Write(rest)
		if want := sm3.Sum(data); !bytes.Equal(h.Sum(nil), want[:]) {
			t.Fatal("another digest")
		}
	})
}

// A state that is read is written as it was.
func FuzzState(f *testing.F) {
	h := sm3.New()
	h.Write(message(100))
	state, _ := h.(encoding.BinaryMarshaler).MarshalBinary()
	f.Add(state)
	f.Fuzz(func(t *testing.T, data []byte) {
		h := new(sm3.Hash)
		if h.UnmarshalBinary(data) != nil {
			return
		}
		h.Sum(nil)
		again, _ := h.MarshalBinary()
		same := new(sm3.Hash)
		if err := same.UnmarshalBinary(again); err != nil || *same != *h {
			t.Fatal("another state")
		}
	})
}
