package session_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/agent"
	"cpsrl/core/arm"
	"cpsrl/core/bigraph"
	"cpsrl/core/concentration"
	"cpsrl/core/document"
	"cpsrl/core/evidence"
	"cpsrl/core/experiment"
	"cpsrl/core/fmdp"
	"cpsrl/core/format"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
	"cpsrl/core/record"
	"cpsrl/core/session"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
	"cpsrl/core/talk"
	"cpsrl/internal/small"
)

// object is a JSON object.
type object = map[string]any

func encode(value any) []byte {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return data
}

// told is any answer.
type told struct {
	Error string
	At    string
	Ready *struct {
		Agent                 string
		Table                 bool
		Episodes, Transitions int
		States                int
	}
	Episode *struct {
		Number int
		Graph  [][2]string
		Policy [][]int32
	}
	Action []int
	Belief *struct {
		Transitions int
		Entropy     *float64
		Edges       []document.RankedEdge
		Best        [][2]string
	}
	Saved json.RawMessage
}

// ask sends a message, which must not be refused.
func ask(t testing.TB, s *session.Session, name string, value any) told {
	t.Helper()
	reply := say(t, s, encode(object{name: value}))
	if reply.Error != "" {
		t.Fatalf("%s: %s %s", name, reply.At, reply.Error)
	}
	return reply
}

func say(t testing.TB, s *session.Session, line []byte) (reply told) {
	t.Helper()
	data := s.Answer(line)
	if err := json.Unmarshal(data, &reply); err != nil || bytes.Count(data, []byte("\n")) != 1 || data[len(data)-1] != '\n' {
		t.Fatalf("%.200s → %q: %v", line, data, err)
	}
	return reply
}

// hello1Of returns what an agent of an experiment is told, in version 1. Rewards are learned, if they are in the spec.
func hello1Of(in *experiment.Instance, sp *spec.Spec, label string) object {
	m := in.View
	prior := *in.Prior
	prior.Payoffs = nil
	space := m.Space
	hello := object{
		"format": session.Format, "version": 1, "horizon": m.Horizon, "agent": label, "seed": sp.Seed, "run": in.Run, "bound": sp.Bound, "update": sp.Update,
		"prior": json.RawMessage(document.EncodePrior(&document.PriorFile{Space: &space, Prior: &prior, Rows: sp.Law().Rows, Structure: sp.Law().Structure})),
	}
	graph := [][2]string{}
	for j, f := range m.Transition {
		for _, name := range m.Names(f.Given) {
			graph = append(graph, [2]string{name, m.State[j].Name})
		}
	}
	var payoffs []object
	for _, r := range m.Reward {
		p := object{"name": r.Name}
		switch {
		case r.Ranged():
			p["range"] = [2]float64{r.Lo, r.Hi}
		case r.Kind == fmdp.Bernoulli:
			p["range"] = [2]float64{0, r.Scale}
		}
		switch {
		case sp.Rewards == "known":
			p["given"], p["mean"] = m.Names(r.Given), means(&r)
		case r.Hidden:
			p["scope"] = "hidden"
			edges := [][3]any{}
			for _, e := range in.Prior.Payoffs.Likely {
				edges = append(edges, [3]any{m.Var(e.X).Name, r.Name, e.P}) // the tests have one such payoff
			}
			p["edges"] = edges
			for _, name := range m.Names(r.Given) {
				graph = append(graph, [2]string{name, r.Name})
			}
		case r.Of >= 0:
			p["of"] = m.State[r.Of].Name
		default:
			p["given"] = m.Names(r.Given)
		}
		payoffs = append(payoffs, p)
	}
	hello["payoffs"], hello["graph"] = payoffs, graph
	var ends []object
	for _, e := range m.Ends {
		ends = append(ends, object{"given": m.Names(e.Given), "is": e.Is})
	}
	if ends != nil {
		hello["terminal"] = ends
	}
	return hello
}

// helloOf is hello1Of for the newest version, with all that an agent may be told.
func helloOf(in *experiment.Instance, sp *spec.Spec, label string) object {
	m := in.View
	old := hello1Of(in, sp, label)
	hello := object{"version": session.Version, "state": document.NewVariables(&m.Space).State, "action": document.NewVariables(&m.Space).Action}
	for _, name := range []string{"format", "horizon", "agent", "seed", "run", "bound", "update", "graph", "terminal"} {
		if value, has := old[name]; has {
			hello[name] = value
		}
	}
	law := sp.Law()
	hello["dirichlet"], hello["tables"] = json.RawMessage(law.Rows.Encode()), law.Structure.String()
	if m.Legal != nil {
		hello["legal"] = m.Legal.List()
	}
	var laws []object
	for j, f := range m.Transition {
		if f.Known {
			var rows [][]float64
			for row := range m.Rows(f.Given) {
				rows = append(rows, f.Row(row))
			}
			laws = append(laws, object{"of": m.State[j].Name, "given": m.Names(f.Given), "p": rows})
		}
	}
	if laws != nil {
		hello["transition"] = laws
	}
	edges := []any{}
	for _, e := range document.PriorEdges(in.Prior, &m.Space) {
		edges = append(edges, []any{e.From, e.To, e.P})
	}
	payoffs := old["payoffs"].([]object)
	for _, p := range payoffs {
		if list, has := p["edges"]; has {
			for _, e := range list.([][3]any) {
				edges = append(edges, e)
			}
			delete(p, "edges")
		}
	}
	hello["reward"] = payoffs
	hello["prior"] = object{"sparseness": json.RawMessage(strict.Encode(sp.Z())), "edges": edges}
	priors := object{}
	for _, p := range sp.Priors {
		priors[p.Name] = object{"edges": json.RawMessage(strict.Encode(p.Prior.Edges))}
	}
	if len(priors) > 0 {
		hello["priors"] = priors
	}
	return hello
}

// means returns what a reward factor pays on average.
func means(r *fmdp.Reward) []float64 {
	list := slices.Clone(r.Mean)
	for k := range list {
		list[k] = float64(r.Scale * list[k])
	}
	return list
}

// stepsOf returns the steps of a simulation as a simulator of somebody else's tells them.
func stepsOf(steps []posterior.Step, rewards []fmdp.Reward, learned bool) []object {
	list := []object{}
	for _, step := range steps {
		one := object{"x": step.Point, "y": step.Next}
		if learned {
			paid := make([]float64, len(rewards))
			for f, r := range rewards {
				lo, hi := 0.0, r.Scale
				if r.Ranged() {
					lo, hi = r.Lo, r.Hi
				}
				paid[f] = lo
				if step.Paid[f] == 1 {
					paid[f] = hi
				}
			}
			one["paid"] = paid
		}
		list = append(list, one)
	}
	return list
}

func policyOf(rows [][]int32) *planning.Policy {
	rules := slices.Clone(rows)
	slices.Reverse(rules)
	return planning.NewPolicy(len(rows), rules)
}

// ranged has payoffs with a range, on arrival, hidden, and of a variable, and ends.
const ranged = `{"format":"cpsrl/model","version":2,"horizon":6,"state":[{"name":"a","size":2},{"name":"b","size":3}],"action":[{"name":"c","size":2}],
"initial":[{"state":[0,0],"p":1}],"transition":[{"of":"b","given":["c","a"],"p":[[0.5,0.25,0.25],[0.3,0.3,0.4],[0.1,0.2,0.7],[1,0,0]]},{"of":"a","given":["b"],"p":[[1,0],[0.5,0.5],[0.25,0.75]]}],
"reward":[{"given":["a","c"],"mean":[0,-3,5,0.25],"kind":"fixed","range":[-5,5]},{"of":"a","given":["b"],"mean":[0.1,0.2,0.9],"kind":"bernoulli","scale":2},
{"given":["b"],"mean":[0,1,7],"kind":"fixed","range":[0,8],"scope":"hidden","name":"bonus"},{"given":["b'"],"mean":[0.5,0.25,1],"kind":"fixed"}],
"terminal":[{"given":["a","b"],"is":[[1,2]]}]}`

// restricted has legal actions, a law that agents are told, a variable with one value, and a payoff whose parents are hidden.
const restricted = `{"format":"cpsrl/model","version":2,"horizon":5,"state":[{"name":"a","size":2},{"name":"one","size":1},{"name":"b","size":3}],"action":[{"name":"c","size":2},{"name":"d","size":2}],
"legal":[[0,0],[0,1],[1,0]],"initial":[{"state":[0,0,0],"p":1}],"transition":[{"of":"b","given":["c","a"],"p":[[0.5,0.25,0.25],[0.3,0.3,0.4],[0.1,0.2,0.7],[1,0,0]],"known":true},{"of":"one","given":[],"p":[[1]]},
{"of":"a","given":["b","d"],"p":[[1,0],[0.5,0.5],[0.25,0.75],[0.1,0.9],[0.6,0.4],[0.8,0.2]]}],
"reward":[{"given":["b"],"mean":[0,1,7],"kind":"fixed","range":[0,8],"scope":"hidden","name":"bonus"},{"of":"b","given":["c","a"],"mean":[0,1,0.5,0.25],"kind":"bernoulli","scale":2}]}`

// Oracle: experiments. A session that plays in the world of an experiment samples the same graphs, plays the same
// policies, and believes the same, bit for bit, whichever version the hello has, if that can tell the problem.
func TestExperiments(t *testing.T) {
	specs := small.All(t)
	for name, text := range map[string]string{
		"ranged":    `,"rewards":"learned","sparseness":2,"prior":{"edges":[["a","a",0.9],["c","bonus",0.7]]},"episodes":30,"seed":4,"agents":["c-psrl","f-psrl","f-psrl:graph=prior","psrl","greedy","random","c-psrl:dirichlet=mix:0.01:1,tables=tied","constant:action=1"]`,
		"known":     `,"rewards":"known","sparseness":2,"episodes":20,"agents":["c-psrl","psrl","greedy:epsilon=0.5"]`,
		"gathering": `,"rewards":"learned","sparseness":3,"prior":{"edges":[]},"bound":"below","update":"printed","dirichlet":{"learn":[0.1,1]},"episodes":20,"agents":["c-psrl","greedy:graph=true"]`,
	} {
		specs[name] = decode(t, `{"format":"cpsrl/spec","version":4,"domain":{"name":"model","model":`+ranged+`}`+text+`}`)
	}
	specs["learned taxi"] = decode(t, `{"format":"cpsrl/spec","version":4,"domain":{"name":"taxi","grid":"3x3","horizon":8},"rewards":"learned","episodes":6,"seed":3,"tables":"tied","dirichlet":{"mix":[0.01,0.1,1]}}`)
	newest := map[string]*spec.Spec{}
	for name, rewards := range map[string]string{"told": "learned", "told, known": "known"} {
		text := `{"format":"cpsrl/spec","version":4,"domain":{"name":"model","model":` + restricted + `},"rewards":"` + rewards + `","sparseness":2,"prior":{"edges":[["a","a",0.9],["d","a",0],["c","bonus",0.7]]},
			"priors":{"mine":{"edges":[["b","a"],["b","bonus",0.8]]},"none":{"edges":[]}},"episodes":30,"seed":4,
			"agents":["c-psrl","c-psrl:prior=mine","c-psrl:prior=none","f-psrl","f-psrl:prior=mine","psrl","greedy:prior=mine","random","constant:action=2"]}`
		if rewards == "known" { // then there is no payoff to learn the parents of
			text = strings.NewReplacer(`,["c","bonus",0.7]`, "", `,["b","bonus",0.8]`, "").Replace(text)
		}
		newest[name] = decode(t, text)
	}
	play := func(name string, sp *spec.Spec, helloOf func(*experiment.Instance, *spec.Spec, string) object) {
		t.Run(name, func(t *testing.T) {
			e, run := small.Ready(t, sp), sp.FirstRun
			in, err := e.Instance(run)
			if err != nil {
				t.Fatal(err)
			}
			played := 0
			for _, of := range e.Arms() {
				if slices.Contains(of.Needs(), arm.Revealed) || slices.Contains(of.Needs(), arm.TrueModel) {
					continue // a simulator has no graph to reveal a part of, and no model to tell
				}
				label := of.Label()
				var s session.Session
				ask(t, &s, "hello", helloOf(in, sp, label))
				world := agent.NewSimulation(in.World, posterior.NewNamedStream(int64(sp.Seed), run, label+" world").Rand)
				for want, err := range e.Play(run, of) {
					if err != nil {
						t.Fatal(err)
					}
					begun := ask(t, &s, "episode", object{"policy": true})
					steps, _ := world.Play(t.Context(), agent.NewTable(&in.View.Space, policyOf(begun.Episode.Policy), nil))
					sum := 0.0
					for k := range steps {
						sum += steps[k].Reward
					}
					belief := ask(t, &s, "transitions", stepsOf(steps, in.View.Reward, sp.Rewards == "learned"))
					if sum != want.Return || begun.Episode.Number != want.Episode {
						t.Fatalf("%s, episode %d: a return of %v, want %v", label, want.Episode, sum, want.Return)
					}
					agree(t, in, begun, belief, want)
					played++
				}
			}
			if played == 0 {
				t.Error("nothing was played")
			}
		})
	}
	for name, sp := range specs {
		play(name+", version 1", sp, hello1Of)
		play(name, sp, helloOf)
	}
	for name, sp := range newest {
		play(name, sp, helloOf)
	}
}

func decode(t *testing.T, text string) *spec.Spec {
	sp, err := spec.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return sp
}

// agree compares the answers of an episode with the record of an experiment.
func agree(t *testing.T, in *experiment.Instance, begun, belief told, want *record.Record) {
	t.Helper()
	y := in.View.Y()
	if want.Belief == nil {
		if belief.Belief.Edges != nil || begun.Episode.Graph != nil {
			t.Errorf("%s has a graph or a belief", want.Agent)
		}
		return
	}
	if scored := want.Belief.Scored; scored != nil {
		g, _ := scored.Graph.Bigraph(in.View.X())
		want := document.EdgeList(g, &in.View.Space)
		if got := begun.Episode.Graph[:min(len(want), len(begun.Episode.Graph))]; !slices.Equal(got, want) {
			t.Errorf("the graph %v, want %v", got, want)
		}
	}
	entropy, edges := want.Belief.Entropy, slices.Clone(want.Belief.Edges)
	for _, p := range want.Belief.Payoffs {
		entropy, edges = entropy+p.Entropy, append(edges, p.Edges)
	}
	// Records count the parents of payoffs that no data can tell, and a session does not.
	if counted := !in.View.Trivial().Empty() && want.Belief.Payoffs != nil; !counted && *belief.Belief.Entropy != entropy {
		t.Errorf("an entropy of %v, want %v", *belief.Belief.Entropy, entropy)
	}
	for _, e := range belief.Belief.Edges {
		j := slices.IndexFunc(in.View.State, func(v fmdp.Variable) bool { return v.Name == e.To })
		if j < 0 {
			j = y + slices.IndexFunc(want.Belief.Payoffs, func(p record.Payoff) bool { return p.Of == e.To })
		}
		if p := edges[j][in.View.Lookup(e.From)]; fmt.Sprintf("%.3f", p) != fmt.Sprintf("%.3f", e.P) && max(p-e.P, e.P-p) > 1e-3 {
			t.Errorf("%v, want %v", e, p)
		}
	}
}

// Oracle: cpsrl posterior. After the same transitions, one by one or all at once, the probabilities of edges are the
// same to the last bit.
func TestPosterior(t *testing.T) {
	in, err := experiment.NewInstance(small.All(t)["model"], 0)
	if err != nil {
		t.Fatal(err)
	}
	space := in.View.Space
	for _, structure := range []concentration.Structure{concentration.Rows, concentration.Tied} {
		prior := &bigraph.Prior{X: space.X(), Known: make(bigraph.Bigraph, space.Y()), Sparseness: 3, Likely: []bigraph.Edge{{X: 0, Y: 1, P: .75}}}
		file := &document.PriorFile{Space: &space, Prior: prior, Structure: structure}
		rng := posterior.NewStream(1)
		var steps []posterior.Step
		for range 300 {
			step := posterior.Step{Point: make([]int, space.X()), Next: make([]int, space.Y())}
			in.View.DrawTransition(rng.Rand, step.Point, step.Next)
			steps = append(steps, step)
		}
		var lines []byte
		for _, step := range steps {
			lines = strict.AppendLine(lines, document.Transition{X: step.Point, Y: step.Next})
		}
		data, err := evidence.Read(strict.NewLines(bytes.NewReader(lines)), format.LogOptions{Space: &space}, 0)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := (&evidence.Question{Prior: file}).Ask(t.Context(), data)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := answer.Write(&text, 1); err != nil {
			t.Fatal(err)
		}
		var want evidence.Posterior
		if err := json.Unmarshal(text.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		var s session.Session
		ask(t, &s, "hello", object{
			"format": session.Format, "version": 1, "horizon": 4, "payoffs": []object{{"given": []string{}, "mean": []float64{1}}},
			"prior": json.RawMessage(document.EncodePrior(file)),
		})
		got := ask(t, &s, "transitions", stepsOf(steps, nil, false))
		if !slices.Equal(got.Belief.Edges, want.Edges) {
			t.Errorf("%v: %v, want %v", structure, got.Belief.Edges, want.Edges)
		}
		if got.Belief.Transitions != len(steps) {
			t.Errorf("%d transitions", got.Belief.Transitions)
		}
	}
}

// gridworld is the hello of a small grid, for any agent.
func gridworld(label string, more object) object {
	hello := object{
		"format": session.Format, "version": 1, "horizon": 8, "agent": label, "seed": 7,
		"prior": json.RawMessage(`{"format":"cpsrl/prior","version":2,"state":[{"name":"row","size":3},{"name":"col","size":3}],"action":[{"name":"move","size":4,"values":["south","north","east","west"]}],
			"sparseness":2,"edges":[["row","row"],["move","col",0.9]]}`),
		"payoffs": []object{{"range": []float64{-1, 0}, "given": []string{}}, {"name": "goal", "range": []float64{0, 10}, "scope": "hidden", "edges": []any{[]any{"row", "goal", 0.8}}}},
		"graph":   [][2]string{{"row", "row"}, {"move", "row"}, {"col", "col"}, {"move", "col"}, {"row", "goal"}, {"col", "goal"}},
	}
	for name, value := range more {
		hello[name] = value
	}
	return hello
}

// grid is a simulator of somebody else's: a goal in a corner ends an episode. A tenth of the rewards is noise.
type grid struct {
	s        *session.Session
	h        int
	row, col int
	answers  []byte
	salt     int
}

// step asks for one action and tells what it does; it begins an episode when that is needed.
func (g *grid) step(t testing.TB) {
	if g.h == 0 {
		g.say(t, object{"episode": object{}})
		g.row, g.col = 0, 0
	}
	g.h++
	move := g.say(t, object{"act": object{"h": g.h, "state": []int{g.row, g.col}}}).Action[0]
	x := []int{g.row, g.col, move}
	switch move {
	case 0:
		g.row = min(g.row+1, 2)
	case 1:
		g.row = max(g.row-1, 0)
	case 2:
		g.col = min(g.col+1, 2)
	case 3:
		g.col = max(g.col-1, 0)
	}
	ended, paid := g.row == 2 && g.col == 2, []float64{-1, 0}
	if g.salt = (g.salt*5 + 3) % 16; g.salt < 4 {
		paid[1] = .5
	}
	if ended {
		paid[1] = 10
	}
	one := object{"x": x, "y": []int{g.row, g.col}, "paid": paid}
	if ended {
		one["ended"] = true
	}
	g.say(t, object{"transitions": []object{one}})
	if g.h == 8 || ended {
		g.h = 0
	}
}

func (g *grid) say(t testing.TB, message object) told {
	line := encode(message)
	reply := say(t, g.s, line)
	if reply.Error != "" {
		t.Fatalf("%s: %s %s", line, reply.At, reply.Error)
	}
	g.answers = append(g.answers, g.s.Answer([]byte(`{"belief":{}}`))...)
	g.answers = append(g.answers, encode(reply)...)
	return reply
}

// labels are agents of each kind, with what may matter to a saved session.
var labels = []string{"c-psrl", "c-psrl:dirichlet=mix:0.01:1,tables=tied", "f-psrl", "f-psrl:graph=prior", "psrl", "greedy", "random", "constant:action=2"}

// Oracle: the session that was not saved. Whenever a session is saved, the one that loads it answers the same bytes.
func TestSave(t *testing.T) {
	for _, k := range arm.Kinds() {
		if k.Key != "optimal" && !slices.ContainsFunc(labels, func(l string) bool { return strings.HasPrefix(l, k.Key) }) {
			t.Errorf("the list has no agent of the kind %s", k.Key)
		}
	}
	for _, label := range labels {
		g := grid{s: new(session.Session)}
		g.say(t, object{"hello": gridworld(label, nil)})
		for k := range 60 {
			if k%7 == 5 {
				first := g.s.Answer([]byte(`{"save":{}}`))
				saved := say(t, g.s, []byte(`{"save":{}}`)).Saved
				other := grid{s: new(session.Session), h: g.h, row: g.row, col: g.col, salt: g.salt}
				other.say(t, object{"load": saved})
				if again := other.s.Answer([]byte(`{"save":{}}`)); !bytes.Equal(first, again) {
					t.Fatalf("%s, step %d: saved again it is\n%s, not\n%s", label, k, again, first)
				}
				twin := g
				twin.answers, other.answers = nil, nil
				for range 20 {
					twin.step(t)
					other.step(t)
				}
				if !bytes.Equal(twin.answers, other.answers) {
					t.Fatalf("%s: the loaded session goes on in another way after step %d", label, k)
				}
				g = twin
			}
			g.step(t)
		}
	}
}

// A wrong message is answered by one sentence at a place, and the session goes on as if it had not come.
func TestWrong(t *testing.T) {
	begin := func() *session.Session {
		s := new(session.Session)
		ask(t, s, "hello", gridworld("c-psrl", nil))
		ask(t, s, "episode", object{})
		return s
	}
	hello := func(more object) string { return string(encode(object{"hello": gridworld("c-psrl", more)})) }
	prior := func(from, to string) string {
		text := string(gridworld("", nil)["prior"].(json.RawMessage))
		if !strings.Contains(text, from) {
			t.Fatalf("the prior has no %s", from)
		}
		return hello(object{"prior": json.RawMessage(strings.Replace(text, from, to, 1))})
	}
	saved := string(ask(t, begin(), "save", object{}).Saved)
	load := func(from, to string) string {
		if !strings.Contains(saved, from) {
			t.Fatalf("what is saved has no %s: %s", from, saved)
		}
		return `{"load":` + strings.Replace(saved, from, to, 1) + `}`
	}
	payoffs := func(list ...object) string { return hello(object{"payoffs": list, "graph": [][2]string{}}) }
	for _, c := range []struct{ line, at, says string }{
		{``, "", "malformed JSON"},
		{`{`, "", "malformed JSON"},
		{"\xff\xfe{\x00", "", "UTF-16"},
		{`{"act":{"h":1,"state":[0,"` + "\xff" + `"]}}`, "", "this file is not UTF-8; save it as UTF-8"},
		{"{\x00\"act\":{}}", "", "malformed JSON at byte 1"},
		{`[]`, "", "expected an object"},
		{`{}`, "", "a message has one member"},
		{`{"act":{"h":1,"state":[0,0]},"belief":{}}`, "", "this one has 2"},
		{`{"belief":{},"belief":{}}`, "/belief", "duplicate"},
		{`{"dance":{}}`, "/dance", "there is no such message; it must be one of act, belief, episode, hello, load, save, transitions"},
		{`{"act":{"h":1}}`, "/act/state", "missing"},
		{`{"act":{"h":9,"state":[0,0]}}`, "/act/h", "steps are 1 to 8"},
		{`{"act":{"h":1,"state":[0,3]}}`, "/act/state/1", `"col" has no value 3`},
		{`{"act":{"h":1,"state":[0]}}`, "/act/state", "1 values for 2 state variables"},
		{`{"belief":{"x":1}}`, "/belief/x", "unknown field"},
		{`{"episode":null}`, "/episode", "null is not allowed"},
		{`{"transitions":{}}`, "/transitions", "expected an array"},
		{`{"transitions":[{"x":[0,0,0],"y":[1,0]}]}`, "/transitions/0/paid", "0 numbers for 2 payoffs"},
		{`{"transitions":[{"x":[0,0,0],"y":[1,0],"paid":[-1,0]},{"x":[0,0,4],"y":[1,0],"paid":[-1,0]}]}`, "/transitions/1/x/2", `"move" has no value 4`},
		{`{"transitions":[{"x":[0,0,0],"y":[1,0],"paid":[-1,10.5]}]}`, "/transitions/0/paid/1", "not in the range"},
		{`{"transitions":[{"x":[0,0,0],"y":[1,0],"paid":[-1,0],"ended":true},{"x":[1,0,0],"y":[1,0],"paid":[-1,0]}]}`, "/transitions/1/x", "an episode has ended in this state before"},
		{hello(object{"version": 3}), "/hello/version", "version 3 of cpsrl/agent is unknown"},
		{hello(object{"format": "cpsrl/spec"}), "/hello/format", `"cpsrl/agent" is expected`},
		{hello(object{"horizon": 0}), "/hello/horizon", "from 1 to"},
		{hello(object{"seed": -1}), "/hello/seed", "the seed is -1"},
		{hello(object{"bound": "above"}), "/hello/bound", `"above" is unknown`},
		{hello(object{"update": ""}), "/hello/update", "is unknown"},
		{hello(object{"agent": "dqn"}), "/hello/agent", "dqn"},
		{hello(object{"agent": "optimal"}), "/hello/agent", "Optimal must be told the true model, which is not known here"},
		{hello(object{"agent": "c-psrl:eta=1"}), "/hello/agent", "must be told edges of the true graph"},
		{hello(object{"agent": "c-psrl:prior=mine"}), "/hello/agent", "must be told a named prior"},
		{hello(object{"graph": [][2]string{{"row", "row"}, {"row", "row"}}}), "/hello/graph/1", "listed twice"},
		{hello(object{"graph": [][2]string{{"row", "move"}}}), "/hello/graph/0/1", "no state variable"},
		{hello(object{"terminal": []object{{"given": []string{"row", "move"}, "is": [][]int{}}}}), "/hello/terminal/0/given/1", "state variables only"},
		{hello(object{"terminal": []object{{"given": []string{"row"}, "is": [][]int{{3}}}}}), "/hello/terminal/0/is/0/0", `"row" has no value 3`},
		{hello(object{"pay": 1}), "/hello/pay", "unknown field"},
		{prior(`"size":3`, `"size":0`), "/hello/prior/state/0/size", "at least 1 is needed"},
		{prior(`"sparseness":2`, `"sparseness":0`), "/hello/prior/edges", `"row" has 1 known parents`},
		{prior(`["row","row"]`, `["row","rwo"]`), "/hello/prior/edges/0/1", "no state variable"},
		{prior(`"size":3`, `"size":1100000`), "/hello/prior/state/0/size", "more than 1048576"},
		{payoffs(), "/hello/payoffs", ""},
		{payoffs(object{"range": []float64{1, 1}}), "/hello/payoffs/0/range", "the least payoff and a larger one"},
		{payoffs(object{"scope": "hidden"}), "/hello/payoffs/0/name", "needs a name"},
		{payoffs(object{"scope": "seen"}), "/hello/payoffs/0/scope", `the scope is "seen"`},
		{payoffs(object{"scope": "hidden", "name": "row"}), "/hello/payoffs/0/name", "no variable"},
		{payoffs(object{"scope": "hidden", "name": "p", "edges": []any{[]any{"row", "col"}}}), "/hello/payoffs/0/edges/0/1", "not to the payoff"},
		{payoffs(object{"given": []string{"row", "row"}}), "/hello/payoffs/0/given/1", "given twice"},
		{payoffs(object{"given": []string{"row'"}, "of": "row"}), "/hello/payoffs/0", "one of"},
		{payoffs(object{"given": []string{"row"}, "mean": []float64{1}}), "/hello/payoffs/0/mean", "3 are needed"},
		{payoffs(object{"given": []string{"row"}, "mean": []float64{1, 2, 3}}, object{}), "/hello/payoffs/1", "all payoffs are known, or all are learned"},
		{load(`"version":1`, `"version":3`), "/load/version", "version 3"},
		{load(`"engine":`, `"engine":1`), "/load/engine", "saved by engine 1"},
		{load(`"x":[]`, `"x":[1,2]`), "/load/x", "2 and 0 indices"},
		{load(`"x":[],"y":[],"flags":[]`, `"x":[36],"y":[0],"flags":[0]`), "/load/x/0", "there is no transition"},
		{load(`"x":[],"y":[],"flags":[]`, `"x":[0],"y":[0],"flags":[8]`), "/load/flags/0", "there is no transition"},
		{load(`"x":[],"y":[],"flags":[]`, `"x":[0],"y":[0],"flags":[0]`), "/load/sizes", "1 transitions are left"},
		{load(`"sizes":[]`, `"sizes":[1]`), "/load/sizes/0", "0 are left"},
		{load(`"before":0`, `"before":1`), "/load/before", "1 of 0 messages"},
		{load(`"belief":"`, `"belief":"00`), "/load/belief", "64 hexadecimal digits"},
	} {
		s, twin := begin(), begin()
		got := say(t, s, []byte(c.line))
		if got.Error == "" || got.At != c.at || !strings.Contains(got.Error, c.says) {
			t.Errorf("%.120s\n%q at %q, want %q at %q", c.line, got.Error, got.At, c.says, c.at)
		}
		if a, b := s.Answer([]byte(`{"save":{}}`)), twin.Answer([]byte(`{"save":{}}`)); !bytes.Equal(a, b) {
			t.Errorf("%.120s changes the session: %s, not %s", c.line, a, b)
		}
		if a, b := s.Answer([]byte(`{"episode":{"policy":true}}`)), twin.Answer([]byte(`{"episode":{"policy":true}}`)); !bytes.Equal(a, b) {
			t.Errorf("%.120s changes what comes next: %s, not %s", c.line, a, b)
		}
	}
	var s session.Session
	if got := say(t, &s, []byte(`{"belief":{}}`)); got.At != "/belief" || !strings.Contains(got.Error, "comes first") {
		t.Errorf("before the hello: %q at %q", got.Error, got.At)
	}
	s = *begin()
	if got := say(t, &s, []byte(`{"transitions":[]}`)); got.Belief == nil {
		t.Errorf("nothing was seen: %+v", got)
	}
	large := gridworld("random", object{"horizon": session.MaxTable/9 + 1})
	s = session.Session{}
	if reply := ask(t, &s, "hello", large); reply.Ready.Table {
		t.Error("the policy is too large for a table")
	}
	if got := say(t, &s, []byte(`{"episode":{"policy":true}}`)); got.At != "/episode/policy" || !strings.Contains(got.Error, "ask for actions by act") {
		t.Errorf("%q at %q", got.Error, got.At)
	}
	if got := ask(t, &s, "episode", object{}); got.Episode.Number != 1 {
		t.Errorf("the refused episode has counted: %+v", got.Episode)
	}
}

// toldHello is a hello of the newest version: the moves of a small grid of which one is not legal, with a law that is told.
func toldHello(label string, more object) object {
	hello := object{
		"format": session.Format, "version": session.Version, "horizon": 8, "agent": label, "seed": 7,
		"state":      []object{{"name": "row", "size": 3}, {"name": "col", "size": 3}},
		"action":     []object{{"name": "move", "size": 4, "values": []string{"south", "north", "east", "west"}}},
		"legal":      object{"formula": `move != "west"`},
		"transition": []object{{"of": "row", "formula": `next = if(move = "south", min(row + 1, 2), if(move = "north", max(row - 1, 0), row))`}},
		"reward":     []object{{"range": []float64{-1, 0}, "given": []string{}}, {"name": "goal", "range": []float64{0, 10}, "scope": "hidden"}},
		"prior": object{"sparseness": 2, "edges": []any{
			[]any{"move", "col", 0.9}, object{"why": "The goal is a place.", "p": 0.8, "edges": [][2]string{{"row", "goal"}, {"col", "goal"}}},
		}},
		"priors": object{"mine": object{"edges": []any{[]any{"col", "col"}}}, "tight": object{"sparseness": 1, "edges": []any{}}},
	}
	for name, value := range more {
		hello[name] = value
	}
	return hello
}

// What a hello of the newest version tells is kept to, and a wrong one is refused at its place.
func TestTask(t *testing.T) {
	for _, c := range []struct {
		more     object
		at, says string
	}{
		{nil, "", ""},
		{object{"agent": "c-psrl:prior=mine"}, "", ""},
		{object{"agent": "f-psrl:prior=tight"}, "", ""},
		{object{"reward": []object{{"of": "row"}, {"of": "col"}, {"kind": "bernoulli", "scale": 3, "given": []string{"row'"}}}}, "/prior/edges/1/edges/0/1", "no state variable"},
		{object{"reward": []object{{"of": "row"}, {"of": "col"}, {"kind": "bernoulli", "scale": 3, "given": []string{"row'"}}}, "prior": object{"sparseness": 2, "edges": []any{}}, "priors": object{}}, "", ""},
		{object{"agent": "c-psrl:prior=other"}, "/agent", `there is no prior "other"; it must be one of mine, tight`},
		{object{"agent": "c-psrl:prior=mine,eta=1"}, "/agent", "edges of the true graph"},
		{object{"agent": "f-psrl"}, "/agent", "the true graph"},
		{object{"horizon": 0}, "/horizon", "from 1 to"},
		{object{"state": []object{}}, "/state", "no state variable"},
		{object{"state": []object{{"name": "row", "size": 0}}}, "/state/0/size", "at least 1 is needed"},
		{object{"state": []object{{"name": "row", "size": 1 << 30}}, "transition": []object{}}, "/state/0/size", "more than 1048576"},
		{object{"legal": [][]int{{4}}}, "/legal/0/0", "no value 4"},
		{object{"legal": object{"formula": "move > 3"}}, "/legal", "no legal action"},
		{object{"legal": object{"formula": "row = 1"}}, "/legal", "no action is legal where row = 0; at least one"},
		{object{"legal": object{"formula": "row' = 1"}}, "/legal/formula", "a condition on the state and the action"},
		{object{"transition": []object{{"of": "rwo", "given": []string{}, "p": [][]float64{{1}}}}}, "/transition/0/of", `no state variable "rwo"`},
		{object{"transition": []object{{"of": "row", "given": []string{}, "p": [][]float64{{.5, .25, .5}}}}}, "/transition/0/p/0", "sums to"},
		{object{"transition": []object{{"of": "row", "given": []string{}}}}, "/transition/0/p", "missing"},
		{object{"reward": []object{}}, "/reward", "from 1 to"},
		{object{"reward": []object{{"range": []float64{1, 0}}}}, "/reward/0/range", "the least payoff and a larger one"},
		{object{"reward": []object{{"formula": "row'"}, {}}}, "/reward/1", "all payoffs are known, or all are learned"},
		{object{"reward": []object{{"kind": "bernoulli", "scale": -1}}}, "/reward/0/scale", "above 0"},
		{object{"reward": []object{{"kind": "normal"}}}, "/reward/0/kind", `"normal"`},
		{object{"reward": []object{{"of": "col", "given": []string{"col"}}}}, "/reward/0", "one of"},
		{object{"reward": []object{{"of": "move"}}}, "/reward/0/of", "no state variable"},
		{object{"reward": []object{{"scope": "hidden", "name": "row"}}}, "/reward/0/name", "no variable"},
		{object{"terminal": []object{{"name": "home", "formula": "row = move"}}}, "/terminal/0/formula", `"move" cannot stand here`},
		{object{"prior": object{"edges": []any{}}}, "/prior/sparseness", "missing"},
		{object{"prior": object{"sparseness": 2, "edges": []any{[]any{"row", "gaol"}}}}, "/prior/edges/0/1", "no state variable"},
		{object{"prior": object{"sparseness": 2, "edges": []any{object{"p": 0.8, "edges": [][2]string{{"row", "col"}, {"cow", "col"}}}}}}, "/prior/edges/0/edges/1/0", `no variable "cow"`},
		{object{"prior": object{"sparseness": 2, "edges": []any{object{"p": 2, "edges": [][2]string{{"row", "col"}}}}}}, "/prior/edges/0/p", "not a probability"},
		{object{"prior": object{"sparseness": 2, "edges": []any{[]any{"goal", "col"}}}}, "/prior/edges", `"goal" is a payoff`},
		{object{"prior": object{"sparseness": 1, "edges": []any{[]any{"row", "col"}, []any{"col", "col"}}}}, "/prior/edges", `"col" has 2 known parents`},
		{object{"priors": object{"2": object{"edges": []any{}}}}, "/priors/2", "not the name of a prior"},
		{object{"priors": object{"mine": object{"edges": []any{[]any{"row", "rwo"}}}}}, "/priors/mine/edges/0/1", "no state variable"},
		{object{"dirichlet": -1}, "/dirichlet", ""},
		{object{"tables": "trie"}, "/tables", "is unknown"},
		{object{"graph": [][2]string{{"col", "col"}}}, "/graph", `the parents of "row" are others than those of its law`},
		{object{"initial": "uniform"}, "/initial", "unknown field"},
	} {
		s := new(session.Session)
		line := encode(object{"hello": toldHello("c-psrl", c.more)})
		if got := say(t, s, line); (got.Error == "") != (c.at == "") || c.at != "" && (got.At != "/hello"+c.at || !strings.Contains(got.Error, c.says)) {
			t.Errorf("%v: %q at %q, want %q at %q", c.more, got.Error, got.At, c.says, c.at)
		}
	}
	s := new(session.Session)
	ask(t, s, "hello", toldHello("c-psrl", nil))
	for line, at := range map[string]string{
		`{"transitions":[{"x":[0,0,3],"y":[0,0],"paid":[0,0]}]}`: "/transitions/0/x",
		`{"transitions":[{"x":[0,0,0],"y":[2,0],"paid":[0,0]}]}`: "/transitions/0/y/0",
		`{"transitions":[{"x":[0,0,0],"y":[1,2],"paid":[0,0]}]}`: "",
	} {
		if got := say(t, s, []byte(line)); got.At != at || (got.Error == "") != (at == "") {
			t.Errorf("%s: %q at %q", line, got.Error, got.At)
		}
	}
	ask(t, s, "episode", object{})
	other := new(session.Session)
	ask(t, other, "load", ask(t, s, "save", object{}).Saved)
	for h := 1; h <= 8; h++ {
		for state := range 9 {
			asked := object{"h": h, "state": []int{state / 3, state % 3}}
			if a, b := ask(t, s, "act", asked).Action, ask(t, other, "act", asked).Action; a[0] == 3 || !slices.Equal(a, b) {
				t.Errorf("%v: %v, and %v when loaded", asked, a, b)
			}
		}
	}
	for _, e := range ask(t, s, "belief", object{}).Belief.Edges {
		if want := map[bool]float64{true: 1}[e.From != "col"]; e.To == "row" && e.P != want {
			t.Errorf("of the law that is told, %v", e)
		}
	}
}

// Where it depends on the state which actions are legal, no answer is an illegal one, and a transition with one is refused at
// its place, also in a saved session. Oracle: the rule, by hand.
func TestLegalByState(t *testing.T) {
	for _, label := range []string{"c-psrl", "c-psrl:planner=uct:20:4", "c-psrl:planner=rollout:3:4", "f-psrl:prior=mine", "psrl", "random", "greedy:epsilon=1", "constant:action=1"} {
		s, more := new(session.Session), object{"legal": object{"formula": `move != "west" and (row > 0 or move != "north")`}}
		if strings.HasPrefix(label, "psrl") {
			more["reward"] = []object{{"range": []float64{-1, 0}, "given": []string{}}}
			more["prior"] = object{"sparseness": 2, "edges": []any{}}
		}
		ask(t, s, "hello", toldHello(label, more))
		paid := "0,0"
		if more["reward"] != nil {
			paid = "0"
		}
		for line, at := range map[string]string{
			`{"transitions":[{"x":[1,0,0],"y":[2,0],"paid":[PAID]},{"x":[0,0,1],"y":[0,0],"paid":[PAID]}]}`: "/transitions/1/x",
			`{"transitions":[{"x":[1,0,3],"y":[1,0],"paid":[PAID]}]}`:                                       "/transitions/0/x",
			`{"transitions":[{"x":[1,0,1],"y":[0,0],"paid":[PAID]}]}`:                                       "",
		} {
			got := say(t, s, []byte(strings.ReplaceAll(line, "PAID", paid)))
			if got.At != at || at != "" && got.Error != "this joint action is not legal in this state" {
				t.Errorf("%s: %s: %q at %q", label, line, got.Error, got.At)
			}
		}
		for range 3 {
			ask(t, s, "episode", object{})
			for h := 1; h <= 8; h++ {
				for state := range 9 {
					a := ask(t, s, "act", object{"h": h, "state": []int{state / 3, state % 3}}).Action[0]
					if a == 3 || a == 1 && state < 3 {
						t.Errorf("%s: action %d in state %d", label, a, state)
					}
				}
			}
		}
		saved := string(ask(t, s, "save", object{}).Saved)
		if again := say(t, new(session.Session), []byte(`{"load":`+saved+`}`)); again.Error != "" {
			t.Errorf("%s: %s", label, again.Error)
		}
		wrong := strings.Replace(saved, `"x":[10]`, `"x":[1]`, 1) // from row 1, "north", to row 0, "north"
		if got := say(t, new(session.Session), []byte(`{"load":`+wrong+`}`)); wrong == saved || got.At != "/load/x/0" || got.Error != "this joint action is not legal in this state" {
			t.Errorf("%s: %q at %q\n%s", label, got.Error, got.At, saved[len(saved)-300:])
		}
	}
}

// Version 1 has none of what is new in version 2.
func TestVersion1(t *testing.T) {
	for place, more := range map[string]object{
		"/hello/legal":      {"legal": [][]int{{0}}},
		"/hello/priors":     {"priors": object{}},
		"/hello/payoffs/0":  {"payoffs": []object{{"formula": "row"}}},
		"/hello/terminal/0": {"terminal": []object{{"formula": "row = 1"}}},
	} {
		if got := say(t, new(session.Session), encode(object{"hello": gridworld("c-psrl", more)})); got.At != place {
			t.Errorf("%v: %q at %q, want %q", more, got.Error, got.At, place)
		}
	}
	var ready struct{ Ready struct{ Version int } }
	s := new(session.Session)
	if err := json.Unmarshal(s.Answer(encode(object{"hello": gridworld("c-psrl", nil)})), &ready); err != nil || ready.Ready.Version != 1 {
		t.Errorf("%+v, %v", ready, err)
	}
}

// With ends that are told, an episode ends there and nowhere else.
func TestTold(t *testing.T) {
	var s session.Session
	ask(t, &s, "hello", gridworld("c-psrl", object{"terminal": []object{{"given": []string{"row", "col"}, "is": [][]int{{2, 2}}}}}))
	for line, at := range map[string]string{
		`{"transitions":[{"x":[0,0,0],"y":[1,0],"paid":[-1,0],"ended":true}]}`:  "/transitions/0/ended",
		`{"transitions":[{"x":[2,2,0],"y":[2,2],"paid":[-1,0]}]}`:               "/transitions/0/x",
		`{"transitions":[{"x":[2,1,2],"y":[2,2],"paid":[-1,10],"ended":true}]}`: "",
		`{"transitions":[{"x":[1,2,0],"y":[2,2],"paid":[-1,10]}]}`:              "",
	} {
		if got := say(t, &s, []byte(line)); got.At != at || (got.Error == "") != (at == "") {
			t.Errorf("%s: %q at %q", line, got.Error, got.At)
		}
	}
}

// Oracle: a coin. A payoff r in [lo, hi] is paid with probability (r − lo)/(hi − lo): within 5 standard errors.
func TestTrials(t *testing.T) {
	var s session.Session
	ask(t, &s, "hello", gridworld("psrl", object{"payoffs": []object{{"range": []float64{-2, 2}}}, "graph": [][2]string{}}))
	const n = 20_000
	one := object{"x": []int{0, 0, 0}, "y": []int{0, 0}, "paid": []float64{-1}}
	for range 20 {
		ask(t, &s, "transitions", slices.Repeat([]object{one}, n/20))
	}
	var doc struct{ Flags []int }
	if err := json.Unmarshal(ask(t, &s, "save", object{}).Saved, &doc); err != nil {
		t.Fatal(err)
	}
	paid := 0
	for _, flags := range doc.Flags {
		paid += flags / 2
	}
	if share := float64(paid) / n; max(share-.25, .25-share) > 5*.00307 {
		t.Errorf("%v of the trials are paid, want 1/4", share)
	}
}

// An end of a range is what a sum or product of decimal fractions gives in its place: 0.1·3 is 0.3. It is paid, or not, without
// a draw. Oracle: the ends themselves.
func TestEndsOfRanges(t *testing.T) {
	tenth, seven := 0.1, 7.0
	for _, c := range []struct {
		of          [2]float64
		paid        []float64
		flags, want int
	}{
		{[2]float64{0, 0.3}, []float64{tenth * 3, 0.3, 0.3 - 1e-17}, 2, 3},
		{[2]float64{0, 0.7}, []float64{tenth * seven, 0.7 - 1e-16}, 2, 2},
		{[2]float64{-0.3, 0}, []float64{-tenth * 3, -0.3, -0.3 - 1e-11}, 0, 3},
		{[2]float64{-100, 1e6}, []float64{1e6 + 1e-4, 1e6 - 1e-4}, 2, 2},
		{[2]float64{0, 0.3}, []float64{0.3 + 1e-9, -1e-9}, 0, 0}, // beyond
	} {
		var s session.Session
		ask(t, &s, "hello", gridworld("psrl", object{"payoffs": []object{{"range": c.of}}, "graph": [][2]string{}}))
		taken := 0
		var doc struct {
			Flags   []int
			Payoffs string
		}
		json.Unmarshal(ask(t, &s, "save", object{}).Saved, &doc)
		stream := doc.Payoffs
		for _, paid := range c.paid {
			if a := s.Answer(encode(object{"transitions": []object{{"x": []int{0, 0, 0}, "y": []int{0, 0}, "paid": []float64{paid}}}})); !bytes.Contains(a, []byte("error")) {
				taken++
			}
		}
		if err := json.Unmarshal(ask(t, &s, "save", object{}).Saved, &doc); err != nil {
			t.Fatal(err)
		}
		if taken != c.want || doc.Payoffs != stream || slices.ContainsFunc(doc.Flags, func(flags int) bool { return flags != c.flags }) {
			t.Errorf("%v of %v: %d taken, flags %v", c.paid, c.of, taken, doc.Flags)
		}
	}
}

// A session has a limit of transitions; a message that would exceed it changes nothing.
func TestMost(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where it says the same")
	}
	var s session.Session
	ask(t, &s, "hello", gridworld("random", object{"payoffs": []object{{"given": []string{}, "mean": []float64{1}}}, "graph": [][2]string{}}))
	step := `{"x":[0,0,0],"y":[0,0]}`
	const part = 1 << 17
	whole := []byte(`{"transitions":[` + strings.Repeat(step+",", part-1) + step + `]}`)
	for range session.MaxTransitions / part {
		if got := say(t, &s, whole); got.Error != "" {
			t.Fatal(got.Error)
		}
	}
	if got := say(t, &s, []byte(`{"transitions":[`+step+`]}`)); got.At != "/transitions" || !strings.Contains(got.Error, "at most 1048576") {
		t.Errorf("%q at %q", got.Error, got.At)
	}
	saved := s.Answer([]byte(`{"save":{}}`))
	var other session.Session
	if got := say(t, &other, append(append([]byte(`{"load":`), bytes.TrimSuffix(bytes.TrimPrefix(bytes.TrimSpace(saved), []byte(`{"saved":`)), []byte("}"))...), '}')); got.Error != "" || got.Ready.Transitions != session.MaxTransitions {
		t.Errorf("%.200s does not load: %q", saved, got.Error)
	}
}

// Serve answers each line, skips blank and over-long ones, and says why it ends.
func TestServe(t *testing.T) {
	long := `{"belief":"` + strings.Repeat("x", session.MaxLine) + `"}`
	in := "\n  \n" + string(encode(object{"hello": gridworld("c-psrl", nil)})) + "\r\n" + long + "\n{\n{\"episode\":{}}"
	var out bytes.Buffer
	flushes := 0
	if err := talk.Serve(t.Context(), new(session.Session), strings.NewReader(in), &out, func() error { flushes++; return nil }); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	for k, want := range []string{`{"ready":`, `{"error":"the line is longer than 32 MiB"}`, `{"error":"malformed`, `{"episode":{"number":1,`} {
		if k >= len(lines) || !strings.HasPrefix(lines[k], want) {
			t.Fatalf("answer %d of %q, want %s", k, lines, want)
		}
	}
	if len(lines) != 4 || flushes != 4 {
		t.Errorf("%d answers, %d flushes", len(lines), flushes)
	}
	out.Reset()
	broken := errors.New("the line went dead")
	err := talk.Serve(t.Context(), new(session.Session), io.MultiReader(strings.NewReader("{}\n"), failing{broken}), &out, func() error { return nil })
	if err != broken || !strings.HasSuffix(out.String(), `{"error":"the line went dead"}`+"\n") {
		t.Errorf("%v: %s", err, out.String())
	}
}

type failing struct{ error }

func (f failing) Read([]byte) (int, error) { return 0, f.error }

// FuzzSession sends any lines. A session never panics, answers each by one line, and a refused line changes nothing.
func FuzzSession(f *testing.F) {
	hello := string(encode(object{"hello": gridworld("c-psrl", nil)}))
	step := `{"transitions":[{"x":[0,0,0],"y":[1,0],"paid":[-1,0.5]},{"x":[1,0,2],"y":[1,1],"paid":[-1,10],"ended":true}]}`
	f.Add(hello + "\n" + `{"episode":{"policy":true}}` + "\n" + step + "\n" + `{"act":{"h":2,"state":[1,0]}}` + "\n" + `{"save":{}}`)
	f.Add(string(encode(object{"hello": gridworld("f-psrl", nil)})) + "\n" + step + "\n" + `{"belief":{}}`)
	f.Add(string(encode(object{"hello": gridworld("psrl", object{"payoffs": []object{{"given": []string{"row'"}, "range": []float64{0, 2}}}, "graph": [][2]string{}})})) + "\n" + step)
	f.Add(string(encode(object{"hello": toldHello("c-psrl:prior=mine", nil)})) + "\n" + step + "\n" + `{"episode":{"policy":true}}`)
	s := new(session.Session)
	s.Answer([]byte(hello))
	s.Answer([]byte(step))
	s.Answer([]byte(`{"episode":{}}`))
	var saved struct{ Saved json.RawMessage }
	json.Unmarshal(s.Answer([]byte(`{"save":{}}`)), &saved)
	f.Add(string(encode(object{"load": saved.Saved})) + "\n" + `{"episode":{}}`)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<13 {
			t.Skip()
		}
		s := new(session.Session)
		state := ""
		for line := range strings.SplitSeq(text, "\n") {
			data := s.Answer([]byte(line))
			if !json.Valid(data) || bytes.Count(data, []byte("\n")) != 1 {
				t.Fatalf("%q → %q", line, data)
			}
			var reply told
			if err := json.Unmarshal(data, &reply); err != nil {
				t.Fatal(err)
			}
			now := string(s.Answer([]byte(`{"save":{}}`)))
			if reply.Error != "" && now != state && state != "" {
				t.Fatalf("the refused %q changes the session", line)
			}
			state = now
		}
	})
}
