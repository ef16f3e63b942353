package spec

import (
	"fmt"
	"strings"
	"testing"

	"cpsrl/core/domain"
)

// A whole number has digits only, and a fraction a point, in documents, links, labels and
// flags alike. The refusal says so.
func TestNotation(t *testing.T) {
	document := func(member, value string) error {
		_, err := Decode([]byte(`{"format":"cpsrl/spec","version":2,"domain":{"name":"taxi"},` + fmt.Sprintf(member, value) + `}`))
		return err
	}
	link := func(pair, value string) error {
		_, err := DecodeLink("v=2&domain=taxi&" + fmt.Sprintf(pair, strings.ReplaceAll(value, " ", "%20")))
		return err
	}
	set := func(key, text string) error {
		return (&Spec{Domain: &domain.Taxi{}}).Set(key, text)
	}
	refused := func(where, text string, err error, says string) {
		t.Helper()
		if err == nil || !strings.HasSuffix(err.Error(), says) {
			t.Errorf("%s %q: %v, want …%s", where, text, err, says)
		}
	}
	for _, text := range []string{"1.000", "1,000", "1e3", "+5", " 5", "5 ", "5.0", "0x10", "1_000", "٣", "５"} {
		const digits = "; write digits only"
		for _, name := range []string{"episodes", "runs", "firstRun", "seed"} {
			refused(name+" as a text", text, document(`"`+name+`":"%s"`, text), digits)
		}
		refused("sparseness as a text", text, document(`"sparseness":"%s"`, text), map[bool]string{true: digits, false: ""}[text != "1,000"])
		refused("eta as a text", text, document(`"prior":{"eta":"%s"}`, text), digits)
		refused("link", text, link("episodes=%s", text), digits)
		refused("flag", text, set("seed", text), digits)
		if !strings.ContainsAny(text, ", ") {
			refused("label", text, document(`"agents":["c-psrl:eta=%s"]`, text), digits)
		}
	}
	for _, number := range []string{"1.000", "1e3", "5.0"} {
		refused("number", number, document(`"episodes":%s`, number), "; write digits only")
	}
	for text, says := range map[string]string{"0,9": "write 0.9 with a point", ",5": "write 0.5 with a point"} {
		refused("trust", text, document(`"prior":{"eta":1,"trust":"%s"}`, text), says)
		refused("probability", text, document(`"prior":{"edges":[["row","row","%s"]]}`, text), says)
		refused("dirichlet", text, document(`"dirichlet":"%s"`, text), says)
		refused("trust of a link", text, link("trust=%s", text), says)
		refused("dirichlet of a link", text, link("dirichlet=%s", text), says)
		refused("flag", text, set("trust", text), says)
	}
	// What a form holds is read as it is written.
	for member, value := range map[string]string{`"prior":{"eta":1,"trust":"%s"}`: ".9", `"dirichlet":"%s"`: ".5", `"sparseness":"%s"`: "4,row:3"} {
		if err := document(member, value); err != nil {
			t.Errorf("%s %s: %v", member, value, err)
		}
	}
}
