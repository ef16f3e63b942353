package experiment_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/arm"
	"cpsrl/core/bigraph"
	"cpsrl/core/domain"
	"cpsrl/core/experiment"
	"cpsrl/core/posterior"
	"cpsrl/core/record"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
	"cpsrl/internal/small"
)

// with returns a changed copy of the spec.
func with(sp *spec.Spec, change func(*spec.Spec)) *spec.Spec {
	s := sp.Clone()
	change(s)
	return s
}

// Records come in the order run, agent, episode. Their numbers are in range, every line
// reads back, and run i has the same V_* under every agent.
func TestRun(t *testing.T) {
	for name, sp := range small.All(t) {
		records := run(t, sp)
		if want := sp.Runs * len(sp.Agents) * sp.Episodes; len(records) != want {
			t.Fatalf("%s: %d records, want %d", name, len(records), want)
		}
		optimal := map[int]float64{}
		at := 0
		for i := sp.FirstRun; i < sp.FirstRun+sp.Runs; i++ {
			for _, label := range sp.Agents {
				for k := 1; k <= sp.Episodes; k++ {
					r := records[at]
					at++
					if r.Run != i || r.Agent != label || r.Episode != k {
						t.Fatalf("%s: run %d, %q, episode %d stands where run %d, %q, episode %d should", name, r.Run, r.Agent, r.Episode, i, label, k)
					}
					if first, ok := optimal[i]; ok && first != r.Optimal {
						t.Errorf("%s: run %d has V_* %v and %v", name, i, first, r.Optimal)
					}
					optimal[i] = r.Optimal
					if r.Regret < -1e-9 || r.Regret != r.Optimal-r.Value || r.ModelError == nil || !(*r.ModelError >= 0 && *r.ModelError <= 2+1e-12) {
						t.Errorf("%s: %+v", name, r)
					}
					if (r.Belief == nil) != (label == "psrl") {
						t.Errorf("%s: belief of %q: %v", name, label, r.Belief)
					}
					line := record.AppendRecord(nil, r)
					again, err := record.DecodeRecord(line)
					if err != nil || !bytes.Equal(record.AppendRecord(nil, again), line) {
						t.Errorf("%s: %s does not read back: %v", name, line, err)
					}
				}
			}
		}
		if name == "random" || name == "uniform" || name == "figure1" { // a model of its own each run
			if values := slices.Sorted(maps.Values(optimal)); len(slices.Compact(values)) != sp.Runs {
				t.Errorf("%s: V_* by run: %v", name, optimal)
			}
		}
	}
}

// Dropping an agent, or changing the order, changes no byte of the others.
func TestDropAgent(t *testing.T) {
	for name, sp := range small.All(t) {
		whole := map[string][]*record.Record{}
		for _, r := range run(t, sp) {
			whole[r.Agent] = append(whole[r.Agent], r)
		}
		for drop := range sp.Agents {
			rest := with(sp, func(s *spec.Spec) {
				s.Agents = slices.Delete(s.Agents, drop, drop+1)
				slices.Reverse(s.Agents)
			})
			got := map[string][]*record.Record{}
			for _, r := range run(t, rest) {
				got[r.Agent] = append(got[r.Agent], r)
			}
			for _, label := range rest.Agents {
				if !bytes.Equal(small.Encoded(got[label]), small.Encoded(whole[label])) {
					t.Errorf("%s: without %q, %q differs", name, sp.Agents[drop], label)
				}
			}
		}
	}
}

// The records of single runs and agents, put together in order, are those of the whole
// experiment, to the byte. With fewer episodes the records are the first ones.
func TestSplit(t *testing.T) {
	for name, sp := range small.All(t) {
		whole := run(t, sp)
		var parts []*record.Record
		for i := sp.FirstRun; i < sp.FirstRun+sp.Runs; i++ {
			for _, label := range sp.Agents {
				part := with(sp, func(s *spec.Spec) { s.FirstRun, s.Runs, s.Agents = i, 1, []string{label} })
				parts = append(parts, run(t, part)...)
			}
		}
		if !bytes.Equal(small.Encoded(parts), small.Encoded(whole)) {
			t.Errorf("%s: the parts are not the whole", name)
		}
		fewer := run(t, with(sp, func(s *spec.Spec) { s.Episodes = 1 }))
		var first []*record.Record
		for _, r := range whole {
			if r.Episode == 1 {
				first = append(first, r)
			}
		}
		if !bytes.Equal(small.Encoded(fewer), small.Encoded(first)) {
			t.Errorf("%s: one episode is not the first of %d", name, sp.Episodes)
		}
		if other := run(t, with(sp, func(s *spec.Spec) { s.Seed ^= 1 })); bytes.Equal(small.Encoded(other), small.Encoded(whole)) {
			t.Errorf("%s: another seed gave the same records", name)
		}
	}
}

// A reader that stops is not called again.
func TestStop(t *testing.T) {
	n := 0
	for range ready(t, small.All(t)["figure1"]).Run() {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d records", n)
	}
}

// chart is the law and the reward of a traced model as plain tables.
type chart struct {
	states, actions int
	p               []float64 // by x, then y
	r               []float64
}

// chartOf computes the joint law of a traced model by the product formula.
func chartOf(t *testing.T, tr *record.Trace, m *record.TraceModel) chart {
	t.Helper()
	space := tr.Space()
	c := chart{states: space.States(), actions: space.Actions(), r: m.Reward}
	x, y := make([]int, space.X()), make([]int, space.Y())
	for i := range space.Points() {
		space.Point(x, i)
		for k := range c.states {
			space.Point(y, k)
			p := 1.0
			for _, f := range m.Transition {
				row := 0
				for _, name := range f.Given {
					v := space.Lookup(name)
					row = row*space.Var(v).Size + x[v]
				}
				p *= f.P.List.Row(row)[y[space.Lookup(f.Of)]]
			}
			c.p = append(c.p, p)
		}
	}
	return c
}

// value returns the value of a policy in each state, by textbook recursion. The policy nil
// stands for the best one.
func (c chart) value(horizon int, policy [][]int32) []float64 {
	next := make([]float64, c.states)
	for h := horizon; h >= 1; h-- {
		v := make([]float64, c.states)
		for s := range v {
			v[s] = math.Inf(-1)
			for a := range c.actions {
				if policy != nil && int(policy[h-1][s]) != a {
					continue
				}
				x := s*c.actions + a
				q := c.r[x]
				for y, p := range c.p[x*c.states:][:c.states] {
					q += p * next[y]
				}
				v[s] = max(v[s], q)
			}
		}
		next = v
	}
	return next
}

func under(initial, v []float64) float64 {
	sum := 0.0
	for s, p := range initial {
		sum += p * v[s]
	}
	return sum
}

// A trace is of the episode that Run plays; its record has the same bytes. Oracles for the
// rest: textbook recursion over the joint laws, the sum of the rewards, and the ℓ1
// distance by definition.
func TestTrace(t *testing.T) {
	for name, sp := range small.All(t) {
		last := map[string]*record.Record{}
		for _, r := range run(t, sp) {
			if r.Run == sp.FirstRun+sp.Runs-1 {
				last[fmt.Sprint(r.Agent, r.Episode)] = r
			}
		}
		for _, label := range sp.Agents {
			for _, episode := range []int{1, sp.Episodes} {
				at := fmt.Sprintf("%s, %s, episode %d", name, label, episode)
				tr, err := ready(t, sp).Trace(t.Context(), sp.FirstRun+sp.Runs-1, label, episode)
				if err != nil {
					t.Fatalf("%s: %v", at, err)
				}
				want := last[fmt.Sprint(label, episode)]
				if got := record.AppendRecord(nil, &tr.Record); !bytes.Equal(got, record.AppendRecord(nil, want)) {
					t.Errorf("%s:\n got %s\nwant %s", at, got, record.AppendRecord(nil, want))
				}
				again, err := record.DecodeTrace(record.EncodeTrace(tr))
				if err != nil || !bytes.Equal(record.EncodeTrace(again), record.EncodeTrace(tr)) {
					t.Fatalf("%s does not read back: %v", at, err)
				}
				checkTrace(t, at, sp, tr)
			}
		}
	}
}

// F-PSRL takes the stated edges of a prior as certain, also those that have a probability;
// C-PSRL does not.
func TestTraceOfCertainEdges(t *testing.T) {
	e := ready(t, small.Decode(t, `{"format":"cpsrl/spec","version":2,"domain":{"name":"figure1"},"prior":{"eta":1,"trust":0.9},"agents":["f-psrl:graph=prior","c-psrl"],"episodes":1,"runs":1,"seed":1}`))
	for agent, certain := range map[string]bool{"f-psrl:graph=prior": true, "c-psrl": false} {
		tr, err := e.Trace(t.Context(), 0, agent, 1)
		if err != nil {
			t.Fatal(err)
		}
		for j, known := range tr.Prior {
			if (len(known) == 1) != certain || certain && !slices.Equal(known, tr.Sampled.Graph[j]) {
				t.Errorf("%s, variable %d: the trace knows %v, and the agent sampled %v", agent, j, known, tr.Sampled.Graph[j])
			}
		}
	}
}

func checkTrace(t *testing.T, at string, sp *spec.Spec, tr *record.Trace) {
	t.Helper()
	in, err := experiment.NewInstance(sp, tr.Run)
	if err != nil {
		t.Fatal(err)
	}
	initial := in.View.Initial
	truth := chartOf(t, tr, &tr.True)
	if got := under(initial, truth.value(tr.Horizon, nil)); math.Abs(got-tr.Record.Optimal) > 1e-9 || tr.True.Value != tr.Record.Optimal {
		t.Errorf("%s: V_*(π_*) = %v, traced %v, by recursion %v", at, tr.Record.Optimal, tr.True.Value, got)
	}
	if got := under(initial, truth.value(tr.Horizon, tr.True.Policy)); math.Abs(got-tr.Record.Optimal) > 1e-9 {
		t.Errorf("%s: π_* is worth %v, not %v", at, got, tr.Record.Optimal)
	}
	if got := under(initial, truth.value(tr.Horizon, tr.Sampled.Policy)); math.Abs(got-tr.Record.Value) > 1e-9 {
		t.Errorf("%s: V_*(π_k) = %v, by recursion %v", at, tr.Record.Value, got)
	}
	if tr.Sampled.Transition != nil {
		sampled := chartOf(t, tr, &tr.Sampled)
		if got := under(initial, sampled.value(tr.Horizon, nil)); math.Abs(got-tr.Sampled.Value) > 1e-9 {
			t.Errorf("%s: the sampled model is worth %v, by recursion %v", at, tr.Sampled.Value, got)
		}
		distance := 0.0
		for i := range truth.p {
			distance += math.Abs(truth.p[i] - sampled.p[i])
		}
		distance /= float64(truth.states * truth.actions)
		if math.Abs(distance-*tr.Record.ModelError) > 1e-9 {
			t.Errorf("%s: model error %v, by definition %v", at, *tr.Record.ModelError, distance)
		}
	}
	space := tr.Space()
	total := 0.0
	var state []int
	for h, step := range tr.Steps {
		s := step.X[:space.Y()]
		if state != nil && !slices.Equal(s, state) {
			t.Errorf("%s: step %d starts in %v, not in %v", at, h+1, s, state)
		}
		if h == 0 && initial[space.Index(s)] == 0 {
			t.Errorf("%s: starts in %v", at, s)
		}
		x := space.Index(step.X)
		if a := x % truth.actions; int(tr.Sampled.Policy[h][space.Index(s)]) != a {
			t.Errorf("%s: step %d plays %d against the policy", at, h+1, a)
		}
		if truth.p[x*truth.states+space.Index(step.Y)] == 0 {
			t.Errorf("%s: step %d goes where it cannot", at, h+1)
		}
		total += step.Reward
		state = step.Y
	}
	if math.Abs(total-tr.Record.Return) > 1e-12 {
		t.Errorf("%s: the rewards sum to %v, the return is %v", at, total, tr.Record.Return)
	}
	for j, b := range tr.After {
		for i, p := range b.Edges {
			if record.Round4(p) != tr.Record.Belief.Edges[j][i] {
				t.Errorf("%s: edge %d→%d is %v after, %v in the record", at, i, j, p, tr.Record.Belief.Edges[j][i])
			}
		}
		if !slices.Equal(b.Sets[0].Parents, tr.Record.Belief.Best[j]) {
			t.Errorf("%s: best %v after, %v in the record", at, b.Sets[0].Parents, tr.Record.Belief.Best[j])
		}
		// Sets that differ only in variables with one value are one graph.
		bits, most, trivial := tr.Before[j].Entropy, math.Log2(float64(b.Count)), in.View.Trivial()
		switch {
		case tr.Episode > 1:
		case trivial.Has(j) && bits != 0, !trivial.Empty() && !(bits >= 0 && bits <= most), trivial.Empty() && math.Abs(bits-most) > 1e-9:
			t.Errorf("%s: %v bits before the first episode, over %d sets", at, bits, b.Count)
		}
		known := bigraph.Of(tr.Prior[j]...)
		if !bigraph.Of(tr.Sampled.Graph[j]...).Contains(known) {
			t.Errorf("%s: the sampled %v lacks known %v", at, tr.Sampled.Graph[j], tr.Prior[j])
		}
	}
}

// leaving is a context that ends after Err has been called a number of times.
type leaving struct {
	context.Context
	looks int
}

func (c *leaving) Err() error {
	if c.looks--; c.looks < 0 {
		return context.Canceled
	}
	return nil
}

// With a context that ends after eight checks, Trace reaches episode 8 but not episode 9.
func TestTraceEnds(t *testing.T) {
	sp := specOf(t, `{"name":"figure1"}`, `,"agents":["psrl"],"episodes":100000`)
	for episode, want := range map[int]error{8: nil, 9: context.Canceled, 100_000: context.Canceled} {
		if _, err := ready(t, sp).Trace(&leaving{t.Context(), 8}, 0, "psrl", episode); err != want {
			t.Errorf("episode %d: %v, want %v", episode, err, want)
		}
	}
}

// With a context that ends after some checks, the check of six agents ends between two of
// them, and the error is not a Refusal.
func TestNewEnds(t *testing.T) {
	sp := small.All(t)["taxi"]
	for looks, want := range map[int]error{0: context.Canceled, 5: context.Canceled, 6: nil} {
		if _, err := experiment.NewContext(&leaving{t.Context(), looks}, sp); err != want {
			t.Errorf("after %d looks: %v, want %v", looks, err, want)
		}
	}
}

func TestTraceErrors(t *testing.T) {
	sp := small.All(t)["taxi"] // runs 7 and 8
	for _, c := range []struct {
		run     int
		agent   string
		episode int
		place   string
		says    string
	}{
		{6, "psrl", 1, "/runs", "there is no run 6; runs are 7 to 8"},
		{9, "psrl", 1, "/runs", "there is no run 9"},
		{7, "q-learning", 1, "/agents", `there is no agent "q-learning"`},
		{7, "c-psrl:eta=5", 1, "/agents", `there is no agent "c-psrl:eta=5"`},
		{7, "psrl", 0, "/episodes", "there is no episode 0; episodes are 1 to 2"},
		{7, "psrl", 3, "/episodes", "there is no episode 3"},
	} {
		_, err := ready(t, sp).Trace(t.Context(), c.run, c.agent, c.episode)
		wantInvalid(t, "trace", err, c.place, c.says)
	}
	long := specOf(t, `{"name":"taxi","horizon":16384}`, ``) // S = 50
	if _, err := ready(t, long).Trace(t.Context(), 0, "f-psrl", 1); err != nil {
		t.Error(err)
	}
	large := specOf(t, `{"name":"random-fmdp","stateVariables":8,"horizon":16384}`, ``)
	_, err := ready(t, large).Trace(t.Context(), 0, "psrl", 1)
	wantInvalid(t, "trace", err, "/domain/horizon", "256 states at 16384 steps, 4194304 in all (S·H), more than 1048576")
}

func wantInvalid(t *testing.T, name string, err error, place, says string) {
	t.Helper()
	var invalid *strict.InvalidError
	if !errors.As(err, &invalid) || invalid.Place != place || !strings.Contains(invalid.Reason, says) {
		t.Errorf("%s:\n got %v\nwant %s: …%s…", name, err, place, says)
	}
}

// everyEdge lists the edges from every X to every Y of a random FMDP.
func everyEdge(dX, dY int) string {
	var edges []string
	for i := range dX * dY {
		edges = append(edges, fmt.Sprintf(`["X%d","X%d"]`, i%dX+1, i/dX+1))
	}
	return strings.Join(edges, ",")
}

// New refuses a spec that is made in Go with an unknown word, and completes a copy of one
// that lacks fields.
func TestNewRefuses(t *testing.T) {
	taxi := func() domain.Domain { return &domain.Taxi{} }
	for _, c := range []struct {
		spec        spec.Spec
		place, says string
	}{
		{spec.Spec{}, "/domain", "missing"},
		{spec.Spec{Domain: &domain.Taxi{Grid: "3×3"}}, "/domain/grid", "it must be one of 3x3, 5x5"},
		{spec.Spec{Domain: &domain.Taxi{Horizon: -3}}, "/domain/horizon", "-3 is out of range"},
		{spec.Spec{Domain: &domain.Random{Parents: -7}}, "/domain/parents", "-7 is out of range"},
		{spec.Spec{Domain: taxi(), Update: "Printed"}, "/update", "it must be one of exact, printed"},
		{spec.Spec{Domain: taxi(), Bound: "Below"}, "/bound", "it must be one of at-most, below"},
		{spec.Spec{Domain: taxi(), Rewards: "Learned"}, "/rewards", "it must be one of known, learned"},
		{spec.Spec{Domain: taxi(), Agents: []string{"c-prsl"}}, "/agents/0", "it must be one of psrl"},
		{spec.Spec{Domain: taxi(), Agents: []string{}}, "/agents", "0 agents"},
		{spec.Spec{Domain: taxi(), Runs: -1}, "/runs", "-1 is out of range"},
	} {
		_, err := experiment.New(&c.spec)
		wantInvalid(t, c.place, err, c.place, c.says)
	}
	half := &spec.Spec{Domain: taxi()}
	e, err := experiment.New(half)
	if err != nil {
		t.Fatal(err)
	}
	if half.Runs != 0 || e.Spec().Runs != 1 || e.Title() != "Taxi 5×5: η = 2, Z = 5, H = 15" {
		t.Errorf("%+v became %q, %+v", half, e.Title(), e.Spec())
	}
}

// A spec that cannot run is refused at its place before much memory is allocated.
func TestCheck(t *testing.T) {
	fixed := func(mean string) string {
		return `{"name":"model","model":{"format":"cpsrl/model","version":1,"horizon":1,"state":[{"name":"s","size":2}],"action":[{"name":"a","size":2}],` +
			`"initial":"uniform","transition":[{"of":"s","given":[],"p":[[0.5,0.5]]}],"reward":[{"given":[],"mean":[` + mean + `],"kind":"fixed"}]}}`
	}
	tooMany := fmt.Sprintf("would keep more than %d counts", posterior.MaxCells) // fewer in a browser
	for _, c := range []struct{ domain, rest, place, says string }{
		{`{"name":"random-fmdp","stateVariables":60,"actionVariables":4,"values":1024,"horizon":16384,"parents":"uniform"}`, ``, "/domain/stateVariables", "at least 2^63-1 state-action pairs"},
		{`{"name":"random-fmdp","stateVariables":63,"actionVariables":1,"values":2,"parents":64}`, `,"sparseness":64`, "/domain/stateVariables", "at least 2^63-1"},
		{`{"name":"random-fmdp","stateVariables":19,"actionVariables":2}`, ``, "/domain/stateVariables", "2097152 state-action pairs"},
		{`{"name":"random-fmdp","stateVariables":1,"actionVariables":1,"values":512,"parents":2}`, ``, "/domain/parents", "the transition tables have more than 16777216 entries"},
		{`{"name":"random-fmdp","stateVariables":13,"horizon":16384}`, ``, "/domain/horizon", "a policy of 134217728 entries"},
		{`{"name":"random-fmdp","stateVariables":17,"actionVariables":2,"parents":6}`, ``, "/domain", "multiplications a step"},
		{`{"name":"random-fmdp","stateVariables":13,"actionVariables":1,"parents":2}`, ``, "/agents/0", "PSRL would hold tables of 134217728 entries"},
		{`{"name":"random-fmdp","stateVariables":63,"actionVariables":1,"values":1}`, `,"agents":["c-psrl"]`, "/sparseness", tooMany},
		{`{"name":"random-fmdp","stateVariables":63,"actionVariables":1,"values":1}`, `,"agents":["c-psrl"],"sparseness":64`, "/sparseness", `"X1" has 4611686018427387904 consistent parent sets`},
		{`{"name":"random-fmdp","stateVariables":18,"actionVariables":2,"parents":1}`, `,"agents":["f-psrl:graph=prior"],"rewards":"learned","prior":{"edges":[` + everyEdge(20, 18) + `]}`, "/agents", tooMany},
		{`{"name":"taxi"}`, `,"prior":{"edges":[["row","column"]]}`, "/prior/edges/0/1", `there is no state variable "column"`},
		{`{"name":"taxi"}`, `,"prior":{"edges":[["taxi","row"]]}`, "/prior/edges/0/0", `there is no variable "taxi"`},
		{`{"name":"taxi"}`, `,"prior":{"edges":[["row","row"],["row","row"]]}`, "/prior/edges/1", "listed twice"},
		{`{"name":"taxi"}`, `,"prior":{"edges":[["row","row"],["col","row"]]},"sparseness":1`, "/prior/edges", `"row" has 2 known parents, but the degree of sparseness admits at most 1`},
		{`{"name":"taxi"}`, `,"sparseness":2`, "/sparseness", `"col" has 3 known parents`},
		{`{"name":"taxi"}`, `,"agents":["c-psrl:eta=64"],"bound":"below"`, "/sparseness", `"passenger" has 5 known parents, but the degree of sparseness admits fewer than 5`},
		{fixed("1.5"), `,"rewards":"learned"`, "/rewards", "mean 1.5"},
		{fixed("-0.5"), `,"rewards":"learned"`, "/rewards", "mean -0.5"},
	} {
		sp := specOf(t, c.domain, c.rest)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := experiment.New(sp)
		runtime.ReadMemStats(&after)
		wantInvalid(t, c.domain+c.rest, err, c.place, c.says)
		if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 512 {
			t.Errorf("%s: %d MB allocated to refuse it", c.domain, mb)
		}
	}
	for name, sp := range small.All(t) {
		if _, err := experiment.New(sp); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Wrong edges, all graphs and the most possible known edges can run.
	for _, rest := range []string{
		`,"prior":{"edges":[["col","row"]]}`, `,"prior":{"edges":[]}`, `,"prior":{"eta":64}`, `,"sparseness":64`, `,"bound":"below","sparseness":6`,
	} {
		if _, err := experiment.New(specOf(t, `{"name":"taxi"}`, rest+small.EveryAgent)); err != nil {
			t.Errorf("%s: %v", rest, err)
		}
	}
}

// The largest possible rewards give finite records.
func TestLargestRewards(t *testing.T) {
	m := `{"format":"cpsrl/model","version":1,"horizon":16384,"state":[{"name":"s","size":2}],"action":[{"name":"a","size":2}],` +
		`"initial":"uniform","transition":[{"of":"s","given":["s","a"],"p":[[0,1],[1,0],[1,0],[0,1]]}],"reward":[{"given":["s","a"],"mean":[1e12,-1e12,0,1e12],"kind":"fixed"},{"given":[],"mean":[1],"kind":"bernoulli","scale":-1e12}]}`
	for _, r := range run(t, specOf(t, `{"name":"model","model":`+m+`}`, `,"episodes":2`)) {
		if _, err := record.DecodeRecord(record.AppendRecord(nil, r)); err != nil || r.Optimal < 0 {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

// Above MaxJoint the model error is absent, and the header says why.
func TestHeader(t *testing.T) {
	large := specOf(t, `{"name":"random-fmdp","stateVariables":11,"actionVariables":2,"parents":2,"horizon":2}`, `,"agents":["f-psrl","c-psrl"],"sparseness":2,"episodes":1`)
	if got, want := ready(t, large).Header().ModelError, "not computed: S²A is 16777216, above 8388608"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, r := range run(t, large) {
		if r.ModelError != nil || r.Belief == nil {
			t.Errorf("%+v", r)
		}
	}
	h := ready(t, small.All(t)["taxi"]).Header()
	if h.ModelError != "" || h.Engine != record.Engine || h.Format != record.RecordFormat {
		t.Errorf("%+v", h)
	}
	if again, err := experiment.DecodeHeader(experiment.AppendHeader(nil, h)); err != nil || !bytes.Equal(experiment.AppendHeader(nil, again), experiment.AppendHeader(nil, h)) {
		t.Errorf("the header does not read back: %v", err)
	}
}

// horizon returns H of a complete spec.
func horizon(s *spec.Spec) int {
	for _, p := range s.Domain.Params() {
		if p.Name == "horizon" {
			return *p.Int
		}
	}
	return 0
}

// Oracle: the settings of the paper.
func TestPresets(t *testing.T) {
	want := map[string]struct {
		agents  string
		k, h, z int
	}{
		"fig1":  {"psrl f-psrl c-psrl", 100, 10, 3},
		"fig2a": {"psrl f-psrl c-psrl", 500, 100, 5},
		"fig2c": {"psrl f-psrl c-psrl", 400, 10, 5},
		"fig2d": {"psrl f-psrl c-psrl c-psrl:eta=2", 400, 15, 5},
		"eta":   {"f-psrl c-psrl:eta=1 c-psrl:eta=2 c-psrl:eta=3 c-psrl:eta=4", 500, 100, 5},
	}
	seen, galleried := map[string]bool{}, 0
	for _, p := range experiment.Presets() {
		if p.Gallery {
			galleried++
		}
		base, quick := strings.CutSuffix(p.Name, "-quick")
		w, ok := want[base]
		if p.Gallery {
			w.agents, w.k, w.h, w.z, ok = strings.Join(p.Spec.Agents, " "), p.Spec.Episodes, horizon(p.Spec), p.Spec.Sparseness, !quick
		}
		if !ok || seen[p.Name] || p.Title == "" {
			t.Errorf("preset %q (%q)", p.Name, p.Title)
		}
		seen[p.Name] = true
		s := p.Spec
		if strings.TrimSuffix(w.agents, map[bool]string{true: " c-psrl:eta=2"}[p.Name == "fig2d-quick"]) != strings.Join(s.Agents, " ") || horizon(s) != w.h || s.Sparseness != w.z || s.Update != "exact" || s.Bound != "at-most" || s.Rewards != "known" {
			t.Errorf("%s: %+v", p.Name, s)
		}
		if !quick && (s.Episodes != w.k || s.Runs != 20 && !p.Gallery) || quick && s.Episodes*s.Runs >= w.k*20/4 {
			t.Errorf("%s: %d episodes, %d runs", p.Name, s.Episodes, s.Runs)
		}
		if _, err := experiment.New(s); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		if again, err := spec.Decode(spec.Encode(s)); err != nil || !bytes.Equal(spec.Encode(again), spec.Encode(s)) {
			t.Errorf("%s is not complete: %v", p.Name, err)
		}
		if got, ok := experiment.LookupPreset(strings.ToUpper(p.Name)); !ok || got.Name != p.Name {
			t.Errorf("LookupPreset(%q) = %v, %v", strings.ToUpper(p.Name), got.Name, ok)
		}
	}
	if len(seen) != 10+galleried || galleried != len(experiment.Gallery()) || galleried < 13 {
		t.Errorf("%d presets", len(seen))
	}
	if _, ok := experiment.LookupPreset("fig3"); ok {
		t.Error("fig3 was found")
	}
	experiment.Presets()[0].Spec.Agents[0] = "changed"
	if experiment.Presets()[0].Spec.Agents[0] != "psrl" {
		t.Error("presets share their agents")
	}
}

// The prior of an agent is the spec's, or knows η true parents of each variable.
func TestPrior(t *testing.T) {
	sp := specOf(t, `{"name":"taxi"}`, `,"sparseness":4,"bound":"below"`)
	in, err := experiment.NewInstance(sp, 0)
	if err != nil {
		t.Fatal(err)
	}
	own, task := in.Prior, in.Task()
	if !slices.Equal(own.Known, in.Suggested) || own.Sparseness != 4 || own.Bound != bigraph.Below || own.X != 5 || own.Trivial != bigraph.Of(3) {
		t.Errorf("%+v", own)
	}
	for eta := range 6 {
		arm, err := arm.Parse(fmt.Sprintf("c-psrl:eta=%d", eta))
		if err != nil {
			t.Fatal(err)
		}
		if p := arm.Prior(task); !slices.Equal(p.Known, in.Revealed(eta)) || p.Sparseness != 4 {
			t.Errorf("η = %d: %v", eta, p)
		}
	}
	for label, want := range map[string]bigraph.Bigraph{"c-psrl": own.Known, "f-psrl": in.View.Graph(), "f-psrl:graph=prior": own.Known} {
		arm, _ := arm.Parse(label)
		if p := arm.Prior(task); !slices.Equal(p.Known, want) {
			t.Errorf("%s: %v, want %v", label, p.Known, want)
		}
	}
}

// If the number of parents is drawn, true parent sets and own reward scopes reach the
// largest size that the prior of their variable allows and do not exceed it.
func TestTrueParents(t *testing.T) {
	for _, bound := range []string{"at-most", "below"} {
		sp, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":2,"prior":{"eta":1},"sparseness":{"X1":4,"X2":2,"*":3},"bound":"` + bound + `",
			"domain":{"name":"random-fmdp","stateVariables":3,"actionVariables":2,"parents":"uniform","rewardScopes":"own"}}`))
		if err != nil {
			t.Fatal(err)
		}
		var most, graph, rewards [3]int
		for run := range 100 {
			in, err := experiment.NewInstance(sp, run)
			if err != nil {
				t.Fatal(err)
			}
			for j, z := range in.View.Graph() {
				most[j] = in.Prior.MostParents(j)
				graph[j] = max(graph[j], z.Len())
				rewards[j] = max(rewards[j], len(in.View.Reward[j].Given))
			}
		}
		if graph != most || rewards != most {
			t.Errorf("%s: up to %v parents and %v of rewards, want %v", bound, graph, rewards, most)
		}
	}
}

// The same η in the spec and in a label gives the same prior, and η does not change the
// tables of the true model.
func TestEtaOfSpec(t *testing.T) {
	domain := `{"name":"random-fmdp","stateVariables":3,"actionVariables":1,"parents":3,"horizon":4}`
	one, err := experiment.NewInstance(specOf(t, domain, `,"prior":{"eta":1}`), 2)
	if err != nil {
		t.Fatal(err)
	}
	two, err := experiment.NewInstance(specOf(t, domain, ``), 2)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(one.Prior.Known, two.Revealed(1)) || !slices.Equal(one.View.Graph(), two.View.Graph()) {
		t.Error("the degree of prior knowledge changed the true graph")
	}
	if !slices.Equal(one.View.Transition[0].P, two.View.Transition[0].P) {
		t.Error("the degree of prior knowledge changed the true tables")
	}
}

func TestRanked(t *testing.T) {
	if got := posterior.Ranked([]float64{0.1, 0.4, 0.1, 0.4, 0}); !slices.Equal(got, []int{1, 3, 0, 2, 4}) {
		t.Errorf("%v", got)
	}
}

func ExampleNew() {
	e, err := experiment.New(&spec.Spec{Domain: &domain.Figure1{}, Episodes: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(e.Title())
	for r, err := range e.Run() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(r.Agent, r.Episode, r.Regret >= 0, r.Belief != nil)
	}
	// Output:
	// The example of Figure 1: η = 2, Z = 3, H = 10
	// psrl 1 true false
	// f-psrl 1 true true
	// c-psrl 1 true true
}
