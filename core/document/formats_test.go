package document_test

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/strict"
	"cpsrl/internal/formattest"
)

func againModel(data []byte) ([]byte, error) {
	m, err := document.DecodeModelFile(data)
	if err != nil {
		return nil, err
	}
	return m.Encode(), nil
}

func againPrior(data []byte) ([]byte, error) {
	file, err := document.DecodePrior(data)
	if err != nil {
		return nil, err
	}
	return document.EncodePrior(file), nil
}

func againTransition(data []byte) ([]byte, error) {
	t, err := document.DecodeTransition(data, formattest.Space)
	if err != nil {
		return nil, err
	}
	return strict.AppendLine(nil, t), nil
}

// A file of every version ever written is read and written back with the same bytes.
func TestTestdata(t *testing.T) {
	formattest.Testdata(t, []formattest.Format{
		{Files: []string{"model-v1.json", "model-v2.json", "model-v3.json", "model-v4.json"}, Again: againModel},
		{Files: []string{"prior-v1.json", "prior-v2.json", "prior-v3.json", "prior-v4.json"}, Again: againPrior},
		{Files: []string{"transitions-v1.jsonl"}, Again: formattest.Lines(againTransition)},
	})
}

// Oracle: the contents of the file, by hand.
func TestModelContents(t *testing.T) {
	m, err := document.DecodeModel(formattest.Read(t, "model-v1.json"))
	if err != nil {
		t.Fatal(err)
	}
	want := &fmdp.Model{
		Space: fmdp.Space{
			State:  []fmdp.Variable{{Name: "side", Size: 2, Values: []string{"heads", "tails"}}},
			Action: []fmdp.Variable{{Name: "flip", Size: 2}},
		},
		Name: "coin", Horizon: 3, Initial: []float64{1, 0},
		Transition: []fmdp.Factor{{Given: []int{0, 1}, Size: 2, P: []float64{1, 0, 0.5, 0.5, 0, 1, 0.25, 0.75}}},
		Reward: []fmdp.Reward{
			{Given: []int{0}, Mean: []float64{0, 1}, Kind: fmdp.Fixed, Scale: 1, Of: -1},
			{Given: []int{0, 1}, Mean: []float64{0, 1, 0.5, 0.125}, Kind: fmdp.Bernoulli, Scale: -2, Of: 0},
		},
	}
	if !reflect.DeepEqual(m, want) {
		t.Errorf("\n got %+v\nwant %+v", m, want)
	}
	again, err := document.DecodeModel(document.EncodeModel(m))
	if err != nil || !reflect.DeepEqual(again, m) {
		t.Errorf("Decode(Encode) = %+v, %v", again, err)
	}
}

// Decode∘Encode is the identity, to the last bit, for distributions that are
// equal but not 1/n, subnormal numbers and tables in any order of parents.
func TestModelRoundTrip(t *testing.T) {
	m := &fmdp.Model{
		Space: fmdp.Space{
			State:  []fmdp.Variable{{Name: "a", Size: 3}, {Name: "b", Size: 1}},
			Action: []fmdp.Variable{{Name: "c", Size: 2}},
		},
		Horizon: 1, Initial: []float64{0.33333333333333337, 0.33333333333333337, 0.33333333333333337},
		Transition: []fmdp.Factor{
			{Given: []int{2, 0}, Size: 3, P: slices.Concat(slices.Repeat([]float64{5e-324, 1, 0}, 3), slices.Repeat([]float64{0.1, 0.2, 0.7}, 3))},
			{Given: []int{}, Size: 1, P: []float64{1}},
		},
		Reward: []fmdp.Reward{{Given: []int{}, Mean: []float64{-1e-300}, Scale: 1, Of: -1}},
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	got, err := document.DecodeModel(document.EncodeModel(m))
	if err != nil || !reflect.DeepEqual(got, m) {
		t.Errorf("\n got %+v, %v\nwant %+v", got, err, m)
	}
	m.Initial = fmdp.Uniform(3)
	data := document.EncodeModel(m)
	if !strings.Contains(string(data), `"initial":"uniform"`) {
		t.Errorf("%s", data)
	}
	if got, err := document.DecodeModel(data); err != nil || !reflect.DeepEqual(got, m) {
		t.Errorf("uniform: %+v, %v", got, err)
	}
}

func TestPriorContents(t *testing.T) {
	file, err := document.DecodePrior(formattest.Read(t, "prior-v1.json"))
	if err != nil {
		t.Fatal(err)
	}
	space, p := file.Space, file.Prior
	want := &bigraph.Prior{X: 3, Known: bigraph.Bigraph{bigraph.Of(0, 2), bigraph.Of(1)}, Sparseness: 2}
	if !reflect.DeepEqual(p, want) || space.Y() != 2 || space.State[1].Name != "weather" {
		t.Errorf("%+v, %+v", space, p)
	}
	if err := document.CheckPrior(p, space); err != nil {
		t.Error(err)
	}
	p.Bound = bigraph.Below
	formattest.WantError(t, "below", document.CheckPrior(p, space), "/edges", `"side" has 2 known parents, but the degree of sparseness admits fewer than 2`)
	p.Bound, p.Sparseness = bigraph.AtMost, 1
	formattest.WantError(t, "at most", document.CheckPrior(p, space), "/edges", `"side" has 2 known parents, but the degree of sparseness admits at most 1`)
	p.Sparseness = -1
	formattest.WantError(t, "negative", document.CheckPrior(p, space), "/sparseness", "Z is -1; it must be at least 0")
}

// Without "*", an object lists every state variable, and the most frequent Z stands for the others when it is written.
func TestSparsenessOfEach(t *testing.T) {
	const three = `{"format":"cpsrl/prior","version":2,"state":[{"name":"a","size":2},{"name":"b","size":2},{"name":"c","size":2}],"action":[{"name":"d","size":2}],"sparseness":Z,"edges":[]}`
	for text, want := range map[string]string{
		`{"a":2,"b":1,"c":1}`: `{"*":1,"a":2}`, `{"c":3,"b":2,"a":1}`: `{"*":1,"b":2,"c":3}`, `{"a":2,"b":2,"c":2}`: `2`,
	} {
		again, err := againPrior([]byte(strings.Replace(three, "Z", text, 1)))
		if err != nil || !bytes.Contains(again, []byte(`"sparseness":`+want+`,`)) {
			t.Errorf("%s: %s, %v", text, again, err)
		}
	}
	for text, wrong := range map[string][2]string{
		`{"a":2,"b":1}`:             {"/sparseness", `"*", is missing`},
		`{"a":2}`:                   {"/sparseness", `"*", is missing`},
		`{}`:                        {"/sparseness", `"*", is missing`},
		`{"a":2,"b":2,"x":2}`:       {"/sparseness/x", `no state variable "x"`},
		`{"a":2,"b":2,"d":2}`:       {"/sparseness/d", `no state variable "d"`},
		`{"a":2,"b":2,"c":2,"x":2}`: {"/sparseness/x", `no state variable "x"`},
	} {
		_, err := againPrior([]byte(strings.Replace(three, "Z", text, 1)))
		formattest.WantError(t, text, err, wrong[0], wrong[1])
	}
}

// A variable may have the name that stands for the others. Its Z is then that of the others.
func TestSparsenessOfStar(t *testing.T) {
	for text, want := range map[string]string{
		`{"*":2,"side":3}`: `{"*":2,"side":3}`,
		`{"*":2,"side":2}`: `2`,
	} {
		if again, err := againPrior([]byte(strings.Replace(star, `"sparseness":2`, `"sparseness":`+text, 1))); err != nil || !bytes.Contains(again, []byte(`"sparseness":`+want+`,`)) {
			t.Errorf("%s: %s, %v", text, again, err)
		}
	}
}

const star = `{"format":"cpsrl/prior","version":2,"state":[{"name":"*","size":2},{"name":"side","size":2}],"action":[{"name":"flip","size":2}],"sparseness":2,"edges":[]}`

const model, prior, transition = formattest.Model, formattest.Prior, formattest.Transition

func TestStrictModel(t *testing.T) {
	formattest.Strict(t, "model", model, againModel, append(formattest.Common("horizon", "/horizon"), []formattest.Edit{
		{"cpsrl/model", "cpsrl/prior", "/format", `the format is "cpsrl/prior"; "cpsrl/model" is expected here`},
		{"cpsrl/model", "CPSRL/model", "/format", "is expected here"},
		{`"version":1`, `"version":5`, "/version", "version 5 of cpsrl/model is unknown; this engine knows up to 4"},
		{`"version":1`, `"version":0`, "/version", "version 0"},
		{`"version":1`, `"version":-1`, "/version", "version -1"},
		{`"version":1`, `"version":1.5`, "/version", "expected a whole number, found 1.5"},
		{`"version":1`, `"version":"1"`, "/version", `expected a whole number, found a string`},
		{`"version":1`, `"version":1e99`, "/version", "expected a whole number, found 1e99"},
		{`"horizon":3,`, ``, "/horizon", `the field "horizon" is missing`},
		{`"horizon":3`, `"horizon":null`, "/horizon", "null is not allowed here"},
		{`"horizon":3`, `"horizon":0`, "/horizon", "the horizon is 0; it must be from 1 to 16384"},
		{`"horizon":3`, `"horizon":1000000000`, "/horizon", "from 1 to 16384"},
		{`"horizon":3`, `"horizon":99999999999999999999`, "/horizon", "expected a whole number, found 99999999999999999999"},
		{`"horizon":3`, `"horizon":NaN`, "/horizon", "malformed JSON at byte"},
		{`"horizon":3`, `"horizon":03`, "", "malformed JSON at byte"},
		{`"name":"side"`, `"name":"flip"`, "/action/0/name", `a second variable is named "flip"`},
		{`"name":"side"`, `"name":""`, "/state/0/name", "the variable has no name"},
		{`"name":"side"`, `"name":"a\ud800"`, "/state/0/name", "malformed JSON"},
		{`"name":"side",`, ``, "/state/0/name", `the field "name" is missing`},
		{`"size":2`, `"size":0`, "/state/0/size", `variable "side" has size 0; at least 1 is needed`},
		{`"size":2`, `"size":-2`, "/state/0/size", `has size -2`},
		{`"size":2`, `"size":null`, "/state/0/size", "null is not allowed here"},
		{`"size":2`, `"size":4611686018427387904`, "/state/0/values", `2 labels for 4611686018427387904 values`},
		{`"size":2,"values":["heads","tails"]`, `"size":4611686018427387904`, "/state/0/size", `the variables have more than 1048576 values up to those of "side"`},
		{`["heads","tails"]`, `["heads"]`, "/state/0/values", "1 labels for 2 values"},
		{`["heads","tails"]`, `["heads",null]`, "/state/0/values/1", "null is not allowed here"},
		{`["heads","tails"]`, `["heads",7]`, "/state/0/values/1", "expected a string, found a number"},
		{`[{"name":"flip","size":2}]`, `[]`, "/action", "there is no action variable"},
		{`[{"name":"flip","size":2}]`, `{}`, "/action", "expected an array, found an object"},
		{`[{"state":[0],"p":1}]`, `"Uniform"`, "/initial", `expected "uniform" or an array of states, found "Uniform"`},
		{`[{"state":[0],"p":1}]`, `"` + strings.Repeat("u", 5000) + `"`, "/initial", `expected "uniform"`},
		{`[{"state":[0],"p":1}]`, `3`, "/initial", `expected an array, found a number`},
		{`[{"state":[0],"p":1}]`, `null`, "/initial", "null is not allowed here"},
		{`[{"state":[0],"p":1}]`, `[]`, "/initial", "the initial distribution sums to 0; it must sum to 1"},
		{`"state":[0],"p":1`, `"state":[0,1],"p":1`, "/initial/0/state", "2 values for 1 state variables"},
		{`"state":[0],"p":1`, `"state":[],"p":1`, "/initial/0/state", "0 values for 1 state variables"},
		{`"state":[0],"p":1`, `"state":[2],"p":1`, "/initial/0/state/0", `"side" has no value 2; its values are 0 to 1`},
		{`"state":[0],"p":1`, `"state":[-1],"p":1`, "/initial/0/state/0", `"side" has no value -1`},
		{`"state":[0],"p":1`, `"state":[0],"p":0.5`, "/initial", "sums to 0.5"},
		{`"state":[0],"p":1`, `"state":[0],"p":-1`, "/initial", "entry 0 = -1"},
		{`"state":[0],"p":1`, `"state":[0],"p":1,"q":2`, "/initial/0/q", "unknown field"},
		{`"state":[0],"p":1`, `"state":[0]`, "/initial/0/p", `the field "p" is missing`},
		{`{"state":[0],"p":1}`, `{"state":[0],"p":0.5},{"state":[0],"p":0.5}`, "/initial/1/state", "this state is listed twice"},
		{`"of":"side"`, `"of":"flip"`, "/transition/0/of", `there is no state variable "flip"`},
		{`"of":"side"`, `"of":"Side"`, "/transition/0/of", `there is no state variable "Side"`},
		{`"of":"side",`, ``, "/transition/0/of", `the field "of" is missing`},
		{`"given":["side","flip"]`, `"given":["side","coin"]`, "/transition/0/given/1", `there is no variable "coin"`},
		{`"given":["side","flip"]`, `"given":["side","side"]`, "/transition/0/given/1", `variable "side" is given twice`},
		{`"given":["side","flip"]`, `"given":["side"]`, "/transition/0/p", `has 4 rows; its given variables have 2 assignments`},
		{`[1,0]`, `[1]`, "/transition/0/p/0", `the row has 1 probabilities for the 2 values of "side"`},
		{`[1,0]`, `[1,0,0]`, "/transition/0/p/0", `the row has 3 probabilities for the 2 values of "side"`},
		{`[1,0]`, `[0.9,0]`, "/transition/0/p/0", `the row of "side" given side=heads, flip=0 sums to 0.9; it must sum to 1`},
		{`[0,1],[0.5`, `[-0.5,1.5],[0.5`, "/transition/0/p/2", `given side=tails, flip=0 has entry 0 = -0.5`},
		{`[1,0]`, `[1e400,0]`, "/transition/0/p/0/0", "expected a number, found 1e400"},
		{`[1,0]`, `[NaN,0]`, "/transition/0/p/0/0", "malformed JSON"},
		{`[1,0]`, `["1",0]`, "/transition/0/p/0/0", `expected a number, found a string`},
		{`[1,0]`, `[1,null]`, "/transition/0/p/0/1", "null is not allowed here"},
		{`[1,0]`, `null`, "/transition/0/p/0", "null is not allowed here"},
		{`[{"of":"side"`, `[{"of":"side","given":[],"p":[[0.5,0.5]]},{"of":"side"`, "/transition/1/of", `a second transition table of "side"`},
		{`"transition":[{"of":"side","given":["side","flip"],"p":[[1,0],[0.5,0.5],[0,1],[0.5,0.5]]}]`, `"transition":[]`, "/transition", `there is no transition table of "side"`},
		{`"kind":"fixed"`, `"kind":"Fixed"`, "/reward/0/kind", `the kind is "Fixed"; it must be "fixed" or "bernoulli"`},
		{`"kind":"fixed"`, `"kind":"fixed","scale":2`, "/reward/0/scale", `is for "bernoulli" only`},
		{`"kind":"fixed"`, `"kind":"fixed","scale":null`, "/reward/0/scale", "null is not allowed here"},
		{`"kind":"fixed"`, `"kind":"bernoulli","scale":1e200`, "/reward/0/scale", "1e+200"},
		{`,"kind":"fixed"`, ``, "/reward/0/kind", `the field "kind" is missing`},
		{`"mean":[0,1]`, `"mean":[0,1,2]`, "/reward/0/mean", "3 means; 2 are needed"},
		{`"mean":[0,1]`, `"mean":[0,1e300]`, "/reward/0/mean/1", "1e+300"},
		{`"mean":[0,1],"kind":"fixed"`, `"mean":[0,1.5],"kind":"bernoulli"`, "/reward/0/mean/1", "given side=tails is 1.5, outside [0,1]"},
		{`{"given":["side"]`, `{"of":"side","given":["side"]`, "/reward/0/given", "must be given the same variables"},
		{`{"given":["side"]`, `{"of":"flip","given":["side"]`, "/reward/0/of", `there is no state variable "flip"`},
		{`{"given":["side"]`, `{"given":["edge"]`, "/reward/0/given/0", `there is no variable "edge"`},
	}...))
}

func TestStrictPrior(t *testing.T) {
	formattest.Strict(t, "prior", prior, againPrior, append(formattest.Common("sparseness", "/sparseness"), []formattest.Edit{
		{"cpsrl/prior", "cpsrl/model", "/format", `"cpsrl/prior" is expected here`},
		{`"version":1`, `"version":9`, "/version", "version 9 of cpsrl/prior is unknown"},
		{`"sparseness":2,`, ``, "/sparseness", `the field "sparseness" is missing`},
		{`"sparseness":2`, `"sparseness":2.5`, "/sparseness", "expected a whole number, found 2.5"},
		{`["side","side"]`, `["side"]`, "/edges/0", "expected an array of 2"},
		{`["side","side"]`, `["side","side","side"]`, "/edges/0/2", "expected a number, found a string"},
		{`["side","side"]`, `["side","side",1,1]`, "/edges/0", "expected an array of 2 or 3"},
		{`["side","side"]`, `["side","side",0.9]`, "/edges/0", "an edge with a probability is for version 2"},
		{`"sparseness":2`, `"sparseness":2,"dirichlet":1`, "/dirichlet", "version 2 has it"},
		{`"sparseness":2`, `"sparseness":2,"dirichlet":0`, "/dirichlet", "version 2 has it"},
		{`"sparseness":2`, `"sparseness":2,"dirichlet":{"mix":[1]}`, "/dirichlet", "the concentration mix:1 is for version 3"},
		{`"sparseness":2`, `"sparseness":2,"tables":"rows"`, "/tables", "version 3 has it"},
		{`"sparseness":2`, `"sparseness":2,"trust":1`, "/trust", "unknown field"},
		{`["side","side"]`, `[]`, "/edges/0", "expected an array of 2"},
		{`["side","side"]`, `null`, "/edges/0", "null is not allowed here"},
		{`["side","side"]`, `["side",null]`, "/edges/0/1", "null is not allowed here"},
		{`["side","side"]`, `["heads","side"]`, "/edges/0/0", `there is no variable "heads" for the edge to start from`},
		{`["side","side"]`, `["side","flip"]`, "/edges/0/1", `there is no state variable "flip" for the edge to lead to`},
		{`["side","side"]`, `["side","side"],["side","side"]`, "/edges/1", `the edge from "side" to "side" is listed twice`},
		{`["side","side"]`, `{"0":"side"}`, "/edges/0", "expected an array of 2"},
	}...))
}

func TestStrictPrior2(t *testing.T) {
	two := strings.Replace(strings.TrimSpace(string(formattest.Read(t, "prior-v2.json"))), `{"*":2,"weather":1}`, `{"side":1,"*":2}`, 1)
	formattest.Strict(t, "prior", two, againPrior, append(formattest.Common("sparseness", "/sparseness"), []formattest.Edit{
		{`"version":2`, `"version":5`, "/version", "version 5 of cpsrl/prior is unknown"},
		{`{"ess":1}`, `{"ess":1},"tables":"tied"`, "/tables", "unknown field; version 3 has it"},
		{`{"ess":1}`, `{"ess":1},"tables":"rows"`, "/tables", "unknown field; version 3 has it"},
		{`{"ess":1}`, `{"mix":[0.1,1]}`, "/dirichlet", "the concentration mix:0.1:1 is for version 3"},
		{`"flip","side",0.9`, `"flip","side",1.1`, "/edges/2/2", "1.1 is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999"},
		{`"flip","side",0.9`, `"flip","side",-0.1`, "/edges/2/2", "-0.1 is not a probability"},
		{`"flip","side",0.9`, `"flip","side",1e-7`, "/edges/2/2", "1e-07 is not a probability"},
		{`"flip","side",0.9`, `"flip","side",0.9999999`, "/edges/2/2", "0.9999999 is not a probability"},
		{`"flip","side",0.9`, `"flip","side",1e400`, "/edges/2/2", "expected a number, found 1e400"},
		{`"flip","side",0.9`, `"flip","side",null`, "/edges/2/2", "null is not allowed here"},
		{`"flip","side",0.9`, `"flip","side",0.9],["flip","side"`, "/edges/3", `the edge from "flip" to "side" is listed twice`},
		{`"flip","side",0.9`, `"flip","side",0.5],["flip","side",0`, "/edges/3", "is listed twice"},
		{`"flip","side",0.9`, `"flap","side",0.9`, "/edges/2/0", `there is no variable "flap"`},
		{`{"side":1,"*":2}`, `{"side":1}`, "/sparseness", `"*", is missing`},
		{`{"side":1,"*":2}`, `{"edge":1,"*":2}`, "/sparseness/edge", `there is no state variable "edge"`},
		{`{"side":1,"*":2}`, `{"flip":1,"*":2}`, "/sparseness/flip", `there is no state variable "flip"`},
		{`{"side":1,"*":2}`, `{"side":1,"side":1,"*":2}`, "/sparseness/side", "duplicate"},
		{`{"ess":1}`, `{"ess":0}`, "/dirichlet", "0 is out of range"},
		{`{"ess":1}`, `null`, "/dirichlet", "null is not allowed here"},
	}...))
}

func TestStrictPrior3(t *testing.T) {
	three := strings.TrimSpace(string(formattest.Read(t, "prior-v3.json")))
	formattest.Strict(t, "prior", three, againPrior, append(formattest.Common("sparseness", "/sparseness"), []formattest.Edit{
		{`"tables":"tied"`, `"tables":"Tied"`, "/tables", `"Tied" is unknown; it must be one of rows, tied, trees`},
		{`"tables":"tied"`, `"tables":"trees"`, "/tables", "tables of trees are for version 4"},
		{`"tables":"tied"`, `"tables":""`, "/tables", `"" is unknown`},
		{`"tables":"tied"`, `"tables":null`, "/tables", "null is not allowed here"},
		{`"tables":"tied"`, `"tables":true`, "/tables", "expected a string, found a boolean"},
		{`{"mix":[0.01,0.1,1]}`, `{"mix":[1,1]}`, "/dirichlet", "1 is listed twice"},
	}...))
}

// A prior is written in the least version that can hold it. Oracle: the versions, by hand.
func TestPriorVersion(t *testing.T) {
	for rest, want := range map[string]string{
		``:                                     `"version":1,`,
		`,"dirichlet":1`:                       `"version":1,`,
		`,"dirichlet":{"learn":[0.1,1]}`:       `"version":2,`,
		`,"tables":"rows"`:                     `"version":1,`,
		`,"tables":"rows","dirichlet":0.1`:     `"version":2,`,
		`,"tables":"tied"`:                     `"version":3,`,
		`,"tables":"trees"`:                    `"version":4,`,
		`,"dirichlet":{"mix":[1]}`:             `"version":3,`,
		`,"tables":"tied","dirichlet":"mix:1"`: `"version":3,`,
	} {
		text := strings.Replace(strings.TrimSuffix(prior, "}"), `"version":1`, `"version":4`, 1) + rest + "}"
		got, err := againPrior([]byte(text))
		if err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%s: %s, %v; want %s", rest, got, err, want)
		}
	}
}

func TestStrictTransition(t *testing.T) {
	formattest.Strict(t, "transition", transition, againTransition, []formattest.Edit{
		{`"x"`, `"X"`, "/X", "unknown field"},
		{`"x":[0,2,1]`, `"x":[0,2,1],"x":[0,2,1]`, "/x", "duplicate"},
		{`[0,2,1]`, `[0,2]`, "/x", "2 values for 3 state and action variables"},
		{`[0,2,1]`, `[0,2,1,0]`, "/x", "4 values for 3 state and action variables"},
		{`[0,2,1]`, `[0,3,1]`, "/x/1", `"weather" has no value 3; its values are 0 to 2`},
		{`[0,2,1]`, `[-1,2,1]`, "/x/0", `"side" has no value -1`},
		{`[0,2,1]`, `[0,null,1]`, "/x/1", "null is not allowed here"},
		{`[1,0]`, `[1]`, "/y", "1 values for 2 state variables"},
		{`[1,0]`, `[1,3]`, "/y/1", `"weather" has no value 3`},
		{`[1,0]`, `[1,1.5]`, "/y/1", "expected a whole number, found 1.5"},
		{`,"y":[1,0]`, ``, "/y", `the field "y" is missing`},
	})
}

// Deep nesting ends in an error, not in a full stack.
func FuzzModel(f *testing.F) {
	formattest.Fuzz(f, []string{model, modelByLabels, "\ufeff" + model, string(formattest.Read(f, "model-v1.json"))}, againModel)
}

func FuzzPrior(f *testing.F) {
	bare := `{"format":"cpsrl/prior","version":1,"state":[{"name":"s","size":2}],"action":[],"sparseness":"1,s:2","edges":[]}`
	formattest.Fuzz(f, []string{prior, star, "\ufeff" + prior, bare, string(formattest.Read(f, "prior-v1.json")), string(formattest.Read(f, "prior-v2.json")), string(formattest.Read(f, "prior-v3.json")), string(formattest.Read(f, "prior-v4.json"))}, againPrior)
}

func FuzzTransition(f *testing.F) { formattest.Fuzz(f, []string{transition}, againTransition) }

func TestGraph(t *testing.T) {
	g := bigraph.Bigraph{bigraph.Of(2, 0), bigraph.Of()}
	list := document.NewGraph(g)
	if fmt.Sprint(list) != "[[0 2] []]" {
		t.Errorf("%v", list)
	}
	if got, err := list.Bigraph(3); err != nil || !slices.Equal(got, g) {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []document.Graph{{{3}}, {{-1}}, {{64}}} {
		if _, err := bad.Bigraph(3); err == nil {
			t.Errorf("%v was accepted", bad)
		}
	}
	space := formattest.Space
	for _, p := range []*bigraph.Prior{
		{Known: make(bigraph.Bigraph, 2)},
		{Known: bigraph.Bigraph{bigraph.Of(0, 2), bigraph.Of(1)}},
		{Known: bigraph.Bigraph{bigraph.Of(2), bigraph.Of()}, Forbidden: bigraph.Bigraph{bigraph.Of(), bigraph.Of(0, 1)}, Likely: []bigraph.Edge{{X: 0, Y: 0, P: 0.9}, {X: 1, Y: 0, P: 0.1}, {X: 2, Y: 1, P: 0.4}}},
	} {
		p.X = 3
		list := document.PriorEdges(p, space)
		slices.Reverse(list)
		if got, err := document.DecodeEdges(list, "", space); err != nil || !reflect.DeepEqual(got, p) {
			t.Errorf("%+v, %v, want %+v", got, err, p)
		}
	}
	if got, want := fmt.Sprint(document.EdgeList(bigraph.Bigraph{bigraph.Of(0, 2), bigraph.Of(1)}, space)), "[[side side] [flip side] [weather weather]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Another format is refused first, wherever the document names it.
func TestLateFormat(t *testing.T) {
	_, err := document.DecodePrior([]byte(`{"state":null,"x":1,"version":1,"format":"cpsrl/model"}`))
	formattest.WantError(t, "a late format", err, "/format", `the format is "cpsrl/model"`)
}
