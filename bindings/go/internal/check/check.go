// Package check has what the tests of all packages share.
package check

import (
	"errors"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go"
)

// Must is a value without an error: check.Must[*sm2.PrivateKey](t)(sm2.GenerateKey()).
func Must[T any](t testing.TB) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// Error fails if an error is another.
func Error(t testing.TB, err error, want kuaimi.Error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("the error is %v, not %v", err, want)
	}
}
