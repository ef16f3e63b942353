package main

import (
	"strings"
	"testing"
)

// Every command that reads a model, also one in a spec, scales rows on request, and says how
// much that changes.
func TestNormalise(t *testing.T) {
	rough := strings.NewReplacer(`[0.5,0.5],[0,1]`, `[0.3333,0.6666],[0,1]`, `"p":1}`, `"p":0.9}`).Replace(coin)
	even := strings.NewReplacer(`[0.5,0.5],[0,1]`, `[0.33333333333333331,0.66666666666666663],[0,1]`).Replace(coin)
	in := func(model string) string {
		return `{"format":"cpsrl/spec","version":2,"domain":{"name":"model","model":` + model + `},"agents":["c-psrl"],"episodes":2}`
	}
	const how = "2 rows whose sums differ from 1 by up to 0.1 ("
	for _, test := range []struct{ args, rough, even, place string }{
		{"plan -model FILE", rough, even, "/initial"},
		{"transitions -n 100 -model FILE", rough, even, "/initial"},
		{"edges -model FILE", rough, even, "/initial"},
		{"edges -spec FILE -samples 2", in(rough), in(even), "/domain/model/initial"},
		{"run -spec FILE", in(rough), in(even), "/domain/model/initial"},
		{"model -spec FILE", in(rough), in(even), "/domain/model/initial"},
		{"prior -spec FILE", in(rough), in(even), "/domain/model/initial"},
		{"trace -spec FILE", in(rough), in(even), "/domain/model/initial"},
		{"link -spec FILE", in(rough), in(even), "/domain/model/initial"},
	} {
		args := strings.Fields(strings.ReplaceAll(test.args, "FILE", file(t, "file", test.rough)))
		refused := cpsrl(t, args...)
		if refused.status != statusInvalid || refused.stdout != "" || !strings.Contains(refused.stderr, "it must sum to 1 (-normalise scales "+how+test.place+"))") {
			t.Errorf("%s: %+v", test.args, refused)
		}
		got := cpsrl(t, append(args, "-normalise")...)
		if got.status != statusOK || got.stderr != "cpsrl: normalised "+how+test.place+")\n" {
			t.Errorf("%s -normalise: %d, %s", test.args, got.status, got.stderr)
		}
		if want := ok(t, strings.Fields(strings.ReplaceAll(test.args, "FILE", file(t, "file", test.even)))...); got.stdout != want {
			t.Errorf("%s -normalise:\n%.500s\nwant\n%.500s", test.args, got.stdout, want)
		}
	}
	// What scaling cannot mend is refused as it is without it.
	for _, row := range []string{"[0,0]", "[-0.5,1.5]"} {
		path := file(t, "model.json", strings.Replace(coin, `[0.5,0.5],[0,1]`, row+",[0,1]", 1))
		if want, got := cpsrl(t, "plan", "-model", path), cpsrl(t, "plan", "-normalise", "-model", path); got != want || got.status != statusInvalid || strings.Contains(got.stderr, "normalise") {
			t.Errorf("%s: %+v, want %+v", row, got, want)
		}
	}
}
