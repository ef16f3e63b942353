package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/curve"
	"cpsrl/core/document"
	"cpsrl/core/edit"
	"cpsrl/core/evidence"
	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/format"
	"cpsrl/core/offline"
	"cpsrl/core/record"
	"cpsrl/core/spec"
	"cpsrl/core/worth"
	"cpsrl/render"
	"cpsrl/render/chart"
	"cpsrl/render/figure"
	"cpsrl/render/film"
	"cpsrl/wasm/engine"
)

var update = flag.Bool("update", false, "write src/engine-types.ts and figures/film.svg instead of comparing them")

// crossing are the documents that the engine and the page exchange. The types of their parts are
// found from them.
var crossing = []any{
	engine.Catalog{}, engine.Checked{}, engine.Linked{}, engine.Opened{}, engine.Snapshot{}, engine.Details{}, figure.Chart{}, engine.Spread{}, engine.Foreign{}, engine.Sweep{}, engine.SweepPlan{}, engine.SweepReceipt{},
	experiment.Header{}, export.Figure{}, record.Trace{}, record.Episode{}, evidence.Posterior{}, offline.Proposal{}, engine.Begun{}, engine.Started{}, worth.BeliefEdges{}, film.Film{}, engine.Played{}, engine.Kind{},
	engine.Reading{}, engine.Normalised{}, engine.Converted{}, engine.Edited{}, edit.Edit{}, chart.Facts{}, render.StageView{},
}

// known are types that write their own JSON, with their TypeScript types. Any other type that writes
// its own JSON becomes unknown.
var known = map[reflect.Type]string{
	reflect.TypeFor[spec.Spec]():      "Spec", // its fields are those of its domain: src/formats.ts
	reflect.TypeFor[document.Edge]():  "Edge",
	reflect.TypeFor[curve.Number]():   "number | null",
	reflect.TypeFor[curve.Numbers]():  "readonly (number | null)[]",
	reflect.TypeFor[figure.Points]():  "readonly (readonly number[])[]",
	reflect.TypeFor[document.View]():  `{ readonly kind: "grid" | "chart" | "nodes" }`,
	reflect.TypeFor[any]():            "number | string", // the default of a field
	reflect.TypeFor[jsontext.Value](): "unknown",         // a document
}

// renamed are the types whose names in Go are those of other types.
var renamed = map[reflect.Type]string{reflect.TypeFor[edit.Form](): "ModelForm", reflect.TypeFor[curve.Run](): "RunLine", reflect.TypeFor[format.Error](): "TextError"}

const typesFile = "src/engine-types.ts"

// TestTypes checks that the page's types of the exchanged documents are those in Go.
// After a change in Go, "go test ./site -run TestTypes -update" writes them again.
func TestTypes(t *testing.T) {
	w := &typeWriter{docs: map[string]string{}, constants: map[string][]string{}, seen: map[reflect.Type]bool{}}
	for _, document := range crossing {
		w.queue = append(w.queue, reflect.TypeOf(document))
	}
	var b strings.Builder
	b.WriteString("// What the engine and the page exchange, written from the types in Go: go test ./site -run TestTypes -update\n\nimport type { Edge, Spec } from \"./formats\";\n")
	for ; len(w.queue) > 0; w.queue = w.queue[1:] {
		if next := w.queue[0]; !w.seen[next] {
			for other := range w.seen {
				if title(other) == title(next) {
					t.Errorf("%v and %v have the same name", other, next)
				}
			}
			w.seen[next] = true
			b.WriteString(w.declaration(next))
		}
	}
	if *update {
		if err := os.WriteFile(typesFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(typesFile); err != nil || string(have) != b.String() {
		t.Errorf("%s differs from the types in Go (%v); write it by go test ./site -run TestTypes -update", typesFile, err)
	}
}

// typeWriter writes Go types as TypeScript.
type typeWriter struct {
	docs      map[string]string   // comments, by "package.Type" and "package.Type.Field"
	constants map[string][]string // of named strings, by "package.Type"
	read      []string            // the packages whose sources have been read
	seen      map[reflect.Type]bool
	queue     []reflect.Type
}

// declaration returns a struct as an interface, or a named string as a union.
func (w *typeWriter) declaration(t reflect.Type) string {
	w.source(t.PkgPath())
	name := t.PkgPath() + "." + t.Name()
	text := "\n" + jsdoc("", strings.Replace(w.docs[name], t.Name(), title(t), 1))
	if t.Kind() == reflect.String {
		return text + fmt.Sprintf("export type %s = %s;\n", t.Name(), strings.Join(w.constants[name], " | "))
	}
	return text + fmt.Sprintf("export interface %s {\n%s}\n", title(t), w.fields(t, name, false))
}

// fields returns the members of a struct. Those of an embedded pointer may be absent.
func (w *typeWriter) fields(t reflect.Type, name string, absent bool) string {
	text := ""
	for i := range t.NumField() {
		field := t.Field(i)
		tag, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		kind := field.Type
		if kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		switch {
		case field.Anonymous && tag == "":
			w.source(kind.PkgPath())
			text += w.fields(kind, kind.PkgPath()+"."+kind.Name(), absent || field.Type != kind)
		case tag != "-" && field.IsExported():
			optional := ""
			if absent || strings.Contains(options, "omit") {
				optional = "?"
			}
			text += jsdoc("  ", w.docs[name+"."+field.Name]) + fmt.Sprintf("  readonly %s%s: %s;\n", tag, optional, w.name(kind))
		}
	}
	return text
}

// name returns the TypeScript name of a type, and queues the types that have to be declared.
func (w *typeWriter) name(t reflect.Type) string {
	if text, ok := known[t]; ok {
		return text
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.MarshalerTo]()) {
		return "unknown"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return w.name(t.Elem())
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int32, reflect.Float64:
		return "number"
	case reflect.String:
		w.source(t.PkgPath())
		if len(w.constants[t.PkgPath()+"."+t.Name()]) == 0 {
			return "string"
		}
	case reflect.Slice:
		if text := w.name(t.Elem()); !strings.Contains(text, " ") {
			return "readonly " + text + "[]"
		} else {
			return "readonly (" + text + ")[]"
		}
	case reflect.Array:
		return "readonly [" + strings.Join(slices.Repeat([]string{w.name(t.Elem())}, t.Len()), ", ") + "]"
	case reflect.Map:
		return "{ readonly [key: string]: " + w.name(t.Elem()) + " }"
	case reflect.Struct:
	default:
		panic("a document has a " + t.String())
	}
	w.queue = append(w.queue, t)
	return title(t)
}

// title returns the TypeScript name of a type that is declared.
func title(t reflect.Type) string {
	if name, ok := renamed[t]; ok {
		return name
	}
	return strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
}

// source reads the comments and the constants of a package.
func (w *typeWriter) source(pkg string) {
	if slices.Contains(w.read, pkg) {
		return
	}
	w.read = append(w.read, pkg)
	names, _ := filepath.Glob(filepath.Join("..", strings.TrimPrefix(pkg, "cpsrl/"), "*.go"))
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil || strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.GenDecl); ok {
				for _, s := range decl.Specs {
					w.declared(pkg, decl, s)
				}
			}
		}
	}
}

func (w *typeWriter) declared(pkg string, decl *ast.GenDecl, s ast.Spec) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		name := pkg + "." + s.Name.Name
		w.docs[name] = words(decl.Doc, s.Doc)
		if s, ok := s.Type.(*ast.StructType); ok {
			for _, field := range s.Fields.List {
				for _, n := range field.Names {
					w.docs[name+"."+n.Name] = words(field.Doc, field.Comment)
				}
			}
		}
	case *ast.ValueSpec:
		if of, ok := s.Type.(*ast.Ident); ok && decl.Tok == token.CONST && len(s.Values) == 1 {
			if value, ok := s.Values[0].(*ast.BasicLit); ok && value.Kind == token.STRING && value.Value != `""` {
				w.constants[pkg+"."+of.Name] = append(w.constants[pkg+"."+of.Name], value.Value)
			}
		}
	}
}

// words returns comments as one line.
func words(groups ...*ast.CommentGroup) string {
	var parts []string
	for _, g := range groups {
		if g != nil {
			parts = append(parts, strings.Fields(string(new(comment.Printer).Text(new(comment.Parser).Parse(g.Text()))))...)
		}
	}
	return strings.Join(parts, " ")
}

func jsdoc(indent, text string) string {
	if text == "" {
		return ""
	}
	return indent + "/** " + strings.ReplaceAll(text, "*/", "* /") + " */\n"
}
