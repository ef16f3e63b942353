// Package session lends an agent to a simulator of somebody else's. A [Session] reads one
// message and writes one answer: both are one line of JSON.
//
// # cpsrl/agent, version 1
//
// A message is an object with one member, which names it. The answer of each message is one object, too:
//
//	{"hello":{…}}              → {"ready":{…}}       an agent that has seen nothing
//	{"episode":{}}             → {"episode":{…}}     lines 5 and 6 of Algorithm 1: a model is sampled, and planned in
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
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/agent"
	"cpsrl/core/answer"
	"cpsrl/core/arm"
	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
	"cpsrl/core/record"
	"cpsrl/core/strict"
)

// Format and Version begin a hello.
const (
	Format  = "cpsrl/agent"
	Version = 1
)

// Limits of a session.
const (
	MaxLine        = 32 << 20 // bytes of a message
	MaxTransitions = 1 << 20  // in all
	MaxTable       = 1 << 17  // S·H of a policy that is sent as a table
	MaxPayoffs     = 16
)

// Session is an agent, and what it has seen. The zero Session has no agent yet.
type Session struct {
	*lent // nil before the first hello
}

// lent is an agent that a hello has made.
type lent struct {
	hello    jsontext.Value // as it was read
	arm      arm.Arm
	task     *agent.Task
	agent    agent.Agent
	learned  bool // payoffs are learned
	told     bool // the states in which episodes end are told
	belief   *posterior.Stream
	payoffs  *posterior.Stream
	policy   *planning.Policy // of the present episode; nil before the first
	episodes int
	before   posterior.State // of the stream belief, before the present episode
	seen     log
}

// message is a kind of message.
type message struct {
	name string
	// first reports whether it may come before the session has an agent.
	first bool
	read  func(s *Session, raw jsontext.Value) (any, error)
}

// messages are the kinds, by name.
func messages() []message {
	return []message{
		{"act", false, (*Session).act},
		{"belief", false, (*Session).believe},
		{"episode", false, (*Session).begin},
		{"hello", true, (*Session).hear},
		{"load", true, (*Session).load},
		{"save", false, (*Session).save},
		{"transitions", false, (*Session).observe},
	}
}

// wrong is the answer to a wrong message.
type wrong struct {
	Error string `json:"error"`
	At    string `json:"at,omitempty"`
}

// Answer reads a message and returns the answer as one line. After a wrong message the session is as it was before.
func (s *Session) Answer(line []byte) []byte {
	value, err := s.reply(line)
	if err != nil {
		value = refused(err)
	}
	return strict.AppendLine(nil, value)
}

// refused returns the answer that says an error.
func refused(err error) wrong {
	if e, ok := strict.Located(err).(*strict.InvalidError); ok {
		return wrong{e.Reason, e.Place}
	}
	return wrong{Error: strict.Invalid("", "%v", err).Error()} // not longer than other reasons
}

func (s *Session) reply(line []byte) (any, error) {
	members, err := strict.Object(line)
	if err != nil {
		return nil, err
	}
	if len(members) != 1 {
		return nil, strict.Invalid("", "a message has one member, which names it; this one has %d", len(members))
	}
	var name string
	for name = range members {
	}
	all := messages()
	at := slices.IndexFunc(all, func(m message) bool { return m.name == name })
	switch {
	case at < 0:
		names := make([]string, len(all))
		for k, m := range all {
			names[k] = m.name
		}
		return nil, strict.Invalid(strict.Place(name), "there is no such message; it must be %s", param.OneOf(names))
	case s.lent == nil && !all[at].first:
		return nil, strict.Invalid("/"+name, "the session has no agent yet; a hello or a load comes first")
	}
	value, err := all[at].read(s, members[name])
	return value, strict.Within("/"+name, strict.Located(err))
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
	States      int    `json:"states"`
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
		Format, Version, record.Engine, l.arm.Label(), l.arm.Name(), t.Space.States(), t.Space.Actions(), t.Horizon,
		l.tabled(), len(t.Payoffs), l.learned, l.arm.Believes, l.episodes, l.seen.len(),
	}}
}

// tabled reports whether the policy is small enough for a table.
func (l *lent) tabled() bool { return l.task.Space.States() <= MaxTable/l.task.Horizon }

type begun struct {
	Episode episodeDoc `json:"episode"`
}

type episodeDoc struct {
	Number int         `json:"number"`          // from 1
	Graph  [][2]string `json:"graph,omitempty"` // z_k
	// Policy has for each step h = 1 … H the action in each state; both are numbered row-major.
	Policy [][]int32 `json:"policy,omitempty"`
}

// begin samples a model and plans in it.
func (s *Session) begin(raw jsontext.Value) (any, error) {
	var asked struct {
		Policy bool `json:"policy,omitzero"`
	}
	if err := strict.Decode(raw, &asked); err != nil {
		return nil, err
	}
	if asked.Policy && !s.tabled() {
		return nil, strict.Invalid("/policy", "a table of %d states over %d steps has more than %d entries; ask for actions by act", s.task.Space.States(), s.task.Horizon, MaxTable)
	}
	before := s.belief.State()
	model, policy, err := s.sample()
	if err != nil {
		s.belief.Restore(before)
		return nil, err
	}
	s.before, s.policy = before, policy
	s.seen.begin()
	s.episodes++
	doc := episodeDoc{Number: s.episodes, Graph: s.edges(model)}
	if asked.Policy {
		for h := 1; h <= s.task.Horizon; h++ {
			doc.Policy = append(doc.Policy, policy.Rule(h))
		}
	}
	return begun{doc}, nil
}

// sample draws a model from the belief and plans in it: lines 5 and 6.
func (l *lent) sample() (*agent.Model, *planning.Policy, error) {
	model := l.agent.Model(l.belief)
	if err := cmp.Or(model.Err, l.arm.CheckModel(model)); err != nil {
		return nil, nil, err
	}
	var planner agent.Planner = l.task.Exact()
	if own, plans := l.agent.(agent.Planner); plans {
		planner = own
	}
	policy, _, err := planner.Plan(l.belief, model)
	return model, policy, err
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

func (s *Session) act(raw jsontext.Value) (any, error) {
	var asked struct {
		H     int   `json:"h"`
		State []int `json:"state"`
	}
	if err := strict.Decode(raw, &asked); err != nil {
		return nil, err
	}
	space := s.task.Space
	switch {
	case s.policy == nil:
		return nil, strict.Invalid("", "no episode has begun")
	case asked.H < 1 || asked.H > s.task.Horizon:
		return nil, strict.Invalid("/h", "the step is %d; steps are 1 to %d", asked.H, s.task.Horizon)
	}
	if err := document.CheckValues(asked.State, space.Y(), "/state", space); err != nil {
		return nil, err
	}
	point := make([]int, space.X())
	space.Point(point, space.Index(asked.State)*space.Actions()+s.policy.Action(asked.H, space.Index(asked.State)))
	return action{point[space.Y():]}, nil
}

// transition is one step that a simulator has made.
type transition struct {
	document.Transition
	Paid  []float64 `json:"paid,omitzero"`
	Ended bool      `json:"ended,omitzero"`
}

// observe lets the agent learn from transitions.
func (s *Session) observe(raw jsontext.Value) (any, error) {
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
	ends := map[int]bool{} // the states that these transitions make ends
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
func (l *lent) check(t *transition, place string, ends map[int]bool) error {
	space := l.task.Space
	if err := t.Check(place, space); err != nil {
		return err
	}
	from, to := space.Index(t.X[:space.Y()]), space.Index(t.Y)
	switch over := func(s int) bool { return l.task.Ended[s] != 0 || ends[s] }; {
	case over(from) && l.told:
		return strict.Invalid(place+"/x", "by the hello, an episode has ended in this state")
	case over(from):
		return strict.Invalid(place+"/x", "an episode has ended in this state before, so no transition begins there")
	case t.Ended && l.told && !over(to):
		return strict.Invalid(place+"/ended", "by the hello, no episode ends in this state")
	case t.Ended:
		ends[to] = true
	}
	switch {
	case !l.learned && t.Paid != nil:
		return strict.Invalid(place+"/paid", "the payoffs are known; leave out what was paid")
	case l.learned && len(t.Paid) != len(l.task.Payoffs):
		return strict.Invalid(place+"/paid", "%s for %s", param.Count(len(t.Paid), "number"), param.Count(len(l.task.Payoffs), "payoff"))
	}
	for f, r := range t.Paid {
		if of := &l.task.Payoffs[f]; !(r >= of.Lo && r <= of.Hi) {
			return strict.Invalid(fmt.Sprintf("%s/paid/%d", place, f), "%v is not in the range of the payoff, from %v to %v", r, of.Lo, of.Hi)
		}
	}
	return nil
}

// entry returns a valid transition as the log keeps it, with trials for what was paid.
func (l *lent) entry(t *transition) entry {
	space := l.task.Space
	e := entry{x: int32(space.Index(t.X)), y: int32(space.Index(t.Y))}
	for f, r := range t.Paid {
		of := &l.task.Payoffs[f]
		if r == of.Hi || r > of.Lo && l.payoffs.Float64() < of.Chance(r) {
			e.flags |= 2 << f
		}
	}
	if t.Ended {
		e.flags |= 1
	}
	return e
}

// learn is line 7: the agent observes the entries, and the log keeps them.
func (l *lent) learn(entries []entry) {
	space := l.task.Space
	steps := make([]posterior.Step, len(entries))
	for k, e := range entries {
		steps[k] = posterior.Step{Point: space.Point(make([]int, space.X()), int(e.x)), Next: space.Point(make([]int, space.Y()), int(e.y)), Paid: make([]uint8, len(l.task.Payoffs))}
		for f := range l.task.Payoffs {
			steps[k].Paid[f] = uint8(e.flags >> (1 + f) & 1)
		}
		if e.flags&1 != 0 {
			l.task.Ended[e.y] = 1
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
	Transitions int                 `json:"transitions"`
	Entropy     *float64            `json:"entropy,omitzero"` // in bits, of the parents of all variables and of payoffs whose parents are hidden
	Edges       []answer.RankedEdge `json:"edges,omitempty"`  // by Y variable, then payoff, then X variable
	Best        [][2]string         `json:"best,omitempty"`   // the edges of the most probable graph
}

func (s *Session) believe(raw jsontext.Value) (any, error) {
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
				doc.Edges = append(doc.Edges, answer.RankedEdge{From: space.Var(i).Name, To: to, P: p})
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
	switch err := err.(type) {
	case *bigraph.InconsistentError:
		return strict.Invalid("/prior/edges", "%q has %d known parents, but the degree of sparseness admits at most %d", nodes(err.Y), err.Known, err.Most)
	case *bigraph.TooManyError:
		return strict.Invalid("/prior/sparseness", "%q has %v", nodes(err.Y), err)
	case *posterior.TooLargeError:
		return strict.Invalid("/prior/sparseness", "the beliefs about the parents of %q and of the variables before it would take more than %d counts; lower the Z, or let the prior know or forbid more edges", nodes(err.Y), posterior.MaxCells)
	case *fmdp.TooLargeError:
		return strict.Invalid("/agent", "%s would hold %v (S²A, or 2SA for each learned payoff)", l.arm.Key, err)
	case *agent.LearnedTableError, *arm.UntoldError, *arm.LongPolicyError, *arm.NoActionError:
		return strict.Invalid("/agent", "%v", err)
	case *planning.TooCostlyError:
		return strict.Invalid("/prior", "%v", err)
	}
	return err
}

// clip shortens a text of a message for an error.
func clip(text string) string { return strings.ToValidUTF8(param.Clip(text), "") }
