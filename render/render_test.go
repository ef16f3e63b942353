package render

import (
	"bytes"
	"encoding/xml"
	"flag"
	"fmt"
	"image/color"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/domain"
	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// episode returns a trace of C-PSRL that the core has made and the stage's decoder has read.
func episode(t testing.TB, d domain.Domain, agent string, k int) *record.Trace {
	t.Helper()
	e, err := experiment.New(&spec.Spec{Domain: d, Agents: []string{agent}, Episodes: k, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	trace, err := e.Trace(t.Context(), 0, agent, k)
	if err != nil {
		t.Fatal(err)
	}
	if w, ok := d.(world); ok {
		trace.View = document.View{Picture: w.picture}
	}
	read, err := record.DecodeTrace(record.EncodeTrace(trace))
	if err != nil {
		t.Fatal(err)
	}
	return read
}

var domains = map[string]domain.Domain{
	"taxi":        &domain.Taxi{Grid: "5x5"},
	"figure1":     &domain.Figure1{},
	"random-fmdp": &domain.Random{StateVariables: 3, ActionVariables: 2, Parents: 2, Horizon: 12},
}

func draw(t testing.TB, trace *record.Trace, view StageView) *Picture {
	t.Helper()
	p, err := Draw(trace, view)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// views holds the views of the goldens.
func views() map[string]StageView {
	x, y := 1, 0
	return map[string]StageView{
		"sample": {Moment: Sample, Width: 390, Focus: &Focus{X: &x, Y: &y}},
		"plan":   {Moment: Plan, Theme: Dark},
		"act":    {Moment: Act, Step: 6.5, Truth: true},
		"update": {Moment: Update, Width: 390, Truth: true},
	}
}

func TestGolden(t *testing.T) {
	for name, d := range domains {
		trace := episode(t, d, "c-psrl", 3)
		for moment, view := range views() {
			view.Agent = "C-PSRL"
			golden(t, filepath.Join("testdata", name+"-"+moment+".txt"), listing(draw(t, trace, view)))
		}
	}
}

// Pictures of grids, charts and nodes, before and at an early end.
func TestGoldenScenes(t *testing.T) {
	lake, patient := endedEarly(t, lake(t, true)), endedEarly(t, patient(t))
	network := episode(t, &domain.SysAdmin{Topology: "instance", Machines: 10, Horizon: 12}, "f-psrl", 3)
	for name, test := range map[string]struct {
		trace *record.Trace
		view  StageView
	}{
		"lake-act":        {lake, StageView{Moment: Act, Step: 1.4}},
		"lake-end":        {lake, StageView{Moment: Act, Step: float64(len(lake.Steps)), Width: 390, Theme: Dark}},
		"cliff-plan":      {episode(t, cliff(t), "f-psrl", 3), StageView{Moment: Plan}},
		"navigation-act":  {episode(t, navigation(t), "f-psrl", 3), StageView{Moment: Act, Step: 2}},
		"patient-act":     {patient, StageView{Moment: Act, Step: 1}},
		"patient-end":     {patient, StageView{Moment: Update, Width: 390}},
		"sysadmin-act":    {network, StageView{Moment: Act, Step: 7}},
		"sysadmin-update": {network, StageView{Moment: Update, Width: 390, Theme: Dark}},
		"life-act":        {episode(t, life(t, "c"), "f-psrl", 3), StageView{Moment: Act, Step: 3}},
		"drowned-act":     {episode(t, drowned(t), "f-psrl", 1), StageView{Moment: Act}},
	} {
		golden(t, filepath.Join("testdata", "scene-"+name+".txt"), listing(draw(t, test.trace, test.view)))
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: the picture has changed; look at it, then go test ./render -update\n%s", file, firstDifference(got, string(want)))
	}
}

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for k := range min(len(a), len(b)) {
		if a[k] != b[k] {
			return fmt.Sprintf("line %d\n got %s\nwant %s", k+1, a[k], b[k])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(a), len(b))
}

// everyView yields a sample of views that differ in every field.
func everyView(trace *record.Trace, nth int, visit func(StageView)) {
	seen := 0
	yield := func(v StageView) {
		if seen++; seen%nth == 0 {
			visit(v)
		}
	}
	x, y := 0, len(trace.State)-1
	for _, width := range []float64{320, 390, 800} {
		for _, moment := range Moments {
			last := float64(len(trace.Steps))
			for _, step := range []float64{0, min(1.3, last), last} {
				for _, focus := range []*Focus{nil, {X: &x}, {Y: &y}, {X: &x, Y: &y}} {
					for _, truth := range []bool{false, true} {
						yield(StageView{Width: width, Moment: moment, Step: step, Focus: focus, Truth: truth})
						yield(StageView{Width: width, Moment: moment, Step: step, Focus: focus, Truth: truth, Model: "true", Passenger: "aboard", Theme: Dark, H: trace.Horizon})
					}
				}
			}
		}
	}
}

// custom returns the domain of a model with these rewards for two actions in the second of two
// states, or in the only state.
func custom(t testing.TB, states int, low, high string) domain.Domain {
	t.Helper()
	next, means := "[1],[1]", low+","+high
	if states == 2 {
		next, means = "[0.5,0.5],[0.5,0.5],[0.5,0.5],[0.5,0.5]", "0,0,"+means
	}
	m, err := document.DecodeModel(fmt.Appendf(nil, `{"format":"cpsrl/model","version":1,"horizon":20,"state":[{"name":"s","size":%d}],"action":[{"name":"a","size":2}],"initial":"uniform",
		"transition":[{"of":"s","given":["s","a"],"p":[%s]}],"reward":[{"given":["s","a"],"mean":[%s],"kind":"fixed"}]}`, states, next, means))
	if err != nil {
		t.Fatal(err)
	}
	return domain.NewCustom(m)
}

// The heading of the plan tells the value of the model that is drawn.
func TestPlanWorth(t *testing.T) {
	for _, name := range []string{"figure1", "taxi"} {
		trace := episode(t, domains[name], "c-psrl", 2)
		for model, value := range map[string]float64{"true": trace.True.Value, "sampled": trace.Sampled.Value} {
			svg := string(SVG(draw(t, trace, StageView{Moment: Plan, Model: model})))
			if !strings.Contains(svg, "worth "+decimal(value, 2)) || !strings.Contains(svg, model+" model") {
				t.Errorf("%s, %s: not %v", name, model, value)
			}
		}
	}
}

// Every picture is legible: nothing leaves it or is too small, and no axis has one text on another.
func TestLegible(t *testing.T) {
	all := worlds(t)
	maps.Copy(all, domains)
	all["large payoffs"], all["negative payoffs"], all["equal payoffs"] = custom(t, 2, "0", "1250000"), custom(t, 2, "-99999", "0"), custom(t, 1, "0", "0")
	for name, d := range all {
		for _, agent := range []string{"c-psrl", "f-psrl", "psrl", tied} {
			trace := episode(t, d, agent, 2)
			everyView(trace, 11, func(view StageView) {
				p := draw(t, trace, view)
				say := func(format string, args ...any) {
					t.Errorf("%s %s %+v: %s", name, agent, view, fmt.Sprintf(format, args...))
				}
				if p.Text == "" || p.Title == "" {
					say("no words")
				}
				var ends []Text
				for _, m := range p.Marks {
					text, ok := m.(Text)
					if !ok {
						continue
					}
					if text.Anchor == End {
						for _, other := range ends {
							if other.X == text.X && math.Abs(other.Y-text.Y) < 10 {
								say("%q is on %q", text.Value, other.Value)
							}
						}
						ends = append(ends, text)
					}
					if text.Size < 11 {
						say("%q is %v px", text.Value, text.Size)
					}
					width := widthOf(text.Value, text.Size, text.Bold)
					left := text.X - [...]float64{Start: 0, Middle: width / 2, End: width}[text.Anchor]
					if left < -0.5 || left+width > p.Width+0.5 || text.Y < 0 || text.Y > p.Least {
						say("%q is at %v…%v, %v", text.Value, left, left+width, text.Y)
					}
				}
				for _, target := range p.Targets {
					if target.Line == nil && (target.Box.W < 24 || target.Box.H < 24) {
						say("target %s is %v×%v", target.Name, target.Box.W, target.Box.H)
					}
				}
				if t.Failed() {
					t.FailNow()
				}
			})
		}
	}
}

// No arrow of the policy covers the number of a value.
func TestArrowsLeaveNumbersFree(t *testing.T) {
	for grid, cells := range map[string]int{"3x3": 9, "5x5": 25} {
		p := draw(t, episode(t, &domain.Taxi{Grid: grid}, "c-psrl", 2), StageView{Moment: Plan, Width: 648})
		var numbers []Box
		for _, m := range p.Marks {
			if text, ok := m.(Text); ok && text.Anchor == End && text.Size == tiny && strings.Contains(text.Value, ".") {
				width := widthOf(text.Value, tiny, false)
				numbers = append(numbers, Box{X: text.X - width, Y: text.Y - 8, W: width, H: 8})
			}
		}
		if len(numbers) != cells {
			t.Fatalf("%s has %d numbers, not %d", grid, len(numbers), cells)
		}
		arrows := 0
		for _, m := range p.Marks {
			path, ok := m.(Path)
			if !ok || path.Closed || len(path.Points) > 3 || path.Width < 1.75 || path.Width > 4 {
				continue
			}
			arrows++
			for _, n := range numbers {
				left, right, top, bottom := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
				for _, at := range path.Points {
					left, right = min(left, at.X), max(right, at.X)
					top, bottom = min(top, at.Y), max(bottom, at.Y)
				}
				half := path.Width / 2
				if left-half < n.right() && right+half > n.X && top-half < n.Y+n.H && bottom+half > n.Y {
					t.Errorf("%s: a line from %v covers the number at %v", grid, path.Points, n)
				}
			}
		}
		if arrows < 2*cells {
			t.Errorf("%s has %d lines of arrows", grid, arrows)
		}
	}
}

// No label of a changed belief covers a node.
func TestLabelsLeaveNodesFree(t *testing.T) {
	labels := 0
	for name, d := range domains {
		for k := 1; k <= 8; k++ {
			trace := episode(t, d, "c-psrl", k)
			for _, width := range []float64{390, 568, 648} {
				var nodes, changes []Rect
				for _, m := range draw(t, trace, StageView{Moment: Update, Width: width}).Marks {
					if rect, ok := m.(Rect); ok && rect.H == pill && rect.Radius == 7 {
						nodes = append(nodes, rect)
					} else if ok && rect.H == 20 && rect.Radius == 10 {
						changes = append(changes, rect)
					}
				}
				if len(nodes) != trace.Space().X()+trace.Space().Y() {
					t.Fatalf("%s has %d nodes", name, len(nodes))
				}
				labels += len(changes)
				for _, c := range changes {
					for _, n := range nodes {
						if c.X < n.X+n.W && n.X < c.X+c.W && c.Y < n.Y+n.H && n.Y < c.Y+c.H {
							t.Errorf("%s, episode %d, %v px: the label at %v, %v covers the node at %v, %v", name, k, width, c.X, c.Y, n.X, n.Y)
						}
					}
				}
			}
		}
	}
	if labels < 20 {
		t.Errorf("there are %d labels", labels)
	}
}

// At finds each target at its place, and Next goes round all targets.
func TestAt(t *testing.T) {
	p := draw(t, episode(t, domains["taxi"], "c-psrl", 3), StageView{Moment: Plan})
	for _, target := range p.Targets {
		at := Point{target.Box.X + target.Box.W/2, target.Box.Y + target.Box.H/2}
		if target.Line != nil {
			at = target.Line[len(target.Line)/2]
		}
		focus := p.At(at)
		if focus == nil {
			t.Errorf("At finds nothing at %s", target.Name)
		} else if target.Line == nil && !focus.Equal(&target.Focus) {
			t.Errorf("At finds something else at %s", target.Name)
		}
	}
	if p.At(Point{5, 5}) != nil {
		t.Error("At finds something where there is nothing")
	}
	first := p.Next(nil, 1)
	if !first.Equal(&p.Targets[0].Focus) || !p.Next(first, -1).Equal(&p.Targets[len(p.Targets)-1].Focus) {
		t.Error("the keyboard does not go round")
	}
}

func TestSVG(t *testing.T) {
	all := worlds(t)
	maps.Copy(all, domains)
	for _, d := range all {
		trace := episode(t, d, "c-psrl", 2)
		everyView(trace, 31, func(view StageView) {
			wellFormed(t, SVG(draw(t, trace, view)))
		})
	}
}

func wellFormed(t testing.TB, svg []byte) {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	titles := 0
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "title", "desc":
			titles++
		case "svg", "rect", "circle", "path", "text":
		default:
			t.Fatalf("an element <%s>", start.Name.Local)
		}
		for _, a := range start.Attr {
			if a.Name.Local == "style" || strings.HasPrefix(a.Name.Local, "on") {
				t.Fatalf("an attribute %s", a.Name.Local)
			}
		}
	}
	if titles != 2 {
		t.Fatalf("%d titles and descriptions", titles)
	}
}

// The outcome of a step of the taxi is in the words and in the marks.
func TestEvents(t *testing.T) {
	trace := episode(t, &domain.Taxi{Grid: "3x3", Horizon: 6}, "c-psrl", 1)
	trace.Grid.Destination = [2]int{1, 0}
	at := func(row, aboard, action int) []int { return []int{row, 0, aboard, 0, action} }
	to := func(row, aboard int) []int { return []int{row, 0, aboard, 0} }
	trace.Steps = []record.TraceStep{
		{X: at(0, 0, document.North), Y: to(0, 0), Reward: 0.3},
		{X: at(0, 0, document.DropOff), Y: to(0, 0)},
		{X: at(0, 0, document.PickUp), Y: to(0, 1), Reward: 0.3},
		{X: at(0, 1, document.PickUp), Y: to(0, 1)},
		{X: at(0, 1, document.South), Y: to(1, 1), Reward: 0.3},
		{X: at(1, 1, document.DropOff), Y: to(1, 0), Reward: 1},
	}
	// Below the actions: a line for a bump, crosses, a disc for a pick-up, a tick;
	// in the cells: a cross, how often, and a tick.
	type marks struct{ bumps, crosses, pickUps, ticks, wrong, twice, right int }
	for k, want := range []struct {
		words, label string
		marks
	}{
		{"the taxi drives north against a wall at row 0, column 0; reward 0.30, 0.30", "north, a wall", marks{1, 0, 0, 0, 0, 0, 0}},
		{"the taxi plays drop off in vain at row 0, column 0; reward 0.00, 0.30", "drop off, in vain", marks{1, 1, 0, 0, 1, 0, 0}},
		{"the taxi picks up the passenger at row 0, column 0; reward 0.30, 0.60", "pick up", marks{1, 1, 1, 0, 1, 0, 0}},
		{"the taxi plays pick up in vain at row 0, column 0; reward 0.00, 0.60", "pick up, in vain", marks{1, 2, 1, 0, 1, 1, 0}},
		{"the taxi drives south to row 1, column 0; reward 0.30, 0.90", "south", marks{1, 2, 1, 0, 1, 1, 0}},
		{"the taxi sets down the passenger at row 1, column 0; reward 1.00, 1.90", "drop off, done", marks{1, 2, 1, 1, 1, 1, 1}},
	} {
		p := draw(t, trace, StageView{Moment: Act, Step: float64(k + 1)})
		if text := fmt.Sprintf("Episode 1, act: step %d of 6, %s so far.", k+1, want.words); p.Text != text {
			t.Errorf("step %d: %s\nwant %s", k+1, p.Text, text)
		}
		var got marks
		label := false
		for _, m := range p.Marks {
			switch m := m.(type) {
			case Text:
				label = label || strings.HasSuffix(m.Value, " · "+want.label)
				if m.Value == "×2" {
					got.twice++
				}
			case Circle:
				switch {
				case m.R == 4 && m.Fill == Missed:
					got.pickUps++
				case m.R == 8 && m.Fill == False:
					got.wrong++
				case m.R == 8 && m.Fill == Sampled:
					got.right++
				}
			case Path:
				level := m.Width == 2 && len(m.Points) == 2 && m.Points[0].Y == m.Points[1].Y
				switch {
				case level && m.Stroke == Muted && m.Points[1].X-m.Points[0].X == 8:
					got.bumps++
				case m.Width == 2 && m.Stroke == False && m.Points[0].Y < m.Points[1].Y:
					got.crosses++ // one of its two lines
				case m.Width == 2 && m.Stroke == Sampled && len(m.Points) == 3:
					got.ticks++
				}
			}
		}
		if !label {
			t.Errorf("step %d: nothing says %q", k+1, want.label)
		}
		if got != want.marks {
			t.Errorf("step %d: %+v, want %+v", k+1, got, want.marks)
		}
	}

	// Halfway through a step against the wall, the taxi is not in the middle of its cell.
	if from, now := cab(t, draw(t, trace, StageView{Moment: Act})), cab(t, draw(t, trace, StageView{Moment: Act, Step: 0.5})); now.Y > from.Y-5 || math.Abs(now.X-from.X) > 1e-6 {
		t.Errorf("the taxi goes from %v to %v", from, now)
	}
}

// cab returns the middle of the taxi.
func cab(t testing.TB, p *Picture) Point {
	t.Helper()
	for _, m := range p.Marks {
		if path, ok := m.(Path); ok && path.Fill == Cab {
			var sum Point
			for _, at := range path.Points {
				sum.X, sum.Y = sum.X+at.X, sum.Y+at.Y
			}
			n := float64(len(path.Points))
			return Point{sum.X / n, sum.Y / n}
		}
	}
	t.Fatal("no taxi")
	return Point{}
}

// Hostile names do not become markup.
func TestHostileNames(t *testing.T) {
	trace := episode(t, domains["figure1"], "c-psrl", 1)
	for _, name := range []string{
		`<script>alert(1)</script>`, `"]]>&amp;<!--`, "\x00\x01\x1b", strings.Repeat("long ", 200), "変数名", "\u202Eabc",
	} {
		trace.State[0].Name = name
		trace.Agent = name
		everyView(trace, 31, func(view StageView) {
			svg := SVG(draw(t, trace, view))
			wellFormed(t, svg)
			if bytes.Contains(svg, []byte("<script")) {
				t.Fatal("a script")
			}
		})
	}
}

func TestDecodeViewRefuses(t *testing.T) {
	for view, place := range map[string]string{
		`{"width":1e9}`:             "/width",
		`{"width":-1}`:              "/width",
		`{"height":9999999}`:        "/height",
		`{"theme":"pink"}`:          "/theme",
		`{"moment":"think"}`:        "/moment",
		`{"step":-1}`:               "/step",
		`{"model":"other"}`:         "/model",
		`{"h":-1}`:                  "/h",
		`{"passenger":"lost"}`:      "/passenger",
		`{"focus":{}}`:              "/focus",
		`{"focus":{"x":1.5}}`:       "/focus/x",
		`{"Width":400}`:             "/Width",
		`{"width":400,"width":400}`: "/width",
		`{"truth":null}`:            "/truth",
		`{"unknown":1}`:             "/unknown",
		`{} {}`:                     "",
		`[]`:                        "",
		``:                          "",
	} {
		_, err := DecodeStageView([]byte(view))
		if err == nil {
			t.Errorf("%s is taken", view)
		} else if !strings.HasPrefix(err.Error(), place) {
			t.Errorf("%s: %v; want %s", view, err, place)
		}
	}
	trace := episode(t, domains["figure1"], "c-psrl", 1)
	for view, place := range map[string]string{
		`{"step":11}`:        "/step",
		`{"h":11}`:           "/h",
		`{"focus":{"x":4}}`:  "/focus/x",
		`{"focus":{"y":2}}`:  "/focus/y",
		`{"focus":{"x":-1}}`: "/focus/x",
	} {
		v, err := DecodeStageView([]byte(view))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Draw(trace, *v); err == nil || !strings.HasPrefix(err.Error(), place) {
			t.Errorf("%s: %v; want %s", view, err, place)
		}
	}
}

// A trace whose parts do not fit together is refused.
func TestTraceRefused(t *testing.T) {
	whole := episode(t, &domain.Taxi{Grid: "3x3", Horizon: 3}, "c-psrl", 1)
	for place, spoil := range map[string]func(*record.Trace){
		"/episode":                    func(t *record.Trace) { t.Episode = 0 },
		"/horizon":                    func(t *record.Trace) { t.Horizon = 1 << 30 },
		"/steps":                      func(t *record.Trace) { t.Steps = append(t.Steps, t.Steps...) },
		"/end: the episode has no":    func(t *record.Trace) { t.Steps = nil },
		"/end: the episode has steps": func(t *record.Trace) { t.End = []int{0, 0, 0, 0} },
		"/end: 1 values":              func(t *record.Trace) { t.Steps, t.End = nil, []int{0} },
		"/end/0":                      func(t *record.Trace) { t.Steps, t.End = nil, []int{3, 0, 0, 0} },
		"/ending":                     func(t *record.Trace) { name := strings.Repeat("x", 200); t.Ending = &name },
		"/view: there is a grid":      func(t *record.Trace) { t.View = document.View{Picture: &document.NodesPicture{Nodes: []string{"row"}}} },
		"/view/nodes/0": func(t *record.Trace) {
			t.Grid, t.View = nil, document.View{Picture: &document.NodesPicture{Nodes: []string{"move"}}}
		},
		"/legal/0/0":                  func(t *record.Trace) { t.Legal = [][]int{{6}} },
		"/legal/1":                    func(t *record.Trace) { t.Legal = [][]int{{1}, {1}} },
		"/legal: the actions are not": func(t *record.Trace) { t.Legal = [][]int{{1}, {0}} },
		"/steps/1/x":                  func(t *record.Trace) { t.Steps[1].X = nil },
		"/steps/2/y/0":                func(t *record.Trace) { t.Steps[2].Y[0] = 3 },
		"/grid":                       func(t *record.Trace) { t.Grid.Walls = [][2]int{{0, -1}} },
		"/true/graph":                 func(t *record.Trace) { t.True.Graph = nil },
		"/sampled/graph/0":            func(t *record.Trace) { t.Sampled.Graph[0] = []int{5} },
		"/sampled/v":                  func(t *record.Trace) { t.Sampled.V = nil },
		"/true/v/0":                   func(t *record.Trace) { t.True.V[0] = t.True.V[0][1:] },
		"/true/policy/1/2":            func(t *record.Trace) { t.True.Policy[1][2] = 6 },
		"/sampled/reward":             func(t *record.Trace) { t.Sampled.Reward = nil },
		"/prior":                      func(t *record.Trace) { t.Prior = t.Prior[1:] },
		"/before":                     func(t *record.Trace) { t.Before = nil },
		"/after/0/edges":              func(t *record.Trace) { t.After[0].Edges = nil },
		"/after/1/edges/0":            func(t *record.Trace) { t.After[1].Edges[0] = 2 },
		"/before/2/sets/0/pa":         func(t *record.Trace) { t.Before[2].Sets[0].Parents = []int{1, 0} },
		"/state/0/size":               func(t *record.Trace) { t.State[0].Size = 0 },
	} {
		spoiled, err := record.DecodeTrace(record.EncodeTrace(whole))
		if err != nil {
			t.Fatal(err)
		}
		spoil(spoiled)
		if _, err := record.DecodeTrace(record.EncodeTrace(spoiled)); err == nil || !strings.HasPrefix(err.Error(), place) {
			t.Errorf("%v; want %s", err, place)
		}
	}
}

// FuzzDraw checks that decoding and drawing never panic.
func FuzzDraw(f *testing.F) {
	trace := string(record.EncodeTrace(episode(f, &domain.Figure1{Horizon: 2}, "c-psrl", 1)))
	taxi := string(record.EncodeTrace(episode(f, &domain.Taxi{Grid: "3x3", Horizon: 2}, "c-psrl", 1)))
	seeds := []string{trace, taxi}
	for _, d := range []domain.Domain{lake(f, true), navigation(f), drowned(f), &domain.SysAdmin{Topology: "star", Machines: 3, Horizon: 3}} {
		seeds = append(seeds, string(record.EncodeTrace(episode(f, d, "c-psrl", 1))))
	}
	for _, view := range []document.Picture{
		&document.ChartPicture{Vitals: []document.Vital{{Of: "X1", Normal: []int{0}}}, Treatments: []string{"X3"}},
		&document.NodesPicture{Nodes: []string{"X1", "X2"}, Links: [][2]string{{"X1", "X2"}}, Places: [][2]int{{0, 0}, {63, 63}}},
		&document.GridPicture{Rows: 1, Columns: 2, Agent: document.Agent{Cells: []string{"", "X2"}}, Marks: []document.Mark{{Text: "x", Tone: document.Passenger, When: document.When{"X1": 1}}, {At: document.At(0, 1), Text: "\x00", Tone: document.Cliff}}},
		&document.GridPicture{Rows: 2, Columns: 2, Agent: document.Agent{Look: document.Cab, Row: "X1", Column: "X2"}, SouthWalls: [][2]int{{1, 1}}},
	} {
		var viewed = string(strict.Encode(document.View{Picture: view}))
		seeds = append(seeds, strings.Replace(trace, `"true":`, `"view":`+viewed+`,"true":`, 1))
	}
	for _, t := range seeds {
		f.Add(t, `{"moment":"act","step":1.5,"truth":true}`)
		f.Add(t, `{"moment":"plan","focus":{"y":1},"width":300}`)
		f.Add(strings.Replace(t, `"horizon":2`, `"horizon":1`, 1), `{}`)
	}
	f.Fuzz(func(t *testing.T, trace, view string) {
		decoded, err := record.DecodeTrace([]byte(trace))
		if err != nil {
			return
		}
		v, err := DecodeStageView([]byte(view))
		if err != nil {
			return
		}
		if p, err := Draw(decoded, *v); err == nil {
			wellFormed(t, SVG(p))
		}
	})
}

// Oracle: the contrast of WCAG 2.2.
func TestContrast(t *testing.T) {
	luminance := func(c color.RGBA) float64 {
		channel := func(v uint8) float64 {
			x := float64(v) / 255
			if x <= 0.04045 {
				return x / 12.92
			}
			return math.Pow((x+0.055)/1.055, 2.4)
		}
		return 0.2126*channel(c.R) + 0.7152*channel(c.G) + 0.0722*channel(c.B)
	}
	contrast := func(a, b color.RGBA) float64 {
		x, y := luminance(a), luminance(b)
		return (max(x, y) + 0.05) / (min(x, y) + 0.05)
	}
	for _, theme := range []Theme{Light, Dark} {
		for _, on := range []Color{Background, Surface} {
			for c, least := range map[Color]float64{Ink: 4.5, Muted: 4.5, Thin: 3, Sampled: 3, False: 3, Missed: 3} {
				if got := contrast(theme.RGBA(c), theme.RGBA(on)); got < least && !(on == Surface && least == 3) {
					t.Errorf("%s: %s on %s has %.2f, want %v", theme, c, on, got, least)
				}
			}
		}
	}
	for k := range levels + 1 {
		level := float64(k) / levels
		if got := contrast(Light.RGBA(onMap(level)), Light.RGBA(mapped(level))); got < 4.5 {
			t.Errorf("writing on level %v of the map has %.2f", level, got)
		}
	}
}

// Oracle: the pixels that a shape covers add up to its area.
func TestMeshCoversItsArea(t *testing.T) {
	line := Path{Points: []Point{{10, 10}, {50, 30}}, Stroke: Ink, Width: 4, Dash: []float64{1000, 1}}
	for name, test := range map[string]struct {
		mark Mark
		want float64
	}{
		"box":      {Rect{X: 10, Y: 10, W: 30, H: 20, Fill: Ink}, 600},
		"rounded":  {Rect{X: 10, Y: 10, W: 30, H: 20, Radius: 5, Fill: Ink}, 600 - (4-math.Pi)*25},
		"circle":   {Circle{X: 30, Y: 30, R: 12, Fill: Ink}, math.Pi * 144},
		"triangle": {Path{Points: []Point{{10, 10}, {50, 20}, {20, 40}}, Closed: true, Fill: Ink}, 550},
		"reversed": {Path{Points: []Point{{20, 40}, {50, 20}, {10, 10}}, Closed: true, Fill: Ink}, 550},
		"line":     {line, 4 * math.Hypot(40, 20)},
		"hairline": {Path{Points: []Point{{10, 10}, {50, 30}}, Stroke: Ink, Width: 0.5}, 0.5 * math.Hypot(40, 20)},
		"ring":     {Circle{X: 30, Y: 30, R: 12, Stroke: Ink, Width: 3}, 2 * math.Pi * 12 * 3},
	} {
		var m Mesh
		m.Add(test.mark, Light, 1)
		sum := 0.0
		for k := 0; k < len(m.Indices); k += 3 {
			a, b, c := m.Vertices[m.Indices[k]], m.Vertices[m.Indices[k+1]], m.Vertices[m.Indices[k+2]]
			area := math.Abs(float64((b.X-a.X)*(c.Y-a.Y)-(c.X-a.X)*(b.Y-a.Y))) / 2
			sum += area * float64(a.A+b.A+c.A) / 3
		}
		if math.Abs(sum-test.want) > 0.03*test.want {
			t.Errorf("%s covers %.1f, want %.1f", name, sum, test.want)
		}
	}
}

// Dashes and gaps take turns.
func TestDashes(t *testing.T) {
	p := Path{Points: []Point{{0, 0}, {10, 0}, {10, 10}}, Dash: []float64{6, 2}}
	var lengths []float64
	for _, piece := range p.Dashes() {
		length := 0.0
		for k := 1; k < len(piece); k++ {
			length += math.Hypot(piece[k].X-piece[k-1].X, piece[k].Y-piece[k-1].Y)
		}
		lengths = append(lengths, length)
	}
	if fmt.Sprint(lengths) != "[6 6 4]" {
		t.Errorf("dashes of %v", lengths)
	}
}

func BenchmarkDraw(b *testing.B) {
	trace := episode(b, domains["taxi"], "c-psrl", 3)
	for b.Loop() {
		draw(b, trace, StageView{Moment: Act, Step: 6.5})
	}
}

// The mesh is premultiplied: a translucent colour covers as much as its alpha. Oracle: the colour.
func TestTranslucentMesh(t *testing.T) {
	var m Mesh
	m.Add(Rect{X: 10, Y: 10, W: 40, H: 40, Fill: normalBand}, Light, 1)
	most := float32(0)
	for _, v := range m.Vertices {
		most = max(most, v.A)
		if v.R > v.A || v.G > v.A || v.B > v.A {
			t.Errorf("%+v is not premultiplied", v)
		}
	}
	if want := float32(Light.RGBA(normalBand).A) / 255; most != want {
		t.Errorf("the rectangle covers %v, want %v", most, want)
	}
}
