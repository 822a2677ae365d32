package kuaimi_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go"
)

// run runs a program in a folder.
func run(t *testing.T, folder string, program string, arguments ...string) (string, error) {
	t.Helper()
	command := exec.Command(program, arguments...)
	command.Dir = folder
	// A folder of the test is not under version control.
	command.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false", "GOWORK=off")
	output, err := command.CombinedOutput()
	return string(output), err
}

// A program that vendors the module builds with what go mod vendor copied.
func TestVendor(t *testing.T) {
	if testing.Short() || kuaimi.Backend() == "gmsm" {
		t.Skip("builds a program with the archive")
	}
	module, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	_, requirements, _ := strings.Cut(string(own), "\ngo ")
	for name, text := range map[string]string{
		"go.mod": "module program\n\ngo " + requirements + "\nrequire github.com/kuaimi/kuaimi/bindings/go v0.0.0\n" +
			"replace github.com/kuaimi/kuaimi/bindings/go => " + module + "\n",
		"go.sum": string(sums),
		"main.go": `package main

import (
	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/sm3"
)

func main() {
	sm3.Sum(nil)
	print(kuaimi.Backend())
}
`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range [][]string{{"mod", "tidy"}, {"mod", "vendor"}, {"build", "-mod=vendor", "-o", "program"}} {
		if output, err := run(t, folder, "go", step...); err != nil {
			t.Fatalf("go %v: %v\n%s", step, err, output)
		}
	}
	if output, err := run(t, folder, filepath.Join(folder, "program")); err != nil || output != kuaimi.Backend() {
		t.Fatalf("%v, %q", err, output)
	}
}

// Without the archive, the build says what to do.
func TestMissingArchive(t *testing.T) {
	if testing.Short() || kuaimi.Backend() == "gmsm" {
		t.Skip("builds a copy of the module")
	}
	platform := runtime.GOOS + "_" + runtime.GOARCH
	folder := t.TempDir()
	if err := os.CopyFS(filepath.Join(folder, "lib", platform), os.DirFS(filepath.Join("lib", platform))); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"libkuaimi.a", "kuaimi.h", "archive.h"} {
		if err := os.Remove(filepath.Join(folder, "lib", platform, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "go.mod"), []byte("module copy\n\ngo 1.25.0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	output, err := run(t, folder, "go", "build", "./...")
	if err == nil || !strings.Contains(output, "run make go") || strings.Count(output, "\n") > 6 {
		t.Fatalf("%v\n%s", err, output)
	}
}
