package record

import (
	"cmp"
	"fmt"
	"slices"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/strict"
)

// Trace is one episode of one agent in one run, moment by moment: sample,
// plan, act, update. Steps h count from 1; tables by h start with h = 1. Version 2 is of problems whose states no list
// holds: no policy is listed, and steps say what the search of each made of its actions. Other traces are of version 1.
type Trace struct {
	strict.Heading
	Engine  int             `json:"engine"`
	Run     int             `json:"run"`
	Agent   string          `json:"agent"`
	Source  document.Source `json:"source,omitempty"` // of ℱ_k; absent if it is sampled
	Episode int             `json:"episode"`
	Horizon int             `json:"horizon"`
	document.Variables
	// Legal holds the joint actions that there are, ascending; absent if all are. Action a of a policy
	// is entry a of the list.
	Legal [][]int `json:"legal,omitempty"`
	// Allowed says which of these are legal in which states; absent if all are in each.
	Allowed *Allowed `json:"allowed,omitzero"`
	// Grid or View says how to draw the problem. Both are absent if it is drawn as a table.
	Grid    *document.Grid `json:"grid,omitzero"`
	View    document.View  `json:"view,omitzero"`
	True    TraceModel     `json:"true"`    // ℱ_* and its optimal policy
	Sampled TraceModel     `json:"sampled"` // ℱ_k, which some agents do not sample, and the policy that is played
	Steps   []TraceStep    `json:"steps"`   // the trajectory in ℱ_*, of at most H steps
	// End is the state in which an episode without a step began and ended. It is absent from any other.
	End []int `json:"end,omitempty"`
	// Ending is the name of the kind of state in which the episode ended, or "" if it has none; absent
	// if the episode ended because of its horizon.
	Ending *string        `json:"ending,omitzero"`
	Prior  document.Graph `json:"prior,omitempty"`  // the edges that the agent is certain of; absent without a belief
	Before []TraceBelief  `json:"before,omitempty"` // P_k, for each Y variable; absent without a belief
	After  []TraceBelief  `json:"after,omitempty"`  // P_{k+1}
	Record Record         `json:"record"`
}

// Allowed has, for each row of a table over state variables, the numbers of the joint actions that are legal there, ascending.
type Allowed struct {
	Given   []string  `json:"given"`
	Actions [][]int32 `json:"actions"`
}

// SetLegal says which joint actions are legal, and where.
func (t *Trace) SetLegal(space *fmdp.Space) {
	if !space.Legal.All() {
		t.Legal = space.Legal.List()
	}
	if space.Legal.ByState() {
		t.Allowed = &Allowed{space.Names(space.Legal.Given()), space.Legal.Lists()}
	}
}

// TraceModel is a model with a policy.
type TraceModel struct {
	Graph      document.Graph    `json:"graph,omitempty"`      // absent without a graph
	Transition []document.Factor `json:"transition,omitempty"` // as in cpsrl/model; absent without factors
	// Where has the edges that matter only in part, or not at all: rows of a sampled table repeat along
	// them. It is absent without such an edge. The true model has its own only beside that of
	// the sampled one.
	Where []TraceWhere `json:"where,omitempty"`
	*Solved
}

// Solved lists the policy of a model and its values in all states. It is absent from traces of version 2.
type Solved struct {
	Reward []float64   `json:"reward"` // R(x), by x = s·A + a
	Value  float64     `json:"value"`  // the value of the policy under μ, in this model
	V      [][]float64 `json:"v"`      // V_h(s), by h, then s
	Policy [][]int32   `json:"policy"` // π_h(s), by h, then s
}

// TraceWhere says in which contexts, or as which of its values, X_i matters to Y_j: "matters only
// where move is south or north". A context is an assignment of the other parents of Y_j.
type TraceWhere struct {
	X    int    `json:"x"`
	Y    int    `json:"y"`
	Text string `json:"text"` // such as "matters only where move is south or north"
}

// TraceStep is one step of the trajectory.
type TraceStep struct {
	X      []int   `json:"x"` // the state and the action
	Y      []int   `json:"y"` // the next state
	Reward float64 `json:"reward"`
	// Tried has the actions that the search of the step liked best, the best one first, at most TopActions: in version 2,
	// and absent if the agent did not search.
	Tried []TraceAction `json:"tried,omitempty"`
}

// TraceAction is what a search made of a joint action.
type TraceAction struct {
	Action []int   `json:"action"` // its values
	Value  float64 `json:"value"`  // the mean of what its trials paid, as far as they looked ahead
	Trials int     `json:"trials"`
}

// TopActions is the largest number of actions of a step that a trace lists.
const TopActions = 8

// TraceBelief is the hyper-posterior over the parent sets of one Y variable.
type TraceBelief struct {
	Count   int        `json:"count"`   // |𝒵_j|
	Sets    []TraceSet `json:"sets"`    // the most probable sets, at most TopSets
	Edges   []float64  `json:"edges"`   // P(X_i → Y_j), for each X_i
	Entropy float64    `json:"entropy"` // in bits
}

// TraceSet is one parent set and its probability in a hyper-posterior.
type TraceSet struct {
	Parents     []int   `json:"parents"`
	P           float64 `json:"p"`
	LogEvidence float64 `json:"logEvidence"` // natural logarithm
}

// TopSets is the largest number of parent sets of a variable that a trace lists.
const TopSets = 8

// Space returns the space of the variables and the legal actions, with which it shares the labels. It
// panics if there cannot be such actions, which [DecodeTrace] refuses.
func (t *Trace) Space() *fmdp.Space {
	space, err := t.space()
	if err != nil {
		panic("record: " + err.Error())
	}
	return space
}

func (t *Trace) space() (*fmdp.Space, error) {
	space := t.Variables.Space()
	var err error
	if t.Legal != nil {
		if space.Legal, err = fmdp.NewLegal(space.Action, t.Legal); err != nil {
			return nil, err
		}
	}
	if t.Allowed == nil {
		return space, nil
	}
	if err := space.CheckPoints(); err != nil {
		return nil, err
	}
	given, err := document.Given(t.Allowed.Given, "/allowed/given", space, false)
	if err != nil {
		return nil, err
	}
	space.Legal, err = space.Legal.Where(space, given, t.Allowed.Actions)
	return space, err
}

// Picture returns how to draw the problem, or nil.
func (t *Trace) Picture() document.Picture {
	if t.Grid != nil {
		return t.Grid.Picture(t.Variables.Space())
	}
	return t.View.Picture
}

// StateAfter returns the state after the given number of steps.
func (t *Trace) StateAfter(steps int) []int {
	switch {
	case len(t.Steps) == 0:
		return t.End
	case steps == len(t.Steps):
		return t.Steps[steps-1].Y
	}
	return t.Steps[steps].X[:len(t.State)]
}

// SetTransition sets the tables of a factored law.
func (m *TraceModel) SetTransition(space *fmdp.Space, transition []fmdp.Factor) {
	m.Transition = document.Factors(space, transition)
}

// SetWhere says where the parents in the model's graph matter to the tables of a factored law.
func (m *TraceModel) SetWhere(space *fmdp.Space, transition []fmdp.Factor) {
	m.Where = nil
	for y := range transition {
		f := &transition[y]
		for k, text := range where(space, f) {
			if x := f.Given[k]; text != "" && m.has(x, y) {
				m.Where = append(m.Where, TraceWhere{X: x, Y: y, Text: text})
			}
		}
	}
	slices.SortFunc(m.Where, TraceWhere.compare)
}

// has reports whether the model's graph has the edge X_x → Y_y.
func (m *TraceModel) has(x, y int) bool {
	return y >= 0 && y < len(m.Graph) && slices.Contains(m.Graph[y], x)
}

// compare compares the edges: by Y variable, then X variable.
func (w TraceWhere) compare(v TraceWhere) int {
	return cmp.Or(cmp.Compare(w.Y, v.Y), cmp.Compare(w.X, v.X))
}

// EncodeTrace returns the trace as one JSON object.
func EncodeTrace(t *Trace) []byte { return strict.Encode(t) }

// DecodeTrace reads a trace. It checks the shape of every table and the range of every
// index, except in the transition tables of its models, which no picture shows.
func DecodeTrace(data []byte) (*Trace, error) {
	var t Trace
	if err := strict.DecodeDocument(data, &t, TraceFormat, 2); err != nil {
		return nil, err
	}
	if listed := t.Version == 1; listed != (t.True.Solved != nil) || listed != (t.Sampled.Solved != nil) {
		return nil, strict.Invalid("/version", "a trace of version 1 lists policies, and one of version 2 does not")
	}
	if err := t.check(); err != nil {
		return nil, err
	}
	return &t, nil
}

func (t *Trace) check() error {
	space := t.Variables.Space()
	if err := space.Validate(); err != nil {
		return strict.Located(err)
	}
	space, err := t.space()
	if err == nil && t.Version == 1 {
		err = space.CheckPoints()
	}
	if err != nil {
		return strict.Located(err)
	}
	switch {
	case t.Episode < 1:
		return strict.Invalid("/episode", "the episode is %d; episodes count from 1", t.Episode)
	case t.Horizon < 1 || t.Horizon > fmdp.MaxHorizon:
		return strict.Invalid("/horizon", "the horizon is %d; it must be from 1 to %d", t.Horizon, fmdp.MaxHorizon)
	case len(t.Legal) > 1 && !slices.IsSortedFunc(t.Legal, slices.Compare):
		return strict.Invalid("/legal", "the actions are not ascending")
	case len(t.Steps) > t.Horizon:
		return strict.Invalid("/steps", "%d steps in an episode of at most %d", len(t.Steps), t.Horizon)
	case t.End != nil && len(t.Steps) > 0:
		return strict.Invalid("/end", "the episode has steps, which say where it ends")
	case t.End == nil && len(t.Steps) == 0:
		return strict.Invalid("/end", "the episode has no step, and nothing says where it ends")
	case t.Ending != nil && len(*t.Ending) > fmdp.MaxName:
		return strict.Invalid("/ending", "the name has %d bytes, more than %d", len(*t.Ending), fmdp.MaxName)
	case t.Grid != nil && t.View.Picture != nil:
		return strict.Invalid("/view", "there is a grid, too")
	case t.True.Graph == nil:
		return strict.Invalid("/true/graph", "the true model has no graph")
	}
	for of, m := range []*TraceModel{&t.True, &t.Sampled} {
		for k := range m.Transition {
			if m.Transition[k].Labelled() { // programs write traces, and name no rows
				return strict.Invalid(fmt.Sprintf("/%s/transition/%d/p", [2]string{"true", "sampled"}[of], k), "expected %s, found an object", strict.Array)
			}
		}
	}
	err = cmp.Or(t.Source.Check("/source"), t.checkGrid(), t.View.Check("/view", space), t.True.check("/true", t.Horizon, space), t.Sampled.check("/sampled", t.Horizon, space))
	for h, step := range t.Steps {
		err = cmp.Or(err, checkStep(step, fmt.Sprintf("/steps/%d", h), space))
	}
	if t.End != nil {
		err = cmp.Or(err, document.CheckValues(t.End, space.Y(), "/end", space))
	}
	switch {
	case err != nil:
		return err
	case t.Before != nil:
		return cmp.Or(document.CheckGraph(t.Prior, "/prior", space),
			checkBelief(t.Before, "/before", space), checkBelief(t.After, "/after", space))
	case t.Prior != nil || t.After != nil:
		return strict.Invalid("/before", "there is a belief after the episode, but none before it")
	}
	return nil
}

// checkStep returns an error unless the values of a step are those of the variables, and its action is
// legal.
func checkStep(step TraceStep, place string, space *fmdp.Space) error {
	t := document.Transition{X: step.X, Y: step.Y}
	err := t.Check(place, space)
	if err != nil {
		return err
	}
	if err := t.CheckLegal(place+"/x", space); err != nil {
		return err
	}
	if len(step.Tried) > TopActions {
		return strict.Invalid(place+"/tried", "%d actions; a trace lists at most %d", len(step.Tried), TopActions)
	}
	x := slices.Clone(step.X)
	for k, tried := range step.Tried {
		at := fmt.Sprintf("%s/tried/%d", place, k)
		if len(tried.Action) != len(space.Action) || tried.Trials < 1 {
			return strict.Invalid(at, "values of %d action variables and a number of trials were expected", len(space.Action))
		}
		copy(x[space.Y():], tried.Action)
		if err := (document.Transition{X: x, Y: step.Y}).Check(at, space); err != nil {
			return err
		}
	}
	return nil
}

func (t *Trace) checkGrid() error {
	g := t.Grid
	if g == nil {
		return nil
	}
	state := t.State
	if len(state) < 3 || state[0].Size != g.Rows || state[1].Size != g.Columns || state[2].Size != 2 || t.Space().Actions() != document.Moves {
		return strict.Invalid("/grid", "the variables are not those of a taxi on %d rows and %d columns", g.Rows, g.Columns)
	}
	if g.Rows > document.MaxCells || g.Columns > document.MaxCells {
		return strict.Invalid("/grid", "more than %d rows or columns", document.MaxCells)
	}
	cells := append([][2]int{g.PickUp, g.Destination}, g.Walls...)
	for _, c := range cells {
		if c[0] < 0 || c[0] >= g.Rows || c[1] < 0 || c[1] >= g.Columns {
			return strict.Invalid("/grid", "there is no cell at row %d, column %d", c[0], c[1])
		}
	}
	return nil
}

func (m *TraceModel) check(place string, horizon int, space *fmdp.Space) error {
	if m.Graph != nil {
		if err := document.CheckGraph(m.Graph, place+"/graph", space); err != nil {
			return err
		}
	}
	for k, w := range m.Where {
		at := fmt.Sprintf("%s/where/%d", place, k)
		switch {
		case !m.has(w.X, w.Y):
			return strict.Invalid(at, "the graph has no edge from %d to %d", w.X, w.Y)
		case k > 0 && w.compare(m.Where[k-1]) <= 0:
			return strict.Invalid(at, "the edges are not in their order")
		case len(w.Text) < 1 || len(w.Text) > MaxWhere:
			return strict.Invalid(at+"/text", "%d bytes; there are 1 to %d", len(w.Text), MaxWhere)
		}
	}
	if m.Solved == nil {
		return nil
	}
	states, actions := space.States(), space.Actions()
	switch {
	case len(m.Reward) != space.Points():
		return strict.Invalid(place+"/reward", "%d rewards for %d state-action pairs", len(m.Reward), space.Points())
	case len(m.V) != horizon:
		return strict.Invalid(place+"/v", "%d rows of values for %d steps", len(m.V), horizon)
	case len(m.Policy) != horizon:
		return strict.Invalid(place+"/policy", "%d rules for %d steps", len(m.Policy), horizon)
	}
	for h := range horizon {
		if len(m.V[h]) != states {
			return strict.Invalid(fmt.Sprintf("%s/v/%d", place, h), "%d values for %d states", len(m.V[h]), states)
		}
		if len(m.Policy[h]) != states {
			return strict.Invalid(fmt.Sprintf("%s/policy/%d", place, h), "%d actions for %d states", len(m.Policy[h]), states)
		}
		for s, a := range m.Policy[h] {
			if a < 0 || int(a) >= actions {
				return strict.Invalid(fmt.Sprintf("%s/policy/%d/%d", place, h, s), "there is no action %d; actions are 0 to %d", a, actions-1)
			}
		}
	}
	return nil
}

func checkBelief(list []TraceBelief, place string, space *fmdp.Space) error {
	if len(list) != space.Y() {
		return strict.Invalid(place, "a belief for %d variables; there are %d", len(list), space.Y())
	}
	for j, b := range list {
		at := fmt.Sprintf("%s/%d", place, j)
		if err := checkEdges(b.Edges, at+"/edges", space); err != nil {
			return err
		}
		if len(b.Sets) > TopSets {
			return strict.Invalid(at+"/sets", "%d parent sets; a trace lists at most %d", len(b.Sets), TopSets)
		}
		for k, set := range b.Sets {
			if err := document.CheckParents(set.Parents, fmt.Sprintf("%s/sets/%d/parents", at, k), space); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkMatrix returns an error unless there is a list of edge probabilities for each Y
// variable.
func checkMatrix(rows [][]float64, place string, space *fmdp.Space) error {
	if len(rows) != space.Y() {
		return strict.Invalid(place, "probabilities for %d variables; there are %d", len(rows), space.Y())
	}
	for j, edges := range rows {
		if err := checkEdges(edges, fmt.Sprintf("%s/%d", place, j), space); err != nil {
			return err
		}
	}
	return nil
}

// checkEdges returns an error unless there is a probability for an edge from each X
// variable. A probability may exceed 1 by rounding.
func checkEdges(edges []float64, place string, space *fmdp.Space) error {
	if len(edges) != space.X() {
		return strict.Invalid(place, "%d probabilities for %d variables", len(edges), space.X())
	}
	for i, p := range edges {
		if !(p >= 0 && p <= 1+1e-9) {
			return strict.Invalid(fmt.Sprintf("%s/%d", place, i), "%v is not a probability", p)
		}
	}
	return nil
}
