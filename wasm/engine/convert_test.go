package engine

import (
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
	got := answerOf[Converted](t, ask("POST", "/v1/convert?name=a%20walk", mdp))
	model, err := document.DecodeModel(got.Model)
	if err != nil {
		t.Fatal(err)
	}
	if model.Name != "a walk" || model.Horizon != 100 || model.States() != 2 || model.Actions() != 2 {
		t.Errorf("%+v", model)
	}
	for _, want := range []string{"the discount 0.9 is left out", "an episode has 100 steps"} {
		if !strings.Contains(strings.Join(got.Notes, "\n"), want) {
			t.Errorf("%q lacks %q", got.Notes, want)
		}
	}
	for text, want := range map[string]string{
		strings.Replace(mdp, "go : left : right 1", "go : left : nowhere 1", 1): "line 7, column ",
		"Dear all,": "the file is in none of the formats of models that are known: ",
	} {
		if got := ask("POST", "/v1/convert", text); got.Code != 400 || !strings.Contains(got.Body.String(), `"detail":"`+want) {
			t.Errorf("%d %s", got.Code, got.Body)
		}
	}
}
