package format_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"cpsrl/core/format"
)

const rainBIF = `network "rain" {
 property made by hand;
}
variable rain { type discrete [ 2 ] { yes, no }; }
variable walk { type discrete [ 2 ] { yes, no }; }
variable rain' { type discrete [ 2 ] { yes, no }; /* tomorrow */ }
probability ( rain ) { table 0.25, 0.75; }
probability ( rain' | rain, walk ) {
  (yes, no) 0.5, 0.5;
  default 0, 1;
}
`

// The graph of a network is a prior. Oracle: by hand.
func TestBIF(t *testing.T) {
	const note = " Note: the tables of the network are left out: each parent that it names is certain"
	const first = "; edges within the first of two slices are left out: they say nothing of next values"
	const head = "network unknown {\n}\n"
	wants(t, map[string]string{
		// One slice, as bnlearn's repository has them: a name at the head is of a next value.
		head + "variable row {\n  type discrete [ 2 ] { (0,5], a };\n}\nprobability ( row ) {\n  table 0.1, 0.9;\n}\nprobability ( col | row, move ) {\n  (yes, no) 0.5, 0.5;\n}\n": `[["row","col"],["move","col"]]` + note,
		head + "probability ( col | row, move ) { (a, b) 0.5, 0.5; table row col; }\nprobability(row|col){default 1;}":                                                              `[["row","col"],["move","col"],["col","row"]]` + note,
		// Two slices.
		head + "probability ( row ) { table 1; }\nprobability ( col | row ) {}\nprobability ( move | row ) {}\nprobability ( row' | row, move ) {}\nprobability ( col_next | col ) {}": `[["row","row"],["move","row"],["col","col"]]` + note + first,
		head + "probability ( col_0 | row_0 ) {}\nprobability ( row_1 | row_0, move_0 ) {}\nprobability ( col_1 | row_1 ) {}":                                                          `[["row","row"],["move","row"]] 5:23 "row_1" is a next value; an edge leads from a variable now.` + note + first,
		head + "probability ( row_t_0 | row_t_1 move_t_1 ) {}":     `[["row","row"],["move","row"]]` + note, // dbnR counts backwards
		head + "probability ( \"rowt\" | \"row0\", \"move0\" ) {}": `[["row","row"],["move","row"]]` + note, // aGrUM
		// JavaBayes writes no bar.
		"// Bayesian network\nnetwork \"Internal-Network\" { //2 variables\n}\nvariable  \"row\" { property \"position = (1, 2)\" ; }\nprobability (  \"row_1\"  \"row_0\"  \"move\" ) { //3 variable(s) and 8 values\n\ttable 0.1 0.9 ;\n}": `[["row","row"],["move","row"]]` + note,
		// A law with a fault states no edge, and the others are read.
		head + "probability ( col | row\nprobability ( row | col ) {}\nprobability ( row row | col ) {}\nprobability ( | row, col ) {}\nutility ( u | row ) { table 1; }\nprobability ( x | row ) {}\nprobability ( move | row ) {}\nprobability ( col | move, row ) {": `[["col","row"],["move","col"],["row","col"]] 4:1 ")" was expected behind the names of variables. 5:13 a table has the law of one variable. 6:13 a table has the law of one variable. 7:1 "utility" is not read; network, variable and probability are. 8:15 there is no variable "x". 9:15 "move" is an action; edges lead to state variables. 10:34 "}" was expected, but the file ends.` + note,
		"network n { property \"x; }\nprobability ( row | col ) {}": `[] 1:22 the quoted name does not end.` + note,
		"probability ( row | col ) {} /* ":                          `[["col","row"]] 1:30 the comment does not end.` + note,
	})
	for _, text := range []string{"network -> row\n", "network, row -> col", "variable -> col .5", "probability -> col", "only network -> col"} {
		if got := told(text); strings.Contains(got, "tables of the network") {
			t.Errorf("%q is taken for BIF: %s", text, got)
		}
	}
}

// A small file takes little memory, whatever its tables stand for.
func TestBIFBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("network unknown {\n}\n")
	for i := range 21 {
		fmt.Fprintf(&b, "variable v%d { type discrete [ 1048576 ] { a, b }; }\n", i)
	}
	for i := range 15 {
		fmt.Fprintf(&b, "probability ( row | move%s ) { default .5, .5; }\n", strings.Repeat(", move", 20+i))
	}
	b.WriteString("probability ( col | move ) { table " + strings.Repeat("1 ", 1<<18) + "; }")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := told(b.String())
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 || !strings.HasPrefix(got, `[["move","row"],["move","col"]] `) {
		t.Errorf("%d bytes for %.100s", used, got)
	}
}

// A graph is no model, and the reason says what it can be.
func TestGraphIsNoModel(t *testing.T) {
	const can = "it can be a prior: give the file to -prior, or its text to the editor of the prior"
	for text, want := range map[string]string{
		rainBIF:                         "a BIF holds a network without decisions, which is no model; its graph can be a prior: give the file to -prior, or its text to the editor of the prior",
		"digraph { a -> b }":            "a graph in DOT is no model; " + can,
		"dag { a -> b }":                "a graph in DAGitty is no model; " + can,
		"```dot\ndigraph { a -> b }```": "a graph in DOT is no model; " + can,
		"a -> b":                        "the file is in none of the formats of models that are known: " + strings.Join(format.ModelFormats(), ", "),
	} {
		if _, _, err := format.ReadModel("", []byte(text), format.Options{Horizon: 3}); fmt.Sprint(err) != want {
			t.Errorf("%q: %v", text, err)
		}
		if graph := text != "a -> b"; format.IsGraph([]byte(text)) != graph || format.IsModel([]byte(text)) {
			t.Errorf("%q: graph %t, model %t", text, format.IsGraph([]byte(text)), format.IsModel([]byte(text)))
		}
	}
}
