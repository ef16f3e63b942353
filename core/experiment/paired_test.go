package experiment

import (
	"fmt"
	"strings"
	"testing"

	"cpsrl/core/document"
)

// The tables of Figure 1 are drawn anew in each run, so a model of one run is paired with it
// in that run only. All common runs are looked at, the first and the last, and no others.
func TestCheckPaired(t *testing.T) {
	drawn := func(first, runs int) *Experiment {
		return decoded(t, fmt.Sprintf(`{"format":"cpsrl/spec","version":2,"domain":{"name":"figure1"},"agents":["psrl"],"episodes":1,"firstRun":%d,"runs":%d,"seed":1}`, first, runs))
	}
	in, err := drawn(0, 9).Instance(4)
	if err != nil {
		t.Fatal(err)
	}
	model := document.EncodeModel(in.View)
	fixed := func(first, runs int) *Experiment {
		return decoded(t, fmt.Sprintf(`{"format":"cpsrl/spec","version":2,"domain":{"name":"model","model":%s},"agents":["f-psrl"],"episodes":1,"firstRun":%d,"runs":%d,"seed":1}`, model, first, runs))
	}
	for _, test := range []struct {
		of, with *Experiment
		says     string
	}{
		{drawn(4, 1), fixed(0, 9), ""},
		{drawn(0, 9), fixed(4, 1), ""},
		{drawn(0, 5), fixed(4, 5), ""},
		{drawn(4, 2), fixed(0, 9), "run 5 has another"},
		{drawn(0, 9), fixed(4, 2), "run 5 has another"},
		{drawn(3, 2), fixed(0, 9), "run 3 has another"},
		{drawn(0, 5), fixed(3, 5), "run 3 has another"},
		{drawn(0, 4), fixed(4, 5), "no whole run in common"},
		{drawn(5, 4), fixed(0, 5), "no whole run in common"},
		{drawn(4, 2), drawn(0, 5), ""},
	} {
		for _, err := range []error{test.of.CheckPaired(t.Context(), test.with), test.with.CheckPaired(t.Context(), test.of)} {
			if (err == nil) != (test.says == "") || err != nil && !strings.Contains(err.Error(), test.says) {
				t.Errorf("runs %d+%d with %d+%d: %v, want %q", test.of.spec.FirstRun, test.of.spec.Runs, test.with.spec.FirstRun, test.with.spec.Runs, err, test.says)
			}
		}
	}
}
