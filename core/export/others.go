package export

import (
	"fmt"
	"slices"
	"strings"

	"cpsrl/core/cells"
	"cpsrl/core/curve"
	"cpsrl/core/param"
	"cpsrl/core/results"
)

// OtherRuns returns a measure of the other programs in every run, by label in the order of Others, then
// by run. A program that does not tell the measure is left out.
func (r *Results) OtherRuns(of *results.Measure) (runs []curve.Run) {
	best := r.Optimum()
	for _, other := range r.Others {
		runs = append(runs, other.RunCurves(of, best)...)
	}
	return runs
}

// AboutOthers says in one or two sentences whose curves of a measure were not computed here, from how
// many runs, and whose are left out and why. Without other programs it returns "".
func (r *Results) AboutOthers(of *results.Measure) string {
	if len(r.Others) == 0 {
		return ""
	}
	return about(of, r.Optimum(), r.Experiment.World(), r.Others...)
}

func about(of *results.Measure, best *float64, world string, others ...*results.Foreign) string {
	var list, absent []string
	for _, other := range others {
		if why := other.Absent(of, best); why != "" {
			if !slices.Contains(absent, why) {
				absent = append(absent, why)
			}
			continue
		}
		how := ""
		if other.Returns && of.OfRegret {
			how = "; " + results.FromReturns(*best)
		}
		for _, label := range other.Labels() {
			met := ""
			switch other.World(label) {
			case "":
			case world:
				met = "; it met our true models, run by run"
			default:
				met = "; it met a world of ours, but not this one: another problem, seed or engine"
			}
			list = append(list, label+" ("+param.Count(other.Runs(label), "run")+met+how+")")
		}
	}
	if list != nil {
		absent = append([]string{"Of other programs and not computed here: " + strings.Join(list, ", ") + "."}, absent...)
	}
	return strings.Join(absent, " ")
}

// aboutOthers is AboutOthers with what their means show.
func (r *Results) aboutOthers(of *results.Measure) string {
	return strings.TrimSpace(r.AboutOthers(of) + " " + results.ConcludeForeign(curve.Means(r.OtherRuns(of))))
}

// named returns curves or runs of other programs under names that no agent has.
func named(curves []curve.Curve) []curve.Curve {
	for k := range curves {
		curves[k].Agent = results.ForeignName(curves[k].Agent)
	}
	return curves
}

// namedRuns is named for runs.
func namedRuns(runs []curve.Run) []curve.Run {
	for k := range runs {
		runs[k].Agent = results.ForeignName(runs[k].Agent)
	}
	return runs
}

// Side is one of two curves that are compared: of an agent or, if Other is set, of another program.
type Side struct {
	Label string
	Other bool
}

// ParseSides reads "LABEL,LABEL", two labels of agents or of other programs. If both have a label, it
// is the agent's; "other:LABEL" is the program's. The error is one sentence.
func (r *Results) ParseSides(text string) (agent, base Side, err error) {
	for at, c := range text {
		if c != ',' {
			continue
		}
		var noAgent, noBase error
		agent, noAgent = r.side(text[:at])
		base, noBase = r.side(text[at+1:])
		switch {
		case noAgent == nil && noBase == nil && agent == base:
			return agent, base, fmt.Errorf("the difference of %q and itself is 0", agent.Label)
		case noAgent == nil && noBase == nil:
			return agent, base, nil
		case err == nil && noAgent != nil:
			err = noAgent
		case err == nil:
			err = noBase
		}
	}
	if err == nil {
		err = fmt.Errorf("%q is not two labels", param.Clip(text))
	}
	return agent, base, err
}

// otherPrefix begins the label of another program in -paired.
const otherPrefix = "other:"

func (r *Results) side(text string) (Side, error) {
	label, other := strings.CutPrefix(strings.TrimSpace(text), otherPrefix)
	agent, err := r.Experiment.Label(label)
	if err == nil && !other {
		return Side{Label: agent}, nil
	}
	var known []string
	for _, o := range r.Others {
		known = append(known, o.Labels()...)
	}
	switch {
	case slices.Contains(known, label):
		return Side{label, true}, nil
	case known == nil:
		return Side{}, err
	}
	return Side{}, fmt.Errorf("%q is none of the agents, %s, and none of the other programs, %s", param.Clip(label), strings.Join(r.Experiment.Spec().Agents, ", "), strings.Join(known, ", "))
}

// runsOf returns the runs of a side, and its name.
func (r *Results) runsOf(of *results.Measure, s Side) (runs []curve.Run, name string) {
	all, name := r.RunCurves(of), r.Experiment.NameOf(s.Label)
	if s.Other {
		all, name = r.OtherRuns(of), results.ForeignName(s.Label)
	}
	for _, run := range all {
		if run.Agent == s.Label {
			runs = append(runs, run)
		}
	}
	return runs, name
}

// met reports whether a side met the true models of the experiment, run by run.
func (r *Results) met(s Side) bool {
	return !s.Other || slices.ContainsFunc(r.Others, func(o *results.Foreign) bool { return o.World(s.Label) == r.Experiment.World() })
}

// ApartCSV returns the difference of two sides. If both met the true models of the experiment, that is taken run by run, in
// the columns of CSV. Else it is that of the means, not paired, as a table with the columns agent, episode, mean, lo, hi, n, m.
// It returns an error of one sentence if a side lacks the measure or they have no run in common.
func (r *Results) ApartCSV(of *results.Measure, agent, base Side) ([]byte, error) {
	x, nameX := r.runsOf(of, agent)
	y, nameY := r.runsOf(of, base)
	if len(x) == 0 || len(y) == 0 {
		why := r.AboutOthers(of)
		if why != "" {
			why = ": " + strings.TrimSuffix(why, ".")
		}
		return nil, fmt.Errorf("there is no %s to compare of %s and %s%s", of.Axis, nameX, nameY, why)
	}
	if r.met(agent) && r.met(base) {
		c := curve.Curve{Agent: nameX, Base: nameY}
		for _, means := range curve.Means(r.MetRunCurves(of, x, y)) {
			c.Points = means.Points
		}
		if c.Points == nil {
			return nil, fmt.Errorf("%s and %s have no run in common, so that no difference can be taken run by run", nameX, nameY)
		}
		said := results.ConcludePair(r.Experiment, of, c) + "\n" + r.AboutOthers(of)
		return r.table(fmt.Sprintf("%s of %s minus %s by run", of.Key, nameX, nameY), of, said, c), nil
	}
	c := curve.Apart(x, y)
	means := [2]curve.Curve{curve.Means(x)[0], curve.Means(y)[0]}
	b := r.comments(fmt.Sprintf("%s of %s minus %s: the difference of the means of n and of m runs, which are not paired, because another program does not meet our true models run by run; lo and hi are Welch's 95%% confidence interval\n%s\n%s\n%s",
		of.Key, nameX, nameY, of.Definition, results.ConcludeApart(of, nameX, nameY, len(x), len(y), c), r.AboutOthers(of)))
	t := &cells.Table{Bytes: append(b, "agent,episode,mean,lo,hi,n,m\n"...)}
	for k, p := range c.Points {
		t.Text(nameX).Int(p.Episode).Number(p.Mean, p.Lo, p.Hi).Int(means[0].Points[k].N, means[1].Points[k].N).End()
	}
	return t.Bytes, nil
}

// ForeignCSV returns the curves of another program as a table in the columns of CSV. It has no
// fingerprint, because there is no receipt of them. Best is V_*(π_*), or nil if it is not known; world is the
// fingerprint of the experiment's.
func ForeignCSV(of *results.Measure, other *results.Foreign, best *float64, world string) []byte {
	curves := curve.Means(other.RunCurves(of, best))
	said := strings.TrimSpace(about(of, best, world, other) + " " + results.ConcludeForeign(curves))
	b := cells.AppendComment(nil, fmt.Sprintf("%s: lo and hi are the 95%% confidence interval %s\n%s\n%s", of.Key, interval, of.Definition, said))
	return appendCurves(b, named(curves))
}

// AboutForeign is [Results.AboutOthers] of one other program.
func AboutForeign(of *results.Measure, other *results.Foreign, best *float64, world string) string {
	return about(of, best, world, other)
}
