package gmsm_test

import (
	"bytes"
	"crypto/cipher"
	"crypto/hmac"
	"encoding"
	"testing"

	gmsm3 "github.com/emmansun/gmsm/sm3"
	gmsm4 "github.com/emmansun/gmsm/sm4"

	"github.com/kuaimi/kuaimi/bindings/go/internal/check"
	"github.com/kuaimi/kuaimi/bindings/go/sm3"
	"github.com/kuaimi/kuaimi/bindings/go/sm4"
)

func message(n int) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(i*11 + i>>8)
	}
	return data
}

// SM3: digests, saved states and HMACs of every length around the edges of blocks.
func TestSM3(t *testing.T) {
	var messages [][]byte
	for length := range 300 {
		data := message(length)
		messages = append(messages, data)
		want := gmsm3.Sum(data)
		ours, theirs := sm3.New(), gmsm3.New()
		for _, part := range [][]byte{data[:length/3], data[length/3:]} {
			ours.Write(part)
			theirs.Write(part)
			state := check.Must[[]byte](t)(ours.(encoding.BinaryMarshaler).MarshalBinary())
			if !bytes.Equal(state, check.Must[[]byte](t)(theirs.(encoding.BinaryMarshaler).MarshalBinary())) {
				t.Fatal("another state after", length)
			}
		}
		if sm3.Sum(data) != want || !bytes.Equal(ours.Sum(nil), want[:]) {
			t.Fatal("another digest of", length)
		}
		mac := hmac.New(gmsm3.New, data)
		mac.Write(data)
		if own := sm3.SumHMAC(data, data); !bytes.Equal(own[:], mac.Sum(nil)) {
			t.Fatal("another HMAC of", length)
		}
	}
	digests := make([][32]byte, len(messages))
	if err := sm3.SumBatch(messages, digests); err != nil {
		t.Fatal(err)
	}
	for i, data := range messages {
		if digests[i] != gmsm3.Sum(data) {
			t.Fatal("another digest of message", i)
		}
	}
}

// SM4: the modes of crypto/cipher.
func TestSM4(t *testing.T) {
	key, iv := message(16), message(32)[16:]
	ours, theirs := check.Must[*sm4.Block](t)(sm4.NewCipher(key)), check.Must[cipher.Block](t)(gmsm4.NewCipher(key))
	ourGCM, theirGCM := check.Must[cipher.AEAD](t)(cipher.NewGCM(ours)), check.Must[cipher.AEAD](t)(cipher.NewGCM(theirs))
	for _, length := range []int{0, 1, 15, 16, 17, 100, 1000, 16<<10 + 5} {
		data := message(length)
		apply := func(block cipher.Block) (results [3][]byte) {
			for i := range results {
				results[i] = bytes.Clone(data)
			}
			whole := length / 16 * 16
			cipher.NewCTR(block, iv).XORKeyStream(results[0], data)
			cipher.NewCBCEncrypter(block, iv).CryptBlocks(results[1][:whole], data[:whole])
			cipher.NewCBCDecrypter(block, iv).CryptBlocks(results[2][:whole], data[:whole])
			return results
		}
		own := apply(ours)
		for i, want := range apply(theirs) {
			if !bytes.Equal(own[i], want) {
				t.Fatal("another result of mode", i, "for", length)
			}
		}
		sealed := ourGCM.Seal(nil, iv[:12], data, key)
		if !bytes.Equal(check.Must[[]byte](t)(theirGCM.Open(nil, iv[:12], sealed, key)), data) ||
			!bytes.Equal(sealed, theirGCM.Seal(nil, iv[:12], data, key)) {
			t.Fatal("another ciphertext of", length)
		}
	}
}

// SM4-GCM in batches beside gmsm's single operation, both ways.
func TestSM4Batches(t *testing.T) {
	lengths := []int{0, 1, 15, 16, 17, 64, 1000}
	for _, n := range []int{1, 7, 16, 33} {
		items, open := make([]sm4.SealItem, n), make([]sm4.OpenItem, n)
		theirs, sealed, results := make([][]byte, n), make([][]byte, n), make([]error, n)
		for i := range items {
			data := message(1000 + i)[i:]
			items[i] = sm4.SealItem{Key: data[:16], Nonce: data[:1+(i+11)%20], Plaintext: data[:lengths[i%7]], AdditionalData: data[:i*5%70]}
			aead := check.Must[cipher.AEAD](t)(cipher.NewGCMWithNonceSize(check.Must[cipher.Block](t)(gmsm4.NewCipher(data[:16])),
				len(items[i].Nonce)))
			theirs[i] = aead.Seal(nil, items[i].Nonce, items[i].Plaintext, items[i].AdditionalData)
			open[i] = sm4.OpenItem{Key: items[i].Key, Nonce: items[i].Nonce, Ciphertext: theirs[i], AdditionalData: items[i].AdditionalData}
		}
		if err := sm4.SealBatch(items, sealed, results); err != nil {
			t.Fatal(err)
		}
		opened := make([][]byte, n)
		if err := sm4.OpenBatch(open, opened, results); err != nil {
			t.Fatal(err)
		}
		for i := range items {
			if !bytes.Equal(sealed[i], theirs[i]) || !bytes.Equal(opened[i], items[i].Plaintext) {
				t.Fatalf("item %d of %d is another", i, n)
			}
		}
	}
}
