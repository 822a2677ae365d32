package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// inputs are the bytes that requests name.
type inputs map[string][]byte

// operation reads the inputs and gives what is timed, which in turn gives its result.
type operation func(inputs) (func() ([]byte, error), error)

// serve answers the requests of ../README.md until the input ends.
func serve(in io.Reader, out io.Writer, hello string, operations map[string]operation) error {
	given := inputs{}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		text, err := answer(strings.Fields(line), hello, given, operations)
		if err != nil {
			text = "error " + strings.ReplaceAll(err.Error(), "\n", " ")
		} else {
			text = strings.TrimSuffix("ok "+text, " ")
		}
		if _, err := fmt.Fprintln(out, text); err != nil {
			return err
		}
	}
}

// answer is the text after ok. A library that panics has failed at one operation, and goes on.
func answer(words []string, hello string, given inputs, operations map[string]operation) (text string, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v", reason)
		}
	}()
	if len(words) == 1 && words[0] == "hello" {
		var names []string
		for name := range operations {
			names = append(names, name)
		}
		slices.Sort(names)
		return hello + " operations=" + strings.Join(names, ","), nil
	}
	if len(words) == 3 && words[0] == "set" {
		value, err := hex.DecodeString(words[2])
		given[words[1]] = value
		return "", err
	}
	if len(words) == 3 && words[0] == "fill" {
		length, err := strconv.Atoi(words[2])
		given[words[1]] = bytes.Repeat([]byte{0x5A}, length)
		return "", err
	}
	if len(words) < 2 || operations[words[1]] == nil {
		return "", errors.New("unknown request")
	}
	once, err := operations[words[1]](given)
	if err != nil {
		return "", err
	}
	switch {
	case words[0] == "make" && len(words) == 2:
		result, err := once()
		return hex.EncodeToString(result), err
	case words[0] == "run" && len(words) == 3:
		count, err := strconv.Atoi(words[2])
		if err != nil {
			return "", err
		}
		// What a library keeps with a key is in place when the clock starts.
		if _, err := once(); err != nil {
			return "", err
		}
		begun := time.Now()
		for range count {
			if _, err := once(); err != nil {
				return "", err
			}
		}
		return strconv.FormatInt(time.Since(begun).Nanoseconds(), 10), nil
	}
	return "", errors.New("unknown request")
}

// truth is a result of one byte.
func truth(yes bool) []byte {
	if yes {
		return []byte{1}
	}
	return []byte{0}
}
