package engine

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// A link of a few hundred characters takes little memory, however many actions its rules make legal. The bound is
// some words for each of the 2²⁰ joint actions.
func TestManyActions(t *testing.T) {
	var actions, names strings.Builder
	for k := range 20 {
		fmt.Fprintf(&actions, `%s{"name":"a%d","size":2}`, strings.Repeat(",", min(k, 1)), k)
		fmt.Fprintf(&names, "%sa%d", strings.Repeat("+", min(k, 1)), k)
	}
	model := func(legal string) string {
		return `{"format":"cpsrl/model","version":4,"name":"","horizon":2,
 "state":[{"name":"x","size":1}],"action":[` + actions.String() + `],"initial":"uniform","transition":[{"of":"x","given":[],"p":[[1]]}],"reward":[],"legal":` + legal + `}`
	}
	spec := func(legal string) string {
		return `{"format":"cpsrl/spec","version":3,"agents":["random"],"episodes":1,"domain":{"name":"model","model":` + model(legal) + `}}`
	}
	zeros := strings.Repeat("0,", 19) + "0"
	for legal, status := range map[string]int{
		`{"formula":"1"}`:                                200,
		`{"formula":"a3 or a4"}`:                         200,
		`{"formula":"a0+a1+a2+a3+a4+a5+a6 < 7"}`:         200,
		`{"formula":"x = 0 and a3 or a4"}`:               200,
		`{"maxNonDefault":20,"default":[` + zeros + `]}`: 400,
		`{"maxNonDefault":19,"default":[` + zeros + `]}`: 400,
		`{"maxNonDefault":1,"default":[` + zeros + `]}`:  200,
		`{"formula":"` + names.String() + ` < 20"}`:      400, // more parts than formulas may have
	} {
		for path, body := range map[string]string{"/v1/check": spec(legal), "/v1/normalise": model(legal)} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got := ask("POST", path, body)
			runtime.ReadMemStats(&after)
			if took := after.TotalAlloc - before.TotalAlloc; took > 128<<20 {
				t.Errorf("%s of %s takes %d MiB", path, legal, took>>20)
			}
			if got.Code != status {
				t.Errorf("%s of %s: %d %.300s", path, legal, got.Code, got.Body)
			}
		}
	}
}
