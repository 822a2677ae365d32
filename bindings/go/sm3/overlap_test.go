package sm3_test

import (
	"bytes"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/sm3"
)

// A derived key may be written over the secret, in whatever way.
func TestKDFOverlaps(t *testing.T) {
	for _, length := range []int{16, 32, 100} {
		for _, at := range []int{0, 1, 31, 40, 63, 64, 99, 130} {
			want := make([]byte, length)
			if err := sm3.KDF(message(200)[40:140], want); err != nil {
				t.Fatal(err)
			}
			buffer := message(300)
			if err := sm3.KDF(buffer[40:140], buffer[at:at+length]); err != nil || !bytes.Equal(buffer[at:at+length], want) {
				t.Fatalf("%d bytes at %d: %v", length, at, err)
			}
		}
	}
}

// What is appended may lie where the data were.
func TestSumOverlaps(t *testing.T) {
	want := sm3.Sum(message(100))
	buffer := message(100)
	h := sm3.New()
	h.Write(buffer)
	if got := h.Sum(buffer[:3]); !bytes.Equal(got[3:], want[:]) {
		t.Fatal("another digest")
	}
	buffer = message(100)
	mac := check.Must[*sm3.HMAC](t)(sm3.NewHMAC(buffer[:20]))
	mac.Write(buffer)
	expected := sm3.SumHMAC(message(100)[:20], message(100))
	if got := mac.Sum(buffer[:3]); !bytes.Equal(got[3:], expected[:]) {
		t.Fatal("another HMAC")
	}
}

// Of many digests, a message may lie in the place of its own, and of no other.
func TestSumBatchOverlaps(t *testing.T) {
	digests := make([][sm3.Size]byte, 10)
	messages := make([][]byte, len(digests))
	want := make([][sm3.Size]byte, len(digests))
	for i := range digests {
		digests[i][0] = byte(i)
		messages[i] = digests[i][:i]
		want[i] = sm3.Sum(messages[i])
	}
	if err := sm3.SumBatch(messages, digests); err != nil {
		t.Fatal(err)
	}
	for i := range digests {
		if digests[i] != want[i] {
			t.Fatal("another digest of", i)
		}
	}
	for _, wrong := range [][]byte{digests[4][:], digests[6][:1], digests[5][1:], digests[0][31:], digests[9][:]} {
		messages[5] = wrong
		check.Error(t, sm3.SumBatch(messages, digests), kuaimi.ErrInvalidArgument)
	}
	messages[5] = nil
	if err := sm3.SumBatch(messages, digests); err != nil {
		t.Fatal(err)
	}
}
