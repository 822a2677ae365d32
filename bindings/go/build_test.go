package kuaimi_test

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
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
	if runtime.GOOS != "linux" {
		return
	}
	// Neither dynamically nor statically linked does a program need more than the C library.
	if libraries := needed(t, filepath.Join(folder, "program")); slices.ContainsFunc(libraries, func(name string) bool {
		return !strings.HasPrefix(name, "libc.so") && !strings.HasPrefix(name, "libm.so") && !strings.HasPrefix(name, "ld-")
	}) {
		t.Errorf("the program needs %v", libraries)
	}
	arguments := []string{"build", "-mod=vendor", "-ldflags=-extldflags=-static", "-o", "static"}
	if output, err := run(t, folder, "go", arguments...); err != nil {
		t.Fatalf("go %v: %v\n%s", arguments, err, output)
	}
	if output, err := run(t, folder, filepath.Join(folder, "static")); err != nil || output != kuaimi.Backend() {
		t.Fatalf("%v, %q", err, output)
	}
	if libraries := needed(t, filepath.Join(folder, "static")); len(libraries) != 0 {
		t.Errorf("the static program needs %v", libraries)
	}
}

// needed is which shared libraries a program needs where it runs.
func needed(t *testing.T, program string) []string {
	t.Helper()
	file, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	libraries, err := file.ImportedLibraries()
	if err != nil {
		t.Fatal(err)
	}
	return libraries
}

// A build that falls back to gmsm says so at run time; with the tag libkuaimi it fails, and says what to do.
func TestFallback(t *testing.T) {
	if note := kuaimi.BackendNote(); strings.HasPrefix(note, "gmsm computes, not libkuaimi") != (kuaimi.Backend() == "gmsm") ||
		!strings.Contains(note, kuaimi.Backend()) {
		t.Error(note)
	}
	goTool := func(environment []string, arguments ...string) (string, error) {
		command := exec.Command("go", arguments...)
		command.Env = slices.DeleteFunc(os.Environ(), func(entry string) bool { return strings.HasPrefix(entry, "CGO_ENABLED=") })
		command.Env = append(command.Env, environment...)
		output, err := command.CombinedOutput()
		return string(output), err
	}
	// Which builds have the file that fails.
	own := runtime.GOOS + "/" + runtime.GOARCH
	other := map[string]string{"amd64": "linux/arm64", "arm64": "linux/amd64"}[runtime.GOARCH]
	for _, c := range []struct {
		platform, tags string
		fails          bool
	}{
		{own, "", false}, {own, "purego", false}, {own, "libkuaimi", false}, {own, "libkuaimi,purego", true},
		// Other than this machine's: cgo is off without a word.
		{other, "", false}, {other, "libkuaimi", true}, {"linux/riscv64", "libkuaimi", true}, {"windows/amd64", "libkuaimi", true},
	} {
		system, processor, _ := strings.Cut(c.platform, "/")
		output, err := goTool([]string{"GOOS=" + system, "GOARCH=" + processor}, "list", "-tags", c.tags, "-f", "{{.GoFiles}}", "./internal/core")
		if err != nil || strings.Contains(output, "required.go") != c.fails {
			t.Errorf("%s with the tags %q: %v\n%s", c.platform, c.tags, err, output)
		}
	}
	output, err := goTool([]string{"CGO_ENABLED=0"}, "build", "-tags", "libkuaimi", "./internal/core")
	if err == nil || !strings.Contains(output, "the_tag_libkuaimi_needs_CGO_ENABLED_1") {
		t.Errorf("%v\n%s", err, output)
	}
}
