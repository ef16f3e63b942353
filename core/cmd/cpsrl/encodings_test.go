package main

import (
	"strings"
	"testing"

	"cpsrl/internal/formattest"
)

// Every command that reads a file skips a byte order mark and names other encodings.
func TestEncodings(t *testing.T) {
	records := ok(t, "run", "-preset", "fig1-quick", "-episodes", "2", "-runs", "2", "-agents", "psrl,c-psrl")
	const transitions = `{"x":[0,1],"y":[1]}` + "\n"
	prior := file(t, "prior.json", coinPrior)
	for _, test := range []struct{ args, content string }{
		{"plan -model FILE", coin},
		{"edges -model FILE", coin},
		{"transitions -n 3 -model FILE", coin},
		{"factorizations -prior FILE", coinPrior},
		{"posterior -prior " + prior + " -transitions FILE", transitions},
		{"run -spec FILE", small},
		{"model -spec FILE", small},
		{"prior -spec FILE", small},
		{"trace -spec FILE", small},
		{"link -spec FILE", small},
		{"summary FILE", records},
		{"verify FILE", records},
		{"figure FILE", records},
		{"link -receipt FILE", records},
	} {
		call := func(content string) result {
			return cpsrl(t, strings.Fields(strings.ReplaceAll(test.args, "FILE", file(t, "file", content)))...)
		}
		want := call(test.content)
		if want.status != statusOK {
			t.Fatalf("%s: %+v", test.args, want)
		}
		if got := call("\ufeff" + test.content); got != want {
			t.Errorf("%s: after a byte order mark: %+v\nwant %+v", test.args, got, want)
		}
		for encoding, wide := range formattest.Wide(test.content) {
			if got := call(string(wide)); got.status != statusInvalid || !strings.Contains(got.stderr, "this file is "+encoding[:6]+"; save it as UTF-8") {
				t.Errorf("%s in %s: %+v", test.args, encoding, got)
			}
		}
	}
}
