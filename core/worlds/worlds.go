// Package worlds lends the world of an experiment to an agent of somebody else's. A [Session] reads one message and writes
// one answer, as package talk says: both are one line of JSON.
//
// # cpsrl/world, version 1
//
//	{"hello":{…}}              → {"ready":{…}}    an experiment; its first run is next
//	{"task":{}}                → {"task":{…}}     what our agents are told of the run, in the words of a cpsrl/agent hello
//	{"reset":{}}               → {"episode":{…}}  the next episode of the run begins
//	{"reset":{"run":1}}        → {"episode":{…}}  the first episode of that run begins
//	{"reset":{"leave":true}}   → {"episode":{…}}  the next one begins, and the present one is not scored
//	{"step":{"action":[…]}}    → {"step":{…}}
//	{"policy":{"table":[…]}}   → {"scored":{…}}   the episode is scored by the exact value of its policy
//	{"policy":{"played":true}} → {"scored":{…}}   the episode is scored by what it was paid
//
// In each run the guest meets the true model that our agents meet, and the world draws from the stream that an agent with the
// guest's label has, or, where our agents share their luck, from the stream of the episode. So one of our agents that is led
// from outside is paid what it is paid in the experiment, bit for bit.
//
// A Session belongs to one goroutine at a time. It keeps nothing of a message, and each answer is new.
package worlds

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/document"
	"cpsrl/core/domain"
	"cpsrl/core/experiment"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
	"cpsrl/core/talk"
)

// Format and Version begin a hello.
const (
	Format  = "cpsrl/world"
	Version = 1
)

// MaxTable is the most actions of a policy that is sent as a table.
const MaxTable = 1 << 20

// Session is an experiment, and the episode that a guest plays in it. The zero Session has no world yet.
type Session struct {
	*visit // nil before the first hello
}

// visit is a guest in an experiment.
type visit struct {
	experiment *experiment.Experiment
	world      string // its fingerprint
	label      string
	run        int
	guest      *experiment.Guest // in the run
	number     int               // of the present episode; 0 before the first
	scored     bool              // the present episode is scored, or there is none
	played     []int32           // the actions of the episode
	states     [][]int           // where they were played
}

// messages are the kinds, by name.
func messages() []talk.Message[*Session] {
	return []talk.Message[*Session]{
		{Name: "hello", First: true, Read: (*Session).hear},
		{Name: "policy", Read: (*Session).score},
		{Name: "reset", Read: (*Session).reset},
		{Name: "step", Read: (*Session).step},
		{Name: "task", Read: (*Session).tell},
	}
}

// Answer reads a message and returns the answer as one line. After a wrong message the session is as it was before.
func (s *Session) Answer(line []byte) []byte { return s.AnswerContext(context.Background(), line) }

// AnswerContext is Answer with a context. If ctx ends while a problem is solved, the answer is its error.
func (s *Session) AnswerContext(ctx context.Context, line []byte) []byte {
	early := ""
	if s.visit == nil {
		early = "the session has no world yet; a hello comes first"
	}
	return talk.Answer(ctx, s, messages(), early, line)
}

// helloDoc names an experiment, by one of the four.
type helloDoc struct {
	strict.Heading
	Preset *string        `json:"preset,omitzero"`
	Spec   jsontext.Value `json:"spec,omitzero"`
	Link   *string        `json:"link,omitzero"`
	Model  jsontext.Value `json:"model,omitzero"`
	Label  string         `json:"label"` // of the guest's records; it names its streams
}

var _ = strict.Know(helloDoc{}, resetDoc{}, stepDoc{}, policyDoc{})

// ready is the answer to hello.
type ready struct {
	Ready readyDoc `json:"ready"`
}

type readyDoc struct {
	strict.Heading
	Engine int    `json:"engine"`
	World  string `json:"world"` // its fingerprint
	Title  string `json:"title"`
	Link   string `json:"link"` // of the experiment, with what our agents do in it
	document.Setting
	States   int    `json:"states"` // at most param.Max, which stands for more, too
	Actions  int    `json:"actions"`
	Learned  bool   `json:"learned"` // agents learn what is paid; else it is in the task
	Table    bool   `json:"table"`   // a policy may be sent as a table, which has an exact regret
	Regret   string `json:"regret,omitempty"`
	FirstRun int    `json:"firstRun"`
	Runs     int    `json:"runs"`
	Episodes int    `json:"episodes"` // of each run
}

// hear begins a visit.
func (s *Session) hear(ctx context.Context, raw jsontext.Value) (any, error) {
	var doc helloDoc
	if err := strict.DecodeDocument(raw, &doc, Format, Version); err != nil {
		return nil, err
	}
	if err := results.CheckLabel(doc.Label); err != nil {
		return nil, err
	}
	of, place, err := doc.spec()
	if err != nil {
		return nil, err
	}
	e, err := experiment.Open(of)
	if err != nil {
		return nil, strict.Within(place, strict.Located(err))
	}
	v := &visit{experiment: e, world: e.World(), label: doc.Label}
	if err := v.enter(ctx, e.Spec().FirstRun); err != nil {
		return nil, strict.Within(place, strict.Located(err))
	}
	s.visit = v
	m, c := v.guest.View(), e.Spec()
	return ready{readyDoc{
		strict.Heading{Format: Format, Version: Version}, record.Engine, v.world, e.Title(), "#" + e.Link(nil), document.TaskOf(m, true).Setting,
		min(m.States(), param.Max), m.Actions(), c.Rewards != "known", v.tabled(), v.guest.Unvalued(), c.FirstRun, c.Runs, c.Episodes,
	}}, nil
}

// spec returns the spec of a hello and the member that has it.
func (d *helloDoc) spec() (of *spec.Spec, place string, err error) {
	for _, has := range []struct {
		name  string
		there bool
		read  func() error
	}{
		{"/preset", d.Preset != nil, func() error {
			p, known := experiment.LookupPreset(*d.Preset)
			if !known {
				return strict.Invalid("", "there is no preset %q", param.Clip(*d.Preset))
			}
			of = p.Spec
			return nil
		}},
		{"/spec", d.Spec != nil, func() error {
			of, err = spec.Decode(d.Spec)
			return err
		}},
		{"/link", d.Link != nil, func() error {
			link, err := spec.DecodeLink(*d.Link)
			if err != nil {
				return strict.Invalid("", "%v", err) // its places are keys of the link
			}
			of = link.Spec
			return nil
		}},
		{"/model", d.Model != nil, func() error {
			file, err := document.DecodeModelFile(d.Model)
			if err == nil {
				of = &spec.Spec{Domain: domain.NewCustomFile(file)}
			}
			return err
		}},
	} {
		if !has.there {
			continue
		}
		if place != "" {
			return nil, "", strict.Invalid(has.name, "the experiment has been named by %s already", place[1:])
		}
		place = has.name
		if err := has.read(); err != nil {
			return nil, "", strict.Within(place, strict.Located(err))
		}
	}
	if place == "" {
		return nil, "", strict.Invalid("", "no experiment is named, by preset, spec, link or model")
	}
	return of, place, nil
}

// enter goes to the beginning of a run.
func (v *visit) enter(ctx context.Context, run int) error {
	guest, err := v.experiment.Guest(ctx, run, v.label)
	if err != nil {
		return err
	}
	v.run, v.guest, v.number, v.scored = run, guest, 0, true
	return nil
}

// tabled reports whether a policy may be sent as a table.
func (v *visit) tabled() bool {
	return v.guest.Unvalued() == "" && v.guest.View().CheckListed() == nil && v.guest.View().States() <= MaxTable
}

// told is the answer to task.
type told struct {
	Task taskDoc `json:"task"`
}

// taskDoc is a hello to one of our agents without its label.
type taskDoc struct {
	strict.Heading
	Seed int `json:"seed"`
	Run  int `json:"run"`
	document.Task
	Priors    strict.Ordered `json:"priors,omitzero"`
	Dirichlet jsontext.Value `json:"dirichlet"`
	Tables    string         `json:"tables"`
	Bound     string         `json:"bound"`
	Update    string         `json:"update"`
	Graph     [][2]string    `json:"graph,omitzero"`
}

// tell says what our agents are told of the run.
func (s *Session) tell(_ context.Context, raw jsontext.Value) (any, error) {
	var asked struct {
		Graph bool `json:"graph,omitzero"`
	}
	if err := strict.Decode(raw, &asked); err != nil {
		return nil, err
	}
	c := s.experiment.Spec()
	law := c.Law()
	doc := taskDoc{
		Heading: strict.Heading{Format: agentFormat, Version: agentVersion}, Seed: c.Seed, Run: s.run, Task: s.guest.Told(),
		Dirichlet: law.Rows.Encode(), Tables: law.Structure.String(), Bound: c.Bound, Update: c.Update,
	}
	named := s.guest.Named()
	for _, name := range slices.Sorted(maps.Keys(named)) {
		doc.Priors = append(doc.Priors, strict.Member{Name: name, Value: named[name]})
	}
	if asked.Graph {
		doc.Graph = s.guest.Graph()
	}
	return told{doc}, nil
}

// The hello that a task is: see package session.
const (
	agentFormat  = "cpsrl/agent"
	agentVersion = 2
)

type resetDoc struct {
	Run   *int `json:"run,omitzero"`
	Leave bool `json:"leave,omitzero"` // the present episode is left as it is, without a score
}

// begun is the answer to reset.
type begun struct {
	Episode episodeDoc `json:"episode"`
}

type episodeDoc struct {
	Run    int   `json:"run"`
	Number int   `json:"number"` // from 1
	State  []int `json:"state"`
	Over   bool  `json:"over"` // the episode has no more steps
}

// reset begins the next episode, or the first one of a run.
func (s *Session) reset(ctx context.Context, raw jsontext.Value) (any, error) {
	var asked resetDoc
	if err := strict.Decode(raw, &asked); err != nil {
		return nil, err
	}
	switch {
	case asked.Run != nil:
		if err := s.enter(ctx, *asked.Run); err != nil {
			return nil, err
		}
	case !asked.Leave && !s.scored && !s.guest.Over():
		return nil, strict.Invalid("", `episode %d of run %d is not over; "leave" leaves it, and a run may begin anew by its number`, s.number, s.run)
	case !asked.Leave && !s.scored:
		return nil, strict.Invalid("", "episode %d of run %d has no policy yet, by which it is scored", s.number, s.run)
	case s.number == s.experiment.Spec().Episodes:
		return nil, strict.Invalid("", "run %d has had its %s; another run begins by its number", s.run, param.Count(s.number, "episode"))
	}
	s.number, s.scored = s.guest.Begin(), false
	s.played, s.states = s.played[:0], s.states[:0]
	return begun{episodeDoc{s.run, s.number, slices.Clone(s.guest.State()), s.guest.Over()}}, nil
}

type stepDoc struct {
	Action []int `json:"action"`
}

// stepped is the answer to step.
type stepped struct {
	Step paidDoc `json:"step"`
}

type paidDoc struct {
	State  []int   `json:"state"`
	Reward float64 `json:"reward"`
	// Paid is what each payoff paid, if agents learn it: its least or its largest, as a trial of ours says it.
	Paid  []float64 `json:"paid,omitzero"`
	Ended bool      `json:"ended"` // by a state in which episodes end
	Over  bool      `json:"over"`
}

// step acts.
func (s *Session) step(_ context.Context, raw jsontext.Value) (any, error) {
	var asked stepDoc
	if err := strict.Decode(raw, &asked); err != nil {
		return nil, err
	}
	switch {
	case s.number == 0:
		return nil, strict.Invalid("", "no episode has begun; a reset begins one")
	case s.guest.Over():
		return nil, strict.Invalid("", "episode %d of run %d is over", s.number, s.run)
	}
	m := s.guest.View()
	point := append(slices.Clone(s.guest.State()), asked.Action...)
	if len(asked.Action) != len(m.Action) {
		return nil, strict.Invalid("/action", "%s for %s", param.Count(len(asked.Action), "value"), param.Count(len(m.Action), "action variable"))
	}
	if err := document.CheckValues(point, m.X(), "", &m.Space); err != nil {
		return nil, inAction(err, m.Y())
	}
	if err := (document.Transition{X: point}).CheckLegal("/action", &m.Space); err != nil {
		return nil, err
	}
	action := m.ActionOf(asked.Action)
	step, err := s.guest.Act(action)
	if err != nil {
		return nil, err
	}
	s.played, s.states = append(s.played, int32(action)), append(s.states, point[:m.Y()])
	return stepped{paidDoc{slices.Clone(s.guest.State()), step.Reward, s.paid(step), s.guest.Ending() != 0, s.guest.Over()}}, nil
}

// inAction turns the place of a wrong value of a point into that of the action, whose first variable has this number.
func inAction(err error, first int) error {
	e, is := strict.Located(err).(*strict.InvalidError)
	if !is {
		return err
	}
	k, bad := strconv.Atoi(strings.TrimPrefix(e.Place, "/"))
	if bad != nil {
		return err
	}
	return strict.Invalid(fmt.Sprintf("/action/%d", k-first), "%s", e.Reason)
}

// paid returns the ends of the ranges of payoffs that their trials paid; nil if agents know what is paid.
func (v *visit) paid(step *posterior.Step) []float64 {
	if v.experiment.Spec().Rewards == "known" {
		return nil
	}
	list := make([]float64, len(step.Paid))
	for f := range list {
		r := &v.guest.View().Reward[f]
		lo, hi := 0.0, r.Scale
		if r.Ranged() {
			lo, hi = r.Lo, r.Hi
		}
		if list[f] = lo; step.Paid[f] == 1 {
			list[f] = hi
		}
	}
	return list
}

type policyDoc struct {
	// Table has the action in each state, in each of the last steps; those before have the first row. States and actions are
	// numbered as in a policy of one of our agents.
	Table     [][]int32 `json:"table,omitzero"`
	Played    bool      `json:"played,omitzero"`
	Reference *bool     `json:"reference,omitzero"`
}

// scored is the answer to policy.
type scored struct {
	Scored scoreDoc `json:"scored"`
}

type scoreDoc struct {
	Record results.ForeignRecord `json:"record"` // a line of a file for -with
	Return float64               `json:"return"`
	// Optimal is V_*(π_*), and Value that of the table.
	Optimal *float64 `json:"optimal,omitzero"`
	Value   *float64 `json:"value,omitzero"`
	// Reference is the return of the agent that plans in the true model in the same episode, where V_* is not known.
	Reference *float64 `json:"reference,omitzero"`
}

// score scores the episode by its policy.
func (s *Session) score(ctx context.Context, raw jsontext.Value) (any, error) {
	var asked policyDoc
	if err := strict.Decode(raw, &asked); err != nil {
		return nil, err
	}
	switch {
	case s.number == 0:
		return nil, strict.Invalid("", "no episode has begun; a reset begins one")
	case !s.guest.Over():
		return nil, strict.Invalid("", "episode %d of run %d is not over", s.number, s.run)
	case s.scored:
		return nil, strict.Invalid("", "episode %d of run %d is scored already", s.number, s.run)
	case (asked.Table == nil) == !asked.Played:
		return nil, strict.Invalid("", `a policy is a table or, if it is what was done, "played": one of the two is true`)
	case asked.Table != nil && asked.Reference != nil:
		return nil, strict.Invalid("/reference", "a policy with an exact regret needs no reference")
	}
	doc := scoreDoc{Return: s.guest.Return(), Optimal: s.guest.Optimal()}
	doc.Record = results.ForeignRecord{Label: s.label, Run: s.run, Episode: s.number, World: s.world}
	if asked.Table != nil {
		if err := s.check(asked.Table); err != nil {
			return nil, strict.Within("/table", err)
		}
		valued, err := s.guest.Value(ctx, asked.Table)
		if err != nil {
			return nil, err
		}
		doc.Value, doc.Record.Regret = &valued.Value, &valued.Regret
	} else {
		doc.Record.Return = &doc.Return
		if doc.Optimal == nil && (asked.Reference == nil || *asked.Reference) {
			var err error
			if doc.Reference, err = s.guest.Reference(ctx, s.number); err != nil {
				return nil, err
			}
		}
	}
	s.scored = true
	return scored{doc}, nil
}

// check returns an error unless the table is a policy of the problem that acts as the episode did.
func (v *visit) check(table [][]int32) error {
	m := v.guest.View()
	switch {
	case v.guest.Unvalued() != "":
		return strict.Invalid("", "values of policies are %s; say that the policy is what was played", v.guest.Unvalued())
	case !v.tabled():
		return strict.Invalid("", "a table of %s states has more than %d actions; say that the policy is what was played", fmdp.Saturated(m.States()), MaxTable)
	case len(table) == 0 || len(table) > m.Horizon:
		return strict.Invalid("", "%s; there is one for each of the %d steps, or a first one for several", param.Count(len(table), "row"), m.Horizon)
	case len(table) > MaxTable/m.States():
		return strict.Invalid("", "%s of %d states have more than %d actions; say that the policy is what was played", param.Count(len(table), "row"), m.States(), MaxTable)
	}
	ends := m.Endings()
	state := make([]int, m.Y())
	for h, rule := range table {
		if len(rule) != m.States() {
			return strict.Invalid(fmt.Sprintf("/%d", h), "%s for %d states", param.Count(len(rule), "action"), m.States())
		}
		for k, a := range rule {
			if a < 0 || int(a) >= m.Actions() {
				return strict.Invalid(fmt.Sprintf("/%d/%d", h, k), "there is no action %d; actions are 0 to %d", a, m.Actions()-1)
			}
			if m.Legal.ByState() {
				if m.Point(state, k); ends.At(state) == 0 && !m.May(state, int(a)) {
					return strict.Invalid(fmt.Sprintf("/%d/%d", h, k), "the action %d is not legal in this state", a)
				}
			}
		}
	}
	for h, a := range v.played {
		row := max(0, len(table)-(m.Horizon-h))
		if k := m.Index(v.states[h]); table[row][k] != a {
			return strict.Invalid(fmt.Sprintf("/%d/%d", row, k), "the policy plays %d here, but at step %d the episode played %d", table[row][k], h+1, a)
		}
	}
	return nil
}
