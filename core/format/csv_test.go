package format_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/format"
	"cpsrl/core/strict"
)

// tableOf writes a prior as a table of edges, or as a matrix.
func tableOf(edges []document.Edge, space *fmdp.Space, matrix bool, by string) string {
	quote := func(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
	var b strings.Builder
	if !matrix {
		fmt.Fprintf(&b, "from%sto%sp\n", by, by)
		for _, e := range edges {
			fmt.Fprintf(&b, "%s%s%s%s%s\n", quote(e.From), by, quote(e.To), by, strconv.FormatFloat(e.P, 'f', -1, 64))
		}
		return b.String()
	}
	for i := range space.X() {
		fmt.Fprintf(&b, "%s%s", by, quote(space.Var(i).Name))
	}
	for i := range space.X() {
		fmt.Fprintf(&b, "\n%s", quote(space.Var(i).Name))
		for j := range space.X() {
			cell := ""
			for _, e := range edges {
				if e.From == space.Var(i).Name && e.To == space.Var(j).Name {
					cell = strconv.FormatFloat(e.P, 'f', -1, 64)
				}
			}
			b.WriteString(by + cell)
		}
	}
	return b.String()
}

// A prior that is written as a table is read back. Oracle: the prior.
func TestTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 1))
	for range 100 {
		want := document.PriorEdges(randomPrior(rng, odd), odd)
		for _, matrix := range []bool{false, true} {
			for _, by := range []string{",", ";", "\t"} {
				text := tableOf(want, odd, matrix, by)
				if got := again(t, text, odd); !slices.Equal(got, want) {
					t.Fatalf("%s\nwant %s in\n%s", strict.Encode(got), strict.Encode(want), text)
				}
				_, _, note := format.ReadPrior(text, odd)
				if (note != "") != matrix {
					t.Errorf("the note is %q", note)
				}
			}
		}
	}
}

// Oracle: by hand.
func TestForeignTables(t *testing.T) {
	for text, want := range map[string]string{
		"from,to\nrow,col\n": `[["row","col"]]`,
		"\ufeff# edges\n\"From\", \"To\",P\n move, row' ,.9\nrow,col,\n": `[["move","row",0.9],["row","col"]]`,
		"node,row,col\nrow,1,0\nmove,,0.25\n":                            `[["row","row"],["row","col",0],["move","col",0.25]]`,
		",row,col,move\nrow,0.5,1,0\n":                                   `[["row","col"]]`,
		"\trow\tcol_next\nmove\t\t1\n":                                   `[["move","col"]]`,
	} {
		if got := string(strict.Encode(again(t, text, taxi))); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"from,to,strength\nrow,col,.9": `1:9 the column "strength" is not known; the columns are from, to and p, the probability of an edge`,
		"from,to\nrow":                 `2:1 the row has 1 cells, and the header 2`,
		"from,to\nrow,x":               `2:5 there is no variable "x"`,
		"from,to\nrow',col":            `2:1 "row'" is a next value; an edge leads from a variable now`,
		"from,to\nrow, move":           `2:6 "move" is an action; edges lead to state variables`,
		"from,to,p\nrow,col,2":         `2:9 2 is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999`,
		"from;to;p\nrow;col;0,9":       `2:9 "0,9" is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999; write 0.9 with a point`,
		"from,to\nrow,col\nrow,col":    `3:1 the edge stands in line 2 already`,
		"from,to\nrow,\"col":           `2:9 the quotes of this cell do not match`,
		",row,move\nrow,1,1":           `2:7 "move" is an action; edges lead to state variables`,
		",row,row\nrow,1,1":            `1:6 a second column of "row"`,
		",row\nrow,1\nrow,1":           `3:1 a second row of "row"`,
		",row\nrow,yes":                `2:5 "yes" is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999`,
		",row\nstate,1":                `2:1 there is no variable "state"`,
	} {
		_, errs, _ := format.ReadPrior(text, taxi)
		if len(errs) != 1 || fmt.Sprintf("%d:%d %s", errs[0].Line, errs[0].Column, errs[0].Detail) != want {
			t.Errorf("%q: %+v, want %s", text, errs, want)
		}
	}
}
