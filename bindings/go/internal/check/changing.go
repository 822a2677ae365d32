package check

import (
	"sync/atomic"
	"testing"
)

// Changing calls a function again and again while another goroutine flips a bit of some bytes, as a process does that has the same file
// mapped. The race detector reports this on purpose, so that tests with -short, which it runs, leave it out.
func Changing(t testing.TB, bytes []byte, times int, call func()) {
	t.Helper()
	if testing.Short() {
		t.Skip("a race on purpose")
	}
	var isOver atomic.Bool
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for !isOver.Load() {
			bytes[0] ^= 1
		}
	}()
	defer func() {
		isOver.Store(true)
		<-ended
	}()
	for range times {
		call()
	}
}
