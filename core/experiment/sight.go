package experiment

import (
	"fmt"
	"strings"

	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
)

// Ends returns the names of the kinds of ends of the problem, in their order.
func (e *Experiment) Ends() []string { return e.first.Ends() }

// Ends returns the names of the kinds of ends, in their order. A kind without a name is "end 1".
func (in *Instance) Ends() (names []string) {
	for k, end := range in.View.Ends {
		name := end.Name
		if name == "" {
			name = fmt.Sprintf("end %d", k+1)
		}
		names = append(names, name)
	}
	return names
}

// mostResidual limits the work for a residual, in entries of joint laws.
const mostResidual = 1 << 22

// residual is the residual model error of a problem, and whether it has been computed.
type residual struct {
	value    float64
	computed bool
}

// Residual returns the model error of an agent that knows the law of each variable, and whether it was
// computed: the mean over x of the ℓ₁ distance of p_*(·|x) and the product of these laws. It is above 0 only
// where noise that agents do not see makes variables depend on each other. Another product may be closer.
func (in *Instance) Residual() (value float64, computed bool) {
	return in.residual.value, in.residual.computed
}

func residualOf(in *domain.Problem) residual {
	m := in.View
	n := m.Joint()
	switch {
	case in.Sight == domain.Full:
		return residual{0, true}
	case in.Sight == domain.Blind || n > mostResidual/(in.World.States()/m.States()):
		return residual{}
	}
	joint, product := make([]float64, n), make([]float64, n)
	domain.SeenJoint(joint, in.World, m)
	fmdp.Joint(product, &m.Space, m.Transition)
	return residual{fmdp.Distance(joint, product) / float64(m.Points()), true}
}

// Assumes says in one or two sentences whether what agents see is Markov, and what they do not see.
func (e *Experiment) Assumes() string {
	in := e.first
	switch in.Sight {
	case domain.Full:
		return "The process is Markov in these variables, and agents see all of them."
	case domain.Noisy:
		return in.Caveat() + " What agents see is Markov."
	}
	return in.Caveat() + " What agents see is not Markov, although they take it to be."
}

// Caveat says in one or two sentences what agents do not see and what that means for the measures, or "".
func (in *Instance) Caveat() string {
	if in.Sight == domain.Full {
		return ""
	}
	w, noise := in.World, domain.NoiseOf(in.World)
	var names, remember, drawn []string
	for j := w.Y() - w.Hidden; j < w.Y(); j++ {
		name := w.State[j].Name
		if names = append(names, name); noise.Has(j) {
			drawn = append(drawn, name)
		} else {
			remember = append(remember, name)
		}
	}
	unseen := "Agents do not see " + strings.Join(names, ", ")
	switch {
	case in.vast:
		return unseen + "."
	case in.Sight == domain.Blind && drawn == nil:
		return unseen + ". Regret is against the best policy that does, so it is an upper bound."
	case in.Sight == domain.Blind:
		return fmt.Sprintf("%s. Regret is against the best policy that sees %s but not the noise %s, so it is an upper bound.", unseen, strings.Join(remember, ", "), strings.Join(drawn, ", "))
	}
	residual, computed := in.Residual()
	if !computed {
		return unseen + ", which is noise."
	}
	return fmt.Sprintf("%s, which is noise: it makes variables depend on each other, so an agent that knows the law of each variable still has a model error of %.3g.", unseen, residual)
}

// Caveat is [Instance.Caveat] of the first run.
func (e *Experiment) Caveat() string { return e.first.Caveat() }
