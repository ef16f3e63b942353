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
		{"merge FILE", records},
		{"summary " + file(t, "r.jsonl", records) + " -with FILE", "label,run,episode,regret\nucrl,0,1,0.5\n"},
		{"convert FILE", coinSpudd},
		{"plan -model FILE", coinSpudd},
		{"prior -model " + file(t, "model.json", coin) + " -prior FILE", "digraph { flip -> \"side'\" }"},
		{"prior -model " + file(t, "model.json", coin) + " -prior FILE", "from,to\nflip,side\n"},
		{"prior -model " + file(t, "model.json", coin) + " -prior FILE", "flip -> side"},
		{"posterior -transitions FILE", "side,flip,side'\n0,1,1\n1,0,0\n"},
		{"posterior -prior " + prior + " -transitions FILE", "side,flip,side'\n0,1,1\n1,0,0\n"},
		{"run -episodes 2 -model " + file(t, "model.json", coin) + " -data FILE", transitions},
	} {
		call := func(content string) result {
			path := file(t, "file", content)
			r := cpsrl(t, strings.Fields(strings.ReplaceAll(test.args, "FILE", path))...)
			r.stderr = strings.ReplaceAll(r.stderr, path, "FILE")
			return r
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
		for says, broken := range formattest.Broken(test.content) {
			if got := call(string(broken)); got.status != statusInvalid || !strings.Contains(got.stderr, says) {
				t.Errorf("%s with other bytes: %+v, want %s", test.args, got, says)
			}
		}
	}
}
