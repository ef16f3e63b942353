package engine

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"html"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"

	"cpsrl/core/arm"
	"cpsrl/render/chart"
	"cpsrl/render/figure"
	"cpsrl/render/print"
)

const twoLines = `{"measure":"regret","width":700,"height":400,"type":13,"theme":"page","inline":true,"lines":[
	{"agent":"c-psrl","points":[[1,3],[2,2,1.5,2.5],[4,1,1,1]]},
	{"agent":"psrl","mark":"A","points":[[1,3],[4,2]]}]}`

// The axis of a difference goes as far below 0 as its interval, and its line has the given
// name.
func TestChartOfDifference(t *testing.T) {
	w := ask("POST", "/v1/chart", `{"measure":"regret","width":700,"height":400,"inline":true,"lines":[
		{"agent":"c-psrl","base":"c-psrl","name":"C-PSRL − C-PSRL, A","points":[[1,1,-3,5],[2,2,-2,6]]}]}`)
	_, facts, _ := strings.Cut(w.Body.String(), `data-facts="`)
	var f chart.Facts
	if err := json.Unmarshal([]byte(html.UnescapeString(facts[:strings.Index(facts, `"`)])), &f); err != nil {
		t.Fatal(err)
	}
	if f.Low > -3 || f.High < 6 || f.Hidden != "" || !strings.Contains(w.Body.String(), "C-PSRL − C-PSRL, A") {
		t.Errorf("%+v in %s", f, w.Body)
	}
	long := strings.Replace(twoLines, `"mark"`, `"name":"`+strings.Repeat("x", 201)+`","mark"`, 1)
	refused(t, ask("POST", "/v1/chart", long), 400, "/lines/1/name", "longer than 200 bytes")
}

// An agent has the same look with and without the lines of others, and the facts tell a legend
// all of them.
func TestChartOfSomeAgents(t *testing.T) {
	const one = `{"measure":"regret","width":700,"height":400,"inline":true,"agents":["c-psrl","c-psrl:prior=expert"],"lines":[
		{"agent":"c-psrl:prior=expert","points":[[1,3],[2,2]]}]}`
	w := ask("POST", "/v1/chart", one)
	_, facts, _ := strings.Cut(w.Body.String(), `data-facts="`)
	var f chart.Facts
	if err := json.Unmarshal([]byte(html.UnescapeString(facts[:strings.Index(facts, `"`)])), &f); err != nil {
		t.Fatal(err)
	}
	looks := arm.Looks([]string{"c-psrl", "c-psrl:prior=expert"})
	for label, look := range looks {
		if !slices.Equal(f.Dashes[label], look.Dash) {
			t.Errorf("%s: %v, want %v", label, f.Dashes[label], look.Dash)
		}
	}
	if len(f.Dashes) != len(looks) || !strings.Contains(w.Body.String(), `stroke-dasharray="12 3"`) {
		t.Errorf("%v in %s", f.Dashes, w.Body)
	}
	if w := ask("POST", "/v1/chart", twoLines); strings.Contains(w.Body.String(), "dashes") {
		t.Errorf("a figure whose request names no agents has %s", w.Body)
	}
}

// The PDF of a sheet is the PDF that the command makes of the picture.
func TestChartAsSheet(t *testing.T) {
	for _, body := range []string{twoLines, strings.Replace(twoLines, `"page"`, `"dark","title":"V_*(π), ± ≤"`, 1)} {
		w := ask("POST", "/v1/chart?as=sheet", body)
		if kind := w.Header().Get("Content-Type"); w.Code != http.StatusOK || kind != "application/json" {
			t.Fatalf("status %d, %s: %s", w.Code, kind, w.Body)
		}
		got, err := print.Sheet(w.Body.Bytes(), goregular.TTF, gobold.TTF)
		if err != nil {
			t.Fatal(err)
		}
		var c figure.Chart
		if err := json.Unmarshal([]byte(body), &c); err != nil {
			t.Fatal(err)
		}
		drawn, err := c.Draw()
		if err != nil {
			t.Fatal(err)
		}
		if want, err := print.PDF(drawn.Picture()); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%v; another document than the picture's", err)
		}
	}
	refused(t, ask("POST", "/v1/chart?as=pdf", twoLines), 400, "", `the as "pdf" must be one of pgfplots, sheet, svg`)
}

// Oracle: the facts in the figure, by which its curves are read back.
func TestChart(t *testing.T) {
	w := ask("POST", "/v1/chart", twoLines)
	if kind := w.Header().Get("Content-Type"); w.Code != http.StatusOK || kind != "image/svg+xml" {
		t.Fatalf("status %d, %s: %s", w.Code, kind, w.Body)
	}
	var svg struct {
		Width  string `xml:"width,attr"`
		Height string `xml:"height,attr"`
		Facts  string `xml:"data-facts,attr"`
		Paths  []struct {
			Class string `xml:"class,attr"`
			D     string `xml:"d,attr"`
		} `xml:"path"`
		Texts []string `xml:"text"`
	}
	if err := xml.Unmarshal(w.Body.Bytes(), &svg); err != nil {
		t.Fatal(err)
	}
	var f chart.Facts
	if err := json.Unmarshal([]byte(svg.Facts), &f); err != nil {
		t.Fatal(err)
	}
	if svg.Width != "700" || svg.Height != "400" || f.First != 0 || f.Last != 4 || f.Low != 0 || f.High != 3 {
		t.Errorf("%s×%s, %+v", svg.Width, svg.Height, f)
	}
	got := map[string][][2]float64{}
	for _, path := range svg.Paths {
		for _, place := range strings.FieldsFunc(strings.ReplaceAll(path.D, "L", "M"), func(r rune) bool { return r == 'M' }) {
			for k, at := range strings.Split(place, " ") {
				if k%2 == 0 {
					got[path.Class] = append(got[path.Class], [2]float64{})
				}
				points := got[path.Class]
				if _, err := fmt.Sscan(at, &points[len(points)-1][k%2]); err != nil {
					t.Fatal(path.D)
				}
			}
		}
	}
	for class, want := range map[string][][2]float64{"curve": {{1, 3}, {2, 2}, {4, 1}}, "ghost": {{1, 3}, {4, 2}}} {
		if len(got[class]) != len(want) {
			t.Fatalf("%s: %v", class, got[class])
		}
		for k, p := range got[class] {
			episode, value := (p[0]-f.Left)/(f.Right-f.Left)*f.Last, (f.Bottom-p[1])/(f.Bottom-f.Top)*f.High
			if math.Abs(episode-want[k][0]) > 0.001 || math.Abs(value-want[k][1]) > 0.001 {
				t.Errorf("%s has a point at %v, %v; want %v", class, episode, value, want[k])
			}
		}
	}
	for _, text := range []string{"C-PSRL", "regret of an episode"} {
		if !strings.Contains("|"+strings.Join(svg.Texts, "|")+"|", "|"+text+"|") {
			t.Errorf("%q is not among the texts %q", text, svg.Texts)
		}
	}
}

// Oracle: the facts in the figure. Each run of two agents has a dot at its end; runs that
// have not learned are beside the axis.
func TestChartOfDots(t *testing.T) {
	const runs = `{"measure":"regret","dots":"learned","episodes":40,"width":700,"height":400,"inline":true,"lines":[
		{"agent":"c-psrl","points":[[1,10],[2,30],[3,10],[4,0]]},{"agent":"psrl","mark":"A","points":[[1,0],[2,20],[3,0],[4,0]]}]}`
	w := ask("POST", "/v1/chart", runs)
	_, facts, _ := strings.Cut(w.Body.String(), `data-facts="`)
	var f chart.Facts
	if err := json.Unmarshal([]byte(html.UnescapeString(facts[:strings.Index(facts, `"`)])), &f); err != nil {
		t.Fatal(err)
	}
	// Each row is in ascending order; runs without a value come last.
	var dots [][2]float64
	for _, path := range strings.Split(w.Body.String(), `<path class="dot" d="M`)[1:] {
		var at [2]float64
		if _, err := fmt.Sscanf(path, "%f %f", &at[0], &at[1]); err != nil {
			t.Fatal(path)
		}
		dots = append(dots, at)
	}
	if len(dots) != 8 {
		t.Fatalf("%v in %s", dots, w.Body)
	}
	for k, want := range []float64{10, 10, 30, math.Inf(1), 20, math.Inf(1), math.Inf(1), math.Inf(1)} {
		if got := f.First + (dots[k][0]-f.Left)/(f.Right-f.Left)*(f.Last-f.First); math.Abs(got-want) > 0.05 && !(want > 40 && got > 40) {
			t.Errorf("dot %d is at %v, want %v", k, got, want)
		}
	}
	if dots[0][1] == dots[1][1] || dots[3][1] >= dots[4][1] {
		t.Errorf("equal values are drawn at one place, or the rows are out of order: %v", dots)
	}
	for _, text := range []string{">episodes until learned<", ">not yet<", ">C-PSRL<", ">3 of 4, median 20<", ">PSRL, A<", ">1 of 4<"} {
		if !strings.Contains(w.Body.String(), text) {
			t.Errorf("no %s in %s", text, w.Body)
		}
	}
	final := strings.Replace(strings.ReplaceAll(runs, ",0]", ",0.5]"), "learned", "final", 1)
	if w := ask("POST", "/v1/chart", final); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), ">regret of an episode after the last episode<") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := ask("POST", "/v1/chart?as=pgfplots", runs).Body.String(); !strings.Contains(w, "only marks, mark size=1.2pt, opacity=0.6] coordinates {\n  (10,2)\n  (30,2)\n  (10,2)\n  (48,2)\n};\n\\addlegendentry{C-PSRL: 3 of 4, median 20}") || !strings.Contains(w, `ytick={\empty}`) {
		t.Error(w)
	}
	for _, test := range []struct{ from, to, pointer, says string }{
		{`"learned"`, `"late"`, "/dots", "final or learned"},
		{`"psrl"`, `"dyna"`, "/lines/1/agent", "dyna"},
	} {
		refused(t, ask("POST", "/v1/chart", strings.Replace(runs, test.from, test.to, 1)), 400, test.pointer, test.says)
	}
}

// A chart with a part that cannot be drawn is refused at the place of that part.
func TestChartRefused(t *testing.T) {
	for _, test := range []struct{ from, to, pointer, says string }{
		{`"regret"`, `"luck"`, "/measure", `no measure "luck"`},
		{`"page"`, `"sepia"`, "/theme", `no theme "sepia"`},
		{`700`, `99`, "/width", "from 100 to 4000"},
		{`400`, `1e300`, "/height", "from 100 to 4000"},
		{`13,`, `-1,`, "/type", "from 6 to 60"},
		{`"agent":"psrl"`, `"agent":"dyna"`, "/lines/1/agent", "dyna"},
		{`"mark":"A"`, `"base":"dyna"`, "/lines/1/base", "dyna"},
		{`"mark":"A"`, `"base":"c-psrl"`, "/logY", "may be negative"},
		{`[4,2]`, `[4,2,1]`, "/lines/1/points/1", "[episode, mean] or"},
		{`[4,2]`, `[1,2]`, "/lines/1/points/1", "larger than the one before"},
		{`[1,3],[4,2]`, `[0.5,3]`, "/lines/1/points/0", "whole numbers from 1 on"},
		{`[1,3],[4,2]`, `[1e18,3]`, "/lines/1/points/0", "whole numbers"},
		{`[1,3],[4,2]`, ``, "/lines/1/points", "a point was expected"},
		{`[2,2,1.5,2.5]`, `[2,2,2.5,1.5]`, "/lines/0/points/1", "below its end"},
		{`[4,1,1,1]`, `[4,null]`, "/lines/0/points/2/1", "null"},
		{`"inline":true`, `"outline":true`, "/outline", "unknown"},
		{`"inline":true`, `"episodes":-1`, "/episodes", "negative"},
	} {
		body := strings.Replace(strings.Replace(twoLines, test.from, test.to, 1), `"type"`, `"logY":true,"type"`, 1)
		w := ask("POST", "/v1/chart", body)
		var d Details
		if err := json.Unmarshal(w.Body.Bytes(), &d); err != nil || w.Code != http.StatusBadRequest || d.Pointer != test.pointer || !strings.Contains(d.Detail, test.says) {
			t.Errorf("%s: %d %s", test.to, w.Code, w.Body)
		}
	}
	if w := ask("POST", "/v1/chart", `{"measure":"regret","lines":[]}`); w.Code != http.StatusBadRequest {
		t.Errorf("no lines: %d %s", w.Code, w.Body)
	}
}
