package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"cpsrl/core/arm"
	"cpsrl/core/domain"
	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/param"
	"cpsrl/core/results"
	"cpsrl/core/spec"
)

// rowOf returns the row of a table of a document whose first cell has the code `key`.
func rowOf(document, key string) string {
	return regexp.MustCompile("(?m)^\\| [^|]*`" + regexp.QuoteMeta(key) + "`[^|]*\\|.*$").FindString(document)
}

// Every document that lists kinds lists all of them, with their parameters: a kind that is
// registered and not told makes this test fail.
func TestDocumentsListKinds(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	formats, guide, grammar := read("docs/formats.md"), strings.ReplaceAll(read("docs/guide.md"), "'", "’"), read("../core/spec/link.go")
	tells := func(document, key string, table []param.Param) {
		t.Helper()
		row := rowOf(formats, key)
		if row == "" {
			t.Errorf("%s has no row for %q", document, key)
			return
		}
		for _, p := range table {
			if !strings.Contains(row, "`"+p.Name+"`") {
				t.Errorf("%s: the row of %q does not tell %q", document, key, p.Name)
			}
		}
	}
	for _, k := range arm.Kinds() {
		tells("formats.md", k.Key, k.New().Params())
		if rowOf(guide, k.Key) == "" {
			t.Errorf("guide.md has no row for the agent %q", k.Key)
		}
	}
	// The bullets on the sparseness and the prior that a domain suggests.
	bullet := func(name string) string {
		text := strings.ToLower(regexp.MustCompile("(?m)^- `" + name + "` is .*$").FindString(formats))
		if text == "" {
			t.Errorf("formats.md has no sentence on %s", name)
		}
		return text
	}
	for _, name := range []string{"sparseness", "prior"} {
		for _, k := range domain.Kinds() {
			if text := bullet(name); !strings.Contains(text, strings.ToLower(k.Label)) && !strings.Contains(text, k.Key) {
				t.Errorf("formats.md does not tell the %s that %q suggests", name, k.Key)
			}
		}
	}
	keys := spec.LinkKeys()
	for _, k := range domain.Kinds() {
		tells("formats.md", k.Key, k.New().Params())
		if !strings.Contains(strings.ToLower(guide), strings.ToLower(k.Label)) {
			t.Errorf("guide.md does not tell %q", k.Label)
		}
		for _, p := range k.New().Params() {
			keys = append(keys, p.Key)
			if !strings.Contains(strings.ToLower(guide), strings.ToLower(p.Label)) {
				t.Errorf("guide.md does not tell the parameter %q of %q", p.Label, k.Key)
			}
		}
	}
	_, links, _ := strings.Cut(formats, "\n## Link\n")
	_, comment, _ := strings.Cut(grammar, "// # Grammar")
	comment, _, _ = strings.Cut(comment, "\ntype Link struct")
	for _, key := range keys {
		if rowOf(links, key) == "" {
			t.Errorf("formats.md has no row for the key %q of links", key)
		}
		if !regexp.MustCompile(`\b` + regexp.QuoteMeta(key) + `\b`).MatchString(comment) {
			t.Errorf("the grammar in link.go does not tell the key %q", key)
		}
	}
}

// The precomputed figures have every measure: one that is registered, and not computed by
// ./build.sh figures, makes this test fail.
func TestFiguresHaveMeasures(t *testing.T) {
	names, err := filepath.Glob("figures/*.json")
	if err != nil || len(names) < 5 {
		t.Fatalf("%v: %q", err, names)
	}
	gallery, search := map[string]bool{}, map[string]bool{}
	for _, p := range experiment.Gallery() {
		gallery["figures/"+p.Name+".json"], search["figures/"+p.Name+".json"] = true, searches(p)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var f export.Figure
		if err := json.Unmarshal(data, &f); err != nil {
			t.Fatal(err)
		}
		for _, m := range results.Measures() {
			large := gallery[name] && (m.Key == "model-error" || m.Key == "value-recall") // some problems are too large
			large = large || search[name] && m.Solved                                     // where no list holds the states
			if m.Switch == "" && m.End == 0 && !m.OfReturn && !large && f.Conclusions[m.Key] == "" {
				t.Errorf("%s lacks %s; write it by ./build.sh figures", name, m.Key)
			}
		}
	}
}
