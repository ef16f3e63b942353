package engine

import (
	"os"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/domain"
	"cpsrl/core/edit"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
)

// edited asks for an edit of a spec.
func edited(t *testing.T, s []byte, more string) *Edited {
	t.Helper()
	got := answerOf[Edited](t, ask("POST", "/v1/edit", `{"spec":`+string(s)+more+`}`))
	return &got
}

// TestEdit goes from a template to a changed problem, whose prior follows.
func TestEdit(t *testing.T) {
	begin := `{"format":"cpsrl/spec","version":4,"domain":{"name":"figure1"},"episodes":30,"runs":7,"seed":9}`
	got := edited(t, []byte(begin), `,"template":"inventory"`)
	if got.Spec.Runs != 7 || got.Spec.Episodes != 30 || got.Spec.Seed != 9 || got.Form.Name != "My inventory" || got.Form.Laws[1].Formula != "p = 0.2 + 0.6*season" {
		t.Fatalf("%+v", got)
	}
	got.Spec.Prior = &spec.Prior{Edges: []document.Edge{{From: "stock", To: "stock", P: 1}, {From: "order", To: "stock", P: .9}, {From: "season", To: "season", P: 0}}}
	got.Spec.Priors = []spec.NamedPrior{{Name: "expert", Prior: &spec.Prior{Edges: []document.Edge{{From: "season", To: "stock", P: 1}}}}}
	got = edited(t, spec.Encode(got.Spec), `,"edit":{"edit":"rename","of":"stock","to":"held"}`)
	if e := got.Spec.Prior.Edges; len(e) != 3 || e[0].To != "held" || e[1].To != "held" || got.Spec.Priors[0].Prior.Edges[0].To != "held" {
		t.Errorf("%+v", got.Spec)
	}
	got = edited(t, spec.Encode(got.Spec), `,"edit":{"edit":"law","of":"held","to":"next = min(3, held + order)"}`)
	if law := got.Form.Laws[0]; strings.Join(law.Given, " ") != "held order" || len(law.Rows) != 12 || law.P[11][3] != 1 {
		t.Errorf("%+v", law)
	}
	got = edited(t, spec.Encode(got.Spec), `,"edit":{"edit":"start","to":"held = 2"}`)
	got = edited(t, spec.Encode(got.Spec), `,"edit":{"edit":"remove","of":"season"}`)
	if len(got.Spec.Prior.Edges) != 2 || got.Spec.Priors[0].Prior.Edges == nil || len(got.Spec.Priors[0].Prior.Edges) != 0 || len(got.Form.State) != 1 {
		t.Errorf("%+v", got.Spec)
	}
	if z := got.Spec.Z(); z.Z != 2 {
		t.Errorf("Z = %v", z)
	}
	// What is refused waits for another edit, as it is then.
	begin = string(spec.Encode(got.Spec))
	waits := `[{"edit":"values","of":"held","to":"3"},{"edit":"horizon","to":"none"},{"edit":"payoff","at":0,"to":"stock"}]`
	answer := ask("POST", "/v1/edit", `{"spec":`+begin+`,"edit":{"edit":"rename","of":"held","to":"stock"},"drafts":`+waits+`}`)
	got = new(answerOf[Edited](t, answer))
	if d := got.Drafts; len(d) != 1 || d[0].Edit.Edit != "horizon" || d[0].Detail != `"none" is no whole number` || d[0].Pointer != "/spec/domain/model/horizon" {
		t.Errorf("%+v", got.Drafts)
	}
	if got.Form.Payoffs[0].Formula != "stock" || got.Form.State[0].Values != "3" || got.Spec.Prior.Edges[0].To != "stock" || !slices.Contains(got.Notes, "What was refused before is accepted now in 2 cells") {
		t.Errorf("%+v", got)
	}
	for more, says := range map[string]string{
		`,"drafts":[]`: `drafts are tried with an edit, and there is none`,
		`,"edit":{"edit":"name","to":"x"},"drafts":[{"edit":"name"},{"edit":"add-state"}]`: `"pointer":"/drafts/1/edit"`,
		`,"edit":{"edit":"name","to":"x"},"drafts":[{"edit":"none"}]`:                      `"pointer":"/drafts/0/edit"`,
	} {
		if answer := ask("POST", "/v1/edit", `{"spec":`+begin+more+`}`); answer.Code != 400 || !strings.Contains(strings.ReplaceAll(answer.Body.String(), `\"`, `"`), says) {
			t.Errorf("%s: %d %s", more, answer.Code, answer.Body)
		}
	}
	got = edited(t, []byte(begin), "")
	// A refusal names its place in the spec.
	answer = ask("POST", "/v1/edit", `{"spec":`+string(spec.Encode(got.Spec))+`,"edit":{"edit":"law","of":"held","to":"next = held +"}}`)
	if body := answer.Body.String(); answer.Code != 400 || !strings.Contains(body, `"pointer":"/spec/domain/model/transition/0/formula"`) || !strings.Contains(body, "column 14") {
		t.Errorf("%d %s", answer.Code, body)
	}
}

// TestEditGallery makes a model of a problem of each kind, with its own prior as a list. Oracle: the problem itself.
func TestEditGallery(t *testing.T) {
	for _, name := range []string{"figure1", "river-swim", "frozen-lake", "coffee-robot", "sysadmin"} {
		s, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":4,"domain":{"name":"` + name + `"},"agents":["c-psrl"]}`))
		if err != nil {
			t.Fatal(err)
		}
		got := edited(t, spec.Encode(s), "")
		own := got.Spec.Domain.(*domain.Custom).Model()
		if own.Name == "" || got.Spec.Prior == nil || got.Spec.Prior.Edges == nil {
			t.Errorf("%s: %+v", name, got.Spec)
		}
		check := func(s *spec.Spec) Checked {
			return answerOf[Checked](t, ask("POST", "/v1/check", string(spec.Encode(s))))
		}
		before, after := check(s), check(got.Spec)
		for _, c := range []Checked{before, after} {
			c.Problem.Name, c.Problem.Reward = "", ""
		}
		if string(strict.Encode(before.Problem.Truth)) != string(strict.Encode(after.Problem.Truth)) || before.Problem.Consistent != after.Problem.Consistent || string(strict.Encode(before.Problem.Parents)) != string(strict.Encode(after.Problem.Parents)) {
			t.Errorf("%s:\n%s\n%s", name, strict.Encode(before.Problem), strict.Encode(after.Problem))
		}
	}
}

// The documents name each edit, each fill and each function of formulas.
func TestEditDocs(t *testing.T) {
	data, err := os.ReadFile("../../site/docs/engine.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(data), "\n## Edits of models\n")
	words := edit.Words()
	for _, fill := range edit.Fills() {
		words = append(words, fill.Name)
	}
	for _, word := range words {
		if !strings.Contains(section, "`"+word+"`") {
			t.Errorf("site/docs/engine.md does not name %s", word)
		}
	}
}
