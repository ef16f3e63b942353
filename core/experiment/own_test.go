package experiment

import (
	"fmt"
	"slices"
	"testing"

	"cpsrl/core/arm"
	"cpsrl/core/concentration"
	"cpsrl/core/param"
	"cpsrl/core/record"
)

// An agent assumes what its label says of tables, else what the spec says, and the spec's default
// depends on the domain and on its version. Oracle: the table, by hand.
func TestLaw(t *testing.T) {
	const coin = `{"name":"model","model":{"format":"cpsrl/model","version":1,"horizon":2,"state":[{"name":"side","size":2}],"action":[{"name":"flip","size":2}],` +
		`"initial":"uniform","transition":[{"of":"side","given":["flip"],"p":[[1,0],[0.5,0.5]]}],"reward":[]}}`
	const mix = "mix:0.01:0.1:1"
	for _, c := range []struct {
		version     int
		spec, agent string
		alpha       string
		tables      concentration.Structure
	}{
		{3, `"domain":{"name":"figure1"}`, "c-psrl", "1", concentration.Rows},
		{3, `"domain":{"name":"figure1"},"tables":"tied"`, "c-psrl", "1", concentration.Tied},
		{3, `"domain":{"name":"figure1"},"tables":"tied"`, "f-psrl:tables=rows", "1", concentration.Rows},
		{3, `"domain":{"name":"figure1"}`, "greedy:tables=tied", "1", concentration.Tied},
		{3, `"domain":{"name":"figure1"},"dirichlet":0.1`, "f-psrl:dirichlet=" + mix, mix, concentration.Rows},
		{1, `"domain":` + coin, "c-psrl", "1", concentration.Rows},
		{2, `"domain":` + coin, "c-psrl", "1", concentration.Rows},
		{3, `"domain":` + coin, "c-psrl", mix, concentration.Tied},
		{3, `"domain":` + coin + `,"dirichlet":1`, "f-psrl", "1", concentration.Tied},
		{3, `"domain":` + coin + `,"tables":"rows"`, "greedy", mix, concentration.Rows},
		{3, `"domain":` + coin, "c-psrl:dirichlet=0.5,tables=rows", "0.5", concentration.Rows},
	} {
		e := decoded(t, fmt.Sprintf(`{"format":"cpsrl/spec","version":%d,%s,"agents":[%q],"episodes":1}`, c.version, c.spec, c.agent))
		learner, learns := e.Arms()[0].Config.(arm.Learner)
		if !learns {
			t.Fatalf("%s learns no tables", c.agent)
		}
		if law := learner.Law(e.first.Task()); law.Rows.String() != c.alpha || law.Structure != c.tables {
			t.Errorf("version %d, %s, %s: α = %s, %v; want %s, %v", c.version, c.spec, c.agent, law.Rows, law.Structure, c.alpha, c.tables)
		}
	}
}

// An agent with an α or with tables of its own plays by them: its records do not depend on the
// spec's.
func TestOwnConcentration(t *testing.T) {
	lines := func(label, law string) (all []byte) {
		e := decoded(t, fmt.Sprintf(`{"format":"cpsrl/spec","version":3,"domain":{"name":"figure1"},%s,"agents":[%q],"episodes":4,"runs":2,"seed":3}`, law, label))
		for r, err := range e.Run() {
			if err != nil {
				t.Fatal(err)
			}
			all = record.AppendRecord(all, r)
		}
		return all
	}
	seen := 0
	for _, k := range arm.Kinds() {
		if !slices.ContainsFunc(k.New().Params(), func(p param.Param) bool { return p.Name == "dirichlet" }) {
			continue
		}
		seen++
		if own := k.Key + ":dirichlet=0.1"; string(lines(own, `"dirichlet":1`)) != string(lines(own, `"dirichlet":0.1`)) {
			t.Errorf("%s plays by the spec's α", own)
		}
		if k.Key == "psrl" { // it has one table for all variables
			continue
		}
		if own := k.Key + ":tables=tied"; string(lines(own, `"tables":"rows"`)) != string(lines(own, `"tables":"tied"`)) {
			t.Errorf("%s plays by the spec's tables", own)
		}
	}
	if seen < 4 {
		t.Errorf("%d kinds have an α of their own", seen)
	}
}
