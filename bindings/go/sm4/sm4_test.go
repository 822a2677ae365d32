package sm4_test

import (
	"bytes"
	"crypto/cipher"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/vectors"
	"github.com/kuaimi/kuaimi/bindings/go/sm4"
)

func message(n int) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(i*11 + i>>8)
	}
	return data
}

// pair is a key, and the same key without the fast paths for modes: crypto/cipher computes these, block by block.
func pair(t testing.TB) (block *sm4.Block, plain cipher.Block) {
	t.Helper()
	block, err := sm4.NewCipher(message(16))
	if err != nil {
		t.Fatal(err)
	}
	return block, struct{ cipher.Block }{block}
}

func panics(t *testing.T, name string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s does not panic", name)
		}
	}()
	f()
}

func TestStandard(t *testing.T) {
	file := vectors.Load[struct {
		SM4 []struct {
			Key, Plaintext, Ciphertext vectors.Hex
			Rounds                     int `json:"rounds_applied"`
		}
	}](t, "sm3_sm4.json")
	if len(file.SM4) == 0 {
		t.Fatal("no examples")
	}
	for _, v := range file.SM4 {
		if testing.Short() && v.Rounds > 1000 {
			continue
		}
		block, err := sm4.NewCipher(v.Key)
		if err != nil {
			t.Fatal(err)
		}
		data := bytes.Clone(v.Plaintext)
		for range v.Rounds {
			block.Encrypt(data, data)
		}
		if !bytes.Equal(data, v.Ciphertext) {
			t.Fatalf("%x", data)
		}
		for range v.Rounds {
			block.Decrypt(data, data)
		}
		if !bytes.Equal(data, v.Plaintext) {
			t.Fatalf("%x", data)
		}
	}
	for _, length := range []int{0, 15, 17, 32} {
		if _, err := sm4.NewCipher(make([]byte, length)); err != kuaimi.ErrKeyLength {
			t.Fatal(err)
		}
	}
}

// Through crypto/cipher, with the fast paths and without, in pieces and in place.
func TestModes(t *testing.T) {
	block, plain := pair(t)
	iv := message(32)[16:]
	for _, length := range []int{0, 16, 48, 64, 1024, 16 << 10} {
		data := message(length)
		for name, make := range map[string]func(cipher.Block, []byte) cipher.BlockMode{
			"encrypt": cipher.NewCBCEncrypter, "decrypt": cipher.NewCBCDecrypter,
		} {
			want, got := message(length), bytes.Clone(data)
			make(plain, iv).CryptBlocks(want, want)
			mode := make(block, iv)
			half := length / 32 * 16
			mode.CryptBlocks(got[:half], got[:half])
			mode.CryptBlocks(got[half:], got[half:])
			if !bytes.Equal(got, want) {
				t.Fatal("CBC", name, length)
			}
			// Into another buffer.
			mode.(interface{ SetIV([]byte) }).SetIV(iv)
			other := bytes.Repeat([]byte{0xff}, length)
			mode.CryptBlocks(other[:half], data[:half])
			mode.CryptBlocks(other[half:], data[half:])
			if !bytes.Equal(other, want) || !bytes.Equal(data, message(length)) {
				t.Fatal("CBC", name, length, "into another buffer")
			}
		}
	}
	for _, length := range []int{0, 1, 16, 77, 1000} {
		data, want, got := message(length), make([]byte, length), make([]byte, length)
		cipher.NewCTR(plain, iv).XORKeyStream(want, data)
		stream := cipher.NewCTR(block, iv)
		stream.XORKeyStream(got[:length/3], data[:length/3])
		stream.XORKeyStream(got[length/3:], data[length/3:])
		if !bytes.Equal(got, want) {
			t.Fatal("CTR", length)
		}
	}
	if _, ok := cipher.NewCBCEncrypter(block, iv).(interface{ SetIV([]byte) }); !ok {
		t.Fatal("cipher.NewCBCEncrypter does not take the fast path")
	}
}

func TestGCM(t *testing.T) {
	block, plain := pair(t)
	for _, nonceSize := range []int{12, 1, 16, 30} {
		our, err := cipher.NewGCMWithNonceSize(block, nonceSize)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := our.(*sm4.AEAD); !ok || our.NonceSize() != nonceSize || our.Overhead() != 16 {
			t.Fatal("cipher.NewGCM does not take the fast path")
		}
		their, _ := cipher.NewGCMWithNonceSize(plain, nonceSize)
		nonce := message(nonceSize)
		for _, length := range []int{0, 1, 16, 100, 5000} {
			data, beside := message(length), message(length/2)
			want := their.Seal([]byte("before"), nonce, data, beside)
			if got := our.Seal([]byte("before"), nonce, data, beside); !bytes.Equal(got, want) {
				t.Fatal("another ciphertext")
			}
			// In place, with room for the tag and without.
			for _, room := range []int{16, 0} {
				inPlace := append(make([]byte, 0, length+room), data...)
				if got := our.Seal(inPlace[:0], nonce, inPlace, beside); !bytes.Equal(got, want[6:]) {
					t.Fatal("another ciphertext in place")
				}
			}
			opened, err := our.Open([]byte("before"), nonce, want[6:], beside)
			if err != nil || !bytes.Equal(opened[6:], data) || string(opened[:6]) != "before" {
				t.Fatal(err)
			}
			sealed := bytes.Clone(want[6:])
			opened, err = our.Open(sealed[:0], nonce, sealed, beside)
			if err != nil || !bytes.Equal(opened, data) {
				t.Fatal(err)
			}
			for i := 6; i < len(want); i += 1 + len(want)/40 {
				changed := bytes.Clone(want[6:])
				changed[i-6] ^= 1
				if _, err := our.Open(nil, nonce, changed, beside); err != kuaimi.ErrDecryptionFailed {
					t.Fatal(err)
				}
			}
			if _, err := our.Open(nil, nonce, want[6:], append(beside, 0)); err != kuaimi.ErrDecryptionFailed {
				t.Fatal(err)
			}
		}
		if _, err := our.Open(nil, nonce, make([]byte, 15), nil); err != kuaimi.ErrDecryptionFailed {
			t.Fatal(err)
		}
		panics(t, "another nonce", func() { our.Seal(nil, make([]byte, nonceSize+1), nil, nil) })
		panics(t, "another nonce", func() { our.Open(nil, make([]byte, nonceSize+1), make([]byte, 16), nil) })
		data := message(64)
		panics(t, "overlap", func() { our.Seal(data[1:1], nonce, data[:32], nil) })
	}
	short, err := cipher.NewGCMWithTagSize(block, 12)
	if err != nil {
		t.Fatal(err)
	}
	theirShort, _ := cipher.NewGCMWithTagSize(plain, 12)
	if !bytes.Equal(short.Seal(nil, message(12), message(33), nil), theirShort.Seal(nil, message(12), message(33), nil)) {
		t.Fatal("another ciphertext with a short tag")
	}
	direct, err := sm4.NewGCM(message(16))
	if err != nil {
		t.Fatal(err)
	}
	usual, _ := cipher.NewGCM(plain)
	if !bytes.Equal(direct.Seal(nil, message(12), message(50), nil), usual.Seal(nil, message(12), message(50), nil)) {
		t.Fatal("another AEAD")
	}
	nonce, buffer := message(12), make([]byte, 0, 64)
	if n := testing.AllocsPerRun(100, func() { direct.Seal(buffer, nonce, nonce, nil) }); n > 0 && kuaimi.Backend() != "gmsm" {
		t.Fatal(n, "allocations")
	}
}

func TestXTS(t *testing.T) {
	for _, standard := range []sm4.XTSStandard{sm4.GB, sm4.IEEE} {
		x, err := sm4.NewXTS(message(32), standard)
		if err != nil {
			t.Fatal(err)
		}
		for _, length := range []int{16, 17, 31, 32, 100, 512} {
			data, out := message(length), make([]byte, length)
			if err := x.Encrypt(out, data, [16]byte{7}); err != nil || bytes.Equal(out, data) {
				t.Fatal(err)
			}
			if err := x.Decrypt(out, out, [16]byte{7}); err != nil || !bytes.Equal(out, data) {
				t.Fatal(err)
			}
		}
		if x.Encrypt(make([]byte, 15), make([]byte, 15), [16]byte{}) != kuaimi.ErrDataTooShort {
			t.Fatal("15 bytes were encrypted")
		}
		if x.Encrypt(make([]byte, 16), make([]byte, 32), [16]byte{}) != kuaimi.ErrInvalidArgument {
			t.Fatal("two lengths were taken")
		}
		x.Close()
		if x.Encrypt(make([]byte, 16), make([]byte, 16), [16]byte{}) != kuaimi.ErrClosed {
			t.Fatal("a closed key encrypts")
		}
	}
	gb, _ := sm4.NewXTS(message(32), sm4.GB)
	ieee, _ := sm4.NewXTS(message(32), sm4.IEEE)
	one, other := make([]byte, 48), make([]byte, 48)
	gb.Encrypt(one, message(48), [16]byte{1})
	ieee.Encrypt(other, message(48), [16]byte{1})
	if !bytes.Equal(one[:16], other[:16]) || bytes.Equal(one[16:], other[16:]) {
		t.Fatal("the two standards differ from the second block on")
	}
	if _, err := sm4.NewXTS(make([]byte, 32), sm4.GB); err != kuaimi.ErrEqualHalves {
		t.Fatal(err)
	}
	if _, err := sm4.NewXTS(message(31), sm4.GB); err != kuaimi.ErrKeyLength {
		t.Fatal(err)
	}
	if _, err := sm4.NewXTS(message(32), 7); err != kuaimi.ErrInvalidArgument {
		t.Fatal(err)
	}
}

// What crypto/cipher's interfaces cannot say with an error.
func TestPanics(t *testing.T) {
	block, _ := pair(t)
	mode := block.NewCBCEncrypter(make([]byte, 16))
	stream := block.NewCTR(make([]byte, 16))
	panics(t, "a short block", func() { block.Encrypt(make([]byte, 16), make([]byte, 15)) })
	panics(t, "a short output", func() { block.Decrypt(make([]byte, 15), make([]byte, 16)) })
	panics(t, "part of a block", func() { mode.CryptBlocks(make([]byte, 32), make([]byte, 17)) })
	panics(t, "a short output", func() { mode.CryptBlocks(make([]byte, 16), make([]byte, 32)) })
	panics(t, "a short output", func() { stream.XORKeyStream(make([]byte, 1), make([]byte, 2)) })
	panics(t, "a short counter", func() { block.NewCTR(make([]byte, 15)) })
	panics(t, "a short initial value", func() { block.NewCBCDecrypter(make([]byte, 15)) })
	data := message(64)
	panics(t, "overlap", func() { mode.CryptBlocks(data[1:33], data[:32]) })
	panics(t, "overlap", func() { stream.XORKeyStream(data[1:33], data[:32]) })
	// What was made from a key stays when the key is closed.
	before := make([]byte, 16)
	block.NewCBCEncrypter(make([]byte, 16)).CryptBlocks(before, data[:16])
	block.Close()
	block.Close()
	after := make([]byte, 16)
	mode.CryptBlocks(after, data[:16])
	if !bytes.Equal(before, after) {
		t.Fatal("the mode does not stay")
	}
	stream.XORKeyStream(after, after)
	panics(t, "a closed key", func() { block.Encrypt(after, after) })
	panics(t, "a closed key", func() { block.NewCTR(make([]byte, 16)) })
	if _, err := block.NewGCM(12, 16); err != kuaimi.ErrClosed {
		t.Fatal(err)
	}
}

func FuzzGCM(f *testing.F) {
	block, plain := pair(f)
	our, _ := cipher.NewGCM(block)
	their, _ := cipher.NewGCM(plain)
	f.Add([]byte("a message"), []byte("beside"))
	f.Fuzz(func(t *testing.T, data, beside []byte) {
		nonce := make([]byte, 12)
		sealed := our.Seal(nil, nonce, data, beside)
		opened, err := their.Open(nil, nonce, sealed, beside)
		if err != nil || !bytes.Equal(opened, data) {
			t.Fatal("the plain mode does not open it", err)
		}
		if opened, err := our.Open(nil, nonce, data, beside); err == nil {
			if again := their.Seal(nil, nonce, opened, beside); !bytes.Equal(again, data) {
				t.Fatal("opened what was not sealed")
			}
		}
	})
}

func FuzzModes(f *testing.F) {
	block, plain := pair(f)
	f.Add(message(100), message(16))
	f.Fuzz(func(t *testing.T, data, seed []byte) {
		iv := make([]byte, 16)
		copy(iv, seed)
		got, want := make([]byte, len(data)), make([]byte, len(data))
		cipher.NewCTR(block, iv).XORKeyStream(got, data)
		cipher.NewCTR(plain, iv).XORKeyStream(want, data)
		whole := len(data) / 16 * 16
		cipher.NewCBCDecrypter(block, iv).CryptBlocks(got[:whole], got[:whole])
		cipher.NewCBCDecrypter(plain, iv).CryptBlocks(want[:whole], want[:whole])
		if !bytes.Equal(got, want) {
			t.Fatal("another result")
		}
	})
}
