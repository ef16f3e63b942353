package render

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/spec"
)

// The picture of an episode is that of its trace in the moment update, without values and
// policies, even if it is drawn over the trace of another episode. (The probabilities in a
// record.Episode have 4 decimals.)
func TestDrawEpisode(t *testing.T) {
	for name, d := range domains {
		for _, agent := range []string{"c-psrl", "psrl"} {
			e, err := experiment.New(&spec.Spec{Domain: d, Agents: []string{agent}, Episodes: 4, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			other := episode(t, d, agent, 4)
			episodes, err := e.Episodes(t.Context(), 0, agent, 3)
			if err != nil {
				t.Fatal(err)
			}
			for told, err := range episodes {
				if err != nil {
					t.Fatal(err)
				}
				k := told.Record.Episode
				at := fmt.Sprintf("%s, %s, episode %d", name, agent, k)
				trace, err := e.Trace(t.Context(), 0, agent, k)
				if err != nil {
					t.Fatal(err)
				}
				for _, belief := range [][]record.TraceBelief{trace.Before, trace.After} {
					for _, b := range belief {
						for i := range b.Edges {
							b.Edges[i] = record.Round4(b.Edges[i])
						}
					}
				}
				off := false
				for _, view := range []StageView{{}, {Width: 390, Theme: Dark, Truth: true}} {
					valued := view // with the values of another episode
					valued.Worth = [][]float64{{1}}
					got, err := DrawEpisode(other, told, valued)
					if err != nil {
						t.Fatalf("%s: %v", at, err)
					}
					view.Moment, view.Values, view.Policy = Update, &off, &off
					if want := draw(t, trace, view); got.Title != want.Title || !reflect.DeepEqual(got.Marks, want.Marks) {
						t.Errorf("%s:\n got %s\nwant %s", at, listing(got), listing(want))
					}
					if want := fmt.Sprintf("Episode %d: %s collects ", k, agent); !strings.HasPrefix(got.Text, want) {
						t.Errorf("%s: %q", at, got.Text)
					}
				}
				if _, err := DrawEpisode(episode(t, d, map[string]string{"c-psrl": "psrl", "psrl": "c-psrl"}[agent], 1), told, StageView{}); err == nil {
					t.Errorf("%s is drawn over the trace of another agent", at)
				}
			}
		}
	}
}
