package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/agent"
	"cpsrl/core/arm"
	"cpsrl/core/bigraph"
	"cpsrl/core/domain"
	"cpsrl/core/experiment"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/planning"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/wasm/engine"
	"cpsrl/wasm/web"
)

// lamp is a domain from outside: a switch turns on a lamp, which burns out with a
// probability of Fragile tenths.
type lamp struct {
	Fragile, Horizon int
	Color            string
	built            *int // how often Build was called
}

func (l *lamp) Kind() *domain.Kind { return lampKind(l.built) }
func (l *lamp) Sparseness() int    { return 2 }
func (l *lamp) Title() (string, []string) {
	return "A lamp", []string{fmt.Sprintf("F = %d", l.Fragile)}
}

func (l *lamp) Params() []param.Param {
	return []param.Param{
		{Name: "fragile", Key: "fragile", Section: param.Domain, Label: "Fragility", Symbol: "F", Phrase: "F = _", Int: &l.Fragile, Low: 1, High: 9, Default: "1"},
		{Name: "color", Key: "color", Section: param.Domain, Label: "Colour", Text: &l.Color, Words: []param.Word{{Value: "red", Label: "Red"}, {Value: "blue", Label: "Blue"}}, Default: "red"},
		{Name: "horizon", Key: "horizon", Section: param.Domain, Label: "Horizon", Int: &l.Horizon, Low: 1, High: 100, Default: "6"},
	}
}

func (l *lamp) Build(rng *rand.Rand, _ domain.Given) (*domain.Problem, error) {
	*l.built++
	out := float64(l.Fragile) / 10
	m := &fmdp.Model{
		Name: "lamp", Horizon: l.Horizon, Initial: []float64{1, 0},
		Space:      fmdp.Space{State: []fmdp.Variable{{Name: "lit", Size: 2}}, Action: []fmdp.Variable{{Name: "switch", Size: 2}}},
		Transition: []fmdp.Factor{{Given: []int{0, 1}, Size: 2, P: []float64{1, 0, 0, 1, out, 1 - out, out, 1 - out}}},
		Reward:     []fmdp.Reward{{Given: []int{0}, Mean: []float64{0, 1}, Kind: fmdp.Fixed, Scale: 1, Of: -1}},
	}
	return domain.FromModel(m, rng), m.Validate()
}

func lampKind(built *int) *domain.Kind {
	return &domain.Kind{Key: "lamp", Label: "A lamp", Phrase: "a lamp", New: func() domain.Domain { return &lamp{built: built} }}
}

// myopic is an agent from outside that plans by itself: it counts, and looks only one step
// ahead.
type myopic struct {
	agent.Agent
	task *agent.Task
}

// Plan implements agent.Planner. Every step plays the action with the largest reward, the
// lowest in a tie.
func (g *myopic) Plan(ctx context.Context, rng *agent.Draws, s *agent.Model) (agent.Policy, error) {
	planned++
	exact := &agent.Exact{Space: g.task.Space, Horizon: 1}
	policy, err := exact.Plan(ctx, rng, s)
	if err != nil {
		return nil, err
	}
	always := planning.NewPolicy(g.task.Horizon, [][]int32{policy.(*agent.Table).Rule(1)})
	best, err := (&agent.Exact{Space: g.task.Space, Horizon: g.task.Horizon}).Plan(ctx, rng, s)
	if err != nil {
		return nil, err
	}
	return agent.NewTable(g.task.Space, always, best.(*agent.Table).Values), nil
}

// Beliefs implements agent.Believer.
func (g *myopic) Beliefs() []agent.Belief { return g.Agent.(agent.Believer).Beliefs() }

var planned int // how often a myopic agent has planned

type myopicConfig struct{ Mood string }

func (c *myopicConfig) Params() []param.Param {
	return []param.Param{{Name: "mood", Text: &c.Mood, Words: []param.Word{{Value: "calm"}, {Value: "hasty"}}}}
}
func (c *myopicConfig) Names() (string, string)             { return "Myopic " + c.Mood, c.Mood }
func (c *myopicConfig) Look() arm.Look                      { return arm.Look{Color: "#123456", Dash: []float64{1, 2}} }
func (c *myopicConfig) Needs() []arm.Need                   { return []arm.Need{arm.GivenPrior} }
func (c *myopicConfig) Prior(t *agent.Task) *bigraph.Prior  { return t.Prior }
func (c *myopicConfig) Cost(*agent.Task, *arm.Size) float64 { return 1e9 }
func (c *myopicConfig) Build(t *agent.Task) (agent.Agent, error) {
	a, err := agent.NewCausal(t, t.Prior)
	return &myopic{a, t}, err
}

var myopicKind = &arm.Kind{
	Key: "myopic", Gloss: "looks one step ahead", Graph: true, Factored: true, Believes: true, Plans: true,
	New: func() arm.Config { return &myopicConfig{Mood: "calm"} },
}

var collected = &results.Measure{
	Key: "takings", Noun: "Takings", Axis: "reward collected", Definition: "Takings are the reward collected in the episode.",
	Formula: "Σ_h r_h", Better: results.Higher,
	Of: func(r *record.Record, _ *results.Truth) (float64, bool) { return r.Return, true },
}

// One row each makes a domain, an agent with a planner of its own and a measure known
// everywhere: in the parser, the form, the link, the cost, the records, the trace, the
// summary, the page's catalogue and the help. (TestNewRow of package spec tests a switch of
// the spec.)
func TestNewKinds(t *testing.T) {
	built := 0
	planned = 0
	t.Cleanup(domain.Register(lampKind(&built)))
	t.Cleanup(arm.Register(myopicKind))
	t.Cleanup(results.RegisterMeasure(collected))

	const document = `{"format":"cpsrl/spec","version":1,"domain":{"name":"lamp","fragile":3},"agents":["psrl","myopic:mood=hasty","c-psrl"],"episodes":4,"runs":2}`
	s, err := spec.Decode([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	for body, place := range map[string]string{
		strings.Replace(document, `"fragile":3`, `"fragile":10`, 1):              "/domain/fragile: 10 is out of range; it must be from 1 to 9",
		strings.Replace(document, `"fragile":3`, `"color":"green"`, 1):           `/domain/color: "green" is unknown; it must be one of red, blue`,
		strings.Replace(document, "hasty", "sad", 1):                             `/agents/1: the mood of "myopic:mood=sad" must be calm or hasty`,
		strings.Replace(document, `"lamp","fragile":3`, `"taxi","fragile":3`, 1): `/domain/fragile: the domain "taxi" has no parameter "fragile"`,
	} {
		if _, err := spec.Decode([]byte(body)); err == nil || err.Error() != place {
			t.Errorf("%s: %v, want %s", body, err, place)
		}
	}

	fields := map[string]spec.Field{}
	for _, f := range spec.Fields(s) {
		fields[f.Place] = f
	}
	if f := fields["/domain/fragile"]; f.Label != "Fragility" || *f.Min != 1 || *f.Max != 9 || f.Default != 1 {
		t.Errorf("the form: %+v", f)
	}
	if f := fields["/domain/name"]; !slices.Contains(f.Choices, "lamp") || !slices.Contains(f.Labels, "A lamp") {
		t.Errorf("the menu: %+v", f)
	}

	link := spec.EncodeLink(&spec.Link{Spec: s})
	if want := "v=1&agents=psrl,myopic:mood=hasty,c-psrl&domain=lamp&fragile=3&episodes=4&runs=2&seed=0"; link != want {
		t.Errorf("the link is %s, want %s", link, want)
	}
	if again, err := spec.DecodeLink(link); err != nil || string(spec.Encode(again.Spec)) != string(spec.Encode(s)) {
		t.Errorf("the link opens as %v, %v", again, err)
	}

	e, err := experiment.New(s)
	if err != nil {
		t.Fatal(err)
	}
	if title := e.Title(); title != "A lamp: F = 3, η = 0, Z = 2, H = 6" {
		t.Error(title)
	}
	alone := s.Clone()
	alone.Agents = []string{"psrl"}
	if other, err := experiment.New(alone); err != nil || e.Cost()-other.Cost() < 2*4*1e9 {
		t.Errorf("the agent's cost is not in %v, beside %v: %v", e.Cost(), other.Cost(), err)
	}
	longer := s.Clone()
	if err := longer.Set("horizon", "12"); err != nil {
		t.Fatal(err)
	}
	if other, err := experiment.New(longer); err != nil || other.Cost() <= e.Cost() {
		t.Errorf("twice the horizon costs %v, not more than %v: %v", other.Cost(), e.Cost(), err)
	}
	records := 0
	for r, err := range e.Run() {
		if err != nil {
			t.Fatal(err)
		}
		if (r.Belief != nil) != (r.Agent != "psrl") {
			t.Errorf("%+v", r)
		}
		records++
	}
	if records != 2*3*4 || planned != 2*4 {
		t.Errorf("%d records; the agent planned %d times by itself", records, planned)
	}
	if trace, err := e.Trace(t.Context(), 1, "myopic:mood=hasty", 3); err != nil || trace.Grid != nil || len(trace.After) != 1 {
		t.Errorf("%+v, %v", trace, err)
	}

	ask := func(method, path, body string) string {
		w := httptest.NewRecorder()
		web.Handler(engine.Handler()).ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(body)))
		if w.Code != 200 {
			t.Fatalf("%s: %s", path, w.Body)
		}
		return w.Body.String()
	}
	var catalog engine.Catalog
	if err := json.Unmarshal([]byte(ask("GET", "/v1/presets", "")), &catalog); err != nil {
		t.Fatal(err)
	}
	if last := catalog.Domains[len(catalog.Domains)-1]; last.Key != "lamp" {
		t.Errorf("the catalogue's domains: %+v", catalog.Domains)
	}
	kind := catalog.Kinds[len(catalog.Kinds)-1]
	if kind.Key != "myopic" || len(kind.Fields) != 1 || kind.Fields[0].Place != "/mood" || fmt.Sprint(kind.Fields[0].Choices) != "[calm hasty]" {
		t.Errorf("the catalogue's kinds of agents: %+v", catalog.Kinds)
	}
	if !slices.ContainsFunc(catalog.Agents, func(a engine.AgentEntry) bool { return a.Name == "Myopic calm" && a.Look.Color == "#123456" }) {
		t.Errorf("the catalogue's agents: %+v", catalog.Agents)
	}
	if last := catalog.Measures[len(catalog.Measures)-1]; last.Key != "takings" || last.Better != results.Higher {
		t.Errorf("the catalogue's measures: %+v", last)
	}
	file := ask("POST", "/v1/run", document)
	if summary := ask("POST", "/v1/summary", file); !strings.Contains(summary, `"measure":"takings"`) || !strings.Contains(summary, "Takings after 4 episodes") || !strings.Contains(summary, "Myopic hasty") {
		t.Errorf("the summary: %s", summary)
	}

	command := func(stdin string, args ...string) string {
		var out, bad bytes.Buffer
		if status := run(context.Background(), args, strings.NewReader(stdin), &out, &bad); status != 0 {
			t.Fatalf("cpsrl %v: %d %s", args, status, bad.String())
		}
		return out.String()
	}
	measures := ""
	for _, m := range results.Measures() {
		measures += ", " + m.Key
	}
	if !strings.HasSuffix(measures, ", takings") {
		t.Error(measures)
	}
	for _, c := range []struct{ command, says string }{
		{"run", strings.Join(domain.Keys(), ", ")}, {"run", "-fragile"}, {"summary", measures[2:]},
	} {
		if help := command("", "help", c.command); !strings.Contains(help, c.says) {
			t.Errorf("cpsrl help %s does not say %q:\n%s", c.command, c.says, help)
		}
	}
	if got := command("", "run", "-domain", "lamp", "-fragile", "3", "-agents", "psrl,myopic:mood=hasty,c-psrl", "-episodes", "4", "-runs", "2"); got != file {
		t.Error("the command's flags give another experiment")
	}
	if csv := command(file, "summary", "-", "-of", "takings"); strings.Count(csv, "\nmyopic:mood=hasty,") != 4 {
		t.Errorf("the summary:\n%s", csv)
	}

	// A problem is built once for each run that is asked for.
	built = 0
	ask("POST", "/v1/check", document)
	if built != 1 {
		t.Errorf("/v1/check built the problem %d times", built)
	}
	built = 0
	ask("POST", "/v1/run", document)
	if built != 2 {
		t.Errorf("/v1/run of 2 runs built %d problems", built)
	}
}

// note is a document that is a parameter of a domain.
type note struct {
	text    []byte
	decoded *int // how often Decode was called
}

func (n *note) Decode(data []byte) error {
	*n.decoded++
	n.text = bytes.Clone(data)
	return nil
}
func (n *note) Encode() []byte           { return n.text }
func (n *note) Set(other param.Document) { n.text = other.(*note).text }

// noted is a lamp with a note.
type noted struct {
	lamp
	note note
}

func (n *noted) Kind() *domain.Kind { return notedKind(n.note.decoded, n.built) }
func (n *noted) Params() []param.Param {
	return append(n.lamp.Params(), param.Param{Name: "remark", Key: "remark", Section: param.Domain, Label: "Note", Document: &n.note})
}

func notedKind(decoded, built *int) *domain.Kind {
	return &domain.Kind{Key: "noted", Label: "A lamp with a note", New: func() domain.Domain {
		return &noted{lamp{built: built}, note{decoded: decoded}}
	}}
}

// Each request decodes a model once, and builds the problem of each run once.
func TestDecodedOnce(t *testing.T) {
	decoded, built := 0, 0
	t.Cleanup(domain.Register(notedKind(&decoded, &built)))
	const document = `{"format":"cpsrl/spec","version":1,"domain":{"name":"noted","remark":{"a":1}},"agents":["psrl","f-psrl","c-psrl"],"episodes":2,"runs":2}`
	s, err := spec.Decode([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	link := `{"link":"` + spec.EncodeLink(&spec.Link{Spec: s}) + `"}`
	within := `{"spec":` + document + `}`
	e, err := experiment.New(s)
	if err != nil {
		t.Fatal(err)
	}
	file := experiment.AppendHeader(nil, e.Header())
	for r, err := range e.Run() {
		if err != nil {
			t.Fatal(err)
		}
		file = record.AppendRecord(file, r)
	}
	records := string(file)
	for _, c := range []struct {
		path, body     string
		decoded, built int
	}{
		{"/v1/check", document, 1, 1},
		{"/v1/run", document, 1, 2},
		{"/v1/open", link, 1, 1},
		{"/v1/link", within, 2, 0}, // the link is read back once
		{"/v1/trace?run=1&agent=c-psrl&episode=2", document, 1, 2},
		{"/v1/runs", document + "\n", 1, 2},
		{"/v1/episodes?run=1&agent=c-psrl&last=2", document, 1, 2},
		{"/v1/edges?run=1&agent=c-psrl&episode=1", document, 1, 2},
		{"/v1/prior", `{"spec":` + document + `,"text":""}`, 1, 1},
		{"/v1/summary", records, 1, 1},
		{"/v1/spread", records, 1, 1},
		{"/v1/export?as=csv", records, 1, 1},
		{"/v1/export?as=dot", within, 1, 1},
		{"/v1/export?as=bibtex", within, 1, 1},
		{"/v1/export?as=model", within, 1, 1},
	} {
		decoded, built = 0, 0
		w := httptest.NewRecorder()
		web.Handler(engine.Handler()).ServeHTTP(w, httptest.NewRequest("POST", c.path, strings.NewReader(c.body)))
		if w.Code != 200 || decoded != c.decoded || built != c.built {
			t.Errorf("%s: status %d, decoded %d times, built %d problems; want %d, %d", c.path, w.Code, decoded, built, c.decoded, c.built)
		}
	}
}
