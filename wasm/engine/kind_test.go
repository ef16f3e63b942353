package engine

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

func TestKind(t *testing.T) {
	records := ask("POST", "/v1/run", small).Body.String()
	for text, want := range map[string]string{
		small:                                  "spec",
		records:                                "records",
		`{"version":1,"format":"cpsrl/model"}`: "model",
		`{"state":[1,{"format":"cpsrl/spec"}],"format":"cpsrl/prior","edges":[]}`: "prior",
		"\ufeff \n" + `{"format":"cpsrl/figure"`:                                  "figure",
		`{"format":"gymnasium/P","P":{}}`:                                         kindForeign,
		mdp:                                                                       kindForeign,
		`{"label":"ucrl","run":0,"episode":1,"regret":0.5}`:                       kindResults,
		`{"run":0,"label":"ucrl"}` + "\n":                                         kindResults,
		`{"run":0,"other":{"label":1}}` + "\n":                                    "",
		otherRuns:                                                                 kindResults,
		"label,run,episode,regret\nq,0,1,2\n":                                     kindResults,
		`"label";"run";"episode";"return"`:                                        kindResults,
		"run,regret\n0,1\n":                                                       "",
		`{"x":[0,0],"y":[1]}` + "\n":                                              kindTransitions,
		"episode,t,a,a'\n1,1,0,1\n":                                               kindTransitions,
		"a,b,a_next\n0,1,1\n1,0":                                                  kindTransitions,
		"digraph { a -> b }":                                                      kindGraph,
		"from,to,p\na,b,1\n":                                                      kindGraph,
		",a,b\na,1,0\n":                                                           kindGraph,
		"Episode;T;a\n1;0;2\n":                                                    kindTransitions,
		"a\ta_next\n0\t1\n":                                                       kindTransitions,
		"\"a\",\"a′\"\n0,1\n":                                                     kindTransitions,
		"discount: 0.9\nvalues: reward\n":                                         kindForeign,
		"// lamps, of two rooms\ndomain lamp {":                                   kindPart,
		"non-fluents nf_1 {\n":                                                    kindPart,
		"Dear all,":                                                               "",
		"PNG\n":                                                                   "",
		"null":                                                                    "",
		"dag { a -> b }":                                                          kindGraph,
		"":                                                                        "",
		"{":                                                                       "",
		"[1,2]":                                                                   "",
		"\xff\xfe{\x00":                                                           "",
		strings.Repeat("é", MaxHead):                                              "",
		`{"a":"` + strings.Repeat("é", MaxHead) + `","format":"cpsrl/spec"}`: "", // the beginning does not tell
		`{"format":"cpsrl/spec","a":"` + strings.Repeat("é", MaxHead):        "spec",
	} {
		var got Kind
		w := ask("POST", "/v1/kind", text)
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || got.Kind != want {
			t.Errorf("%.60q is %q, want %q (%v, %s)", text, got.Kind, want, err, w.Body)
		}
	}
}
