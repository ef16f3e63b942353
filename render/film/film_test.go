package film

import (
	"slices"
	"strings"
	"testing"

	"cpsrl/core/domain"
	"cpsrl/core/experiment"
	"cpsrl/core/fmdp"
	"cpsrl/core/spec"
	"cpsrl/render"
)

// A film shows episodes that end early, and those without a step.
func TestShortEpisodes(t *testing.T) {
	m := &fmdp.Model{Name: "short", Horizon: 4, Initial: []float64{0.5, 0, 0.5}, Space: fmdp.Space{
		State: []fmdp.Variable{{Name: "s", Size: 3}}, Action: []fmdp.Variable{{Name: "a", Size: 2}},
	}}
	m.Transition = []fmdp.Factor{{Given: []int{0}, Size: 3, P: []float64{0, 1, 0, 0, 0, 1, 0, 0, 1}}}
	m.Reward = []fmdp.Reward{{Mean: []float64{1}, Scale: 1, Of: -1}}
	m.Ends = []fmdp.Ending{{Name: "over", Given: []int{0}, Is: [][]int{{2}}}}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	e, err := experiment.New(&spec.Spec{Domain: domain.NewCustom(m), Agents: []string{"c-psrl"}, Episodes: 9, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	f, err := Of(t.Context(), e, 0, "c-psrl", Cut{Whole: []int{1, 2, 3, 4, 5}, Passing: []int{6, 7, 8, 9}, Parts: 3})
	if err != nil {
		t.Fatal(err)
	}
	lengths := map[string]bool{}
	for _, frame := range f.Frames {
		if _, how, over := strings.Cut(frame.Text, "The episode ended "); over {
			lengths[how] = true
		}
	}
	if !lengths["after 2 steps: over."] || !lengths["where it began: over."] || len(lengths) != 2 {
		t.Errorf("%v", lengths)
	}
}

func preset(t *testing.T, name string) *experiment.Experiment {
	t.Helper()
	p, ok := experiment.LookupPreset(name)
	if !ok {
		t.Fatalf("there is no preset %s", name)
	}
	e, err := experiment.New(p.Spec)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Oracle: the pictures that render draws of the same moments, each from a run of its own.
func TestFilm(t *testing.T) {
	for _, name := range []string{"fig1-quick", "fig2c-quick"} {
		e := preset(t, name)
		s := e.Spec()
		cut := Learning(s.Episodes, Smooth)
		f, err := Of(t.Context(), e, 0, "c-psrl", cut)
		if err != nil {
			t.Fatal(err)
		}
		if f.Agent != "C-PSRL" || f.Width != World {
			t.Errorf("%s: %s, %v wide", name, f.Agent, f.Width)
		}
		if got := f.Frames[0].Time; got != 1000 {
			t.Errorf("%s: the first picture stays for %d ms", name, got)
		}
		for _, mark := range f.Marks {
			if name == "fig2c-quick" && strings.Contains(mark, "…") {
				t.Errorf("%s: a name or a value is cut: %s", name, mark)
			}
		}
		rest := f.Frames
		check := func(picture *render.Picture, episode int) {
			t.Helper()
			picture.Theme, picture.Fitted = render.Page, true
			next := rest[0]
			rest = rest[1:]
			var b strings.Builder
			for i := 0; i < len(next.Marks); i += 2 {
				for _, mark := range f.Marks[next.Marks[i] : next.Marks[i]+next.Marks[i+1]] {
					b.WriteString(mark + "\n")
				}
			}
			if want := string(render.Inline(picture)); !strings.HasSuffix(want, ">\n"+b.String()+"</svg>\n") {
				t.Fatalf("%s, episode %d: the frame differs from the picture %q", name, episode, picture.Text)
			}
			if next.Belief == 0 || next.Belief > len(f.Beliefs) || len(f.Beliefs[next.Belief-1].Edges) != len(f.Beliefs[next.Belief-1].Graph) {
				t.Errorf("%s, episode %d: belief %d of %d", name, episode, next.Belief, len(f.Beliefs))
			}
			if next.Episode != episode || next.Text != picture.Text || next.Time <= 0 || picture.Height > f.Height {
				t.Errorf("%s: %+v", name, next)
			}
		}
		episodes, err := e.Episodes(t.Context(), 0, "c-psrl", s.Episodes)
		if err != nil {
			t.Fatal(err)
		}
		for k, err := range episodes {
			if err != nil {
				t.Fatal(err)
			}
			n := k.Record.Episode
			whole := slices.Contains(cut.Whole, n)
			if !whole && !slices.Contains(cut.Passing, n) {
				continue
			}
			trace, err := e.Trace(t.Context(), 0, "c-psrl", n)
			if err != nil {
				t.Fatal(err)
			}
			if !whole {
				picture, err := render.DrawEpisode(trace, k, render.StageView{Width: World, World: true, Agent: "C-PSRL"})
				if err != nil {
					t.Fatal(err)
				}
				check(picture, n)
				continue
			}
			for _, view := range takes(trace, Smooth) {
				picture, err := f.draw(trace, view)
				if err != nil {
					t.Fatal(err)
				}
				check(picture, n)
			}
		}
		if len(rest) > 0 {
			t.Errorf("%s: %d frames too many", name, len(rest))
		}
	}
}

// A film of a run begins slowly, quickens, ends with the last episode and takes at most a minute.
func TestLearning(t *testing.T) {
	for _, episodes := range []int{1, 2, 3, 20, 100, 400, 500, 100_000} {
		cut := Learning(episodes, Smooth)
		all := slices.Concat(cut.Whole, cut.Passing)
		slices.Sort(all)
		if all[0] != 1 || all[len(all)-1] != episodes || len(slices.Compact(slices.Clone(all))) != len(all) {
			t.Errorf("%d episodes: %v", episodes, all)
		}
		for i := 2; i < len(cut.Passing); i++ {
			if cut.Passing[i]-cut.Passing[i-1] < cut.Passing[i-1]-cut.Passing[i-2]-1 {
				t.Errorf("%d episodes: %v do not quicken", episodes, cut.Passing)
			}
		}
	}
	for _, name := range []string{"fig2c-quick", "fig1-quick"} {
		e := preset(t, name)
		f, err := Of(t.Context(), e, 0, Subject(e), Learning(e.Spec().Episodes, Smooth))
		if err != nil {
			t.Fatal(err)
		}
		total := 0
		for k, frame := range f.Frames {
			total += frame.Time
			if k > 0 && frame.Episode < f.Frames[k-1].Episode {
				t.Errorf("%s: episode %d follows %d", name, frame.Episode, f.Frames[k-1].Episode)
			}
		}
		if total > 60_000 {
			t.Errorf("%s: the film takes %d ms", name, total)
		}
	}
}

// A film has what the agent believes of a graph only if the page draws that graph beside the film, and README's draws it itself.
func TestBeliefs(t *testing.T) {
	e := preset(t, "fig1-quick")
	for label, has := range map[string]bool{"psrl": false, "c-psrl": true} {
		f, err := Of(t.Context(), e, 0, label, Learning(4, 1))
		if err != nil {
			t.Fatal(err)
		}
		if (len(f.Beliefs) > 0) != has {
			t.Errorf("%s: %d beliefs", label, len(f.Beliefs))
		}
		for _, b := range f.Beliefs {
			for _, row := range b.Edges {
				for _, p := range row {
					if p < 0 || p > 100 {
						t.Errorf("an edge has the probability %d%%", p)
					}
				}
			}
		}
	}
	f, err := Of(t.Context(), e, 0, "c-psrl", Highlights(4, 1))
	if err != nil || len(f.Beliefs) > 0 || f.Width != Width {
		t.Errorf("README's film is %v wide and has %d beliefs: %v", f.Width, len(f.Beliefs), err)
	}
}

// TestSubject checks that a baseline is shown only if no other agent samples graphs.
func TestSubject(t *testing.T) {
	p, _ := experiment.LookupPreset("fig1-quick")
	for want, labels := range map[string][]string{
		"c-psrl": {"psrl", "f-psrl", "c-psrl"},
		"f-psrl": {"psrl", "f-psrl"},
		"psrl":   {"psrl"},
	} {
		s := *p.Spec
		s.Agents = labels
		e, err := experiment.New(&s)
		if err != nil {
			t.Fatal(err)
		}
		if got := Subject(e); got != want {
			t.Errorf("of %v: %s, want %s", labels, got, want)
		}
	}
}
