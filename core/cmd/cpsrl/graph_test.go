package main

import (
	"strings"
	"testing"
)

// A graph of another program is a prior whole or not at all, and what may be taken for something else is said.
// Oracle: by hand.
func TestGraphPriors(t *testing.T) {
	model := file(t, "coin.json", coin)
	prior := func(name, text string) result {
		return cpsrl(t, "run", "-model", model, "-agents", "c-psrl", "-episodes", "2", "-runs", "1", "-prior", file(t, name, text))
	}
	same := func(name, text, edges, note string) {
		t.Helper()
		if got := prior(name, text); got.status != statusOK || !strings.Contains(got.stdout, `"prior":{"edges":`+edges+`}`) || got.stderr != note {
			t.Errorf("%s: %+v, want %s", text, got, edges)
		}
	}
	same("a.dot", "digraph { flip -> side [weight=.25]; side -> side [weight=1] }", `[["flip","side",0.25],["side","side"]]`, "")
	same("a.dot", "digraph { flip -> side [weight=12] }", `[["flip","side"]]`, "cpsrl: the weights are whole numbers, which say how to draw edges and not how probable they are: an edge without a label is certain\n")
	same("a.bif", "network coin { }\nprobability ( side | flip ) { table 1; }\n", `[["flip","side"]]`, "cpsrl: the tables of the network are left out: each parent that it names is certain\n")
	same("a.csv", "source,target,weight\nflip,side,.25\n", `[["flip","side",0.25]]`, "")
	for text, want := range map[string]string{
		"digraph { flip -> side [weight=-.25] }":                       "line 1, column 32: a weight of -.25 is below 0, and no probability of an edge",
		"digraph {\nflip -> side [color=#00aa00]\nside -> side }":      `line 2, column 21: "#" has no meaning here`,
		"graph [\n directed 1\n]":                                      "line 1, column 1: this is GML, which is not read as a prior; DOT, DAGitty, BIF, tables and lines such as row -> col are",
		`{"directed":true,"nodes":[{"id":"flip"}],"links":[]}`:         "line 1, column 1: this is JSON, which is not read as a prior; a document in the format cpsrl/prior goes",
		`{"version":2,"state":[{"name":"side","size":2}],"action":[]}`: `/format: the format is ""; "cpsrl/prior" is expected here`,
	} {
		if r := prior("bad", text); r.status != statusInvalid || !strings.Contains(r.stderr, want) {
			t.Errorf("%s: %+v, want %s", text, r, want)
		}
	}
}

// A graph is no model, and no prior for a command that needs the values of variables.
func TestGraphIsNoModel(t *testing.T) {
	network := file(t, "coin.bif", "network coin { }\nprobability ( side | flip ) { table 1; }\n")
	for _, args := range [][]string{{"convert", network}, {"plan", "-model", network}, {"run", "-model", network, "-horizon", "3"}} {
		refused(t, cpsrl(t, args...), "coin.bif: a BIF holds a network without decisions, which is no model; its graph can be a prior: give the file to -prior")
	}
	refused(t, cpsrl(t, "plan", "-model", file(t, "coin.dot", "digraph { flip -> side }")), "coin.dot: a graph in DOT is no model; it can be a prior")
	refused(t, cpsrl(t, "factorizations", "-prior", network), "coin.bif: a prior in the format cpsrl/prior was expected: this graph does not say which values the variables have")
}
