//go:build !js

package core_test

import (
	"bytes"
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestLibrary follows README in a new module: it installs the command, and runs each Example
// of the core as a program of its own. It copies the project's go.sum, so it needs no
// download that the project does not need.
func TestLibrary(t *testing.T) {
	sources, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOBIN="+filepath.Join(dir, "bin"), "GOWORK=off", "GOFLAGS=-mod=mod")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, &stderr)
		}
		return string(out)
	}
	run("go", "mod", "init", "example.org/mine")
	run("go", "mod", "edit", "-require=cpsrl@v0.0.0", "-replace=cpsrl="+sources)
	sums, err := os.ReadFile(filepath.Join(sources, "go.sum"))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}

	run("go", "get", "-tool", "cpsrl/core/cmd/cpsrl")
	wanted := programs(t, sources, dir)
	if len(wanted) < 10 {
		t.Errorf("there are %d Examples", len(wanted))
	}
	run("go", "install", "tool", "./...")
	for name, want := range wanted {
		if got := run(filepath.Join(dir, "bin", name)); strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%s printed\n%s, want\n%s", name, got, want)
		}
	}
	if got := run(filepath.Join(dir, "bin", "cpsrl"), "presets"); !strings.HasPrefix(got, "fig1 ") {
		t.Errorf("the command lists the presets\n%s", got)
	}
}

// programs writes each Example of the core as a command below a folder. It returns the
// output that each must print, by its name.
func programs(t *testing.T, sources, dir string) map[string]string {
	t.Helper()
	wanted := map[string]string{}
	files, err := filepath.Glob(filepath.Join(sources, "core/*/*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, example := range doc.Examples([]*ast.File{file}...) {
			program := filepath.Base(filepath.Dir(name)) + strings.ToLower(example.Name)
			if example.Play == nil {
				t.Errorf("%s: Example%s is not a complete program", name, example.Name)
				continue
			}
			var text bytes.Buffer
			if err := format.Node(&text, set, example.Play); err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(filepath.Join(dir, program), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, program, "main.go"), text.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			wanted[program] = example.Output
		}
	}
	return wanted
}
