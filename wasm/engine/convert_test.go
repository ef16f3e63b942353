package engine

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/document"
)

// mdp is a model in the format of Cassandra's programs.
const mdp = `discount: 0.9
values: reward
states: left right
actions: stay go
start: 1 0
T: stay identity
T: go : left : right 1
T: go : right : left 1
R: go : left : * : * 1
`

// A model of another program has the name that is asked for, and notes say what it does not keep.
func TestConvert(t *testing.T) {
	got := answerOf[Converted](t, ask("POST", "/v1/convert?name=a%20walk&horizon=7", mdp))
	model, err := document.DecodeModel(got.Model)
	if err != nil {
		t.Fatal(err)
	}
	if model.Name != "a walk" || model.Horizon != 7 || model.States() != 2 || model.Actions() != 2 {
		t.Errorf("%+v", model)
	}
	if want := "the discount 0.9 is left out: values are sums over the horizon, without a discount"; !slices.Equal(got.Notes, []string{want}) {
		t.Errorf("%q, want %q", got.Notes, want)
	}
	for text, want := range map[string]string{
		strings.Replace(mdp, "go : left : right 1", "go : left : nowhere 1", 1): "line 7, column ",
		"network n { }\nprobability ( row' | row ) { table 1; }":                "a BIF holds a network without decisions, which is no model; its graph can be a prior",
		"Dear all,": "the file is in none of the formats of models that are known: ",
	} {
		if got := ask("POST", "/v1/convert?horizon=5", text); got.Code != 400 || !strings.Contains(got.Body.String(), `"detail":"`+want) {
			t.Errorf("%d %s", got.Code, got.Body)
		}
	}
}

// What a text lacks is an option, which the error names with the words of a form; the options are those of the command.
func TestLacked(t *testing.T) {
	lacked := func(query, text string) *Lacked {
		got := ask("POST", "/v1/convert?name=walk"+query, text)
		if got.Code == 200 {
			return nil
		}
		return answerOf[Details](t, &httptest.ResponseRecorder{Code: 200, Body: got.Body}).Lacked
	}
	rough := strings.Replace(mdp, "T: stay identity", "T: stay : left\n0.3 0.3\nT: stay : right : right 1", 1)
	for _, c := range []struct{ query, text, option, value, help string }{
		{"", mdp, "horizon", "100", "The file does not say how many steps an episode has."},
		{"&horizon=5", mdp, "", "", ""},
		{"", rough, "horizon", "100", ""}, // one at a time
		{"&horizon=5", rough, "normalise", "1", "rows whose sums differ from 1 by up to 0.4 are scaled to sum to 1"},
		{"&horizon=5&normalise=1", rough, "", "", ""},
	} {
		got := lacked(c.query, c.text)
		if got == nil && c.option == "" {
			continue
		}
		if got == nil || got.Option != c.option || got.Value != c.value || got.Button != (c.option == "normalise") || got.Label == "" || c.help != "" && got.Help != c.help {
			t.Errorf("%s of %.60q: %+v, want %+v", c.query, c.text, got, c)
		}
	}
	if got := lacked("&horizon=5", strings.Replace(mdp, "go : left : right 1", "go : left : nowhere 1", 1)); got != nil {
		t.Errorf("%+v", got)
	}
	for query, says := range map[string]string{
		"&horizon=0": "from 1 to 16384", "&horizon=99999": "from 1 to 16384", "&horizon=x": "not a whole number", "&horizon=5&normalise=yes": "the normalise \\\"yes\\\" must be 1",
	} {
		if got := ask("POST", "/v1/convert?name=walk"+query, mdp); got.Code != 400 || !strings.Contains(got.Body.String(), says) {
			t.Errorf("%s: %d %s", query, got.Code, got.Body)
		}
	}
}

// A table of transitions is no model; the refusal says what its columns were taken for, so that a page can open it as one.
func TestConvertTable(t *testing.T) {
	for text, want := range map[string]string{
		"Episode_ID;timestep;x\n1;0;a\n1;1;b\n": `"columns":[{"name":"Episode_ID","role":"episode"},{"name":"timestep","role":"step"},{"name":"x","role":"state"}]`,
		"x,a,next_x\n":                          `"columns":[{"name":"x",`,
		"what is this, a model?\n":              "",
		"\x89PNG\xff":                           "",
	} {
		w := ask("POST", "/v1/convert", text)
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), want) || (want == "") == strings.Contains(w.Body.String(), `"columns"`) {
			t.Errorf("%q: %d %s, want %s", text, w.Code, w.Body, want)
		}
	}
}
