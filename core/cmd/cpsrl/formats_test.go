package main

import (
	"fmt"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/format"
)

// A format of models and a language of graphs from outside are read wherever those of others are, told in the refusal of what
// is none, and take nothing that is read already.
func TestNewFormats(t *testing.T) {
	minted := format.ModelFormat{
		Name:  "Mint",
		Match: func(text string) bool { return strings.HasPrefix(text, "mint") },
		Read: func(text string, o format.Options) (*fmdp.Model, []string, error) {
			steps := 0
			if _, err := fmt.Sscanf(text, "mint %d", &steps); err != nil {
				return nil, nil, &format.Error{Line: 1, Column: 6, Reason: "a number of steps was expected"}
			}
			m, err := document.DecodeModel([]byte(coin))
			if err == nil {
				m.Horizon, err = o.Steps(steps)
			}
			return m, []string{"the year is left out"}, err
		},
	}
	arrows := format.Language{
		Name:  "Arrows",
		Match: func(text string) bool { return strings.HasPrefix(text, "=>") || strings.HasPrefix(text, "digraph") },
		Read: func(text string, space *fmdp.Space) ([]document.Edge, []format.Error, string) {
			return []document.Edge{{From: space.Action[0].Name, To: space.State[0].Name, P: 0.25}}, nil, "arrows have no colours"
		},
	}
	remove := format.RegisterModel(minted)
	t.Cleanup(remove)
	removeToo := format.RegisterLanguage(arrows)
	t.Cleanup(removeToo)

	mint := file(t, "mint", "mint 4 1913\n")
	if r := cpsrl(t, "convert", mint); r.status != statusOK || !strings.Contains(r.stdout, `"horizon":4`) || r.stderr != "cpsrl: the year is left out\n" {
		t.Errorf("%+v", r)
	}
	if out := cpsrl(t, "plan", "-model", mint).stdout; out == "" {
		t.Error("there is no plan")
	}
	refused(t, cpsrl(t, "convert", file(t, "m", "mint\n")), "m: line 1, column 6: a number of steps was expected")
	refused(t, cpsrl(t, "convert", file(t, "m", "?")), "the formats of models that are known: SPUDD,", ", Mint")

	args := []string{"run", "-model", file(t, "coin.json", coin), "-agents", "c-psrl", "-episodes", "2", "-runs", "1", "-prior"}
	for text, edges := range map[string]string{"=>": `[["flip","side",0.25]]`, "digraph { side -> side }": `[["side","side"]]`} {
		if r := cpsrl(t, append(args, file(t, "p", text))...); r.status != statusOK || !strings.Contains(r.stdout, `"prior":{"edges":`+edges+`}`) || strings.Contains(r.stderr, "no colours") != (text == "=>") {
			t.Errorf("%s: %+v", text, r)
		}
	}
	refused(t, cpsrl(t, "convert", file(t, "p", "=>")), "a graph in Arrows is no model; it can be a prior")

	for what, register := range map[string]func(){
		"the same name": func() { format.RegisterModel(minted) },
		"a language's": func() {
			format.RegisterModel(format.ModelFormat{Name: "Arrows", Match: minted.Match, Read: minted.Read})
		},
		"a format's": func() {
			format.RegisterLanguage(format.Language{Name: "SPUDD", Match: arrows.Match, Read: arrows.Read})
		},
		"no name":         func() { format.RegisterLanguage(format.Language{Match: arrows.Match, Read: arrows.Read}) },
		"nothing to read": func() { format.RegisterLanguage(format.Language{Name: "Nothing", Match: arrows.Match}) },
	} {
		if !panics(register) {
			t.Errorf("%s: no panic", what)
		}
	}
	removeToo()
	remove()
	refused(t, cpsrl(t, "convert", mint), "in none of the formats")
}

func panics(do func()) (did bool) {
	defer func() { did = recover() != nil }()
	do()
	return false
}
