package engine

import (
	"strings"
	"testing"
)

// The page gets each forbidden edge by name, so that its views show it.
func TestOnlyTheseParents(t *testing.T) {
	const long = `"edges":[["row","row"],["col","row",0],["passenger","row",0],["destination","row",0]]`
	spec := `{"format":"cpsrl/spec","version":2,"domain":{"name":"taxi"},"prior":{"edges":[["row","row"],["move","row",0.5],["*","row",0]]}`
	for body, path := range map[string]string{
		spec + `}`: "/v1/check",
		`{"link":"#v=2&prior=row:row,move~.5,!*&domain=taxi"}`: "/v1/open",
	} {
		w := ask("POST", path, body)
		if w.Code != 200 || !strings.Contains(w.Body.String(), long) || !strings.Contains(w.Body.String(), `"link":"v=2&prior=row:!col,!destination,!passenger,row&`) {
			t.Errorf("%s: %d, %.800s", path, w.Code, w.Body)
		}
	}
	// A form can mend a spec that is refused; it gets its edges, too.
	if w := ask("POST", "/v1/open", `{"link":"#v=2&prior=row:row,col,!*&domain=taxi&z=1"}`); w.Code != 200 || strings.Contains(w.Body.String(), `"*"`) {
		t.Errorf("%d, %.800s", w.Code, w.Body)
	}
	text := ask("POST", "/v1/prior", `{"spec":`+spec+`},"text":"only row, move -> row\nrow -> row"}`)
	if text.Code != 200 || !strings.Contains(text.Body.String(), long) {
		t.Errorf("%d, %.800s", text.Code, text.Body)
	}
}
