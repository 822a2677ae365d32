package kuaimi_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/kuaimi/kuaimi/bindings/go"
)

// around is what the few lines of the README leave out.
const around = `package main

import (
	"fmt"
	"log"

	"github.com/kuaimi/kuaimi/bindings/go/sm2"
)

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
`

var block = regexp.MustCompile("(?s)```go\n(.*?)```")

// The programs of the documents run, and the English and the Chinese pages have the same.
func TestDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("the programs are built one by one")
	}
	if _, err := os.Stat("../../README.md"); err != nil {
		t.Skip("the documents are in the repository alone")
	}
	for _, pages := range [][2]string{{"README.md", "README.zh-CN.md"}, {"docs/go.md", "docs/go.zh-CN.md"}} {
		var programs [2][]string
		for i, page := range pages {
			text, err := os.ReadFile(filepath.Join("../..", page))
			if err != nil {
				t.Fatal(err)
			}
			for _, match := range block.FindAllStringSubmatch(string(text), -1) {
				programs[i] = append(programs[i], match[1])
			}
		}
		if len(programs[0]) == 0 || len(programs[0]) != len(programs[1]) {
			t.Fatalf("%s has %d programs, %s has %d", pages[0], len(programs[0]), pages[1], len(programs[1]))
		}
		for i, program := range programs[0] {
			if withoutComments(program) != withoutComments(programs[1][i]) {
				t.Errorf("%s and %s differ in program %d", pages[0], pages[1], i+1)
			}
			if kuaimi.Backend() == "gmsm" && strings.Contains(program, "bindings/go/cms\"") {
				continue
			}
			if !strings.HasPrefix(program, "package main") {
				program = around + program + "\treturn nil\n}\n"
			}
			file := filepath.Join(t.TempDir(), "main.go")
			if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
				t.Fatal(err)
			}
			output, err := exec.Command("go", "run", file).CombinedOutput()
			if err != nil {
				t.Errorf("%s, program %d: %v\n%s", pages[0], i+1, err, output)
			}
			for _, line := range strings.Split(program, "\n") {
				if _, printed, isPromised := strings.Cut(line, "// prints "); isPromised && !strings.Contains(string(output), printed+"\n") {
					t.Errorf("%s, program %d does not print %q, but %q", pages[0], i+1, printed, output)
				}
			}
		}
	}
}

var shell = regexp.MustCompile("(?s)```sh\n(make go .*?)```")

// The lines that build a program work as they stand, with the repository and the program side by side.
func TestBuildLines(t *testing.T) {
	if testing.Short() || kuaimi.Backend() == "gmsm" {
		t.Skip("a program with the archive is built")
	}
	text, err := os.ReadFile("../../docs/go.md")
	if err != nil {
		t.Skip("the documents are in the repository alone")
	}
	lines := shell.FindSubmatch(text)
	if lines == nil {
		t.Fatal("docs/go.md does not say how a program is built")
	}
	folder := t.TempDir()
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(repository, filepath.Join(folder, "kuaimi")); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(folder, "my-program")
	if err := os.Mkdir(program, 0o700); err != nil {
		t.Fatal(err)
	}
	first := block.FindSubmatch(text)[1]
	for name, content := range map[string][]byte{"main.go": first, "go.mod": []byte("module my-program\n\ngo 1.25\n")} {
		if err := os.WriteFile(filepath.Join(program, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// The archive is there already.
	script := "set -e; make() { :; }; cd '" + filepath.Join(folder, "kuaimi") + "'\n" + string(lines[1]) + "./my-program\n"
	if output, err := run(t, folder, "bash", "-c", script); err != nil || !strings.Contains(output, "the signature is right") {
		t.Fatalf("%v\n%s", err, output)
	}
}

var comment = regexp.MustCompile(`(?m)\s*//.*$`)

func withoutComments(program string) string { return comment.ReplaceAllString(program, "") }
