package engine

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"cpsrl/core/agent"
	"cpsrl/core/arm"
	"cpsrl/core/bigraph"
	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/format"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/render"
	"cpsrl/render/figure"
	"cpsrl/wasm/web"
)

// outside is a kind of agent from outside: C-PSRL that keeps to itself what the row of its kind lacks.
type outside struct {
	kind *arm.Kind
	of   *agent.Causal
}

func (o *outside) Observe(steps []posterior.Step) { o.of.Observe(steps) }
func (o *outside) Model(rng *posterior.Stream) *agent.Model {
	m := *o.of.Model(rng)
	if !o.kind.Graph {
		m.Graph = nil
	}
	if !o.kind.Factored {
		m.Transition = nil
	}
	return &m
}

// believing is one with a belief, and planning one with plans of its own.
type believing struct{ *outside }

func (b *believing) Beliefs() []agent.Belief { return b.of.Beliefs() }

type planner struct {
	agent.Agent
	*agent.Exact
}

func (p *planner) Plan(ctx context.Context, rng *agent.Draws, m *agent.Model) (agent.Policy, error) {
	return p.Exact.Plan(ctx, rng, m)
}

type outsideConfig struct{ kind *arm.Kind }

func (c *outsideConfig) Params() []param.Param                   { return nil }
func (c *outsideConfig) Names() (string, string)                 { return "From outside", c.kind.Key }
func (c *outsideConfig) Look() arm.Look                          { return arm.Look{Color: "#123456"} }
func (c *outsideConfig) Needs() []arm.Need                       { return []arm.Need{arm.GivenPrior} }
func (c *outsideConfig) Prior(t *agent.Task) *bigraph.Prior      { return t.Prior }
func (c *outsideConfig) Cost(t *agent.Task, s *arm.Size) float64 { return 1 }
func (c *outsideConfig) Build(t *agent.Task) (agent.Agent, error) {
	of, err := agent.NewCausal(t, t.Prior)
	var built agent.Agent = &outside{c.kind, of}
	switch {
	case c.kind.Believes:
		built = &believing{&outside{c.kind, of}}
	case c.kind.Plans:
		built = &planner{built, t.Exact()}
	}
	return built, err
}

// registerOutside registers a kind for each of what a row may say of its agents, for the time of a test.
func registerOutside(t *testing.T) {
	for k := range 12 {
		kind := &arm.Kind{Key: fmt.Sprintf("outside-%d", k), Gloss: "is from outside", Graph: k&1 != 0, Factored: k&2 != 0, Believes: k&12 == 4, Plans: k&12 == 8}
		kind.New = func() arm.Config { return &outsideConfig{kind} }
		t.Cleanup(arm.Register(kind))
	}
}

// problems are small ones: without a picture, with each kind of picture, with ends, payoffs whose parents are learned,
// hidden variables, noise, legal actions and formulas.
func problems(t *testing.T) map[string]string {
	t.Helper()
	const ward = `"state":[{"name":"pulse","size":3,"values":["low","fine","high"]},{"name":"pain","size":2},{"name":"age","size":1}],"action":[{"name":"drug","size":2},{"name":"rest","size":2}],` +
		`"initial":[{"state":[1,0,0],"p":0.5},{"state":[2,1,0],"p":0.5}],` +
		`"transition":[{"of":"pulse","given":["pulse","drug"],"p":[[0.5,0.5,0],[0.2,0.8,0],[0.2,0.6,0.2],[0.5,0.5,0],[0,0.5,0.5],[0.1,0.8,0.1]]},{"of":"pain","given":["pain","rest"],"p":[[0.9,0.1],[1,0],[0.2,0.8],[0.5,0.5]]},{"of":"age","given":[],"p":[[1]]}],` +
		`"reward":[{"name":"calm","given":["pulse"],"mean":[0,1,0.2],"kind":"bernoulli","scope":"hidden"},{"of":"pain","given":["pain","rest"],"mean":[1,0.5,0,0],"kind":"bernoulli"}],` +
		`"terminal":[{"name":"gone","given":["pulse","pain"],"is":[[0,1]]}]`
	model := func(version int, body, view string) string {
		return fmt.Sprintf(`{"name":"model","model":{"format":"cpsrl/model","version":%d,"name":"ward","horizon":3,%s,"view":%s}}`, version, body, view)
	}
	return map[string]string{
		"figure1": `{"name":"figure1","horizon":2}`,
		"taxi":    `{"name":"taxi","grid":"3x3","horizon":3}`,
		"chart":   model(3, ward, `{"kind":"chart","vitals":[{"of":"pulse","normal":[1]},{"of":"pain"}],"treatments":["drug"]}`),
		"nodes":   model(3, ward, `{"kind":"nodes","nodes":["pulse","pain"],"links":[["pain","pulse"]],"places":[[0,0],[0,1]]}`),
		"grid":    model(3, ward, `{"kind":"grid","rows":1,"columns":3,"agent":{"cell":"pulse"},"walls":[[0,1]],"marks":[{"at":[0,1],"text":"goal","tone":"goal"},{"text":"load","tone":"passenger","when":{"pain":1}}]}`),
		"formulas": `{"name":"model","model":{"format":"cpsrl/model","version":3,"name":"shop","horizon":3,"state":[{"name":"stock","size":3},{"name":"season","size":2,"values":["low","high"]}],` +
			`"action":[{"name":"order","size":3},{"name":"price","size":2}],"legal":{"formula":"order + price <= 2"},"initial":{"formula":"stock = 2"},` +
			`"transition":[{"of":"stock","formula":"next = max(0, min(2, stock + order) - 1) with 0.25 + 0.5*season, min(2, stock + order)"},{"of":"season","formula":"p = 0.2 + 0.6*season","known":true}],` +
			`"reward":[{"formula":"max(0, stock - stock') - 0.25*order","kind":"fixed"},{"given":["price"],"mean":[0,0.5],"kind":"bernoulli"}],"terminal":[{"name":"sold out","formula":"stock = 0 and season = \"high\""}]}}`,
		"hidden": model(3, strings.NewReplacer(`{"name":"age","size":1}]`, `{"name":"age","size":2}],"hidden":["age"]`, `[[1]]`, `[[0.5,0.5]]`, `"of":"pain","given":["pain","rest"],"p"`, `"of":"pain","given":["age","rest"],"p"`, `"of":"pain","given":["pain","rest"],"mean"`, `"given":["pain","rest"],"mean"`).Replace(ward), `{"kind":"nodes","nodes":["pulse"]}`),
	}
}

// playable returns specs of a problem with every kind of agent that can play it.
func playable(t *testing.T, problem, rest string) (specs, agents []string) {
	t.Helper()
	write := func(agents ...string) string {
		return fmt.Sprintf(`{"format":"cpsrl/spec","version":%d,"domain":%s,"agents":%s,"episodes":2,"runs":2,"seed":3%s}`, spec.Version, problem, quote(t, agents), rest)
	}
	for _, kind := range arm.Kinds() {
		w := ask("POST", "/v1/check", write(kind.Key))
		if w.Code != http.StatusOK {
			checkAnswer(t, "/v1/check of "+kind.Key, w)
			continue
		}
		agents = append(agents, kind.Key)
	}
	for some := range slices.Chunk(agents, 10) { // a spec has at most 12
		specs = append(specs, write(some...))
	}
	return specs, agents
}

// Every kind of agent, also from outside, on every kind of problem: whatever the engine can be asked of it has an answer, or
// is refused in one sentence.
func TestEveryKind(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where it says the same")
	}
	registerOutside(t)
	played := map[string]bool{}
	for name, problem := range problems(t) {
		learned := `,"rewards":"learned","prior":{"eta":1,"trust":0.9}`
		if name == "chart" { // such agents take longer to begin
			learned += `,"tables":"tied","dirichlet":"mix:.1:1"`
		}
		settings := map[string]string{"known": `,"depth":"yes"`, "learned": learned}
		if name == "nodes" || name == "grid" { // their model is that of the chart
			delete(settings, "learned")
		}
		for rest, more := range settings {
			specs, agents := playable(t, problem, more)
			if len(agents) == 0 {
				t.Errorf("%s, %s: no agent can play", name, rest)
				continue
			}
			for _, label := range agents {
				played[label] = true
			}
			for _, text := range specs {
				everything(t, name+", "+rest, text)
			}
		}
	}
	for _, kind := range arm.Kinds() {
		if !played[kind.Key] {
			t.Errorf("%s has not played", kind.Key)
		}
	}
}

// send returns the answer to a request. A panic is an answer of status 0.
func sent(method, path, body string) (w *httptest.ResponseRecorder) {
	w = httptest.NewRecorder()
	defer func() {
		if why := recover(); why != nil {
			w = httptest.NewRecorder()
			w.Code = 0
			fmt.Fprintf(w.Body, "panic: %v", why)
		}
	}()
	web.Handler(Handler()).ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(body)))
	return w
}

// checkAnswer reports whether a request has an answer. One that is refused is refused in a sentence.
func checkAnswer(t *testing.T, name string, w *httptest.ResponseRecorder) bool {
	t.Helper()
	var d Details
	switch {
	case w.Code == http.StatusOK:
		return true
	case w.Code != http.StatusBadRequest && w.Code != http.StatusRequestEntityTooLarge:
		t.Errorf("%s: status %d, %.500s", name, w.Code, w.Body)
	case json.Unmarshal(w.Body.Bytes(), &d) != nil || d.Detail == "" || strings.ContainsAny(d.Detail, "\n\r") || len(d.Detail) > 1000:
		t.Errorf("%s: %s is no sentence", name, w.Body)
	}
	return false
}

// everything asks the engine for all that it can say of a spec, which it has checked before, and draws what a page draws.
func everything(t *testing.T, name, text string) {
	t.Helper()
	get := func(path, body string) (string, bool) {
		w := sent("POST", path, body)
		return w.Body.String(), checkAnswer(t, name+": "+path, w)
	}
	s, err := spec.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Complete(); err != nil {
		t.Fatal(err)
	}
	records, ran := get("/v1/run", text)
	if !ran {
		return
	}
	all := Handler().(endpoints)
	covered := map[string]bool{"/v1/presets": true, "/v1/check": true, "/v1/run": true}
	// each asks for some forms of an answer, by default for every one.
	each := func(path, query, body string, forms ...string) {
		covered[path] = true
		if forms == nil {
			forms = append(slices.Clone(all[path].as), "")
		}
		for _, as := range forms {
			more := query
			if as != "" {
				more += "&as=" + as
			}
			answer, ok := get(path+"?"+strings.TrimPrefix(more, "&"), body)
			if ok && (path == "/v1/film" || path == "/v1/episodes") && strings.TrimSpace(answer) == "" {
				t.Errorf("%s: %s is empty", name, path)
			}
		}
	}
	line := string(spec.Encode(s))
	within := `{"spec":` + line
	each("/v1/link", "", within+`,"view":{"hidden":`+quote(t, s.Agents)+`}}`)
	var linked Linked
	if answer, ok := get("/v1/link", within+"}"); ok {
		if err := json.Unmarshal([]byte(answer), &linked); err != nil {
			t.Fatal(err)
		}
		each("/v1/open", "", `{"link":`+quote(t, linked.Link)+`}`)
	}
	each("/v1/runs", "", line+"\n")
	each("/v1/batch", "", `{"path":"/v1/check","body":`+quote(t, line)+"}\n")
	each("/v1/merge", fmt.Sprintf("size=%d&name=a", len(records)), records)
	each("/v1/foreign", "", line+"\n"+otherRuns)
	each("/v1/convert", "", mdp)
	each("/v1/kind", "", mdp)
	each("/v1/edit", "", within+"}")
	each("/v1/sweep", "setting=1", within+`,"vary":"seed=1,2","measure":"recall","ends":[{"setting":0,"agent":`+quote(t, s.Agents[0])+`,"mean":1,"n":0,"learned":0}]}`)
	if model, ok := get("/v1/export?as=model", within+"}"); ok {
		each("/v1/normalise", "", model)
	}
	if prior, ok := get("/v1/export?as=prior", within+"}"); ok {
		each("/v1/posterior", "", prior)
		each("/v1/prior", "", within+`,"prior":`+prior+"}")
	}
	each("/v1/data", "", within+`,"text":""}`)
	each("/v1/prior", "", within+`,"text":"* -> *"}`)
	if _, native := all["/v1/agent"]; native {
		each("/v1/agent", "", agentHello)
	}
	each("/v1/world", "", `{"hello":{"format":"cpsrl/world","version":1,"label":"q","spec":`+line+`}}`)
	each("/v1/export", "", within+"}")
	each("/v1/export", "", records)
	for _, of := range results.Measures() {
		each("/v1/export", "of="+of.Key, records, "csv", "endings")
		each("/v1/spread", "of="+of.Key, records)
	}
	each("/v1/summary", "strict=true", records)
	for k, label := range s.Agents {
		other := s.Agents[(k+1)%len(s.Agents)]
		asked := "agent=" + url.QueryEscape(label)
		each("/v1/export", "", within+`,"agent":`+quote(t, label)+"}", "prior", "dot")
		each("/v1/export", "paired="+url.QueryEscape(label+","+other), records, "paired")
		each("/v1/summary", "paired="+url.QueryEscape(label+","+other), records)
		each("/v1/difference", asked+"&base="+url.QueryEscape(other), records)
		each("/v1/film", asked+"&run=0", line)
		each("/v1/play", asked+"&run=0", line)
		each("/v1/edges", asked+"&run=1&episode=2&samples=2", line)
		each("/v1/edges", asked+"&run=0&episode=1&samples=1&average=occupancy", line)
		each("/v1/chart", "", `{"measure":"recall","lines":[{"agent":`+quote(t, label)+`,"points":[[1,0.5],[2,1]]}]}`)
		covered["/v1/trace"], covered["/v1/episodes"] = true, true
		trace, ok := get("/v1/trace?run=0&episode=1&"+asked, line)
		episodes, also := get("/v1/episodes?run=0&last=2&"+asked, line)
		if ok && also {
			drawTrace(t, name+", "+label, trace, episodes)
		}
	}
	for path := range all {
		if !covered[path] {
			t.Errorf("%s is not tested", path)
		}
	}
	drawResults(t, name, records)
}

// drawTrace draws every moment of a trace, and episodes that pass by.
func drawTrace(t *testing.T, name, trace, episodes string) {
	t.Helper()
	defer failPanic(t, name)
	read, err := record.DecodeTrace([]byte(strings.TrimSpace(trace)))
	if err != nil {
		t.Errorf("%s: the trace: %v", name, err)
		return
	}
	drawMoments(t, name, read)
	for line := range strings.Lines(episodes) {
		e, err := record.DecodeEpisode([]byte(line), read.Space(), read.Horizon)
		if err == nil {
			_, err = render.DrawEpisode(read, e, render.StageView{})
		}
		if err != nil {
			t.Errorf("%s: an episode: %v", name, err)
		}
	}
}

func drawMoments(t *testing.T, name string, read *record.Trace) {
	t.Helper()
	zero := 0
	for _, moment := range render.Moments {
		for _, view := range []render.StageView{
			{}, {Width: 300, Truth: true, Model: "true", Theme: render.Dark}, {Step: float64(len(read.Steps)), ReducedMotion: true}, {Focus: &render.Focus{Y: &zero}, H: read.Horizon}, {Focus: &render.Focus{X: &zero}, Truth: true},
		} {
			if view.Moment = moment; moment != render.Act {
				view.Step = 0
			}
			p, err := render.Draw(read, view)
			if err != nil {
				t.Errorf("%s, %s: %v", name, moment, err)
				continue
			}
			render.SVG(p)
		}
	}
}

// drawResults draws every figure of records.
func drawResults(t *testing.T, name, records string) {
	t.Helper()
	defer failPanic(t, name)
	reader, err := results.NewReader(strings.NewReader(records))
	if err != nil {
		t.Fatal(err)
	}
	r := &export.Results{Summary: results.NewSummary(reader.Experiment), Engine: record.Engine}
	for line, err := range reader.All() {
		if err != nil {
			t.Fatal(err)
		}
		for _, rec := range line.Run {
			if err := r.Add(rec); err != nil {
				t.Fatal(err)
			}
		}
	}
	pair, _ := r.Experiment.DefaultPair()
	for _, of := range results.Measures() {
		for _, band := range spec.Bands() {
			c := figure.Of(r, of, spec.Band(band))
			if len(c.Lines) == 0 {
				continue // no agent has the measure
			}
			drawn, err := c.Draw()
			if err != nil {
				t.Errorf("%s, %s of %s: %v", name, band, of.Key, err)
				continue
			}
			render.SVG(drawn.Picture())
			drawn.PGFPlots(format.LaTeX)
		}
		for _, p := range []experiment.Pair{{}, pair} {
			r.QuantilesCSV(of, p)
			r.RunsCSV(of, p)
		}
	}
}

// failPanic turns a panic into a failure of the test.
func failPanic(t *testing.T, name string) {
	if why := recover(); why != nil {
		t.Errorf("%s: panic: %v", name, why)
	}
}
