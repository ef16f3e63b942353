package document

import (
	"strings"
	"testing"

	"cpsrl/core/fmdp"
	"cpsrl/core/strict"
	"cpsrl/internal/formattest"
)

// pictureSpace is the space of the pictures below.
var pictureSpace = &fmdp.Space{
	State:  []fmdp.Variable{{Name: "row", Size: 2}, {Name: "col", Size: 3}, {Name: "cell", Size: 6}, {Name: "rate", Size: 3}, {Name: "drug", Size: 2}},
	Action: []fmdp.Variable{{Name: "move", Size: 4}},
}

type viewed struct {
	View View `json:"view,omitzero"`
}

// againView decodes, checks and encodes a document with a view.
func againView(data []byte) ([]byte, error) {
	var doc viewed
	if err := strict.Decode(data, &doc); err != nil {
		return nil, err
	}
	if err := doc.View.Check("/view", pictureSpace); err != nil {
		return nil, err
	}
	return strict.Encode(doc), nil
}

const (
	gridView = `{"view":{"kind":"grid","rows":2,"columns":3,"agent":{"look":"taxi","row":"row","column":"col"},"walls":[[0,1]],"southWalls":[[0,0]],` +
		`"marks":[{"at":[1,2],"text":"goal","tone":"goal"},{"text":"passenger","tone":"passenger","when":{"cell":0,"drug":1}}]}}`
	cellView  = `{"view":{"kind":"grid","rows":2,"columns":3,"agent":{"cell":"cell"}}}`
	cellsView = `{"view":{"kind":"grid","rows":2,"columns":2,"agent":{"cells":["row","","","drug"]}}}`
	chartView = `{"view":{"kind":"chart","vitals":[{"of":"rate","normal":[0,1]},{"of":"col"}],"treatments":["drug","move"]}}`
	nodesView = `{"view":{"kind":"nodes","nodes":["row","col"],"links":[["row","col"],["col","row"]],"places":[[0,0],[0,1]]}}`
)

func TestStrictViews(t *testing.T) {
	same := func(name, text string) {
		if again, err := againView([]byte(text)); err != nil || string(again) != text {
			t.Errorf("%s: %s, %v", name, again, err)
		}
	}
	same("cells", cellsView)
	same("one cell", cellView)
	same("no view", `{}`)
	formattest.Strict(t, "grid", gridView, againView, []formattest.Edit{
		{`"kind":"grid",`, ``, "/view/kind", `the field "kind" is missing`},
		{`"kind":"grid"`, `"kind":"maze"`, "/view/kind", "it must be grid, chart or nodes"},
		{`"kind":"grid"`, `"kind":3`, "/view/kind", "expected a string, found a number"},
		{`"kind":"grid"`, `"kind":"chart"`, "/view/rows", "unknown field"},
		{`"kind":"grid"`, `"kind":"grid","kind":"grid"`, "/view/kind", "duplicate"},
		{`"rows":2,`, ``, "/view/rows", `the field "rows" is missing`},
		{`"rows":2`, `"rows":null`, "/view/rows", "null is not allowed here"},
		{`"rows":2`, `"rows":3`, "/view/agent/row", `"row" has 2 values, not 3`},
		{`"rows":2`, `"rows":0`, "/view/rows", "0 rows; there are 1 to 64"},
		{`"columns":3`, `"columns":1000000000`, "/view/columns", "there are 1 to 64"},
		{`"look":"taxi"`, `"look":"bus"`, "/view/agent/look", "it must be taxi, or absent"},
		{`"row":"row",`, ``, "/view/agent/row", `there is no state variable ""`},
		{`"row":"row"`, `"row":"move"`, "/view/agent/row", `there is no state variable "move"`},
		{`"row":"row"`, `"cell":"cell","row":"row"`, "/view/agent", "a row and a column, or a cell, or cells"},
		{`"look":"taxi","row":"row","column":"col"`, ``, "/view/agent", "a row and a column, or a cell, or cells"},
		{`"look":"taxi","row":"row","column":"col"`, `"cell":"rate"`, "/view/agent/cell", `"rate" has 3 values, not 6`},
		{`"row":"row","column":"col"`, `"cells":[]`, "/view/agent/cells", "0 names for 6 cells"},
		{`"row":"row","column":"col"`, `"cells":["","","","","",""]`, "/view/agent/cells", "no cell has a variable"},
		{`"row":"row","column":"col"`, `"cells":["row","","row","","",""]`, "/view/agent/cells/2", `"row" is listed twice`},
		{`"walls":[[0,1]]`, `"walls":[[0,3]]`, "/view/walls/0", "there is no cell at row 0, column 3"},
		{`"walls":[[0,1]]`, `"walls":[[0,1],[0,1]]`, "/view/walls/1", "this cell is listed twice"},
		{`"walls":[[0,1]]`, `"walls":[[0]]`, "/view/walls/0", "expected an array of 2"},
		{`"southWalls":[[0,0]]`, `"southWalls":[[-1,0]]`, "/view/southWalls/0", "there is no cell at row -1, column 0"},
		{`"at":[1,2]`, `"at":[2,2]`, "/view/marks/0/at", "there is no cell at row 2, column 2"},
		{`"text":"goal"`, `"text":""`, "/view/marks/0/text", "0 bytes; there are 1 to 40"},
		{`"text":"goal"`, `"text":"` + strings.Repeat("x", 41) + `"`, "/view/marks/0/text", "41 bytes; there are 1 to 40"},
		{`"tone":"goal"`, `"tone":"loud"`, "/view/marks/0/tone", "it must be place, start, goal, hole, cliff or passenger"},
		{`"drug":1`, `"drug":2`, "/view/marks/1/when/drug", `"drug" has no value 2`},
		{`"drug":1`, `"drug":"on"`, "/view/marks/1/when/drug", "expected a whole number"},
		{`"drug":1`, `"move":1`, "/view/marks/1/when/move", `there is no state variable "move"`},
		{`"when":{"cell":0,"drug":1}`, `"when":[]`, "/view/marks/1/when", "expected an object"},
		{`"marks":[`, `"marks":[` + strings.Repeat(`{"text":"x","tone":"hole"},`, maxMarks), "/view/marks", "1026 marks, more than 1024"},
	})
	formattest.Strict(t, "chart", chartView, againView, []formattest.Edit{
		{`{"of":"rate","normal":[0,1]},{"of":"col"}`, ``, "/view/vitals", "a chart has at least one"},
		{`"of":"rate"`, `"of":"move"`, "/view/vitals/0/of", `there is no state variable "move"`},
		{`"of":"col"`, `"of":"rate"`, "/view/vitals/1/of", `"rate" is listed twice`},
		{`[0,1]`, `[1,0]`, "/view/vitals/0/normal/1", "normal values are ascending"},
		{`[0,1]`, `[0,3]`, "/view/vitals/0/normal/1", `"rate" has no value 3`},
		{`"treatments":["drug"`, `"treatments":["rate"`, "/view/treatments/0", `"rate" is listed twice`},
		{`"treatments":["drug"`, `"treatments":["gene"`, "/view/treatments/0", `there is no variable "gene"`},
	})
	formattest.Strict(t, "nodes", nodesView, againView, []formattest.Edit{
		{`"nodes":["row","col"]`, `"nodes":[]`, "/view/nodes", "a graph has at least one"},
		{`"nodes":["row","col"]`, `"nodes":["row","row"]`, "/view/nodes/1", `"row" is listed twice`},
		{`["row","col"],["col","row"]`, `["row","cell"]`, "/view/links/0/1", `there is no node "cell"`},
		{`["row","col"],["col","row"]`, `["row","row"]`, "/view/links/0", "to another one"},
		{`["row","col"],["col","row"]`, `["row","col"],["row","col"]`, "/view/links/1", "listed twice"},
		{`"places":[[0,0],[0,1]]`, `"places":[[0,0]]`, "/view/places", "1 places for 2 nodes"},
		{`"places":[[0,0],[0,1]]`, `"places":[[0,0],[0,0]]`, "/view/places/1", "listed twice"},
		{`"places":[[0,0],[0,1]]`, `"places":[[0,0],[0,64]]`, "/view/places/1", "there is no cell at row 0, column 64"},
	})
	for _, other := range []string{`{"view":null}`, `{"view":3}`, `{"view":[]}`, `{"view":"grid"}`, `{"view":{}}`} {
		_, err := againView([]byte(other))
		if err == nil || !strings.HasPrefix(err.Error(), "/view") {
			t.Errorf("%s: %v", other, err)
		}
	}
}

func FuzzView(f *testing.F) {
	formattest.Fuzz(f, []string{gridView, cellView, cellsView, chartView, nodesView}, againView)
}
