// Package core_test checks the rules of ARCHITECTURE.md that the compiler does not: which
// package may import which, and what the pure packages must not use.
package core_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "cpsrl/"

// root is the folder of the project. Tests run in their own folder.
var root = os.DirFS("..")

// modules holds the packages of other modules that each package of the core and the engine may import.
// The command is not restricted.
var modules = map[string][]string{
	"core/bigraph":       {"gonum.org/v1/gonum/stat/combin"},
	"core/concentration": jsonPackages,
	"core/strict":        jsonPackages,
	"core/document":      jsonPackages,
	"core/session":       jsonPackages,
	"core/talk":          jsonPackages,
	"core/worlds":        jsonPackages,
	"core/runs":          jsonPackages,
	"core/spec":          jsonPackages,
	"core/sweep":         jsonPackages,
	"core/curve":         append([]string{"gonum.org/v1/gonum/mathext"}, jsonPackages...),
	engine:               jsonPackages,
}

var jsonPackages = []string{"github.com/go-json-experiment/json", "github.com/go-json-experiment/json/jsontext"}

// table reads the packages and what each imports of the project from
// ARCHITECTURE.md.
func table(t *testing.T) map[string][]string {
	t.Helper()
	data, err := fs.ReadFile(root, "ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(data), "\n## Packages\n")
	section, _, _ = strings.Cut(section, "\n## ")
	list := map[string][]string{}
	for line := range strings.Lines(section) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		pkg := strings.Trim(strings.TrimSpace(cells[0]), "`")
		if len(cells) != 3 || !strings.HasPrefix(strings.TrimSpace(cells[0]), "`") {
			continue
		}
		list[pkg] = []string{}
		for of := range strings.SplitSeq(strings.TrimSpace(cells[2]), ", ") {
			switch {
			case of == "–":
			case strings.HasPrefix(of, "render") || strings.HasPrefix(of, "wasm"):
				list[pkg] = append(list[pkg], of)
			default:
				list[pkg] = append(list[pkg], "core/"+of)
			}
		}
	}
	if len(list) < 10 {
		t.Fatalf("the table of packages has %d rows", len(list))
	}
	return list
}

// engine serves the core. It keeps most of the core's rules, but may use a clock.
const engine = "wasm/engine"

// workers is the package that may start goroutines and use sync, and nothing else of a host.
const workers = "core/jobs"

// banned holds the packages that give access to a host. No pure package imports them or
// packages below them.
var banned = []string{"os", "net", "time", "log", "syscall", "runtime", "unsafe", "sync", "C"}

// kernel is the file that calls the SIMD kernel of the tab. It is only built with the tag
// "kernel", and may import banned packages.
const kernel = "core/internal/loops/kernel.go"

// inexact holds the functions whose results differ between platforms, by package.
var inexact = map[string][]string{
	"math":                           {"Exp", "Exp2", "Expm1", "Pow", "Log1p", "Log10", "Sin", "Cos", "Tan", "Sinh", "Cosh", "Tanh", "Asin", "Acos", "Atan", "Atan2", "Cbrt", "Hypot", "Erf", "Erfc", "FMA", "Gamma", "Lgamma"},
	"math/rand/v2":                   {"ExpFloat64", "NormFloat64"},
	"gonum.org/v1/gonum/floats":      {"Sum", "Dot", "LogSumExp"},
	"gonum.org/v1/gonum/stat/distmv": nil, // nil: all of it
}

// sources returns the Go files of the project that are not tests, by package.
func sources(t *testing.T) map[string][]string {
	t.Helper()
	files := map[string][]string{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && name != "." || d.Name() == "node_modules" || d.Name() == "testdata" || d.Name() == "dist"):
			return fs.SkipDir
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			files[path.Dir(name)] = append(files[path.Dir(name)], name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func parse(t *testing.T, name string) *ast.File {
	t.Helper()
	data, err := fs.ReadFile(root, name)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash(name), data, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func imports(file *ast.File) map[string]string { // by the name they are used by
	list := map[string]string{}
	for _, spec := range file.Imports {
		of, _ := strconv.Unquote(spec.Path.Value)
		name := path.Base(of)
		if name == "v2" {
			name = path.Base(path.Dir(of))
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		list[name] = of
	}
	return list
}

// Oracle: the table of packages in ARCHITECTURE.md.
func TestImports(t *testing.T) {
	files, table := sources(t), table(t)
	for pkg := range files {
		if _, ok := table[pkg]; !ok {
			t.Errorf("%s is not in the table of packages", pkg)
		}
	}
	for pkg, listed := range table {
		if pkg == "wasm/kernel" { // no Go
			continue
		}
		if len(files[pkg]) == 0 {
			t.Errorf("%s is in the table of packages but not in the tree", pkg)
		}
		var own []string
		for _, name := range files[pkg] {
			for _, of := range imports(parse(t, name)) {
				of, isOwn := strings.CutPrefix(of, module)
				first, _, _ := strings.Cut(of, "/")
				switch {
				case isOwn && !slices.Contains(own, of):
					own = append(own, of)
				case isOwn || pkg != engine && !strings.HasPrefix(pkg, "core/") || strings.HasPrefix(pkg, "core/cmd/"):
				case slices.Contains(banned, first) && (pkg != engine || of != "time") && name != kernel && of != "net/url" && (pkg != workers || of != "sync"): // net/url only parses
					t.Errorf("%s imports %q: the core knows no host", name, of)
				case strings.Contains(first, ".") && !slices.Contains(modules[pkg], of):
					t.Errorf("%s imports %q, which is not in the table of modules", name, of)
				}
			}
		}
		for _, of := range own {
			switch {
			case strings.HasPrefix(pkg, "core/cmd/") && (strings.HasPrefix(of, "render") || of == engine || of == "wasm/web"): // it draws and serves
			case strings.HasPrefix(pkg, "core/") && !strings.HasPrefix(of, "core/"):
				t.Errorf("%s imports %q: nothing in the core reaches up", pkg, of)
			case pkg == "wasm/stage" && strings.HasPrefix(of, "core/") && !slices.Contains(table["render"], of):
				t.Errorf("%s imports %q: the stage links no planner", pkg, of)
			case strings.HasPrefix(of, "core/cmd"):
				t.Errorf("%s imports a command, %q", pkg, of)
			}
		}
		slices.Sort(own)
		if want := slices.Sorted(slices.Values(listed)); !slices.Equal(own, want) {
			t.Errorf("%s imports\n %q, in the table it imports\n %q", pkg, own, want)
		}
	}
}

// The core starts no goroutine and uses no function whose results differ between
// platforms.
func TestOneArithmetic(t *testing.T) {
	for pkg, names := range sources(t) {
		if !strings.HasPrefix(pkg, "core/") || strings.HasPrefix(pkg, "core/cmd/") {
			continue
		}
		for _, name := range names {
			file := parse(t, name)
			used := imports(file)
			for _, of := range used {
				if list, ok := inexact[of]; ok && list == nil {
					t.Errorf("%s imports %q, whose bits differ between platforms", name, of)
				}
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GoStmt:
					if pkg == workers {
						break
					}
					t.Errorf("%s starts a goroutine", name)
				case *ast.SelectorExpr:
					id, ok := n.X.(*ast.Ident)
					if !ok {
						break
					}
					of := used[id.Name]
					if slices.Contains(inexact[of], n.Sel.Name) || of == "" && slices.Contains(inexact["math/rand/v2"], n.Sel.Name) {
						t.Errorf("%s uses %s.%s, whose bits differ between platforms", name, id.Name, n.Sel.Name)
					}
				}
				return true
			})
		}
	}
}

// No package exports a variable, so none can be changed from outside.
func TestNoExportedVariables(t *testing.T) {
	for pkg, names := range sources(t) {
		if !strings.HasPrefix(pkg, "core/") && pkg != engine {
			continue
		}
		for _, name := range names {
			for _, decl := range parse(t, name).Decls {
				vars, ok := decl.(*ast.GenDecl)
				if !ok || vars.Tok != token.VAR {
					continue
				}
				for _, spec := range vars.Specs {
					for _, id := range spec.(*ast.ValueSpec).Names {
						if id.IsExported() {
							t.Errorf("%s exports the variable %s", name, id.Name)
						}
					}
				}
			}
		}
	}
}

// The table "To add or change something" names files and tables that exist.
func TestToAdd(t *testing.T) {
	data, err := fs.ReadFile(root, "ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(data), "\n## To add or change something\n")
	section, _, _ = strings.Cut(section, "\n\n**Limits**")
	// text returns a file, or the files of a folder one after the other.
	text := func(name string) string {
		matches := []string{name}
		if !strings.Contains(path.Base(name), ".") {
			matches, _ = fs.Glob(root, name+"/*.go")
		}
		var all []byte
		for _, m := range matches {
			data, err := fs.ReadFile(root, m)
			if err != nil {
				t.Error(err)
			}
			all = append(all, data...)
		}
		return string(all)
	}
	quoted := regexp.MustCompile("`([^` ]+)`")
	located := regexp.MustCompile("`(\\w+)` in `([^`]+)`")
	rows := 0
	for line := range strings.Lines(section) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.Contains(line, "`") {
			continue
		}
		rows++
		for _, m := range quoted.FindAllStringSubmatch(line, -1) {
			name := m[1]
			pkg, function, call := strings.Cut(name, ".")
			switch {
			case strings.Contains(name, "NAME"):
				name = path.Dir(name)
				fallthrough
			case strings.Contains(name, "/"):
				if _, err := fs.Stat(root, name); err != nil {
					t.Errorf("%s: %v", strings.TrimSpace(cells[1]), err)
				}
			case call && ast.IsExported(function):
				if !regexp.MustCompile(`(?m)^(func|type) ` + function + `\b`).MatchString(text("core/" + pkg)) {
					t.Errorf("%s: there is no %s", strings.TrimSpace(cells[1]), name)
				}
			}
		}
		for _, m := range located.FindAllStringSubmatch(line, -1) {
			if !regexp.MustCompile(`(?m)^\s*(var |func |export const )?` + m[1] + `\b[^\n]*(=|\(\))`).MatchString(text(m[2])) {
				t.Errorf("%s: there is no %s in %s", strings.TrimSpace(cells[1]), m[1], m[2])
			}
		}
	}
	if rows < 12 {
		t.Errorf("the table has %d rows", rows)
	}
}

// mathematics holds the packages that read no documents.
var mathematics = []string{"core/bigraph", "core/internal/loops", "core/fmdp", "core/posterior", "core/planning", "core/agent"}

// The mathematics does not use JSON pointers: no string begins like one or formats one.
func TestNoPointers(t *testing.T) {
	files := sources(t)
	for _, pkg := range mathematics {
		if len(files[pkg]) == 0 {
			t.Errorf("there is no package %s", pkg)
		}
		for _, name := range files[pkg] {
			file := parse(t, name)
			of := imports(file)
			ast.Inspect(file, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				text, _ := strconv.Unquote(lit.Value)
				if slices.Contains(slices.Collect(maps.Values(of)), text) {
					return true
				}
				if strings.HasPrefix(text, "/") || strings.Contains(text, "%s/") || strings.Contains(text, "%d/") {
					t.Errorf("%s has %s, which looks like a JSON pointer", name, lit.Value)
				}
				return true
			})
		}
	}
}

// Every package has one package comment. That of a library package also says what several
// goroutines may do at once.
func TestPackageDocs(t *testing.T) {
	for pkg, names := range sources(t) {
		if !strings.HasPrefix(pkg, "core/") && pkg != engine {
			continue
		}
		var docs []string
		for _, name := range names {
			if doc := parse(t, name).Doc; doc != nil {
				docs = append(docs, doc.Text())
			}
		}
		if len(docs) != 1 {
			t.Errorf("%s has %d package comments, want 1", pkg, len(docs))
			continue
		}
		library := !strings.HasPrefix(pkg, "core/cmd/") && !strings.HasPrefix(pkg, "core/internal/")
		if library && !strings.Contains(docs[0], "goroutine") {
			t.Errorf("the package comment of %s does not say what several goroutines may do", pkg)
		}
	}
}
