package fmdp

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"cpsrl/core/bigraph"
	"cpsrl/core/internal/loops"
)

// SumTolerance is how far the sum of a row of probabilities may be from 1 without a word: tables in
// single precision are within it.
const SumTolerance = 1e-6

// Tolerance is how far the sum of a row of k probabilities may be from 1. If they are written with six
// digits, rounding has moved each of them by at most ½·10⁻⁶.
func Tolerance(k int) float64 { return max(SumTolerance, 0.5e-6*float64(k)) + 1e-12 }

// Factor is the conditional law p_j(y[j] | x[z_j]) of one Y variable: a table
// with one row for each assignment of the given variables, in the order
// written, the last varying fastest, and one column for each value.
type Factor struct {
	Given []int     // indices of X variables, distinct
	Size  int       // number of columns
	P     []float64 // row-major
	Known bool      // agents are told the law
}

// Scope returns z_j.
func (f *Factor) Scope() bigraph.Scope { return bigraph.Of(f.Given...) }

// Row returns one row of the table.
func (f *Factor) Row(row int) []float64 { return f.P[row*f.Size : (row+1)*f.Size] }

// Kind is how a reward factor pays.
type Kind int

const (
	Fixed     Kind = iota // pays its mean, always
	Bernoulli             // pays Scale with probability mean, else 0
)

// Reward is one factor of the reward: a table of means over the given
// variables, rows ordered as a Factor's. If a variable of the next state is given, it is paid on arrival.
type Reward struct {
	Given []int     // indices of X variables, or d_X + j for Y_j, distinct
	Mean  []float64 // one for each row
	Kind  Kind
	Scale float64 // of a Bernoulli payoff; 1 for Fixed
	Of    int     // the Y variable whose scope it shares, or -1

	Name string // may be "", unless Hidden
	// Hidden says that agents that learn rewards are not told which variables are given: the payoff is
	// one more right-hand node of the bigraph.
	Hidden bool
	// Lo and Hi bound the payoffs of a Fixed factor whose payoffs can be learned though they are not in
	// [0,1]. Both are 0 if they are not declared.
	Lo, Hi float64
}

// Ranged reports whether the factor has declared bounds.
func (r *Reward) Ranged() bool { return r.Lo < r.Hi }

// Nearest returns a payoff, but an end of the declared range in place of what is as good as that: sums and products of
// decimal fractions differ from it in their last digits. That is up to 10⁻⁹ of the range.
func (r *Reward) Nearest(paid float64) float64 {
	switch within := 1e-9 * (r.Hi - r.Lo); {
	case math.Abs(paid-r.Lo) <= within:
		return r.Lo
	case math.Abs(paid-r.Hi) <= within:
		return r.Hi
	}
	return paid
}

// Chance returns the probability that the factor is seen to be paid, where its mean is that: a learned
// payoff is a trial that is paid with a probability proportional to the mean less the least payoff.
func (r *Reward) Chance(mean float64) float64 {
	if r.Ranged() {
		return (mean - r.Lo) / (r.Hi - r.Lo)
	}
	return mean
}

// Trial returns the probability with which a payoff counts as a trial that is paid: [Reward.Chance] of what was paid, where what is as
// good as an end of the range is that end. A payoff that cannot be learned has none from 0 to 1.
func (r *Reward) Trial(paid float64) float64 {
	if paid = paid / r.Scale; r.Ranged() {
		paid = r.Nearest(paid)
	}
	return r.Chance(paid)
}

// Means turns the probabilities of being paid into means, in place, and returns them.
func (r *Reward) Means(chances []float64) []float64 {
	if r.Ranged() {
		for k, p := range chances {
			chances[k] = r.Lo + float64((r.Hi-r.Lo)*p)
		}
	}
	return chances
}

// Arrives reports whether a variable of the next state is given.
func (r *Reward) Arrives(s *Space) bool {
	return slices.ContainsFunc(r.Given, func(i int) bool { return i >= s.X() })
}

// Ending is a kind of state in which an episode ends: the given state variables have one of the
// listed tuples of values.
type Ending struct {
	Name  string // may be ""
	Given []int
	Is    [][]int
}

// Model is a factored MDP ℱ = (X, Y, z, p, r, μ, H).
type Model struct {
	Space
	Name       string
	Horizon    int
	Initial    []float64 // μ over states; nil if it is not listed
	First      *Start    // μ as a law; nil if only Initial has it. See List
	Transition []Factor  // entry j is the law of Y_j
	Reward     []Reward  // their payoffs add up
	// Ends are the states in which an episode ends before step H: when such a state is entered, or if
	// it begins in one. Nothing is paid there.
	Ends []Ending
	// Hidden is the number of state variables, the last ones, that agents do not see. See package domain.
	Hidden int
	// Noise is the number of hidden variables, the last ones, that are noise: their laws have no parents.
	// Start then is μ without them; Initial is the product of Start and their laws.
	Noise int
	Start []float64
}

// Spread writes the product of Start and the laws of the noise into Initial.
func (m *Model) Spread() {
	m.Initial = slices.Clone(m.Start)
	for j := m.Y() - m.Noise; j < m.Y(); j++ {
		longer := make([]float64, 0, len(m.Initial)*m.State[j].Size)
		for _, p := range m.Initial {
			for _, q := range m.Transition[j].P {
				longer = append(longer, float64(p*q))
			}
		}
		m.Initial = longer
	}
}

// Graph returns the bigraph z of the transition law.
func (m *Model) Graph() bigraph.Bigraph { return Graph(m.Transition) }

// Graph returns the bigraph z of a factored transition law.
func Graph(transition []Factor) bigraph.Bigraph {
	g := make(bigraph.Bigraph, len(transition))
	for j := range transition {
		g[j] = transition[j].Scope()
	}
	return g
}

// AddPayoffs adds the expected payoffs of a reward factor to dst, for every x.
func (s *Space) AddPayoffs(dst []float64, given []int, means []float64, scale float64) {
	for x, row := range s.RowOf(given) {
		dst[x] += float64(scale * means[row])
	}
}

// Next draws the next state y ~ p(·|x) into dst, which has length d_Y, one
// variable after another.
func (m *Model) Next(rng *rand.Rand, point, dst []int) {
	for j := range m.Transition {
		f := &m.Transition[j]
		dst[j] = Draw(rng, f.Row(m.Row(f.Given, point)))
	}
}

// DrawTransition draws a transition: a point x uniform over states and actions, and the
// next state y ~ p(·|x). Their values go into point, of length d_X, and next, of
// length d_Y. Where there are more than MaxPoints points, or the legal actions depend on the state, x is drawn state
// variable by state variable, then the action among those that are legal there.
func (m *Model) DrawTransition(rng *rand.Rand, point, next []int) {
	if n := m.Points(); n <= MaxPoints && !m.Legal.ByState() {
		m.Point(point, rng.IntN(n))
	} else {
		for j := range m.State {
			point[j] = rng.IntN(m.State[j].Size)
		}
		m.JointAction(point[m.Y():], m.DrawAction(rng, point))
	}
	m.Next(rng, point, next)
}

// Uniform returns the uniform distribution over n values.
func Uniform(n int) []float64 {
	p := make([]float64, n)
	for i := range p {
		p[i] = 1 / float64(n)
	}
	return p
}

// Draw returns an index sampled from the probabilities p, which sum to 1, by
// inversion. It consumes one number of rng.
func Draw(rng *rand.Rand, p []float64) int {
	u, last := rng.Float64(), 0
	for i, q := range p {
		if q <= 0 {
			continue
		}
		if u < q {
			return i
		}
		u -= q
		last = i
	}
	return last // rounding left a remainder
}

// Joint writes the joint next-state law p(y|x) = ∏_j p_j(y[j] | x[z_j]) of a
// factored transition into dst, which has length S·A·S, row-major in x then y.
func Joint(dst []float64, space *Space, transition []Factor) {
	NewJoiner(space).Joint(dst, transition)
}

// Joiner is [Joint] for one law after another. It lists the rows of a table only if its parents are not those of the last law.
// It belongs to one goroutine at a time.
type Joiner struct {
	space           *Space
	first, together int // see NewJoiner
	last            *Assignments
	law             []loops.Table
	given           [][]int // of each table
	point           []int
}

// NewJoiner returns a joiner for laws over a space.
func NewJoiner(space *Space) *Joiner {
	// The row of a point is the sum of a part that its first variables select and a part
	// that its last variables select. Points that differ only in the last variables are
	// expanded together, with one list of rows.
	first, together := space.X(), 1
	if space.Legal != nil {
		first, together = space.Y(), space.Actions()
	}
	for first > 0 && together < fewTogether {
		first--
		together *= space.Var(first).Size
	}
	return &Joiner{
		space: space, first: first, together: together,
		last: space.Assignments(bigraph.First(space.X()).Without(bigraph.First(first))),
		law:  make([]loops.Table, space.Y()), given: make([][]int, space.Y()), point: make([]int, space.X()),
	}
}

// fewTogether is the least number of points that Joint expands together, if the space
// has that many.
const fewTogether = 64

// Joint is the function Joint.
func (of *Joiner) Joint(dst []float64, transition []Factor) {
	space, law, point := of.space, of.law, of.point
	states, points := space.States(), space.Points()
	if len(dst) != states*points {
		panic("fmdp: destination has the wrong length")
	}
	for j := range law {
		if f := &transition[j]; law[j].RowOf == nil || !slices.Equal(of.given[j], f.Given) {
			of.given[j] = append(of.given[j][:0], f.Given...)
			law[j] = loops.Table{Size: f.Size, RowOf: of.last.Rows(f.Given, 1)}
		}
	}
	for x := 0; x < points; x += of.together {
		space.Point(point, x)
		clear(point[of.first:]) // the rest of the row is in RowOf
		for j := range law {
			f := &transition[j]
			law[j].P = f.P[space.Row(f.Given, point)*f.Size:]
		}
		loops.Joint(dst[x*states:(x+of.together)*states], law)
	}
}

// Distance returns Σ |p[i] − q[i]|, the ℓ₁ distance; p and q have the same length.
func Distance(p, q []float64) float64 { return loops.Distance(p, q) }

// Validate checks the whole model and normalises its rows of probabilities to sum to 1. A model whose states
// are too many to list has its μ in First. The error is a *[Fault].
func (m *Model) Validate() error {
	if err := cmp.Or(m.Space.Validate(), m.Space.checkAction()); err != nil {
		return err
	}
	if m.First == nil {
		if err := m.Space.CheckPoints(); err != nil { // it must be listed
			return err
		}
	}
	switch {
	case m.Horizon < 1 || m.Horizon > MaxHorizon:
		return fault(at("horizon"), "the horizon is %d; it must be from 1 to %d", m.Horizon, MaxHorizon)
	case m.First == nil && Times(m.States(), m.Horizon) > MaxPolicy:
		return m.CheckListed()
	case (m.First == nil || m.Initial != nil) && len(m.Initial) != m.States():
		return fault(at("initial"), "%d probabilities for %d states", len(m.Initial), m.States())
	case len(m.Transition) != m.Y():
		return fault(at("transition"), "%d transition tables for %d state variables", len(m.Transition), m.Y())
	case len(m.Ends) > MaxEnds:
		return fault(at("terminal"), "%d kinds of ends, more than %d", len(m.Ends), MaxEnds)
	}
	if m.Initial != nil {
		if err := (&Scaling{}).Initial(m.Initial); err != nil {
			return err
		}
	}
	if m.First != nil {
		if err := m.First.check(&m.Space); err != nil {
			return err
		}
	}
	for j := range m.Transition {
		if err := m.validateFactor(j, at("transition", j)); err != nil {
			return err
		}
	}
	if err := m.CheckTables(m.Graph()); err != nil {
		return err
	}
	if len(m.Reward) > MaxRewards {
		return fault(at("reward"), "%d reward factors, more than %d", len(m.Reward), MaxRewards)
	}
	if m.First == nil {
		if err := m.CheckListed(); err != nil {
			return err
		}
	}
	for f := range m.Reward {
		if err := m.validateReward(f, at("reward", f)); err != nil {
			return err
		}
	}
	nodes := m.X()
	for f := range m.Reward {
		if m.Reward[f].Hidden {
			nodes++
		}
		if nodes > MaxVariables {
			return fault(at("reward"), "%d variables and payoffs whose parents are hidden, more than %d", nodes, MaxVariables)
		}
		for g := range f {
			if m.Reward[f].Hidden && m.Reward[g].Hidden && m.Reward[f].Name == m.Reward[g].Name {
				return fault(at("reward", f, "name"), "a second payoff is named %q", m.Reward[f].Name)
			}
		}
	}
	for k := range m.Ends {
		if err := m.CheckEnding(&m.Ends[k], at("terminal", k)); err != nil {
			return err
		}
	}
	return m.validateHidden()
}

// CheckEnding returns a *[Fault] in an ending at that place, unless it is one of the states of the space.
func (s *Space) CheckEnding(e *Ending, in Path) error {
	if len(e.Name) > MaxName {
		return fault(in.to("name"), "the name has %d bytes, more than %d", len(e.Name), MaxName)
	}
	for k, i := range e.Given {
		switch place := in.to("given", k); {
		case i < 0 || i >= s.Y():
			return fault(place, "an end is a kind of state; it is given state variables only")
		case slices.Contains(e.Given[:k], i):
			return fault(place, "variable %q is given twice", s.Var(i).Name)
		}
	}
	for t, values := range e.Is {
		if len(values) != len(e.Given) {
			return fault(in.to("is", t), "%d values for %d given variables", len(values), len(e.Given))
		}
		for k, v := range values {
			if size := s.Var(e.Given[k]).Size; v < 0 || v >= size {
				return fault(in.to("is", t, k), "%q has no value %d; values are 0 to %d", s.Var(e.Given[k]).Name, v, size-1)
			}
		}
	}
	return nil
}

// validateHidden checks that rewards and ends depend only on what agents see: both are told to
// agents.
func (m *Model) validateHidden() error {
	seen := m.Y() - m.Hidden
	switch {
	case m.Hidden < 0 || seen < 1:
		return fault(at("hidden"), "agents see no state variable; at least one is needed")
	case m.Noise < 0 || m.Noise > m.Hidden:
		return fault(at("noise"), "%d variables are noise; %d are hidden", m.Noise, m.Hidden)
	}
	var given bigraph.Scope
	assignments := 1
	for j := seen; j < m.Y(); j++ {
		if assignments = Times(assignments, m.State[j].Size); assignments > MaxHidden {
			return fault(at("hidden"), "what agents do not see has more than %d assignments", MaxHidden)
		}
		if j >= m.Y()-m.Noise && len(m.Transition[j].Given) > 0 {
			return fault(at("transition", j), "%q is noise, which depends on nothing", m.State[j].Name)
		}
	}
	for j := range m.Transition {
		given = given.Union(m.Transition[j].Scope())
	}
	for j := seen; j < m.Y(); j++ {
		if !given.Has(j) {
			return fault(at("state", j), "%q is hidden, and no variable depends on it", m.State[j].Name)
		}
	}
	hidden := func(i int) bool { return i >= seen && i < m.Y() || i >= m.X()+seen }
	for f := range m.Reward {
		if k := slices.IndexFunc(m.Reward[f].Given, hidden); k >= 0 {
			return fault(at("reward", f, "given", k), "%q is hidden; rewards depend only on what agents see", m.Var(m.Reward[f].Given[k]).Name)
		}
	}
	if k := slices.IndexFunc(m.Legal.Given(), hidden); k >= 0 {
		return fault(at("legal"), "%q is hidden; which actions are legal depends only on what agents see", m.Var(m.Legal.Given()[k]).Name)
	}
	for e := range m.Ends {
		if k := slices.IndexFunc(m.Ends[e].Given, hidden); k >= 0 {
			return fault(at("terminal", e, "given", k), "%q is hidden; ends depend only on what agents see", m.Var(m.Ends[e].Given[k]).Name)
		}
	}
	for j := range m.Transition {
		if k := slices.IndexFunc(m.Transition[j].Given, hidden); m.Transition[j].Known && k >= 0 {
			return fault(at("transition", j, "known"), "agents cannot be told a law that is given %q, which is hidden", m.Var(m.Transition[j].Given[k]).Name)
		}
	}
	return nil
}

// CheckTables returns a *[Fault] if the transition tables over that graph have more than
// MaxTable entries together.
func (s *Space) CheckTables(g bigraph.Bigraph) error {
	total := 0
	for j, z := range g {
		n := Times(s.Rows(z.Parents()), s.State[j].Size)
		if n > MaxTable-total {
			return fault(at("transition"), "the transition tables have more than %d entries up to that of %q", MaxTable, s.State[j].Name)
		}
		total += n
	}
	return nil
}

func (m *Model) validateFactor(j int, in Path) error {
	f := &m.Transition[j]
	if err := m.validateGiven(f.Given, m.X(), in); err != nil {
		return err
	}
	name := m.State[j].Name
	switch want := m.Rows(f.Given); {
	case f.Size != m.State[j].Size:
		return fault(in, "the table of %q has %d columns for %d values", name, f.Size, m.State[j].Size)
	case len(f.P) != want*f.Size:
		return fault(in.to("p"), "the table of %q has %d entries; %d rows of %d are needed", name, len(f.P), want, f.Size)
	}
	return (&Scaling{}).Rows(f, &m.Space, name, in)
}

// Scaling scales rows of probabilities to sum to 1, and keeps what it changed. The zero
// value scales rows whose sums are within their [Tolerance] of 1 and refuses others.
type Scaling struct {
	Any bool // scale rows of any positive sum

	Scaled int     // the number of rows that were not within SumTolerance
	By     float64 // the largest |Σ − 1|
	At     Path    // the path of the row with it
}

// Initial checks that an initial distribution is one, and scales it. The error is a
// *[Fault].
func (s *Scaling) Initial(p []float64) error {
	most, reason := s.scale(p)
	if most {
		s.At = at("initial")
	}
	if reason != "" {
		return fault(at("initial"), "the initial distribution %s", reason)
	}
	return nil
}

// Rows checks that each row of the law of the named variable is a distribution, and scales
// it. The error is a *[Fault] with a path below in, the path of the table.
func (s *Scaling) Rows(f *Factor, space *Space, name string, in Path) error {
	for row := range space.Rows(f.Given) {
		most, reason := s.scale(f.Row(row))
		if most {
			s.At = in.to("p", row)
		}
		if reason != "" {
			return fault(in.to("p", row), "the row of %q given %s %s", name, space.assignment(f.Given, row), reason)
		}
	}
	return nil
}

func (m *Model) validateReward(f int, in Path) error {
	r := &m.Reward[f]
	if err := m.validateGiven(r.Given, m.X()+m.Y(), in); err != nil {
		return err
	}
	if want := m.Rows(r.Given); len(r.Mean) != want {
		return fault(in.to("mean"), "reward factor %d has %d means; %d are needed", f, len(r.Mean), want)
	}
	for k, i := range r.Given {
		if i >= m.X() && m.LookupNext(m.NameOf(i)) != i {
			return fault(in.to("given", k), "%q at the next step cannot be told from the variable %q; rename one of them", m.Var(i).Name, m.NameOf(i))
		}
	}
	for row, mean := range r.Mean {
		if r.Ranged() && (mean < r.Lo || mean > r.Hi) {
			mean = r.Nearest(mean)
			r.Mean[row] = mean
		}
		place := func() Path { return in.to("mean", row) }
		switch {
		case r.Ranged() && (mean < r.Lo || mean > r.Hi):
			return fault(place(), "the mean of reward factor %d given %s is %v, outside the range %v to %v", f, m.assignment(r.Given, row), mean, r.Lo, r.Hi)
		case math.IsNaN(mean) || math.IsInf(mean, 0):
			return fault(place(), "the mean of reward factor %d given %s is not a finite number", f, m.assignment(r.Given, row))
		case math.Abs(mean) > MaxPay:
			return fault(place(), "the mean of reward factor %d given %s is %v, beyond ±%g", f, m.assignment(r.Given, row), mean, MaxPay)
		case r.Kind == Bernoulli && (mean < 0 || mean > 1):
			return fault(place(), "the mean of Bernoulli reward factor %d given %s is %v, outside [0,1]", f, m.assignment(r.Given, row), mean)
		}
	}
	switch {
	case len(r.Name) > MaxName:
		return fault(in.to("name"), "the name has %d bytes, more than %d", len(r.Name), MaxName)
	case r.Hidden && (r.Name == "" || m.Lookup(r.Name) >= 0):
		return fault(in.to("name"), "a payoff whose parents are hidden needs a name that no variable has")
	case r.Hidden && (r.Of >= 0 || r.Arrives(&m.Space)):
		return fault(in.to("scope"), "the parents of reward factor %d can be hidden only if it is tied to no variable and not paid on arrival", f)
	case r.Ranged() && (r.Kind != Fixed || math.Abs(r.Lo) > MaxPay || math.Abs(r.Hi) > MaxPay):
		return fault(in.to("range"), "the range of reward factor %d is for \"fixed\" payoffs within ±%g", f, MaxPay)
	case math.IsNaN(r.Scale) || math.IsInf(r.Scale, 0) || r.Kind == Fixed && r.Scale != 1:
		return fault(in.to("scale"), "the scale of reward factor %d must be finite, and is for \"bernoulli\" only", f)
	case math.Abs(r.Scale) > MaxPay:
		return fault(in.to("scale"), "the scale of reward factor %d is %v, beyond ±%g", f, r.Scale, MaxPay)
	case r.Of < -1 || r.Of >= m.Y():
		return fault(in.to("of"), "reward factor %d is tied to no state variable", f)
	case r.Of >= 0 && (r.Arrives(&m.Space) || bigraph.Of(r.Given...) != m.Transition[r.Of].Scope()):
		return fault(in.to("given"), "reward factor %d is tied to %q and must be given the same variables as its transition", f, m.State[r.Of].Name)
	}
	return nil
}

// validateGiven checks that the given variables are different ones below a limit.
func (m *Model) validateGiven(given []int, limit int, of Path) error {
	for k, i := range given {
		place := of.to("given", k)
		if i < 0 || i >= limit {
			return fault(place, "there is no such variable")
		}
		if slices.Contains(given[:k], i) {
			return fault(place, "variable %q is given twice", m.NameOf(i))
		}
	}
	return nil
}

// assignment names the values that select a row: "row=1, move=north".
func (s *Space) assignment(given []int, row int) string {
	parts := make([]string, len(given))
	for k := len(given) - 1; k >= 0; k-- {
		v := s.Var(given[k])
		parts[k] = s.NameOf(given[k]) + "=" + v.Label(row%v.Size)
		row /= v.Size
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// scale scales p to sum to 1. It returns whether the sum was further from 1 than any before,
// and what is wrong with p, or "".
func (s *Scaling) scale(p []float64) (most bool, reason string) {
	sum := 0.0
	for i, q := range p {
		if !(q >= 0) || math.IsInf(q, 0) {
			return false, fmt.Sprintf("has entry %d = %v; probabilities must be numbers of at least 0", i, q)
		}
		sum += q
	}
	if by := math.Abs(sum - 1); by > SumTolerance {
		if by > Tolerance(len(p)) && !s.Any || sum == 0 || math.IsInf(sum, 0) {
			return false, fmt.Sprintf("sums to %v; it must sum to 1", sum)
		}
		if s.Scaled++; by > s.By {
			s.By, most = by, true
		}
	}
	if math.Abs(sum-1) > 1e-14*float64(len(p)) { // else a second reading would change the last bit
		for i := range p {
			p[i] /= sum
		}
	}
	return most, ""
}
