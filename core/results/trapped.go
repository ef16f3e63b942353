package results

import (
	"fmt"
	"strings"

	"cpsrl/core/param"
)

// An agent is trapped in a run of at least TrappedEpisodes if it is nearly certain of its graph and
// no longer gets better. With tenths of w = ⌈K/10⌉ episodes:
//
//   - after the last episode its belief has at most TrappedBits of entropy per Y variable;
//   - the last tenth pays more regret than TrappedShare of the first tenth;
//   - the last tenth pays more regret than TrappedFall of the w episodes around the middle.
//
// An agent that is certain from the start, such as F-PSRL, has no belief that could trap it. Without regrets nothing is
// said of traps.
const (
	TrappedEpisodes = 100
	TrappedBits     = 1.0
	TrappedShare    = 0.1
	TrappedFall     = 0.5
	// TrappedRuns is the share of an agent's runs from which on a [Summary] speaks of a trap. Of 200
	// runs of a random FMDP, one in twelve looks trapped, because regrets that are nearly 0 vary.
	TrappedRuns = 0.2
)

// Trap is an agent that is trapped in some of its runs.
type Trap struct {
	Agent string
	Runs  int     // in which it is trapped
	Of    int     // runs that it has played to the end
	Share float64 // of the regret of the first tenth that the last tenth still pays, over the trapped runs
}

// Traps returns the agents that are trapped in at least TrappedRuns of their runs, in the spec's
// order. Only runs that an agent has played to the end count.
func (s *Summary) Traps() []Trap {
	k := s.Experiment.Spec().Episodes
	w := WindowOf(k)
	if k < TrappedEpisodes {
		return nil
	}
	var list []Trap
	for _, label := range s.Experiment.Spec().Agents {
		trap, first, last := Trap{Agent: label}, 0.0, 0.0
		for run := range s.runs() {
			p := s.plays[playKey{run, label}]
			if p == nil || len(p.measures[CumulativeRegret()]) < k {
				continue
			}
			trap.Of++
			sums := p.measures[CumulativeRegret()]
			middle := (k + w) / 2
			begin, half, end := sums[w-1], sums[middle-1]-sums[middle-1-w], sums[k-1]-sums[k-1-w]
			if p.weighs && p.bits <= TrappedBits && end > TrappedShare*begin && end > TrappedFall*half {
				trap.Runs++
				first, last = first+begin, last+end
			}
		}
		if trap.Runs > 0 && float64(trap.Runs) >= TrappedRuns*float64(trap.Of) {
			trap.Share = last / first
			list = append(list, trap)
		}
	}
	return list
}

// Warn says in one sentence for each agent that it is trapped, or returns "".
func (s *Summary) Warn() string {
	var parts []string
	w := WindowOf(s.Experiment.Spec().Episodes)
	for _, t := range s.Traps() {
		where := "in " + OfRuns(t.Runs, t.Of)
		if t.Of == 1 {
			where = "in this run"
		}
		parts = append(parts, fmt.Sprintf("%s is trapped %s: it is nearly certain of its graph, and its last %s still pay %.0f%% of the regret of its first.",
			s.Experiment.NameOf(t.Agent), where, param.Count(w, "episode"), 100*t.Share))
	}
	return strings.Join(parts, " ")
}
