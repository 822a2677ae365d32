// Command gmsm-peer puts the Go library github.com/emmansun/gmsm behind a pipe, so that Kuaimi's tests can compare
// results with it.
//
//	gmsm-peer serve                    answers one JSON request a line
package main

import (
	"fmt"
	"os"
)

const usage = `gmsm-peer: github.com/emmansun/gmsm, driven by Kuaimi's tests

usage:
  gmsm-peer serve
      Read one JSON request a line from standard input and write one JSON answer a line to standard output,
      until the input ends. README.md lists the requests.
`

func main() {
	os.Exit(run(os.Args[1:]))
}

func run(args []string) int {
	if len(args) == 0 {
		fmt.Fprint(os.Stderr, usage)
		return 2
	}
	var err error
	switch args[0] {
	case "serve":
		if len(args) > 1 {
			err = fmt.Errorf("serve takes no arguments, but got %q", args[1])
			break
		}
		err = serve(os.Stdin, os.Stdout)
	case "help", "-h", "--help":
		fmt.Print(usage)
	default:
		fmt.Fprint(os.Stderr, usage)
		err = fmt.Errorf("unknown mode %q: the mode is serve", args[0])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gmsm-peer:", err)
		return 1
	}
	return 0
}
