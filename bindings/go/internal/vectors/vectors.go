// Package vectors reads the standards' examples in the folder vectors of the repository, for tests.
package vectors

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// Load reads a file of the folder. A test outside the repository, in a module cache for example, is skipped; not one inside, where the
// file must be.
func Load[T any](t testing.TB, name string) T {
	t.Helper()
	root := repository(t)
	if root == "" {
		t.Skip("the vectors are in the repository alone")
	}
	data, err := os.ReadFile(filepath.Join(root, "vectors", name))
	if err != nil {
		t.Fatal(err)
	}
	var value T
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// repository is the folder with the Rust crates, above that of the test, or nothing.
func repository(t testing.TB) string {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, "crates/kuaimi/Cargo.toml")); err == nil {
			return folder
		}
		if folder == filepath.Dir(folder) {
			return ""
		}
	}
}

// Hex is a value of bytes in a file.
type Hex []byte

// UnmarshalText reads hexadecimal digits.
func (h *Hex) UnmarshalText(text []byte) error {
	bytes, err := hex.DecodeString(string(text))
	*h = bytes
	return err
}
