package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	rings "cpsrl/internal/small"
)

// Records without a regret are written, resumed, joined, checked, summarised, exported, swept and drawn; the bytes are the
// same for any number of workers. What they lack is refused by its name.
func TestVast(t *testing.T) {
	spec := file(t, "ring.json", rings.Ring(20, `"c-psrl","optimal","random"`, rings.RingPlanner))
	one := ok(t, "run", "-spec", spec, "-workers", "1")
	if four := ok(t, "run", "-spec", spec, "-workers", "4"); four != one || strings.Count(one, "\n") != 1+3*2*3 || strings.Contains(one, `"optimal":`) {
		t.Errorf("%.300s", one)
	}
	records := file(t, "r.jsonl", one)
	if got := ok(t, "verify", records); !strings.Contains(got, "reproduced bit for bit") {
		t.Error(got)
	}
	lines := strings.SplitAfter(one, "\n")
	torn := file(t, "torn.jsonl", strings.Join(lines[:9], "")+lines[9][:40])
	ok(t, "run", "-spec", spec, "-o", torn, "-resume")
	if whole, err := os.ReadFile(torn); err != nil || string(whole) != one {
		t.Errorf("resumed: %v", err)
	}
	first := file(t, "a.jsonl", ok(t, "run", "-spec", spec, "-runs", "1"))
	second := file(t, "b.jsonl", ok(t, "run", "-spec", spec, "-runs", "1", "-first", "1"))
	if joined := ok(t, "merge", first, second); joined != one {
		t.Errorf("joined: %.300s", joined)
	}

	const why = "not computed: S·A is 22020096, above 1048576"
	for _, c := range []struct {
		args string
		want string
	}{
		{"summary r", "\nc-psrl,3,"},
		{"summary r -of cumulative-return", "# cumulative-return: "},
		{"summary r -paired c-psrl,optimal", "C-PSRL minus Optimal by run"},
		{"summary r -band quantiles", "median"},
		{"summary r -band runs", "# return"},
		{"summary r -band final", "iqm"},
		{"summary r -long", "\n0,c-psrl,1,,,,,"},
		{"summary r -endings", "agent,run,episodes,final,learned\nc-psrl,0,3,"},
		{"summary r -reliability -agent c-psrl", "agent,episode,from,to"},
		{"figure r", `"measure":"return"`},
		{"plot r -o -", "return of an episode"},
		{"plot r -o - -of cumulative-return -band quantiles", "cumulative return"},
		{"cite r", "A model: "},
		{"cite r -methods", "Regret was " + why + ". Curves are the returns of episodes and are means over n = 2 runs"},
		{"trace -spec s -agent c-psrl -episode 2", `"tried":[`},
		{"summary r -of regret", "!there is no regret of an episode to show: " + why},
		{"summary r -of optimism", "!there is no cumulative optimism to show: " + why},
		{"summary r -of model-error", "!there is no model error to show: " + why},
		{"plot r -o - -band learned", "!regret tells when an agent has learned, and there is none: " + why},
		{"plot r -o - -log y", "!a logarithmic axis has no place for return of an episode"},
		{"edges -spec s -agent c-psrl -run 0 -episode 1", "!values of policies are " + why},
	} {
		args := strings.Fields(c.args)
		for k, a := range args {
			switch a {
			case "r":
				args[k] = records
			case "s":
				args[k] = spec
			}
		}
		got := cpsrl(t, args...)
		want, refused := strings.CutPrefix(c.want, "!")
		said := got.stdout
		if refused {
			said = got.stderr
		}
		if refused != (got.status != statusOK) || !strings.Contains(said, want) || strings.Contains(said, "NaN") || strings.Contains(said, "panic") || refused && strings.Count(said, "\n") != 1 {
			t.Errorf("cpsrl %s: %d, %.700s, want %s", c.args, got.status, said, want)
		}
	}

	folder := filepath.Join(t.TempDir(), "sweep")
	ok(t, "sweep", "-spec", spec, "-vary", "z=2,3", "-runs", "2", "-episodes", "2", "-o", folder)
	table := ok(t, "table", folder)
	if !strings.Contains(table, "# return after the last episode") || !strings.Contains(table, "\n3,c-psrl,return,") || !strings.Contains(table, ",2,\n") || strings.Contains(table, ",-1\n") || !strings.Contains(table, "receipt") {
		t.Errorf("%s", table[strings.LastIndex(table, "#"):])
	}
	if ends := ok(t, "table", folder, "-band", "final", "-of", "cumulative-return"); !strings.Contains(ends, "\n2,random,cumulative-return,") || strings.Contains(ends, "NaN") || strings.Contains(ends, ",-1,") {
		t.Errorf("%.1500s", ends)
	}
	if drawn := ok(t, "plot", folder, "-o", "-", "-x", "z"); !strings.Contains(drawn, "Return of an episode after the last episode") {
		t.Errorf("%.500s", drawn)
	}
}
