package engine

import (
	"errors"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/domain"
	"cpsrl/core/experiment"
	"cpsrl/core/param"
	"cpsrl/core/spec"
	"cpsrl/wasm/wire"
)

// About describes the problem of a run and its prior.
type About struct {
	Name       string              `json:"name,omitempty"` // the name, cut after 100 bytes
	State      []document.Variable `json:"state"`          // without labels
	Action     []document.Variable `json:"action"`
	States     int                 `json:"states"`     // S
	Actions    int                 `json:"actions"`    // A
	Horizon    int                 `json:"horizon"`    // H
	Reward     string              `json:"reward"`     // a sentence that says what a step pays
	Sparseness int                 `json:"sparseness"` // the largest Z of a variable
	Eta        int                 `json:"eta"`        // the degree of prior knowledge η
	Parents    []Factorizations    `json:"parents"`    // one entry for each Y variable

	Consistent             string `json:"consistent"`             // |𝒵| = ∏_j |𝒵_j|
	ConsistentWithoutPrior string `json:"consistentWithoutPrior"` // if no edge were known

	Rate       []experiment.Term `json:"rate"`                 // the terms of Theorem 1 and its proof; none if the theorem does not apply
	RateSilent string            `json:"rateSilent,omitempty"` // why the theorem does not apply

	Caveat string   `json:"caveat,omitempty"` // what agents do not see, and what that means
	Ends   []string `json:"ends,omitempty"`   // the names of the kinds of ends

	Suggested   []document.Edge `json:"suggested"`             // the domain's own prior
	Suggestions []Reason        `json:"suggestions,omitempty"` // its edges with a reason
	// The page hides these until they are asked for:
	Truth        [][2]string   `json:"truth"`              // the true graph of the first run
	Misspecified [][2]string   `json:"misspecified"`       // known edges that are not true
	Excluded     [][2]string   `json:"excluded,omitempty"` // true edges that are forbidden
	Revealed     [][][2]string `json:"revealed"`           // G_0(η) for η = 0, 1, … up to the true graph
}

// Reason says why an edge is in the domain's own prior.
type Reason struct {
	From string  `json:"from"`
	To   string  `json:"to"`
	P    float64 `json:"p"`
	Why  string  `json:"why"` // one sentence
}

// Factorizations describes the possible parents of one Y variable. A variable in none of
// the lists is an unknown parent. Counts are exact.
type Factorizations struct {
	Of                string   `json:"of"`
	Sparseness        int      `json:"sparseness,omitzero"` // its Z, if variables have their own
	Known             []string `json:"known"`               // z_0,j
	Likely            []Likely `json:"likely,omitempty"`    // parents with a probability
	Forbidden         []string `json:"forbidden,omitempty"` // variables that cannot be parents
	Count             string   `json:"count"`               // |𝒵_j|
	CountWithoutPrior string   `json:"countWithoutPrior"`   // if no edge were known
}

// Likely is a parent of a Y variable with a probability in the prior.
type Likely struct {
	Name string  `json:"name"`
	P    float64 `json:"p"`
}

// Cost is the estimated cost of a spec's runs.
type Cost struct {
	Operations float64   `json:"operations"`
	Seconds    float64   `json:"seconds"`  // approximate seconds of one worker of a browser
	Episodes   []float64 `json:"episodes"` // the seconds of one episode of each agent, in the order of the spec
	AutoRun    bool      `json:"autorun"`  // whether the spec may run without being asked
	Budget     float64   `json:"budget"`   // the seconds of one worker that may run without being asked
}

// Checked is the answer of /v1/check.
type Checked struct {
	Header  *experiment.Header `json:"header"` // the header of the spec's records, with the complete spec
	Link    string             `json:"link"`   // the canonical fragment, without #
	Problem *About             `json:"problem"`
	Fields  []spec.Field       `json:"fields"` // the fields of a form
	Agents  []AgentEntry       `json:"agents"` // the agents that a form offers, and those of the spec
	Told    bool               `json:"told"`   // whether an agent is told the spec's prior; others have their own or none
	Cost    Cost               `json:"cost"`
	Scaled  string             `json:"scaled,omitempty"` // the rows of the model that were scaled to sum to 1, in words
}

func costOf(e *experiment.Experiment) Cost {
	operations, episodes := e.Costs()
	for i := range episodes {
		episodes[i] /= experiment.Browser
	}
	return Cost{operations, operations / experiment.Browser, episodes, operations <= experiment.AutoRun, experiment.AutoRun / experiment.Browser}
}

func serveCheck(w wire.Answer, r *wire.Request) error {
	data, err := body(r)
	if err != nil {
		return err
	}
	s, err := spec.Decode(data)
	if err != nil {
		return err
	}
	return answerCheck(w, r, s)
}

// answerCheck answers with everything about the experiment of a spec that a form shows. If the spec is refused, the error
// has the parts of it that a form still shows.
func answerCheck(w wire.Answer, r *wire.Request, s *spec.Spec) error {
	e, err := experiment.NewContext(r.Context, s)
	if refusal, ok := errors.AsType[*experiment.Refusal](err); ok {
		details := asDetails(refusal.Err)
		details.Fields = spec.Fields(refusal.Spec)
		if refusal.Instance != nil {
			details.About = aboutOf(refusal.Instance, refusal.Spec)
		}
		return details
	}
	if err != nil {
		return err
	}
	checked, err := checkedOf(e)
	if err != nil {
		return err
	}
	return writeAnswer(w, checked)
}

// checkedOf says everything about an experiment that a form shows.
func checkedOf(e *experiment.Experiment) (*Checked, error) {
	p, err := e.Instance(e.Spec().FirstRun)
	if err != nil {
		return nil, err
	}
	about := aboutOf(p, e.Spec())
	checked := &Checked{e.Header(), e.Link(nil), about, spec.Fields(e.Spec()), entries(e.Spec()), e.Told(), costOf(e), ""}
	if scaled := e.Spec().Scaled(); scaled != nil {
		checked.Scaled = scaled.String()
	}
	return checked, nil
}

// aboutOf describes a problem and its prior.
func aboutOf(p *experiment.Instance, s *spec.Spec) *About {
	space, prior := &p.View.Space, p.Prior
	nothing := prior.Of(make(bigraph.Bigraph, space.Y()))
	truth := p.View.Graph()
	edges := func(g bigraph.Bigraph) [][2]string { return document.EdgeList(g, space) }
	variables := document.NewVariables(space)
	about := &About{
		Name: param.Cut(p.View.Name, domain.MostTitle), State: unlabelled(variables.State), Action: unlabelled(variables.Action),
		States: min(space.States(), param.Max), Actions: space.Actions(), Horizon: p.View.Horizon, Reward: s.Domain.Kind().Reward,
		Sparseness: prior.MostZ(), Eta: prior.Degree(),
		Consistent: prior.CountAll().String(), ConsistentWithoutPrior: nothing.CountAll().String(),
		Suggested: document.PriorEdges(p.Own(), space), Truth: edges(truth), Caveat: p.Caveat(), Ends: p.Ends(),
	}
	for _, s := range p.Suggestions {
		about.Suggestions = append(about.Suggestions, Reason{space.Var(s.X).Name, document.NodesOf(p.View).State[s.Y].Name, s.P, s.Why})
	}
	about.Rate, about.RateSilent = p.Rate(s.Episodes)
	wrong, excluded := make(bigraph.Bigraph, space.Y()), make(bigraph.Bigraph, space.Y())
	for j, z := range prior.Known {
		wrong[j] = z.Without(truth[j])
		of := Factorizations{
			Of: space.State[j].Name, Known: space.Names(z.Parents()), Count: prior.Count(j).String(), CountWithoutPrior: nothing.Count(j).String(),
		}
		if prior.Each != nil {
			of.Sparseness = prior.Z(j)
		}
		if prior.Forbidden != nil {
			of.Forbidden = space.Names(prior.Forbidden[j].Parents())
			excluded[j] = prior.Forbidden[j].Both(truth[j])
		}
		about.Parents = append(about.Parents, of)
	}
	for _, e := range prior.Likely {
		of := &about.Parents[e.Y]
		of.Likely = append(of.Likely, Likely{space.Var(e.X).Name, e.P})
	}
	about.Excluded = edges(excluded)
	about.Misspecified = edges(wrong)
	for eta := 0; ; eta++ {
		g := p.Revealed(eta)
		about.Revealed = append(about.Revealed, edges(g))
		if g.Contains(truth) {
			return about
		}
	}
}

// unlabelled returns variables without the labels of their values.
func unlabelled(vars []document.Variable) []document.Variable {
	for i := range vars {
		vars[i].Values = nil
	}
	return vars
}
