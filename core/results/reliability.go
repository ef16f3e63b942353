package results

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/experiment"
	"cpsrl/core/record"
)

// EdgeBeliefs keeps the probabilities of edges of one episode in the records that it is given.
type EdgeBeliefs struct {
	Episode int // 0 stands for the last of each run
	kept    map[playKey]*record.Record
}

// Add keeps the belief of a record, if it is of the episode.
func (b *EdgeBeliefs) Add(r *record.Record) {
	if r.Belief == nil || r.Belief.Updated == nil || b.Episode != 0 && r.Episode != b.Episode {
		return
	}
	if b.kept == nil {
		b.kept = map[playKey]*record.Record{}
	}
	if key := (playKey{r.Run, r.Agent}); b.kept[key] == nil || r.Episode > b.kept[key].Episode {
		b.kept[key] = r
	}
}

// Bins is the number of bins of a [Reliability], each as wide as the others: [0, 0.1), …, [0.9, 1].
const Bins = 10

// Reliability compares the probabilities of edges, by an agent's belief after an episode, with how often the true graphs have
// these edges. If the truths are drawn from the agent's prior and its belief is exact, shares are equal to probabilities but
// for chance. Edges of which the agent is certain from the beginning are left out, and so are those of variables with one value, of which no
// data tell.
type Reliability struct {
	Agent    string
	Episode  int
	Runs     int
	Certain  int  // the number of edges that are left out because the agent is certain of them from the beginning
	OneGraph bool // whether the true graph is the same in all of these runs
	Bins     [Bins]Bin
}

// Bin is what a [Reliability] holds of the edges whose probabilities are in one bin.
type Bin struct {
	N    int     // edges, over variables and runs
	True int     // those that the true graph has
	Mean float64 // the mean probability; NaN without an edge
}

// NewReliability compares the beliefs of an agent after their episode with the true graphs. Without a label, the agent is the first
// that is uncertain of an edge. Runs without a record of the episode are left out. The error is one sentence, or that of a problem that cannot be built.
func NewReliability(e *experiment.Experiment, of *EdgeBeliefs, label string) (*Reliability, error) {
	s := e.Spec()
	r := &Reliability{Agent: label, Episode: of.Episode}
	if r.Episode == 0 {
		r.Episode = s.Episodes
	}
	if r.Episode < 1 || r.Episode > s.Episodes {
		return nil, fmt.Errorf("there is no episode %d; episodes are 1 to %d", r.Episode, s.Episodes)
	}
	var err error
	if r.Agent, err = believer(e, label); err != nil {
		return nil, err
	}
	arm, _ := e.Arm(r.Agent)
	r.OneGraph = true
	var first bigraph.Bigraph
	var sums [Bins]int // of probabilities, in ten-thousandths, as records have them
	for run := s.FirstRun; run < s.FirstRun+s.Runs; run++ {
		kept := of.kept[playKey{run, r.Agent}]
		if kept == nil || kept.Episode != r.Episode {
			continue
		}
		model, open, err := e.Uncertain(run, arm)
		if err != nil {
			return nil, err
		}
		if err := record.CheckBelief(kept.Belief, &model.Space); err != nil {
			return nil, fmt.Errorf("the record of %s in run %d: %w", r.Agent, run, err)
		}
		if len(kept.Belief.Edges) != model.Y() {
			return nil, fmt.Errorf("the record of %s in run %d has no edges", r.Agent, run)
		}
		if r.Runs++; first == nil {
			first = model.Graph()
		}
		r.OneGraph = r.OneGraph && slices.Equal(model.Graph(), first)
		graph, trivial := model.Graph(), model.Trivial()
		for j, row := range kept.Belief.Edges {
			if trivial.Has(j) {
				continue
			}
			for i, p := range row {
				switch {
				case trivial.Has(i):
					continue
				case !open[j].Has(i):
					r.Certain++
					continue
				}
				unit := int(math.Round(1e4 * p))
				at := min(unit*Bins/1e4, Bins-1)
				r.Bins[at].N++
				sums[at] += unit
				if graph[j].Has(i) {
					r.Bins[at].True++
				}
			}
		}
	}
	edges := 0
	for k := range r.Bins {
		r.Bins[k].Mean = float64(sums[k]) / 1e4 / float64(r.Bins[k].N)
		edges += r.Bins[k].N
	}
	switch {
	case r.Runs == 0:
		return nil, fmt.Errorf("no record tells what %s believes after episode %d", r.Agent, r.Episode)
	case edges == 0:
		return nil, fmt.Errorf("%s is certain of every edge from the beginning", r.Agent)
	}
	return r, nil
}

// believer returns a label if its agent believes something of edges. Without one, it is that of the first agent that is uncertain of
// an edge.
func believer(e *experiment.Experiment, label string) (string, error) {
	if label != "" {
		a, known := e.Arm(label)
		switch {
		case !known:
			_, err := e.Label(label)
			return "", err
		case !a.Believes:
			return "", fmt.Errorf("%s has no belief about edges", a.Name())
		}
		return label, nil
	}
	for _, a := range e.Arms() {
		if !a.Believes {
			continue
		}
		_, open, err := e.Uncertain(e.Spec().FirstRun, a)
		if err != nil || open.Edges() > 0 {
			return a.Label(), err
		}
	}
	return "", errors.New("no agent here is uncertain of an edge")
}

// LearnedEdges returns the prior from which an agent began in a run, and the probabilities of edges that it believes after the last of its
// episodes, by Y variable, then X variable. Without a label, the agent is the first that is uncertain of an edge.
func LearnedEdges(e *experiment.Experiment, of *EdgeBeliefs, label string, run int) (*document.PriorFile, [][]float64, error) {
	label, err := believer(e, label)
	if err != nil {
		return nil, nil, err
	}
	kept := of.kept[playKey{run, label}]
	if kept == nil {
		return nil, nil, fmt.Errorf("no record tells what %s believes in run %d", label, run)
	}
	space, prior, err := experiment.NewPrior(e.Spec(), run)
	if err == nil {
		err = record.CheckBelief(kept.Belief, space)
	}
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("the record of %s in run %d: %w", label, run, err)
	case len(kept.Belief.Edges) != space.Y():
		return nil, nil, fmt.Errorf("the record of %s in run %d has no edges", label, run)
	}
	law := e.Spec().Law()
	return &document.PriorFile{Space: space, Prior: prior, Rows: law.Rows, Structure: law.Structure}, kept.Belief.Edges, nil
}
