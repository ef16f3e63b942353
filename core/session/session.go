// Package session lends an agent to a simulator of somebody else's. A [Session] reads one
// message and writes one answer: both are one line of JSON.
//
// # cpsrl/agent, version 2
//
// A message is an object with one member, which names it. The answer of each message is one object, too:
//
//	{"hello":{…}}              → {"ready":{…}}       an agent that has seen nothing
//	{"episode":{}}             → {"episode":{…}}     lines 5 and 6 of Algorithm 1: a model is sampled, and planned in
//	{"episode":{"model":true}} → {"episode":{…}}     line 5 alone: the sampled model, for a planner of others
//	{"act":{"h":1,"state":[…]}} → {"action":[…]}     what the policy of the episode plays at step h
//	{"transitions":[{…},…]}    → {"belief":{…}}      line 7: the agent learns what was seen
//	{"belief":{}}              → {"belief":{…}}
//	{"save":{}}                → {"saved":{…}}
//	{"load":{…}}               → {"ready":{…}}       all answers are then those of the session that was saved
//
// A message that is wrong has the answer {"error":"one sentence","at":"/a/pointer/into/the/message"} and changes
// nothing. site/docs/agent.md describes the members.
//
// # Rewards
//
// A payoff that is learned is a number from lo to hi. Beliefs about payoffs learn from trials that are paid or not,
// so a payoff r is a trial that is paid with probability (r − lo)/(hi − lo): for lo and hi nothing is drawn.
//
// # Randomness
//
// The streams are named as those of an experiment, by seed, run and label ("c-psrl belief"), so the same seed, run
// and transitions give the policies of an experiment, bit for bit. Payoffs between lo and hi draw from a
// stream of their own ("c-psrl payoffs").
//
// # Goroutines and memory
//
// A Session belongs to one goroutine at a time. It keeps nothing of a message, and each answer is new.
package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/agent"
	"cpsrl/core/arm"
	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
	"cpsrl/core/record"
	"cpsrl/core/strict"
	"cpsrl/core/talk"
)

// Format and Version begin a hello. Version 1 had payoffs, and its variables in its prior; it stays readable.
const (
	Format  = "cpsrl/agent"
	Version = 2
)

// Limits of a session.
const (
	MaxLine        = talk.MaxLine
	MaxTransitions = 1 << 20 // in all
	MaxTable       = 1 << 17 // S·H of a policy that is sent as a table
	MaxModel       = 1 << 20 // entries of the tables of a model that is sent
	MaxPayoffs     = 16      // that are learned
)

// Session is an agent, and what it has seen. The zero Session has no agent yet.
type Session struct {
	*lent // nil before the first hello
}

// lent is an agent that a hello has made.
type lent struct {
	hello     jsontext.Value // as it was read
	version   int            // of the hello
	arm       arm.Arm
	problem   *fmdp.Model // what is told of it
	task      *agent.Task
	agent     agent.Agent
	learned   bool // payoffs are learned
	told      bool // the states in which episodes end are told
	belief    *posterior.Stream
	payoffs   *posterior.Stream
	policy    agent.Policy // of the present episode; nil before the first
	steps     agent.StepStreams
	planner   agent.Planner // of an agent that has none itself
	episodes  int
	unplanned bool            // the present episode was begun without a plan
	before    posterior.State // of the stream belief, before the present episode
	seen      log
}

// messages are the kinds, by name.
func messages() []talk.Message[*Session] {
	return []talk.Message[*Session]{
		{Name: "act", Read: (*Session).act},
		{Name: "belief", Read: (*Session).believe},
		{Name: "episode", Read: (*Session).begin},
		{Name: "hello", First: true, Read: (*Session).hear},
		{Name: "load", First: true, Read: (*Session).load},
		{Name: "save", Read: (*Session).save},
		{Name: "transitions", Read: (*Session).observe},
	}
}

// Answer reads a message and returns the answer as one line. After a wrong message the session is as it was before.
func (s *Session) Answer(line []byte) []byte { return s.AnswerContext(context.Background(), line) }

// AnswerContext is Answer with a context. If ctx ends while the agent plans, the answer is the error of ctx, and the session
// is as it was before.
func (s *Session) AnswerContext(ctx context.Context, line []byte) []byte {
	early := ""
	if s.lent == nil {
		early = "the session has no agent yet; a hello or a load comes first"
	}
	return talk.Answer(ctx, s, messages(), early, line)
}

// ready is the answer to hello and to load.
type ready struct {
	Ready readyDoc `json:"ready"`
}

type readyDoc struct {
	Format      string `json:"format"`
	Version     int    `json:"version"`
	Engine      int    `json:"engine"`
	Agent       string `json:"agent"` // the canonical label
	Name        string `json:"name"`
	States      int    `json:"states"` // at most param.Max, which stands for more, too
	Actions     int    `json:"actions"`
	Horizon     int    `json:"horizon"`
	Table       bool   `json:"table"` // the policy can be had as a table
	Payoffs     int    `json:"payoffs"`
	Learned     bool   `json:"learned"` // transitions say what was paid
	Believes    bool   `json:"believes"`
	Episodes    int    `json:"episodes"`
	Transitions int    `json:"transitions"`
}

func (l *lent) ready() ready {
	t := l.task
	return ready{readyDoc{
		Format, l.version, record.Engine, l.arm.Label(), l.arm.Name(), min(t.Space.States(), param.Max), t.Space.Actions(), t.Horizon,
		l.tabled() && !l.searches(), len(t.Payoffs), l.learned, l.arm.Believes, l.episodes, l.seen.len(),
	}}
}

// searches reports whether the agent's plans are searches, which plan nothing before they are asked.
func (l *lent) searches() bool {
	_, exact := l.planner.(*agent.Exact)
	_, plans := l.agent.(agent.Planner)
	return !exact && !plans
}

// tabled reports whether a policy is small enough for a table.
func (l *lent) tabled() bool { return l.task.Space.States() <= MaxTable/l.task.Horizon }

type begun struct {
	Episode episodeDoc `json:"episode"`
}

type episodeDoc struct {
	Number int         `json:"number"`          // from 1
	Graph  [][2]string `json:"graph,omitempty"` // z_k
	Model  *modelDoc   `json:"model,omitzero"`
	// Policy has for each step h = 1 … H the action in each state; both are numbered row-major.
	Policy [][]int32 `json:"policy,omitempty"`
	// Rules is how many of these may differ, the last ones: planning stopped there, and all steps before have the first of them.
	Rules int `json:"rules,omitzero"`
}

func (l *lent) noTable() error {
	return strict.Invalid("/policy", "%s has no table of its policy; ask for actions by act", l.arm.Label())
}

// modelDoc is a sampled model in the words of a model.
type modelDoc struct {
	Transition []document.Factor `json:"transition"`
	Reward     []document.Payoff `json:"reward"` // what is expected; they add up
}

// begin samples a model and, unless only the model is asked for, plans in it.
func (s *Session) begin(ctx context.Context, raw jsontext.Value) (any, error) {
	var asked struct {
		Policy bool `json:"policy,omitzero"`
		Model  bool `json:"model,omitzero"`
	}
	if err := strict.Decode(raw, &asked); err != nil {
		return nil, err
	}
	switch {
	case asked.Policy && asked.Model:
		return nil, strict.Invalid("/policy", "a model is asked for, in which the agent does not plan; ask for one of the two")
	case asked.Policy && !s.tabled():
		return nil, strict.Invalid("/policy", "a table of %s states over %d steps has more than %d entries; ask for actions by act", fmdp.Saturated(s.task.Space.States()), s.task.Horizon, MaxTable)
	case asked.Policy && s.searches():
		return nil, s.noTable()
	}
	before := s.belief.State()
	model, policy, err := s.sample(ctx, asked.Model)
	doc := episodeDoc{Number: s.episodes + 1}
	if err == nil && asked.Model {
		doc.Model, err = s.model(model)
	}
	if err != nil {
		s.belief.Restore(before)
		return nil, err
	}
	doc.Graph = s.edges(model)
	if asked.Policy {
		table, is := policy.(*agent.Table)
		if !is {
			s.belief.Restore(before)
			return nil, s.noTable()
		}
		for h := 1; h <= s.task.Horizon; h++ {
			doc.Policy = append(doc.Policy, table.Rule(h))
		}
		doc.Rules = min(table.Rules(), s.task.Horizon)
	}
	s.before, s.policy, s.unplanned = before, policy, asked.Model
	s.seen.begin()
	s.episodes++
	return begun{doc}, nil
}

// model returns a sampled model as a document.
func (l *lent) model(model *agent.Model) (*modelDoc, error) {
	if model.Transition == nil {
		return nil, strict.Invalid("/model", "%s has no factors, so no tables of variables", l.arm.Label())
	}
	entries := 0
	for j := range model.Transition {
		entries += len(model.Transition[j].P)
	}
	for f := range model.Reward {
		entries += len(model.Reward[f].Mean)
	}
	if entries > MaxModel {
		return nil, strict.Invalid("/model", "the tables of the sampled model have %d entries, more than %d; a smaller Z would do", entries, MaxModel)
	}
	return &modelDoc{document.Factors(l.task.Space, model.Transition), document.Expected(l.task.Space, model.Reward)}, nil
}

// sample draws a model from the belief and plans in it: lines 5 and 6. If only the model is asked for, there is no policy
// but that of a search, which plans nothing before it is asked. If ctx ends, the error is that of ctx.
func (l *lent) sample(ctx context.Context, modelOnly bool) (*agent.Model, agent.Policy, error) {
	model := l.agent.Model(l.belief)
	if err := l.arm.CheckModel(model); err != nil {
		return nil, nil, err
	}
	planner := l.planner
	own, plans := l.agent.(agent.Planner)
	switch {
	case l.searches():
		model = owned(model)
	case modelOnly:
		return model, nil, nil
	case plans:
		planner = own
	default:
		if err := l.task.Space.CheckPoints(); err != nil {
			return nil, nil, strict.Invalid("", "%v; agents that search do without lists (planner=uct), and {\"episode\":{\"model\":true}} does not plan", err)
		}
	}
	policy, err := planner.Plan(ctx, l.steps.Of(l.belief, l.episodes+1), model)
	return model, policy, err
}

// owned returns a model with tables of its own: a search keeps them, and the agent's next model overwrites its own, also where a
// message is refused afterwards.
func owned(m *agent.Model) *agent.Model {
	c := *m
	c.Transition, c.Joint, c.Reward = slices.Clone(m.Transition), slices.Clone(m.Joint), slices.Clone(m.Reward)
	for j := range c.Transition {
		c.Transition[j].P = slices.Clone(c.Transition[j].P)
	}
	for f := range c.Reward {
		c.Reward[f].Mean = slices.Clone(c.Reward[f].Mean)
	}
	return &c
}

// edges lists the edges of a model's graph, and those to payoffs whose parents are hidden.
func (l *lent) edges(model *agent.Model) [][2]string {
	if model.Graph == nil {
		return nil
	}
	list := document.EdgeList(model.Graph, l.task.Space)
	for k, f := range l.task.Unscoped() {
		if k < len(model.Payoffs) {
			for i := range model.Payoffs[k].All() {
				list = append(list, [2]string{l.task.Space.Var(i).Name, l.task.Payoffs[f].Name})
			}
		}
	}
	return list
}

type action struct {
	Action []int `json:"action"` // the value of each action variable
}

func (s *Session) act(ctx context.Context, raw jsontext.Value) (any, error) {
	var asked struct {
		H     int   `json:"h"`
		State []int `json:"state"`
	}
	if err := strict.Decode(raw, &asked); err != nil {
		return nil, err
	}
	space := s.task.Space
	switch {
	case s.episodes == 0:
		return nil, strict.Invalid("", "no episode has begun")
	case s.policy == nil:
		return nil, strict.Invalid("", "the episode was begun with its model only, so there is no policy; an agent that searches has one")
	case asked.H < 1 || asked.H > s.task.Horizon:
		return nil, strict.Invalid("/h", "the step is %d; steps are 1 to %d", asked.H, s.task.Horizon)
	}
	if err := document.CheckValues(asked.State, space.Y(), "/state", space); err != nil {
		return nil, err
	}
	a, err := s.policy.Act(ctx, asked.H, asked.State)
	if err != nil {
		return nil, err
	}
	return action{space.JointAction(make([]int, len(space.Action)), a)}, nil
}

// transition is one step that a simulator has made.
type transition struct {
	document.Transition
	Ended bool `json:"ended,omitzero"`
}

// observe lets the agent learn from transitions.
func (s *Session) observe(_ context.Context, raw jsontext.Value) (any, error) {
	before := s.payoffs.State()
	entries, err := s.entriesOf(raw)
	if err != nil {
		s.payoffs.Restore(before)
		return nil, err
	}
	s.learn(entries)
	return s.beliefs(), nil
}

// entriesOf reads a list of transitions. It draws trials for what was paid.
func (l *lent) entriesOf(raw jsontext.Value) (entries []entry, err error) {
	ends := &ending{of: l.task.Ends} // those that these transitions make, too
	return entries, strict.Read(raw, func(r *strict.Reader) error {
		return r.List(strict.Array, func(k int) error {
			if l.seen.len()+k == MaxTransitions {
				return strict.Invalid("", "a session has at most %d transitions", MaxTransitions)
			}
			var t transition
			if err := r.Value(&t); err != nil || r.Null() != nil {
				return err
			}
			if err := l.check(&t, fmt.Sprintf("/%d", k), ends); err != nil {
				return err
			}
			entries = append(entries, l.entry(&t))
			return nil
		})
	})
}

// check returns an error unless the transition is one of the problem. The ends are those of the transitions
// before it in the same message.
func (l *lent) check(t *transition, place string, ends *ending) error {
	space := l.task.Space
	if err := t.CheckTold(place, l.problem); err != nil {
		return err
	}
	switch from := t.X[:space.Y()]; {
	case ends.has(from) && l.told:
		return strict.Invalid(place+"/x", "by the hello, an episode has ended in this state")
	case ends.has(from):
		return strict.Invalid(place+"/x", "an episode has ended in this state before, so no transition begins there")
	case t.Ended && l.told && !ends.has(t.Y):
		return strict.Invalid(place+"/ended", "by the hello, no episode ends in this state")
	case t.Ended:
		ends.add(space, t.Y)
	}
	switch {
	case !l.learned && t.Paid != nil:
		return strict.Invalid(place+"/paid", "the payoffs are known; leave out what was paid")
	case l.learned && len(t.Paid) != len(l.task.Payoffs):
		return strict.Invalid(place+"/paid", "%s for %s", param.Count(len(t.Paid), "number"), param.Count(len(l.task.Payoffs), "payoff"))
	}
	for f, r := range t.Paid {
		of := &l.task.Payoffs[f]
		if near := of.Nearest(r); !(near >= of.Lo && near <= of.Hi) {
			return strict.Invalid(fmt.Sprintf("%s/paid/%d", place, f), "%v is not in the range of the payoff, from %v to %v", r, of.Lo, of.Hi)
		}
	}
	return nil
}

// ending is the ends that are known, and those of transitions that are not learned yet.
type ending struct {
	of   *fmdp.Ends
	more *fmdp.Ends // nil if there are none
}

func (e *ending) has(state []int) bool { return e.of.At(state) != 0 || e.more.At(state) != 0 }

func (e *ending) add(space *fmdp.Space, state []int) {
	if !e.has(state) {
		if e.more == nil {
			e.more = fmdp.FewEnds(space)
		}
		e.more.Add(state)
	}
}

// entry returns a valid transition as the agent learns from it, with trials for what was paid.
func (l *lent) entry(t *transition) entry {
	e := entry{posterior.Step{Point: t.X, Next: t.Y, Paid: make([]uint8, len(l.task.Payoffs))}, t.Ended}
	for f, r := range t.Paid {
		of := &l.task.Payoffs[f]
		if r = of.Nearest(r); r == of.Hi || r > of.Lo && l.payoffs.Float64() < of.Chance(r) {
			e.Paid[f] = 1
		}
	}
	return e
}

// learn is line 7: the agent observes the entries, and the log keeps them.
func (l *lent) learn(entries []entry) {
	steps := make([]posterior.Step, len(entries))
	for k := range entries {
		steps[k] = entries[k].Step
		if entries[k].ended {
			l.task.Ends.Add(entries[k].Next)
		}
	}
	if len(steps) > 0 {
		l.agent.Observe(steps)
	}
	l.seen.add(entries)
}

type believed struct {
	Belief beliefDoc `json:"belief"`
}

type beliefDoc struct {
	Transitions int                   `json:"transitions"`
	Entropy     *float64              `json:"entropy,omitzero"` // in bits, of the parents of all variables and of payoffs whose parents are hidden
	Edges       []document.RankedEdge `json:"edges,omitempty"`  // by Y variable, then payoff, then X variable
	Best        [][2]string           `json:"best,omitempty"`   // the edges of the most probable graph
}

func (s *Session) believe(_ context.Context, raw jsontext.Value) (any, error) {
	if err := strict.Decode(raw, &struct{}{}); err != nil {
		return nil, err
	}
	return s.beliefs(), nil
}

// beliefs returns the present belief.
func (l *lent) beliefs() believed {
	doc := beliefDoc{Transitions: l.seen.len()}
	believer, is := l.agent.(agent.Believer)
	if !is {
		return believed{doc}
	}
	space := l.task.Space
	trivial, entropy := space.Trivial(), 0.0
	add := func(to string, b agent.Belief) {
		probabilities := b.Probabilities(make([]float64, len(b.Sets())))
		for i, p := range b.Edges(make([]float64, space.X()), probabilities) {
			if !trivial.Has(i) {
				doc.Edges = append(doc.Edges, document.RankedEdge{From: space.Var(i).Name, To: to, P: p})
			}
		}
		for i := range b.Sets()[b.Best()].Without(trivial).All() {
			doc.Best = append(doc.Best, [2]string{space.Var(i).Name, to})
		}
		entropy += posterior.ParentEntropy(b.Sets(), probabilities, trivial)
	}
	for j, b := range believer.Beliefs() {
		if trivial.Has(j) { // nothing is believed of the parents of a variable with one value
			continue
		}
		add(space.State[j].Name, b)
	}
	if more, has := l.agent.(agent.PayoffBeliever); has {
		unscoped := l.task.Unscoped()
		for k, b := range more.PayoffBeliefs() {
			add(l.task.Payoffs[unscoped[k]].Name, b)
		}
	}
	doc.Entropy = &entropy
	return believed{doc}
}

// named turns the typed errors of building an agent into ones that name variables.
func (l *lent) named(err error) error {
	nodes := func(y int) string {
		space := l.task.Space
		if y < space.Y() {
			return space.State[y].Name
		}
		return l.task.Payoffs[l.task.Unscoped()[y-space.Y()]].Name
	}
	if err, is := err.(*bigraph.InconsistentError); is {
		return strict.Invalid("/prior/edges", "%q has %d known parents, but the degree of sparseness admits at most %d", nodes(err.Y), err.Known, err.Most)
	}
	at, reason, is := arm.Refuse(err, l.arm, l.task.Prior, nodes)
	if !is {
		return err
	}
	places := map[arm.Part]string{arm.OfAgent: "/agent", arm.OfAgents: "/agent", arm.OfSparseness: "/prior/sparseness", arm.OfRewards: "/reward", arm.OfProblem: "/state"}
	return strict.Invalid(places[at], "%s", reason)
}

// clip shortens a text of a message for an error.
func clip(text string) string { return strings.ToValidUTF8(param.Clip(text), "") }
