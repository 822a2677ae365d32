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
	folder := program(t, "")
	for _, step := range [][]string{{"mod", "vendor"}, {"build", "-mod=vendor", "-o", "program"}} {
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

// Without cgo, a program that does not import gmsm is not built, and the linker says what to do.
func TestWithoutCgo(t *testing.T) {
	if testing.Short() || kuaimi.Backend() == "gmsm" {
		t.Skip("builds programs, which must not have the import by themselves")
	}
	const needs = `libkuaimi_needs_CGO_ENABLED=1,_a_C_compiler,_no_tag_purego,_and_linux_or_darwin_on_amd64_or_arm64;_to_compute_with_gmsm_instead,` +
		`_import_"github.com/kuaimi/kuaimi/bindings/go/gmsm"_(see_docs/go.md)`
	t.Setenv("CGO_ENABLED", "0")
	folder := program(t, "")
	if output, err := run(t, folder, "go", "build", "-o", "program"); err == nil || !strings.Contains(output, needs) {
		t.Fatalf("%v\n%s", err, output)
	}
	// The choice is also the only way to depend on gmsm.
	if output, err := run(t, folder, "go", "mod", "graph"); err != nil || strings.Contains(output, "emmansun") {
		t.Fatalf("%v\n%s", err, output)
	}
	folder = program(t, "\t_ \"github.com/kuaimi/kuaimi/bindings/go/gmsm\"\n")
	if output, err := run(t, folder, "go", "build", "-o", "program"); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	if output, err := run(t, folder, filepath.Join(folder, "program")); err != nil || output != "gmsm" {
		t.Fatalf("%v, %q", err, output)
	}
}

// Go may initialise a package before gmsm if it does not import it: then Kuaimi says what to do.
func TestTooEarly(t *testing.T) {
	if testing.Short() || kuaimi.Backend() == "gmsm" {
		t.Skip("builds a program, which must not have the import by itself")
	}
	t.Setenv("CGO_ENABLED", "0")
	folder := program(t, "\t_ \"a.program/early\"\n\t_ \"github.com/kuaimi/kuaimi/bindings/go/gmsm\"\n")
	if output, err := run(t, folder, "go", "run", "."); err == nil ||
		!strings.Contains(output, "must itself import github.com/kuaimi/kuaimi/bindings/go/gmsm") {
		t.Fatalf("%v\n%s", err, output)
	}
}

// Where libkuaimi computes, importing gmsm changes nothing.
func TestImportWithCgo(t *testing.T) {
	if testing.Short() || kuaimi.Backend() == "gmsm" {
		t.Skip("builds a program with the archive")
	}
	folder := program(t, "\t_ \"github.com/kuaimi/kuaimi/bindings/go/gmsm\"\n")
	if output, err := run(t, folder, "go", "run", "."); err != nil || output != kuaimi.Backend() {
		t.Fatalf("%v\n%s", err, output)
	}
}

// Which builds need gmsm. Those for another platform have no cgo: Go turns it off without a word.
func TestPlatforms(t *testing.T) {
	if note := kuaimi.BackendNote(); strings.HasPrefix(note, "gmsm computes, not libkuaimi") != (kuaimi.Backend() == "gmsm") ||
		!strings.Contains(note, kuaimi.Backend()) {
		t.Error(note)
	}
	own := runtime.GOOS + "/" + runtime.GOARCH
	other := map[string]string{"amd64": "linux/arm64", "arm64": "linux/amd64"}[runtime.GOARCH]
	for _, c := range []struct {
		platform, tags string
		needs          bool
	}{
		{own, "", false}, {own, "purego", true}, {other, "", true}, {"linux/riscv64", "", true}, {"windows/amd64", "", true},
	} {
		system, processor, _ := strings.Cut(c.platform, "/")
		command := exec.Command("go", "list", "-tags", c.tags, "-f", "{{.GoFiles}}", "./internal/core")
		command.Env = slices.DeleteFunc(os.Environ(), func(entry string) bool { return strings.HasPrefix(entry, "CGO_ENABLED=") })
		// The flags of this run (-asan) may be for this platform only.
		command.Env = append(command.Env, "GOFLAGS=", "GOOS="+system, "GOARCH="+processor)
		output, err := command.CombinedOutput()
		if err != nil || strings.Contains(string(output), "implementation.go") != c.needs {
			t.Errorf("%s with the tags %q: %v\n%s", c.platform, c.tags, err, output)
		}
	}
}

// program makes a program that prints what computes, with more imports, and returns its folder. Its package early computes while it is
// initialised.
func program(t *testing.T, imports string) string {
	t.Helper()
	module, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	main := `package main

import (
	"github.com/kuaimi/kuaimi/bindings/go"
` + imports + `	"github.com/kuaimi/kuaimi/bindings/go/sm3"
)

func main() {
	sm3.Sum(nil)
	print(kuaimi.Backend())
}
`
	mod := "module a.program\n\ngo 1.25.0\n\nrequire github.com/kuaimi/kuaimi/bindings/go v0.0.0\n" +
		"replace github.com/kuaimi/kuaimi/bindings/go => " + module + "\n" +
		"replace github.com/kuaimi/kuaimi/bindings/go/gmsm => " + filepath.Join(module, "gmsm") + "\n"
	early := "package early\n\nimport \"github.com/kuaimi/kuaimi/bindings/go/sm3\"\n\nvar _ = sm3.Sum(nil)\n"
	if err := os.Mkdir(filepath.Join(folder, "early"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": mod, "main.go": main, "early/early.go": early} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if output, err := run(t, folder, "go", "mod", "tidy"); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return folder
}
