package cells

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"net/url"
	"reflect"
	"strings"
	"testing"
)

// harmless fails the test if a spreadsheet that divides lines at one of the marks, with quotes or without, finds a formula.
func harmless(t *testing.T, text string) {
	t.Helper()
	for _, by := range []rune{',', ';', '\t'} {
		r := csv.NewReader(strings.NewReader(text))
		r.Comma, r.LazyQuotes, r.FieldsPerRecord = by, true, -1
		rows, err := r.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(text) {
			rows = append(rows, strings.Split(strings.TrimRight(line, "\n"), string(by)))
		}
		for _, row := range rows {
			for _, cell := range row {
				cell = strings.Trim(cell, ` "`)
				first := cell // a number with what follows it is no formula
				if at := strings.IndexFunc(cell, divides); at > 0 {
					first = cell[:at]
				}
				if cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r") && !isNumber(strings.TrimRight(first, `]}"`)) || strings.HasPrefix(cell, "＝") {
					t.Errorf("%q has the cell %q", text, cell)
				}
			}
		}
	}
}

// texts would be formulas, or look like it.
var texts = []string{
	"", "a", "c-psrl:eta=1", "=cmd|'/C calc'!A0", "+1+cmd", "-2+3+cmd|' /C calc'!A0", "@SUM(1)", "\t=1", "\r=1", "  =1", "＝1", `"=1"`, "'=1", "''=1", "'a", "-5", "+1e3", "-",
	"x,=1", "x;=1", "x; '=1", "x\t=1", "x\n=1", "a,-5", "a,-5;b", `say "hi"`, " a ", "a=b", "-x", "1-1", "-0x1p-2", "-Inf", "é;=1",
}

// Oracle: encoding/csv reads what was written.
func TestRows(t *testing.T) {
	for _, text := range texts {
		var table Table
		table.Text(text, "b", text).End()
		row := string(table.Bytes)
		harmless(t, row)
		got, err := csv.NewReader(strings.NewReader(row)).Read()
		if err != nil || len(got) != 3 || Plain(got[0]) != strings.ReplaceAll(text, "\r\n", "\n") || got[1] != "b" || Plain(got[2]) != Plain(got[0]) {
			t.Errorf("%q is written as %q and read as %q: %v", text, row, got, err)
		}
	}
	for text, want := range map[string]string{"c-psrl:eta=1": "c-psrl:eta=1", "-5": "-5", "=1": "'=1", "a,b": `"a,b"`, "a;-b": `"a;'-b"`} {
		if got := Text(text); got != want {
			t.Errorf("the cell of %q is %s, want %s", text, got, want)
		}
	}
	var table Table
	table.Text("").End()
	table.Text("", "").End()
	table.Int(3, -4).Number(0.1, math.NaN(), 1e21).Rounded(2, 1.26).End()
	if got := string(table.Bytes); got != "\"\"\n,\n3,-4,0.1,,1e+21,1.3\n" {
		t.Errorf("empty cells are %q", got)
	}
}

// Oracle: encoding/json. What is escaped is the same document.
func TestJSON(t *testing.T) {
	for _, text := range texts {
		document, err := json.Marshal(map[string]any{text: []any{text, -1, text + `\`, "c"}, "k": text})
		if err != nil {
			t.Fatal(err)
		}
		line := string(AppendJSON(nil, "spec", document))
		harmless(t, line)
		var want, got any
		json.Unmarshal(document, &want)
		if err := json.Unmarshal([]byte(strings.TrimPrefix(line, "# spec ")), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is written as %s: %v", document, line, err)
		}
	}
	const plain = `{"a":[-1,"b=c",{"d":"e-f"}]}`
	if got := string(AppendJSON(nil, "spec", []byte(plain))); got != "# spec "+plain+"\n" {
		t.Errorf("%s", got)
	}
}

func TestComments(t *testing.T) {
	for _, text := range texts {
		harmless(t, string(AppendComment(nil, "Regret of "+text+", "+text)))
		link := "http://a/#v=1&prior=row:" + text + ",b&x=-1"
		line := string(AppendLink(nil, "link", link))
		got, err := url.PathUnescape(strings.TrimSuffix(strings.TrimPrefix(line, "# link "), "\n"))
		if want := strings.Join(strings.Fields(link), " "); err != nil || strings.ContainsAny(text, "\n\t\r %") == false && got != want {
			t.Errorf("%q is written as %q", link, line)
		}
	}
	if got := string(AppendComment(nil, "one\ntwo, =3\n")); got != "# one\n# two,' =3\n" {
		t.Errorf("%q", got)
	}
}
