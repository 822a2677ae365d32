// Package vectors reads the standards' examples in the folder vectors of the repository, for tests.
package vectors

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Load reads a file of the folder. A test outside the repository, in a module cache for example, is skipped.
func Load[T any](t testing.TB, name string) T {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	data, err := os.ReadFile(filepath.Join(filepath.Dir(here), "../../../../vectors", name))
	if os.IsNotExist(err) {
		t.Skip("the vectors are in the repository alone")
	}
	if err != nil {
		t.Fatal(err)
	}
	var value T
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// Hex is a value of bytes in a file.
type Hex []byte

// UnmarshalText reads hexadecimal digits.
func (h *Hex) UnmarshalText(text []byte) error {
	bytes, err := hex.DecodeString(string(text))
	*h = bytes
	return err
}
