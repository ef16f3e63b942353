package main

import (
	"fmt"
	"strings"
	"testing"
)

// Where nothing is planned, no action is needed. Variables with one value change no answer:
// the parent sets are those of the problem without them, with any Z, prior and update.
func TestVariablesThatTellNothing(t *testing.T) {
	prior := func(more, action, edges string, z int) string {
		return file(t, "p.json", fmt.Sprintf(`{"format":"cpsrl/prior","version":2,"state":[{"name":"a","size":2},{"name":"b","size":3}%s],"action":[%s],"sparseness":%d,"edges":[%s]}`, more, action, z, edges))
	}
	steps := func(x, y string) string {
		var b strings.Builder
		for k := range 40 {
			fmt.Fprintf(&b, `{"x":[%d,%d%s],"y":[%d,%d%s]}`+"\n", k%2, k%3, x, (k+1)%2, k*k%3, y)
		}
		return file(t, "t.jsonl", b.String())
	}
	const dummy = `{"name":"none","size":1}`
	for z := range 4 {
		for _, edges := range []string{"", `["a","b",0.9],["b","b",0]`} {
			bare := prior("", "", edges, z)
			for _, flags := range []string{"", "-update printed", "-bound below"} {
				if z == 0 && flags == "-bound below" {
					continue
				}
				args := append([]string{"posterior", "-transitions", steps("", ""), "-prior", bare}, strings.Fields(flags)...)
				want := ok(t, args...)
				if strings.Contains(want, "none") || !strings.Contains(want, `{"from":"b","to":"a"`) {
					t.Fatal(want)
				}
				for _, said := range []string{"", `["none","a",0]`, `["none","a",0.2]`, `["none","b"]`} {
					if z < 2 && said == `["none","b"]` { // too much is known
						continue
					}
					args[2], args[4] = steps(",0", ""), prior("", dummy, strings.Trim(edges+","+said, ","), z)
					if got := ok(t, args...); got != want {
						t.Errorf("Z = %d, %s, %s, %s:\n%s\nwant %s", z, edges, said, flags, got, want)
					}
				}
			}
			if want, got := ok(t, "factorizations", "-prior", bare), ok(t, "factorizations", "-prior", prior("", dummy, edges, z)); got != want {
				t.Errorf("factorizations, Z = %d, %s:\n%s\nwant %s", z, edges, got, want)
			}
		}
	}
	// A state variable with one value has its own entry, and is nobody's parent.
	out := ok(t, "posterior", "-prior", prior(`,{"name":"none","size":1}`, "", "", 2), "-transitions", steps(",0", ",0"))
	if strings.Contains(out, `"parents":["none`) || strings.Contains(out, `"from":"none"`) || !strings.Contains(out, `"none":[`) {
		t.Error(out)
	}
	// Planning needs an action, and says so.
	model := strings.NewReplacer(`[{"name":"flip","size":2}]`, `[]`, `["side","flip"]`, `["side"]`, `[[1,0],[0.5,0.5],[0,1],[0.5,0.5]]`, `[[1,0],[0.5,0.5]]`).Replace(coin)
	const says = "there is no action variable; planning needs at least one, which may have a single value"
	for _, args := range [][]string{{"plan", "-model", file(t, "m.json", model)}, {"run", "-spec", file(t, "s.json", `{"format":"cpsrl/spec","version":2,"domain":{"name":"model","model":`+model+`}}`)}} {
		if r := cpsrl(t, args...); r.status != statusInvalid || !strings.Contains(r.stderr, "/action: "+says) {
			t.Errorf("%q: %+v", args, r)
		}
	}
}
