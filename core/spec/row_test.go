package spec

import (
	"slices"
	"testing"

	"cpsrl/core/param"
)

// One row makes a switch of the spec: JSON, defaults, limits, form, link and flags have it.
func TestNewRow(t *testing.T) {
	before := rows
	t.Cleanup(func() { rows = before })
	values := map[*Spec]*string{} // a real switch is a field of Spec
	rows = func(s *Spec) []param.Param {
		if values[s] == nil {
			values[s] = new(string)
		}
		return append(before(s), param.Param{
			Name: "mood", Key: "mood", Section: param.Switches, Label: "Mood", Phrase: "mood _", Help: "How the engine feels.",
			Text: values[s], Words: []param.Word{{Value: "calm", Label: "Calm"}, {Value: "hasty", Label: "Hasty"}}, Default: "calm",
		})
	}
	s, err := Decode([]byte(`{"format":"cpsrl/spec","version":1,"domain":{"name":"taxi"},"mood":"hasty"}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(Encode(s)), `{"format":"cpsrl/spec","version":3,"domain":{"name":"taxi","grid":"5x5","horizon":15},"sparseness":5,"agents":["psrl","f-psrl","c-psrl"],"episodes":100,"runs":1,"bound":"at-most","update":"exact","rewards":"known","dirichlet":1,"tables":"rows","depth":"no","mood":"hasty"}`; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if _, err := Decode([]byte(`{"format":"cpsrl/spec","version":1,"domain":{"name":"taxi"},"mood":"sad"}`)); err == nil || err.Error() != `/mood: "sad" is unknown; it must be one of calm, hasty` {
		t.Errorf("another mood: %v", err)
	}
	fields := Fields(s)
	if f := fields[len(fields)-1]; f.Place != "/mood" || f.Section != param.Switches || f.Default != "calm" || !slices.Equal(f.Choices, []string{"calm", "hasty"}) || f.Help == "" {
		t.Errorf("the form: %+v", f)
	}
	const link = "v=1&domain=taxi&episodes=100&runs=1&seed=0&mood=hasty"
	if got := EncodeLink(&Link{Spec: s}); got != link {
		t.Errorf("the link is %s, want %s", got, link)
	}
	if l, err := DecodeLink(link); err != nil || *values[l.Spec] != "hasty" || len(l.Unknown) > 0 {
		t.Errorf("the link opens as %+v, %v", l, err)
	}
	plain := s.Clone()
	if err := plain.Set("mood", "calm"); err != nil || *values[plain] != "calm" || *values[s] != "hasty" {
		t.Errorf("a flag: %v", err)
	}
	if !slices.ContainsFunc(Keys(), func(p param.Param) bool { return p.Key == "mood" }) {
		t.Error("the command has no such flag")
	}
}
