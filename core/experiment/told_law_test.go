package experiment

import (
	"fmt"
	"strings"
	"testing"
)

// Of a variable whose law agents are told, C-PSRL's records say what F-PSRL's say: its parents are
// certain, whatever the prior states of them. Oracle: F-PSRL's records of the same run.
func TestToldLaw(t *testing.T) {
	const document = `{"format":"cpsrl/spec","version":4,"domain":{"name":"sepsis","horizon":5},"prior":PRIOR,"agents":["f-psrl","c-psrl"],"episodes":6,"runs":1,"seed":2}`
	for _, prior := range []string{`{"eta":0}`, `{"edges":[["pulse","pulse"],["pulse","on vent",0.9],["vaso","on vaso",0]]}`} {
		e := decoded(t, strings.Replace(document, "PRIOR", prior, 1))
		told := map[int][]string{}
		for r, err := range e.Run() {
			if err != nil {
				t.Fatal(err)
			}
			for j, f := range e.first.View.Transition {
				if f.Known {
					told[r.Episode] = append(told[r.Episode], fmt.Sprint(j, r.Belief.Graph[j], r.Belief.Best[j], r.Belief.Edges[j]))
				}
			}
		}
		for episode, list := range told {
			if half := len(list) / 2; half != 3 || strings.Join(list[:half], ";") != strings.Join(list[half:], ";") {
				t.Errorf("%s, episode %d: F-PSRL %v, C-PSRL %v", prior, episode, list[:half], list[half:])
			}
		}
		if len(told) != 6 {
			t.Errorf("%d episodes", len(told))
		}
	}
}
