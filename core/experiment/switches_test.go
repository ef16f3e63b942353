package experiment_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/internal/small"
)

// place is the run and the episode of a record.
type place struct{ run, episode int }

// playedBy runs a spec, given as a text, and returns the record lines of
// every agent by their place.
func playedBy(t testing.TB, text string) map[string]map[place]string {
	t.Helper()
	sp, err := spec.Decode([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	e, err := experiment.New(sp)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	lines := map[string]map[place]string{}
	for _, label := range sp.Agents {
		lines[label] = map[place]string{}
	}
	for r, err := range e.Run() {
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		lines[r.Agent][place{r.Run, r.Episode}] = string(record.AppendRecord(nil, r))
	}
	return lines
}

// patched returns the text with a JSON merge patch (RFC 7396) applied.
func patched(t testing.TB, text, patch string) string {
	t.Helper()
	var target, change map[string]any
	for text, into := range map[string]*map[string]any{text: &target, patch: &change} {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(into); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	merge(target, change)
	data, err := json.Marshal(target)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func merge(target, change map[string]any) {
	for key, value := range change {
		inner, ok := value.(map[string]any)
		have, _ := target[key].(map[string]any)
		switch {
		case value == nil:
			delete(target, key)
		case ok && have != nil:
			merge(have, inner)
		default:
			target[key] = value
		}
	}
}

// The agents that a switch may concern. The records of an agent depend on its label and on
// the parts of the spec that its label makes it use.
var (
	everyone = strings.Fields("psrl f-psrl f-psrl:graph=prior c-psrl c-psrl:eta=0 c-psrl:eta=1")
	nobody   []string
	// G_0 of the spec
	onPrior = strings.Fields("f-psrl:graph=prior c-psrl")
	// G_0 with its probabilities; F-PSRL takes edges with a probability above ½ as certain
	soft = []string{"c-psrl"}
	// factored tables
	factored = strings.Fields("f-psrl f-psrl:graph=prior c-psrl c-psrl:eta=0 c-psrl:eta=1")
	// a hyper-prior over graphs
	causal = strings.Fields("c-psrl c-psrl:eta=0 c-psrl:eta=1")
)

const (
	specStart   = `{"format":"cpsrl/spec","version":2,"agents":["psrl","f-psrl","f-psrl:graph=prior","c-psrl","c-psrl:eta=0","c-psrl:eta=1"],`
	ownStart    = `{"format":"cpsrl/model","version":1,`
	randomSpec  = specStart + `"domain":{"name":"random-fmdp","stateVariables":3,"actionVariables":1,"parents":2,"horizon":6,"rewardScopes":"tied"},"sparseness":3,"episodes":3,"firstRun":2,"runs":2,"seed":11}`
	uniformSpec = specStart + `"domain":{"name":"random-fmdp","stateVariables":4,"actionVariables":1,"parents":"uniform","horizon":5,"rewardScopes":"tied"},"sparseness":4,"episodes":2,"runs":3,"seed":12}`
	taxiSpec    = specStart + `"domain":{"name":"taxi","grid":"3x3","horizon":8},"sparseness":5,"episodes":2,"runs":1,"seed":13}`
	figure1Spec = specStart + `"domain":{"name":"figure1","horizon":8},"sparseness":3,"episodes":3,"runs":2,"seed":14}`
	modelSpec   = specStart + `"domain":{"name":"model","model":` + ownStart + `"name":"own","horizon":6,` +
		`"state":[{"name":"a","size":2},{"name":"b","size":3}],"action":[{"name":"c","size":2}],"initial":"uniform",` +
		`"transition":[{"of":"a","given":["b"],"p":[[1,0],[0.5,0.5],[0.25,0.75]]},{"of":"b","given":["a","c"],"p":[[0.5,0.25,0.25],[0,0,1],[0.1,0.2,0.7],[1,0,0]]}],` +
		`"reward":[{"given":["a","c"],"mean":[0,1,0.5,0.25],"kind":"fixed"},{"of":"a","given":["b"],"mean":[0.1,0.2,0.9],"kind":"bernoulli","scale":2}]}},` +
		`"prior":{"edges":[["b","a"],["c","b"]]},"sparseness":2,"episodes":3,"runs":2,"seed":15}`
)

// Each row of switches flips a switch or a parameter of a spec and lists the agents whose
// records differ at the places that both specs have.
var switches = []struct {
	name, spec, patch string
	concerned         []string
}{
	{"random", randomSpec, `{}`, nobody},
	{"random, stateVariables", randomSpec, `{"domain":{"stateVariables":2}}`, everyone},
	{"random, actionVariables", randomSpec, `{"domain":{"actionVariables":2}}`, everyone},
	{"random, values", randomSpec, `{"domain":{"values":3}}`, everyone},
	{"random, parents", randomSpec, `{"domain":{"parents":3}}`, everyone},
	{"random, horizon", randomSpec, `{"domain":{"horizon":5}}`, everyone},
	{"random, prior.eta 2", randomSpec, `{"prior":{"eta":2}}`, nobody}, // the default
	{"random, prior.eta 1", randomSpec, `{"prior":{"eta":1}}`, onPrior},
	{"random, prior.edges", randomSpec, `{"prior":{"edges":[["X4","X1"],["X1","X2"]]}}`, onPrior},
	{"random, no edges", randomSpec, `{"prior":{"edges":[]}}`, onPrior},
	// A known edge has the probability 1, and an edge that is not listed has ½.
	{"random, edges of certainty", randomSpec, `{"prior":{"edges":[["X4","X1",1],["X1","X2",1],["X2","X3",0.5]]}}`, onPrior},
	{"random, soft edges", randomSpec, `{"prior":{"edges":[["X4","X1",0.9],["X1","X2",0.25]]}}`, onPrior},
	{"random, forbidden edges", randomSpec, `{"prior":{"edges":[["X4","X1",0],["X1","X2"]]}}`, onPrior},
	{"random, tables", randomSpec, `{"version":3,"tables":"tied"}`, factored},
	{"random, mixed rows", randomSpec, `{"version":3,"dirichlet":{"mix":[0.1,1]}}`, factored},
	{"random, mixed rows of one α", randomSpec, `{"version":3,"dirichlet":{"mix":[1]}}`, nobody},
	{"random, trees", randomSpec, `{"version":6,"tables":"trees","dirichlet":{"mix":[0.1,1]}}`, factored},
	{"random, tied and mixed", randomSpec, `{"version":3,"tables":"tied","dirichlet":{"mix":[0.1,1]}}`, factored},
	{"random, planner", randomSpec, `{"version":7,"planner":"uct:3:2"}`, everyone},
	{"uniform, planner", uniformSpec, `{"version":7,"planner":"rollout:1:1"}`, everyone},
	{"taxi, planner", taxiSpec, `{"version":7,"planner":"uct:2:1"}`, everyone},
	{"figure1, planner", figure1Spec, `{"version":7,"planner":"rollout:1:2"}`, everyone},
	{"model, planner", modelSpec, `{"version":7,"planner":"uct:5:3"}`, everyone},
	{"uniform, depth", uniformSpec, `{"version":3,"depth":"yes"}`, causal},
	{"random, trust 1", randomSpec, `{"prior":{"eta":2,"trust":1,"false":0}}`, nobody},
	{"random, trust", randomSpec, `{"prior":{"eta":2,"trust":0.99}}`, soft},
	{"random, trust in the suggestion", randomSpec, `{"prior":{"trust":0.99}}`, soft},
	{"random, trust of a half", randomSpec, `{"prior":{"trust":0.5}}`, onPrior},
	{"random, false edges", randomSpec, `{"prior":{"eta":1,"false":1}}`, onPrior},
	{"random, trust and false edges", randomSpec, `{"prior":{"eta":1,"trust":0.9,"false":2}}`, onPrior},
	{"random, soft edges and dirichlet", randomSpec, `{"prior":{"edges":[["X4","X1",0.9]]},"dirichlet":{"learn":[0.1,1]},"rewards":"learned"}`, everyone},
	{"random, sparseness", randomSpec, `{"sparseness":2}`, causal},
	{"random, sparseness by variable", randomSpec, `{"sparseness":{"X2":2,"*":3}}`, causal},
	{"random, sparseness by variable, all alike", randomSpec, `{"sparseness":{"X2":3,"*":3}}`, nobody},
	{"random, sparseness by variable, below", randomSpec, `{"sparseness":{"X1":4,"*":3},"bound":"below"}`, causal},
	{"random, bound", randomSpec, `{"bound":"below"}`, causal},
	{"random, update", randomSpec, `{"update":"printed"}`, causal},
	{"random, rewards", randomSpec, `{"rewards":"learned"}`, everyone},
	{"random, dirichlet", randomSpec, `{"dirichlet":0.1}`, factored},
	{"random, dirichlet 1", randomSpec, `{"dirichlet":1}`, nobody},
	{"random, dirichlet above 1", randomSpec, `{"dirichlet":2.5}`, factored},
	{"random, dirichlet ess", randomSpec, `{"dirichlet":{"ess":1}}`, factored},
	{"random, dirichlet learned", randomSpec, `{"dirichlet":{"learn":[0.01,0.1,1]}}`, factored},
	{"random, dirichlet printed", randomSpec, `{"dirichlet":0.1,"update":"printed"}`, factored},
	{"random, dirichlet and rewards", randomSpec, `{"dirichlet":{"learn":[0.1,1]},"rewards":"learned"}`, everyone},
	{"random, tables as they are", randomSpec, `{"version":3,"tables":"rows","depth":"no"}`, nobody},
	{"random, rows", randomSpec, `{"domain":{"rows":0.1}}`, everyone},
	{"random, rows ess", randomSpec, `{"domain":{"rows":{"ess":1}}}`, everyone},
	{"random, rows learned", randomSpec, `{"domain":{"rows":{"learn":[0.01,1]}},"dirichlet":{"learn":[0.01,1]}}`, everyone},
	{"random, reward scopes", randomSpec, `{"domain":{"rewardScopes":"own"}}`, everyone},
	{"random, reward scopes, learned", randomSpec, `{"domain":{"rewardScopes":"own"},"rewards":"learned"}`, everyone},
	{"random, reward scopes as they are", randomSpec, `{"domain":{"rewardScopes":"tied"}}`, nobody},
	{"random, episodes", randomSpec, `{"episodes":4}`, nobody},
	{"random, firstRun", randomSpec, `{"firstRun":3}`, nobody},
	{"random, runs", randomSpec, `{"runs":1}`, nobody},
	{"random, seed", randomSpec, `{"seed":9007199254740991}`, everyone},
	{"random, arms", randomSpec, `{"priors":{"expert":{"edges":[["X4","X1",0.9],["X1","X2"]]},"wrong":{"eta":1,"trust":0.9,"false":1}},
		"agents":["c-psrl:prior=expert","c-psrl","c-psrl:prior=wrong","c-psrl:eta=2,dirichlet=0.1,update=printed,prior=wrong","f-psrl:dirichlet=ess:1","f-psrl:prior=expert","psrl"]}`, nobody},
	{"random, dirichlet of PSRL", randomSpec, `{"agents":["psrl:dirichlet=0.1","psrl:dirichlet=ess:1","psrl"]}`, nobody},
	{"random, agents", randomSpec, `{"agents":["c-psrl:eta=1","c-psrl","psrl","c-psrl:eta=64"]}`, nobody},

	// The truth is drawn from the prior: η, Z and the bound shape it.
	{"uniform", uniformSpec, `{}`, nobody},
	{"uniform, parents", uniformSpec, `{"domain":{"parents":4}}`, everyone},
	{"uniform, prior.eta 2", uniformSpec, `{"prior":{"eta":2}}`, nobody},
	{"uniform, prior.eta 0", uniformSpec, `{"prior":{"eta":0}}`, everyone},
	{"uniform, prior.edges", uniformSpec, `{"prior":{"edges":[["X5","X1"],["X1","X3"]]}}`, onPrior},
	{"uniform, false edges", uniformSpec, `{"prior":{"trust":0.9,"false":1}}`, onPrior},
	{"uniform, sparseness", uniformSpec, `{"sparseness":3}`, everyone},
	{"uniform, sparseness by variable", uniformSpec, `{"sparseness":{"X1":2,"*":4}}`, everyone},
	{"uniform, bound", uniformSpec, `{"bound":"below"}`, everyone},
	{"uniform, update", uniformSpec, `{"update":"printed"}`, causal},
	{"uniform, rewards", uniformSpec, `{"rewards":"learned"}`, everyone},
	{"uniform, reward scopes", uniformSpec, `{"domain":{"rewardScopes":"own"}}`, everyone},
	{"uniform, dirichlet", uniformSpec, `{"dirichlet":0.1}`, factored},
	{"uniform, tables as they are", uniformSpec, `{"version":3,"tables":"rows","depth":"no"}`, nobody},
	{"uniform, firstRun", uniformSpec, `{"firstRun":1}`, nobody},

	{"taxi", taxiSpec, `{}`, nobody},
	{"taxi, grid", taxiSpec, `{"domain":{"grid":"5x5"}}`, everyone},
	{"taxi, horizon", taxiSpec, `{"domain":{"horizon":9}}`, everyone},
	{"taxi, prior.eta", taxiSpec, `{"prior":{"eta":1}}`, onPrior},
	{"taxi, prior.edges", taxiSpec, `{"prior":{"edges":[["col","row"],["move","passenger"]]}}`, onPrior},
	{"taxi, soft edges", taxiSpec, `{"prior":{"edges":[["col","row",0.9],["move","passenger",0.999],["row","destination",0]]}}`, onPrior},
	{"taxi, false edges", taxiSpec, `{"prior":{"trust":0.9,"false":1}}`, onPrior},
	{"taxi, sparseness", taxiSpec, `{"sparseness":3}`, causal},
	{"taxi, bound", taxiSpec, `{"bound":"below"}`, causal},
	{"taxi, update", taxiSpec, `{"update":"printed"}`, causal},
	{"taxi, rewards", taxiSpec, `{"rewards":"learned"}`, everyone},
	{"taxi, dirichlet", taxiSpec, `{"dirichlet":0.1}`, factored},
	{"taxi, tables as they are", taxiSpec, `{"version":3,"tables":"rows","depth":"no"}`, nobody},
	{"taxi, seed", taxiSpec, `{"seed":0}`, everyone},

	{"figure1", figure1Spec, `{}`, nobody},
	{"figure1, horizon", figure1Spec, `{"domain":{"horizon":7}}`, everyone},
	{"figure1, prior.eta", figure1Spec, `{"prior":{"eta":1}}`, onPrior},
	{"figure1, prior.edges", figure1Spec, `{"prior":{"edges":[["X3","X2"]]}}`, onPrior},
	{"figure1, false edges", figure1Spec, `{"prior":{"trust":0.9,"false":1}}`, onPrior},
	{"figure1, sparseness", figure1Spec, `{"sparseness":4}`, causal},
	{"figure1, bound", figure1Spec, `{"bound":"below"}`, causal},
	{"figure1, update", figure1Spec, `{"update":"printed"}`, causal},
	{"figure1, rewards", figure1Spec, `{"rewards":"learned"}`, everyone},
	{"figure1, dirichlet", figure1Spec, `{"dirichlet":0.1}`, factored},
	{"figure1, tables as they are", figure1Spec, `{"version":3,"tables":"rows","depth":"no"}`, nobody},
	{"figure1, rows", figure1Spec, `{"domain":{"rows":0.1}}`, everyone},
	{"figure1, rows ess", figure1Spec, `{"domain":{"rows":{"ess":1}}}`, everyone},
	{"figure1, seed", figure1Spec, `{"seed":1}`, everyone},

	{"model", modelSpec, `{}`, nobody},
	{"model, name", modelSpec, `{"domain":{"model":{"name":"another"}}}`, nobody},
	{"model, horizon", modelSpec, `{"domain":{"model":{"horizon":5}}}`, everyone},
	{"model, initial", modelSpec, `{"domain":{"model":{"initial":[{"state":[1,2],"p":1}]}}}`, everyone},
	{"model, names", modelSpec, `{"domain":{"model":{"action":[{"name":"c","size":2,"values":["left","right"]}]}}}`, nobody},
	{"model, size", modelSpec, `{"domain":{"model":{"action":[{"name":"c","size":2},{"name":"d","size":2}]}}}`, everyone},
	{"model, transition", modelSpec, `{"domain":{"model":{"transition":[{"of":"a","given":["b"],"p":[[1,0],[0.5,0.5],[0.75,0.25]]},{"of":"b","given":["a","c"],"p":[[0.5,0.25,0.25],[0,0,1],[0.1,0.2,0.7],[1,0,0]]}]}}}`, everyone},
	{"model, reward", modelSpec, `{"domain":{"model":{"reward":[{"given":["a","c"],"mean":[0,1,0.5,0.25],"kind":"fixed"},{"of":"a","given":["b"],"mean":[0.1,0.2,0.9],"kind":"fixed","scale":1}]}}}`, everyone},
	{"model, scale", modelSpec, `{"domain":{"model":{"reward":[{"given":["a","c"],"mean":[0,1,0.5,0.25],"kind":"fixed"},{"of":"a","given":["b"],"mean":[0.1,0.2,0.9],"kind":"bernoulli","scale":3}]}}}`, everyone},
	{"model, no prior", modelSpec, `{"prior":null}`, onPrior},
	{"model, prior.eta", modelSpec, `{"prior":{"eta":2,"edges":null}}`, onPrior},
	{"model, prior.edges", modelSpec, `{"prior":{"edges":[["a","a"]]}}`, onPrior},
	{"model, sparseness", modelSpec, `{"sparseness":3}`, causal},
	{"model, bound", modelSpec, `{"bound":"below"}`, causal},
	{"model, update", modelSpec, `{"update":"printed"}`, causal},
	{"model, rewards", modelSpec, `{"rewards":"learned"}`, everyone},
	{"model, dirichlet", modelSpec, `{"dirichlet":0.1}`, factored},
	{"model, dirichlet 1", modelSpec, `{"dirichlet":1}`, nobody},
	{"model, dirichlet above 1", modelSpec, `{"dirichlet":2.5}`, factored},
	{"model, dirichlet ess", modelSpec, `{"dirichlet":{"ess":1}}`, factored},
	{"model, dirichlet learned", modelSpec, `{"dirichlet":{"learn":[0.01,0.1,1]}}`, factored},
	{"model, dirichlet printed", modelSpec, `{"dirichlet":0.1,"update":"printed"}`, factored},
	{"model, dirichlet and rewards", modelSpec, `{"dirichlet":{"learn":[0.1,1]},"rewards":"learned"}`, everyone},
	{"model, the tables and the concentration of version 2", modelSpec, `{"version":3,"dirichlet":1,"tables":"rows","depth":"no"}`, nobody},
	{"model, tables drawn for each run", modelSpec, `{"version":4,"domain":{"tables":"resampled"}}`, everyone},
	{"model, firstRun", modelSpec, `{"firstRun":1}`, nobody},
	{"model, seed", modelSpec, `{"seed":1}`, everyone},
}

// A switch changes the records of the agents that it concerns and no byte of the others.
// The records have the runs and episodes of the spec.
func TestSwitches(t *testing.T) {
	plain := map[string]map[string]map[place]string{}
	for _, s := range switches {
		if plain[s.spec] == nil {
			plain[s.spec] = playedBy(t, s.spec)
		}
		text := patched(t, s.spec, s.patch)
		got := playedBy(t, text)
		var asked struct {
			Agents                   []string
			Episodes, FirstRun, Runs int
		}
		if err := json.Unmarshal([]byte(text), &asked); err != nil {
			t.Fatal(err)
		}
		if labels := slices.Sorted(maps.Keys(got)); !slices.Equal(labels, slices.Sorted(slices.Values(asked.Agents))) {
			t.Errorf("%s: the agents are %q", s.name, labels)
		}
		for label, lines := range got {
			if len(lines) != asked.Runs*asked.Episodes {
				t.Errorf("%s: %d records of %q", s.name, len(lines), label)
			}
			differ, common := false, 0
			for at, line := range lines {
				if at.run < asked.FirstRun || at.run >= asked.FirstRun+asked.Runs || at.episode < 1 || at.episode > asked.Episodes {
					t.Errorf("%s: a record of %q at run %d, episode %d", s.name, label, at.run, at.episode)
				}
				if before, has := plain[s.spec][label][at]; has {
					common++
					differ = differ || line != before
				}
			}
			if _, has := plain[s.spec][label]; has && common == 0 {
				t.Errorf("%s: nothing of %q to compare", s.name, label)
			}
			if want := slices.Contains(s.concerned, label); differ != want {
				t.Errorf("%s: that the records of %q differ is %v, want %v", s.name, label, differ, want)
			}
		}
	}
}

// Every member of a spec's form is flipped by a row, in each domain that has it.
func TestSwitchesAreComplete(t *testing.T) {
	flipped := map[string]bool{}
	specs := map[string]string{}
	for _, s := range switches {
		if s.patch == `{}` {
			specs[s.spec] = s.name
		}
		var patch map[string]any
		if err := json.Unmarshal([]byte(s.patch), &patch); err != nil {
			t.Fatal(err)
		}
		var walk func(at string, members map[string]any)
		walk = func(at string, members map[string]any) {
			for key, value := range members {
				flipped[s.spec+at+"/"+key] = true
				flipped[at+"/"+key] = true
				if inner, ok := value.(map[string]any); ok {
					walk(at+"/"+key, inner)
				}
			}
		}
		walk("", patch)
	}
	for text, name := range specs {
		sp, err := spec.Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range spec.Fields(sp) {
			switch f.Place {
			case "/domain/name":
			case "/episodes", "/firstRun", "/runs", "/seed": // the same loop for every domain
				if !flipped[f.Place] {
					t.Errorf("no row flips %s", f.Place)
				}
			default:
				own := f.Place
				if text == modelSpec && own == "/domain/horizon" { // the model determines it
					own = "/domain/model/horizon"
				}
				if !flipped[text+own] && !(text == uniformSpec && strings.HasPrefix(own, "/domain/")) {
					t.Errorf("%s: no row flips %s", name, own)
				}
			}
		}
	}
}

// An agent uses the graph and the prior that its label names. Records of different labels
// always differ, because labels name random streams, so the test compares graphs.
func TestLabels(t *testing.T) {
	text := patched(t, randomSpec, `{"domain":{"parents":3},"sparseness":4,"prior":{"edges":[["X4","X1"],["X1","X2"],["X2","X2"]]},
		"agents":["f-psrl","f-psrl:graph=prior","c-psrl","c-psrl:eta=0","c-psrl:eta=1","c-psrl:eta=2","c-psrl:eta=64"],"episodes":2}`)
	edges := [][]int{{3}, {0, 1}, {}}
	played := playedBy(t, text)
	truth := map[int][][]int{}
	for at, line := range played["f-psrl"] {
		truth[at.run] = decoded(t, line).Belief.Graph
	}
	if fmt.Sprint(truth[2]) == fmt.Sprint(truth[3]) {
		t.Error("two runs have the same true graph")
	}
	for label, lines := range played {
		for at, line := range lines {
			b := decoded(t, line).Belief
			// After few steps only the known edges are certain.
			known := make([][]int, len(b.Edges))
			for j, row := range b.Edges {
				for i, p := range row {
					if p == 1 {
						known[j] = append(known[j], i)
					}
				}
			}
			same := func(g, h [][]int) bool { return fmt.Sprint(g) == fmt.Sprint(h) }
			right := false
			switch label {
			case "f-psrl":
				right = same(known, truth[at.run]) && same(b.Graph, truth[at.run]) && b.Superset && b.Precision == 1
			case "f-psrl:graph=prior":
				right = same(known, edges) && same(b.Graph, edges)
			case "c-psrl":
				right = same(known, edges)
			case "c-psrl:eta=64":
				right = same(known, truth[at.run]) && b.Superset
			default:
				var eta int
				if _, err := fmt.Sscanf(label, "c-psrl:eta=%d", &eta); err != nil {
					t.Fatal(err)
				}
				right = true
				for j, z := range known {
					right = right && len(z) == eta && isSubset(z, truth[at.run][j])
				}
			}
			if !right {
				t.Errorf("%q in run %d, episode %d: plays %v and is certain of %v", label, at.run, at.episode, b.Graph, known)
			}
		}
	}
}

func decoded(t testing.TB, line string) *record.Record {
	t.Helper()
	r, err := record.DecodeRecord([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func isSubset(z, of []int) bool {
	for _, i := range z {
		if !slices.Contains(of, i) {
			return false
		}
	}
	return true
}

// With "uniform" parents the truth is in the support of the prior: parent sets have from η
// to Z parents, or with the bound "below" fewer than Z, and every size occurs.
func TestUniformParentsAreInTheSupport(t *testing.T) {
	for _, c := range []struct {
		patch     string
		low, high int
	}{
		{`{}`, 2, 4},
		{`{"bound":"below"}`, 2, 3},
		{`{"bound":"below","sparseness":3,"prior":{"eta":0}}`, 0, 2},
		{`{"sparseness":2,"prior":{"eta":1}}`, 1, 2},
		{`{"bound":"below","sparseness":9}`, 2, 5},
		{`{"sparseness":{"*":3,"X1":3,"X2":3,"X3":3,"X4":3}}`, 2, 3},
		{`{"sparseness":{"*":5,"X1":3,"X2":3,"X3":3,"X4":4}}`, 2, 4},
	} {
		// The whole true graph as a prior is refused if the bound does not allow it.
		text := patched(t, patched(t, uniformSpec, c.patch), `{"domain":{"horizon":1},"agents":["f-psrl","c-psrl:eta=64"],"episodes":1,"runs":40}`)
		sizes := map[int]bool{}
		for at, line := range playedBy(t, text)["f-psrl"] {
			for _, z := range decoded(t, line).Belief.Graph {
				sizes[len(z)] = true
				if len(z) < c.low || len(z) > c.high {
					t.Errorf("%s: %d true parents in run %d", c.patch, len(z), at.run)
				}
			}
		}
		if len(sizes) != c.high-c.low+1 {
			t.Errorf("%s: the numbers of true parents are %v", c.patch, sizes)
		}
	}
}

// The report on discovery scores the most probable graph of each run against the
// true graph of that run.
func TestDiscoveryByRun(t *testing.T) {
	for name, text := range map[string]string{
		"random":  patched(t, randomSpec, `{"episodes":6,"runs":5}`),
		"uniform": patched(t, uniformSpec, `{"episodes":4,"firstRun":3,"runs":5}`),
		"figure1": patched(t, figure1Spec, `{"episodes":6,"runs":3}`),
	} {
		sp, err := spec.Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		e := ready(t, sp)
		summary := results.NewSummary(e)
		truth, last := map[int]document.Graph{}, map[string]map[int]document.Graph{}
		for r, err := range e.Run() {
			if err != nil {
				t.Fatal(err)
			}
			if err := summary.Add(r); err != nil {
				t.Fatal(err)
			}
			if r.Agent == "f-psrl" { // it plays the true graph
				truth[r.Run] = r.Belief.Graph
			}
			if r.Belief != nil {
				if last[r.Agent] == nil {
					last[r.Agent] = map[int]document.Graph{}
				}
				last[r.Agent][r.Run] = r.Belief.Best
			}
		}
		reports, err := summary.Discovery()
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range reports {
			var want results.DiscoveryScores
			for run, best := range last[d.Agent] {
				hits, edges, all := 0, 0, 0
				for j, z := range truth[run] {
					all += len(z)
					edges += len(best[j])
					for _, i := range z {
						if slices.Contains(best[j], i) {
							hits++
						}
					}
				}
				if hits == all {
					want.Superset++
				}
				share := func(of int) float64 {
					if of == 0 {
						return 1
					}
					return float64(hits) / float64(of)
				}
				want.Recall += share(all)
				want.Precision += share(edges)
				want.Parents += float64(edges) / float64(len(best))
			}
			n := float64(sp.Runs)
			got := d.Best
			if d.Runs != sp.Runs || !small.Close(got.Superset, want.Superset/n) || !small.Close(got.Recall, want.Recall/n) || !small.Close(got.Precision, want.Precision/n) || !small.Close(got.Parents, want.Parents/n) {
				t.Errorf("%s, %q: best %+v over %d runs, want %+v in all", name, d.Agent, got, d.Runs, want)
			}
			if d.Agent == "f-psrl" && (got.Recall != 1 || got.Precision != 1) {
				t.Errorf("%s: F-PSRL does not know the true graphs: %+v", name, got)
			}
		}
	}
}

// New checks the first run, which need not be run 0. Here the tables of the true model are
// too large in the runs that draw two parents.
func TestCheckOfFirstRun(t *testing.T) {
	answers := map[bool]int{}
	for first := range 6 {
		sp, err := spec.Decode(fmt.Appendf(nil, `{"format":"cpsrl/spec","version":1,"domain":{"name":"random-fmdp","stateVariables":1,"actionVariables":1,"values":300,"parents":"uniform","horizon":1},
			"prior":{"eta":0},"sparseness":2,"agents":["f-psrl"],"episodes":1,"firstRun":%d,"runs":1,"seed":1}`, first))
		if err != nil {
			t.Fatal(err)
		}
		_, checked := experiment.New(sp)
		_, built := experiment.NewInstance(sp, first)
		if fmt.Sprint(checked) != fmt.Sprint(built) {
			t.Errorf("run %d: New says %v, NewInstance says %v", first, checked, built)
		}
		answers[checked == nil]++
	}
	if len(answers) != 2 {
		t.Errorf("all runs have the same answer: %v", answers)
	}
}
