package document_test

import (
	"slices"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/internal/formattest"
)

// model4 reads the file of version 4 that was written first.
func model4(t testing.TB) string {
	return strings.TrimSpace(string(formattest.Read(t, "model-v4.json")))
}

// Oracle: the file, by hand. What stands for all other variables is those that agents see.
func TestModel4Contents(t *testing.T) {
	f, err := document.DecodeModelFile([]byte(model4(t)))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(f.Encode()); got != model4(t) {
		t.Errorf("written as\n%s\nnot\n%s", got, model4(t))
	}
	seen := *f.Model
	seen.State = seen.State[:2]
	const stay, nobody = "Things stay as they are.", "Nobody makes the weather."
	want := []document.Suggestion{{0, 0, .95, stay}, {1, 1, .95, stay}, {0, 1, .9, ""}, {1, 0, 0, nobody}, {2, 0, 0, nobody}, {2, 1, 1, ""}}
	if got := slices.Collect(document.Suggestions(f.Prior, &seen)); !slices.Equal(got, want) {
		t.Errorf("the prior is %v, not %v", got, want)
	}
	pictured := strings.TrimSuffix(model4(t), "}") + `,"view":{"kind":"nodes","nodes":["rain","wet"]}}`
	if got, err := againModel([]byte(pictured)); err != nil || string(got) != pictured {
		t.Errorf("with a picture: %s, %v", got, err)
	}
	paid := strings.NewReplacer(`"kind":"fixed"}`, `"kind":"fixed","name":"comfort","scope":"hidden"}`, `["go","wet"]`, `["wet","comfort",0.8]`).Replace(model4(t))
	hidden, err := document.DecodeModelFile([]byte(paid))
	if err != nil {
		t.Fatal(err)
	}
	seen.Reward = hidden.Model.Reward
	want[5] = document.Suggestion{X: 1, Y: 2, P: .8}
	if got := slices.Collect(document.Suggestions(hidden.Prior, &seen)); !slices.Equal(got, want) {
		t.Errorf("with a payoff, the prior is %v, not %v", got, want)
	}
	_, err = document.DecodeModelFile([]byte(strings.Replace(paid, `["wet","comfort",0.8]`, `["comfort","wet",0.8]`, 1)))
	formattest.WantError(t, "an edge from a payoff", err, "/prior/edges", `"comfort" is a payoff`)
	f.Prior = nil
	if got := string(f.Encode()); !strings.Contains(got, `"version":3`) {
		t.Errorf("without a prior: %s", got)
	}
}

func TestStrictModel4(t *testing.T) {
	formattest.Strict(t, "model 4", model4(t), againModel, []formattest.Edit{
		{`"version":4`, `"version":3`, "/prior", "this is for version 4"},
		{`["rain","wet",0.9]`, `["rain","wit",0.9]`, "/prior/edges/1/1", "no state variable"},
		{`["rain","wet",0.9]`, `["rain","wet",1.9]`, "/prior/edges/1/2", "not a probability"},
		{`["rain","wet",0.9]`, `["dream","wet",0.9]`, "/prior/edges/1/0", "no variable"},
		{`["rain","wet",0.9]`, `["wet","wet",0.9]`, "/prior/edges/1", "listed twice"},
		{`["rain","wet",0.9]`, `{"p":0.9}`, "/prior/edges/1/edges", "missing"},
		{`["rain","wet",0.9]`, `{"p":0.9,"edges":[["rain","wet",1]]}`, "/prior/edges/1/edges/0", ""},
		{`["rain","rain"]`, `["rain","rein"]`, "/prior/edges/0/edges/0/1", "no state variable"},
		{`"p":0.95`, `"p":0.9999999`, "/prior/edges/0/p", "not a probability"},
		{`{"*":2,"rain":1}`, `0`, "/prior/sparseness", "from 1 to"},
		{`{"*":2,"rain":1}`, `{"*":2,"dream":1}`, "/prior/sparseness/dream", "no state variable"},
		{`"prior":{`, `"prior":{"listed":true,`, "/prior/listed", "unknown"},
	})
}

// Which actions are legal may depend on the state. Oracle: the rule, by hand. The model keeps the rule, whoever writes it.
func TestLegalByState(t *testing.T) {
	const rule = `"legal":{"formula":"go = 0 or wet = \"dry\" and rain = 1"}`
	text := strings.NewReplacer(`"hidden":["dream"],`, rule+`,"hidden":["dream"],"noise":[{"name":"luck","size":2,"p":[0.5,0.5]}],`, `dream = 0))`, `dream = luck))`).Replace(model4(t))
	f, err := document.DecodeModelFile([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(f.Encode()); got != text {
		t.Errorf("written as\n%s\nnot\n%s", got, text)
	}
	m := f.Model
	point := make([]int, m.X())
	for x := range m.Points() {
		m.Point(point, x)
		if want := point[m.Y()] == 0 || point[1] == 0 && point[0] == 1; m.Allows(point) != want {
			t.Errorf("%v is legal: %v", point, !want)
		}
	}
	bare := string(document.EncodeModel(m))
	if !strings.Contains(bare, `"version":4`) || !strings.Contains(bare, rule) {
		t.Errorf("without the file: %.300s", bare)
	}
	for to, of := range map[string][2]string{
		`"legal":{"formula":"go = 0 or dream = 1"}`:          {"/legal", `"dream" is hidden; which actions are legal depends only on what agents see`},
		`"legal":{"formula":"go = 0 or luck = 1"}`:           {"/legal", `"luck" is hidden; which`},
		`"legal":{"formula":"go = 0 or wet' = 1"}`:           {"/legal/formula", `"wet'" cannot stand here: this is a condition on the state and the action`},
		`"legal":{"formula":"go = 0 or wat = 1"}`:            {"/legal/formula", `there is no variable "wat"`},
		`"legal":{"formula":"go = 0 or wet = \"damp\""}`:     {"/legal/formula", `"wet" has no value "damp"`},
		`"legal":{"formula":"go = 0 or 1 / wet > 0"}`:        {"/legal/formula", "this divides by 0"},
		`"legal":{"formula":"go = 1 and wet = \"wet\""}`:     {"/legal", "no action is legal where wet = dry; at least one is needed in each state"},
		`"legal":{"formula":"go > 1 or go = 1 and wet > 1"}`: {"/legal", "there is no legal action"},
		`"legal":{"formula":"go = "}`:                        {"/legal/formula", "expected"},
	} {
		_, err := document.DecodeModel([]byte(strings.Replace(text, rule, to, 1)))
		formattest.WantError(t, to, err, of[0], of[1])
	}
	_, err = document.DecodeModel([]byte(strings.NewReplacer(`"version":4`, `"version":3`, text[strings.Index(text, `,"prior":`):], "}").Replace(text)))
	formattest.WantError(t, "version 3", err, "/legal/formula", "this is for version 4")
}

func FuzzModel4(f *testing.F) { formattest.Fuzz(f, []string{model4(f)}, againModel) }

// The prior of payoffs whose parents are hidden has the limits of that of the variables, and leaves out the same variables.
func TestLimit(t *testing.T) {
	m, err := document.DecodeModel([]byte(`{"format":"cpsrl/model","version":2,"horizon":2,"state":[{"name":"one","size":1},{"name":"s","size":2}],"action":[{"name":"a","size":2}],"initial":"uniform",
		"transition":[{"of":"one","given":[],"p":[[1]]},{"of":"s","given":["a"],"p":[[1,0],[0,1]],"known":true}],"reward":[{"given":["s"],"mean":[0,1],"kind":"fixed","name":"bonus","scope":"hidden"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	z := document.Sparseness{Z: 2}
	p, err := document.PriorOf(&document.Stated{Sparseness: &z, Edges: document.Alone(document.Edge{From: "a", To: "bonus", P: 1}, document.Edge{From: "s", To: "s", P: .9})}, m, 0)
	if err != nil {
		t.Fatal(err)
	}
	if one := m.Trivial(); one.Len() != 1 || p.Trivial != one || p.Payoffs.Trivial != one || p.Payoffs.Sparseness != 2 || p.Payoffs.Known[0].Len() != 1 {
		t.Errorf("%+v, %+v", p, p.Payoffs)
	}
	if p.Known[1] != m.Transition[1].Scope() || len(p.Likely) > 0 || p.Z(1) != 1 || p.Z(0) != 2 {
		t.Errorf("of the law that is told: %+v", p)
	}
}
