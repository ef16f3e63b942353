package render

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/domain"
	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/spec"
)

// shootDir, if set, is where TestShoot writes pictures to look at.
var shootDir = flag.String("shoot", "", "write pictures of every world to this folder")

func TestShoot(t *testing.T) {
	if *shootDir == "" {
		t.Skip("no folder")
	}
	all := worlds(t)
	maps.Copy(all, domains)
	for name, d := range all {
		trace := episode(t, d, "f-psrl", 30)
		n := float64(len(trace.Steps))
		for moment, view := range map[string]StageView{
			"wide":   {Width: 1280, Moment: Act, Step: max(0, n-2)},
			"dark":   {Width: 390, Moment: Act, Step: n, Theme: Dark},
			"plan":   {Width: 900, Moment: Plan, Theme: Dark},
			"update": {Width: 390, Moment: Update},
		} {
			if err := os.WriteFile(filepath.Join(*shootDir, name+"-"+moment+".svg"), SVG(draw(t, trace, view)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// endedEarly returns the first episode of C-PSRL that ends early.
func endedEarly(t testing.TB, d domain.Domain) *record.Trace {
	t.Helper()
	for k := 1; k < 50; k++ {
		if trace := episode(t, d, "c-psrl", k); trace.Ending != nil {
			return trace
		}
	}
	t.Fatal("no episode ends early")
	return nil
}

// The picture in the trace says which scene draws, and the words of the scene are in the sentence.
func TestScenes(t *testing.T) {
	for name, test := range map[string]struct {
		trace *record.Trace
		words string
	}{
		"taxi":       {episode(t, domains["taxi"], "c-psrl", 1), "the taxi "},
		"lake":       {episode(t, lake(t, false), "c-psrl", 1), "the agent goes "},
		"cliff":      {episode(t, cliff(t), "c-psrl", 1), "the agent "},
		"navigation": {episode(t, navigation(t), "c-psrl", 1), "the agent "},
		"patient":    {episode(t, patient(t), "c-psrl", 1), "with heart rate high, pressure low it plays "},
		"sysadmin":   {episode(t, &domain.SysAdmin{Topology: "ring", Machines: 4, Horizon: 3}, "c-psrl", 1), "with 4 of 4 up it plays reboot "},
		"life":       {episode(t, life(t, "c"), "c-psrl", 1), "with 5 of 9 alive it plays set "},
		"table":      {episode(t, domains["figure1"], "c-psrl", 1), "in X1 = "},
	} {
		if p := draw(t, test.trace, StageView{Moment: Act, Step: 1}); !strings.Contains(p.Text, ", "+test.words) {
			t.Errorf("%s: %s", name, p.Text)
		}
	}
}

// An episode that is over says so, with the name of its end, in words and in the picture; and says
// nothing before. It may have no step.
func TestEndings(t *testing.T) {
	for name, test := range map[string]struct {
		d            domain.Domain
		word, ending string
	}{
		"lake":    {lake(t, true), "in a hole", "ended after %d step"},
		"patient": {patient(t), "death", "ended after %d step"},
		"drowned": {drowned(t), "drowned", "ended where it began"},
	} {
		trace := endedEarly(t, test.d)
		n := len(trace.Steps)
		if strings.Contains(test.ending, "%") {
			test.ending = fmt.Sprintf(test.ending, n)
		}
		shows := func(p *Picture) bool {
			return slices.ContainsFunc(p.Marks, func(m Mark) bool { text, is := m.(Text); return is && text.Bold && text.Value == test.word })
		}
		for _, view := range []StageView{{Moment: Act, Step: float64(n)}, {Moment: Update, Width: 390, Theme: Dark}} {
			p := draw(t, trace, view)
			if !strings.Contains(p.Text, " The episode "+test.ending) || !strings.HasSuffix(p.Text, ": "+test.word+".") || !shows(p) {
				t.Errorf("%s: %s", name, p.Text)
			}
		}
		for _, view := range []StageView{{}, {Moment: Plan}, {Moment: Act, Step: max(0, float64(n)-0.5)}} {
			if p := draw(t, trace, view); n > 0 && (strings.Contains(p.Text, "ended") || shows(p)) {
				t.Errorf("%s, before it is over: %s", name, p.Text)
			}
		}
		e, err := experiment.New(&spec.Spec{Domain: test.d, Agents: []string{"c-psrl"}, Episodes: trace.Episode, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		episodes, err := e.Episodes(t.Context(), 0, "c-psrl", trace.Episode)
		if err != nil {
			t.Fatal(err)
		}
		other := episode(t, test.d, "c-psrl", 1)
		for told, err := range episodes {
			if err != nil {
				t.Fatal(err)
			}
			p, err := DrawEpisode(other, told, StageView{})
			if err != nil {
				t.Fatal(err)
			}
			if told.Record.Episode == trace.Episode && (!strings.HasSuffix(p.Text, ": "+test.word+".") || !shows(p)) {
				t.Errorf("%s passes by: %s", name, p.Text)
			}
		}
		bare := *trace
		bare.Ending = nil
		if p := draw(t, &bare, StageView{Moment: Update}); !strings.Contains(p.Text, "The episode "+test.ending) {
			t.Errorf("%s without a name: %s", name, p.Text)
		}
	}
}

// What a step did to an agent is in the words. Oracle: by hand.
func TestGridWords(t *testing.T) {
	trace := episode(t, lake(t, false), "c-psrl", 1)
	trace.Horizon = 9
	for k, want := range []struct {
		from, action, to int
		words            string
	}{
		{0, 1, 4, "the agent goes down to row 1, column 0"},
		{4, 2, 5, "the agent goes right to row 1, column 1 (hole)"},
		{0, 0, 0, "the agent goes left against a wall at row 0, column 0 (start)"},
		{0, 1, 1, "the agent plays down and comes to row 0, column 1"},
		{0, 1, 0, "the agent plays down and stays at row 0, column 0 (start)"},
		{14, 2, 15, "the agent goes right to row 3, column 3 (goal)"},
		{13, 3, 0, "the agent plays up and comes to row 0, column 0 (start)"},
	} {
		trace.Steps = []record.TraceStep{{X: []int{want.from, want.action}, Y: []int{want.to}}}
		for _, progress := range []float64{0.3, 0.7, 1} {
			if p := draw(t, trace, StageView{Moment: Act, Step: progress}); !strings.Contains(p.Text, ", "+want.words+"; ") {
				t.Errorf("%d: %s\nwant %s", k, p.Text, want.words)
			}
		}
	}

	robot := episode(t, navigation(t), "c-psrl", 1)
	at := func(cell, move int) []int {
		x := make([]int, 10)
		if cell >= 0 {
			x[cell] = 1
		}
		if move >= 0 {
			x[6+move] = 1
		}
		return x
	}
	for k, want := range []struct {
		from, move, to int
		words          string
	}{
		{3, 0, 0, "the agent goes north to row 0, column 0"},
		{3, 2, -1, "the agent plays move-east and is gone"},
		{4, 0, 4, "the agent goes north against a wall at row 1, column 1"},
		{3, -1, 3, "the agent waits at row 1, column 0"},
		{-1, -1, -1, "the agent waits at no cell"},
	} {
		robot.Steps = []record.TraceStep{{X: at(want.from, want.move), Y: at(want.to, -1)[:6]}}
		for _, progress := range []float64{0.3, 0.7, 1} {
			if p := draw(t, robot, StageView{Moment: Act, Step: progress}); !strings.Contains(p.Text, ", "+want.words+"; ") {
				t.Errorf("navigation %d: %s\nwant %s", k, p.Text, want.words)
			}
		}
	}
}

// The nodes that an action touches are those that its names end in.
func TestTouched(t *testing.T) {
	trace := episode(t, &domain.SysAdmin{Topology: "star", Machines: 11, Horizon: 2}, "c-psrl", 1)
	d := &draft{trace: trace, space: trace.Space()}
	x := slices.Clone(trace.Steps[0].X)
	for value, want := range map[int]string{0: "[]", 1: "[m1]", 11: "[m11]"} {
		x[11] = value
		if got := fmt.Sprint(d.touched(x)); got != want {
			t.Errorf("action %d touches %s, want %s", value, got, want)
		}
	}
	trace.Action[0] = document.Variable{Name: "reboot(m2)", Size: 12}
	x[11] = 1
	d.space = trace.Space()
	if got := fmt.Sprint(d.touched(x)); got != "[m2]" {
		t.Error(got)
	}
}

// A trace of few legal actions is drawn by their numbers.
func TestLegal(t *testing.T) {
	trace := episode(t, navigation(t), "c-psrl", 2)
	if len(trace.Legal) != 5 || trace.Space().Actions() != 5 {
		t.Fatalf("%v", trace.Legal)
	}
	for _, moment := range Moments {
		draw(t, trace, StageView{Moment: moment})
	}
}

// The picture has the name of the agent in the view, or else its label.
func TestAgentName(t *testing.T) {
	for _, agent := range []string{"psrl", "f-psrl:graph=prior"} {
		trace := episode(t, domains["figure1"], agent, 1)
		for _, moment := range Moments {
			for name, view := range map[string]StageView{agent: {Moment: moment}, "Ann": {Moment: moment, Agent: "Ann"}} {
				p := draw(t, trace, view)
				if p.Title != "Episode 1 · "+name {
					t.Errorf("%s: %q", moment, p.Title)
				}
				if all := listing(p); name == "Ann" && strings.Contains(all, agent) || !strings.Contains(all, name) {
					t.Errorf("%s does not call the agent %s", moment, name)
				}
			}
		}
	}
	if _, err := DecodeStageView([]byte(`{"agent":"` + strings.Repeat("n", 201) + `"}`)); err == nil || !strings.HasPrefix(err.Error(), "/agent") {
		t.Errorf("a long name: %v", err)
	}
}
