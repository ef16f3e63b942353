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
		"\ufeff# edges\n\"From\", \"To\",P\n move, row' ,.9\nrow,col,1\n": `[["move","row",0.9],["row","col"]]`,
		"node,row,col\nrow,1,0\nmove,,0.25\n":                             `[["row","row"],["row","col",0],["move","col",0.25]]`,
		",row,col,move\nrow,0.5,1,0\n":                                    `[["row","col"]]`,
		"\trow\tcol_next\nmove\t\t1\n":                                    `[["move","col"]]`,
	} {
		if got := string(strict.Encode(again(t, text, taxi))); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	// What other programs write: Excel, networkx and pandas, bnlearn, R.
	const strengths = " Note: the strength of an edge, times its direction, is the trust in it; 0 forbids it"
	const inOrder = " Note: the rows have no names: they are taken in the order of the columns; " + matrixNote
	wants(t, map[string]string{
		"source,target\nrow,col\n":                                             `[["row","col"]]`,
		"\ufeffsep=;\r\nfrom;to;p\r\nrow;col;0.25\r\nrow;x;1\r\n":              `[["row","col",0.25]] 4:5 there is no variable "x".`,
		"\"sep=,\"\n,row\nmove,1\n":                                            `[["move","row"]] Note: ` + matrixNote,
		"weight,Source,Target\n.5,row,col\n1e-9,move,col\n.9999999,row,row":    `[["row","col",0.5],["move","col",0.000001],["row","row",0.999999]]`,
		",source,target,weight\n0,row,col,0.25\n1,move,row,1\n":                `[["row","col",0.25],["move","row"]]`,
		"Unnamed: 0;cause;effect;probability\n0;row;col;True\n1;row;row;FALSE": `[["row","col"],["row","row",0]]`,
		"\"\",\"from\",\"to\",\"strength\",\"direction\"\n\"1\",row,col,0.8,0.5\n\"2\",move,col,.9,1\n\"3\",col,move,.9,0\n\"4\",row,row,1,1\n\"5\",col,row,1e-5,1e-5\n": `[["row","col",0.4],["move","col",0.9],["row","row"],["col","row",0.000001]]` + strengths,
		"from,to,strength,direction\nrow,col,1.2,0.5\nrow,row,.5,-1\nmove,col,,1\nmove,row,.5,.5":                                                                        `[["move","row",0.25]] 2:9 1.2` + notP + ` 3:12 -1` + notP + ` 4:10 this edge has no probability; write 1 if it is certain.` + strengths,
		"source,target,weight,weight\nrow,col,1,1":                     `[] 1:22 the column "weight" is not known, or it is a second one; the columns are from, to and p, the probability of an edge.`,
		"\"\",\"row\",\"col\"\n\"row\",TRUE,FALSE\n\"move\",NA,TRUE\n": `[["row","row"],["row","col",0],["move","col"]] Note: ` + matrixNote,
		"row,col,move\n0,1,0\nFALSE,.5,false\n1e-9,0,0\n":              `[["row","row",0],["row","col"],["col","row",0],["col","col",0.5],["move","row",0.000001],["move","col",0]]` + inOrder,
		",row,col,move\n0,.1,1,0\n1,0,.5,0\n2,1,0,0":                   `[["row","row",0.1],["row","col"],["col","row",0],["col","col",0.5],["move","row"],["move","col",0]]` + inOrder,
		",row,col\n1,.1,1\n2,0,.5":                                     `[["row","row",0.1],["row","col"],["col","row",0],["col","col",0.5]]` + inOrder,
		",row,col\n1,.1,1\n3,0,.5":                                     `[] 2:1 there is no variable "1". 3:1 there is no variable "3". Note: ` + matrixNote,
		"from,to,direction\nrow,col,back":                              `[] 1:9 the column "direction" is not known, or it is a second one; the columns are from, to and p, the probability of an edge.`,
		"row,col\nrow,0,1\nmove,.5,-2\n":                               `[["row","row",0],["row","col"],["move","row",0.5]] 3:9 -2` + notP + " Note: " + matrixNote,
		",row,col\nrow,0,1,\nmove,1,0,\n":                              "[] 2:1 the row has 4 cells, and the header 3. 3:1 the row has 4 cells, and the header 3. Note: " + matrixNote,
		"row,col\n.5,.6\n":                                             `[] 2:1 there is no variable ".5". Note: ` + matrixNote,
		",row,move\nrow,1,TRUE\nmove,1,no\ncol,1,0":                    `[["row","row"],["move","row"],["col","row"]] 2:7 "move" is an action; edges lead to state variables. 3:8 "no"` + notP + " Note: " + matrixNote,
	})
	for text, want := range map[string]string{
		"from,to,length\nrow,col,.9": `1:9 the column "length" is not known, or it is a second one; the columns are from, to and p, the probability of an edge`,
		"from,to\nrow":               `2:1 the row has 1 cells, and the header 2`,
		"from,to\nrow,x":             `2:5 there is no variable "x"`,
		"from,to\nrow',col":          `2:1 "row'" is a next value; an edge leads from a variable now`,
		"from,to\nrow, move":         `2:6 "move" is an action; edges lead to state variables`,
		"from,to,p\nrow,col,":        `2:9 this edge has no probability; write 1 if it is certain`,
		"from,to,p\nrow,col,2":       `2:9 2 is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999`,
		"from;to;p\nrow;col;0,9":     `2:9 "0,9" is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999; write 0.9 with a point`,
		"from,to\nrow,col\nrow,col":  `3:1 the edge stands in line 2 already`,
		"from,to\nrow,\"col":         `2:5 the quotes of this cell do not match`,
		",row,move\nrow,1,1":         `2:7 "move" is an action; edges lead to state variables`,
		",row,row\nrow,1,1":          `1:6 a second column of "row"`,
		",row\nrow,1\nrow,1":         `3:1 a second row of "row"`,
		",row\nrow,yes":              `2:5 "yes" is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999`,
		",row\nstate,1":              `2:1 there is no variable "state"`,
	} {
		_, errs, _ := format.ReadPrior(text, taxi)
		if len(errs) != 1 || fmt.Sprintf("%d:%d %s", errs[0].Line, errs[0].Column, errs[0].Reason) != want {
			t.Errorf("%q: %+v, want %s", text, errs, want)
		}
	}
}
