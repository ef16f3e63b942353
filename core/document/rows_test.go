package document_test

import (
	"bytes"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/internal/formattest"
)

// modelByLabels is a model whose tables name their rows. The action has no labels.
const modelByLabels = `{"format":"cpsrl/model","version":1,"horizon":3,` +
	`"state":[{"name":"side","size":2,"values":["heads","tails"]},{"name":"wet","size":2,"values":["yes","no, not/at~all"]}],"action":[{"name":"flip","size":2}],"initial":"uniform",` +
	`"transition":[{"of":"side","given":["wet","flip"],"p":{"no, not/at~all, 1":[0.5,0.5],"yes, 0":[1,0],"no, not/at~all, 0":[0,1],"yes, 1":[0.25,0.75]}},` +
	`{"of":"wet","given":[],"p":[[0.5,0.5]]}],` +
	`"reward":[{"given":["side"],"mean":{"tails":1,"heads":0.5},"kind":"bernoulli"}]}`

// Oracle: the same model in the other form, which is the one that is written.
func TestRowsByLabels(t *testing.T) {
	byNumber := strings.NewReplacer(
		`{"no, not/at~all, 1":[0.5,0.5],"yes, 0":[1,0],"no, not/at~all, 0":[0,1],"yes, 1":[0.25,0.75]}`, `[[1,0],[0.25,0.75],[0,1],[0.5,0.5]]`,
		`{"tails":1,"heads":0.5}`, `[0.5,1]`,
	).Replace(modelByLabels)
	for _, text := range []string{modelByLabels, strings.NewReplacer(`:{"no`, ` : { "no`, `,"mean":`, ` , "mean" :  `).Replace(modelByLabels)} {
		got, err := againModel([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if want, err := againModel([]byte(byNumber)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s\nwant %s (%v)", got, want, err)
		}
	}
	const law, mean = "/transition/0/p", "/reward/0/mean"
	formattest.Strict(t, "model by labels", modelByLabels, againModel, []formattest.Edit{
		{`"yes, 0":[1,0],`, ``, law, `the row "yes, 0" is missing`},
		{`"yes, 0":[1,0]`, `"yes, 0":[1,0],"yes, 0":[1,0]`, law + "/yes, 0", "duplicate"},
		{`"yes, 0":[1,0]`, `"yes, 0":[1,0],"yes, 2":[1,0]`, law + "/yes, 2", `the given variables have no values "yes, 2"`},
		{`"yes, 0":[1,0]`, `"0, yes":[1,0]`, law, `the row "yes, 0" is missing`},
		{`"yes, 0":[1,0]`, `"yes,0":[1,0]`, law, `the row "yes, 0" is missing`},
		{`"yes, 0":[1,0]`, `"yes, 0":[1,0,0]`, law + "/yes, 0", `the row has 3 probabilities for the 2 values of "side"`},
		{`"yes, 0":[1,0]`, `"yes, 0":1`, law + "/yes, 0", "expected an array, found a number"},
		{`"yes, 0":[1,0]`, `"yes, 0":[1,"x"]`, law + "/yes, 0/1", "expected a number, found a string"},
		{`"yes, 0":[1,0]`, `"yes, 0":null`, law + "/yes, 0", "null is not allowed here"},
		{`"no, not/at~all, 1":[0.5,0.5]`, `"no, not/at~all, 1":[0.5,0.6]`, law + "/no, not~1at~0all, 1", "sums to 1.1"},
		{`"p":[[0.5,0.5]]`, `"p":{"":[0.5,0.5]}`, "/transition/1/p", "without given variables"},
		{`"p":[[0.5,0.5]]`, `"p":3`, "/transition/1/p", "expected an array, found a number"},
		{`["yes","no, not/at~all"]`, `["yes","yes"]`, law, `two rows have the labels`},
		{`"tails":1,`, ``, mean, `the row "tails" is missing`},
		{`"tails":1,`, `"tails":2,`, mean + "/tails", "outside [0,1]"},
		{`"tails":1,`, `"tails":[1],`, mean + "/tails", "expected a number, found an array"},
		{`"tails":1,`, `"tails":1,"edge":0,`, mean + "/edge", `the given variables have no values "edge"`},
	})
	_, how, err := document.ScaleModel([]byte(strings.Replace(modelByLabels, `"yes, 0":[1,0]`, `"yes, 0":[1,1]`, 1)))
	if err != nil || how.Place != law+"/yes, 0" {
		t.Errorf("%+v, %v", how, err)
	}
}
