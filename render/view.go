package render

import (
	"cmp"
	"fmt"
	"math"

	"cpsrl/core/record"
	"cpsrl/core/strict"
)

// StageView says which moment of a trace to show, and how. In JSON every field is
// optional. Unknown and duplicate fields and values out of range are refused.
type StageView struct {
	Width  float64 `json:"width,omitzero"`  // CSS px; absent: 960
	Height float64 `json:"height,omitzero"` // CSS px; a picture may need more
	Theme  Theme   `json:"theme,omitempty"` // absent: light
	// ReducedMotion shows nothing between two steps.
	ReducedMotion bool `json:"reducedMotion,omitzero"`

	// World leaves out the graph, where something else shows it.
	World bool `json:"world,omitzero"`

	Agent string `json:"agent,omitempty"` // the name of the agent; absent: its label

	Moment Moment `json:"moment,omitempty"` // absent: sample
	// Step is the number of steps that are over in the moment act, from 0 to H. Its
	// fraction is that of the next step.
	Step float64 `json:"step,omitzero"`

	// Values and Policy are overlays of the world. Absent: shown in the moments plan and act.
	Values *bool `json:"values,omitzero"`
	Policy *bool `json:"policy,omitzero"`
	// Model is the model of the overlays: "sampled" (if absent) or "true".
	Model string `json:"model,omitempty"`
	// H is the step of the overlays, from 1; absent: the next step.
	H int `json:"h,omitzero"`
	// Passenger is the passenger of the overlays of a taxi's grid, "waiting" or "aboard"; absent: the
	// present one.
	Passenger string `json:"passenger,omitempty"`

	Truth bool   `json:"truth,omitzero"` // whether the true graph is revealed
	Focus *Focus `json:"focus,omitzero"`

	// Worth is the value of each edge, what planning without it costs, by Y variable, then
	// X variable. The widths of edges show these values; absent: their probabilities.
	Worth [][]float64 `json:"worth,omitempty"`
}

// Moment is one of the four moments of an episode.
type Moment string

// The moments in their order.
const (
	Sample Moment = "sample"
	Plan   Moment = "plan"
	Act    Moment = "act"
	Update Moment = "update"
)

// Moments holds all moments.
var Moments = [...]Moment{Sample, Plan, Act, Update}

// Focus is the edge X → Y, or all edges of one variable.
type Focus struct {
	X *int `json:"x,omitzero"`
	Y *int `json:"y,omitzero"`
}

// Equal reports whether f and g are the same focus. A nil focus is none.
func (f *Focus) Equal(g *Focus) bool {
	return f == g || f != nil && g != nil && same(f.X, g.X) && same(f.Y, g.Y)
}

func same(a, b *int) bool { return a == b || a != nil && b != nil && *a == *b }

// covers reports whether the edge i → j is in focus.
func (f *Focus) covers(i, j int) bool {
	return (f.X == nil || *f.X == i) && (f.Y == nil || *f.Y == j)
}

// Limits of a view.
const (
	MinWidth  = 280
	MaxLength = 8192
	maxName   = 200 // bytes
)

// DecodeStageView reads a view. It does not check whether the view suits a trace; [Draw] does.
func DecodeStageView(data []byte) (*StageView, error) {
	var v StageView
	if err := strict.Decode(data, &v); err != nil {
		return nil, err
	}
	check := v
	if err := check.complete(); err != nil {
		return nil, err
	}
	return &v, nil
}

// complete fills in the defaults and checks what does not depend on the trace.
func (v *StageView) complete() error {
	v.Width = cmp.Or(v.Width, 960)
	v.Theme = cmp.Or(v.Theme, Light)
	v.Moment = cmp.Or(v.Moment, Sample)
	v.Model = cmp.Or(v.Model, "sampled")
	switch {
	case !(v.Width >= MinWidth && v.Width <= MaxLength):
		return strict.Invalid("/width", "the width is %v; it must be from %d to %d", v.Width, MinWidth, MaxLength)
	case !(v.Height >= 0 && v.Height <= MaxLength):
		return strict.Invalid("/height", "the height is %v; it must be at most %d", v.Height, MaxLength)
	case v.Theme != Light && v.Theme != Dark:
		return strict.Invalid("/theme", "the theme is %q; it must be light or dark", v.Theme)
	case len(v.Agent) > maxName:
		return strict.Invalid("/agent", "the agent's name has %d bytes; %d are the most", len(v.Agent), maxName)
	case v.Moment != Sample && v.Moment != Plan && v.Moment != Act && v.Moment != Update:
		return strict.Invalid("/moment", "the moment is %q; it must be sample, plan, act or update", v.Moment)
	case !(v.Step >= 0):
		return strict.Invalid("/step", "the step is %v; it must be at least 0", v.Step)
	case v.Model != "sampled" && v.Model != "true":
		return strict.Invalid("/model", "the model is %q; it must be sampled or true", v.Model)
	case v.H < 0:
		return strict.Invalid("/h", "the step h is %d; it must be at least 1", v.H)
	case v.Passenger != "" && v.Passenger != "waiting" && v.Passenger != "aboard":
		return strict.Invalid("/passenger", "the passenger is %q; it must be waiting or aboard", v.Passenger)
	case v.Focus != nil && v.Focus.X == nil && v.Focus.Y == nil:
		return strict.Invalid("/focus", "the focus is on nothing; it has an x, a y or both")
	}
	for j, row := range v.Worth {
		for i, value := range row {
			if !(value >= 0 && value <= math.MaxFloat64) {
				return strict.Invalid(fmt.Sprintf("/worth/%d/%d", j, i), "an edge is worth %v; it must be at least 0", value)
			}
		}
	}
	return nil
}

// suit checks the view against a trace.
func (v *StageView) suit(t *record.Trace) error {
	x, y := len(t.State)+len(t.Action), len(t.State)
	switch {
	case v.Step > float64(len(t.Steps)):
		return strict.Invalid("/step", "the step is %v; the episode has %d", v.Step, len(t.Steps))
	case v.H > t.Horizon:
		return strict.Invalid("/h", "the step h is %d; the horizon is %d", v.H, t.Horizon)
	case v.Focus != nil && v.Focus.X != nil && (*v.Focus.X < 0 || *v.Focus.X >= x):
		return strict.Invalid("/focus/x", "there is no variable %d; X has %d", *v.Focus.X, x)
	case v.Focus != nil && v.Focus.Y != nil && (*v.Focus.Y < 0 || *v.Focus.Y >= y):
		return strict.Invalid("/focus/y", "there is no variable %d; Y has %d", *v.Focus.Y, y)
	case v.Worth != nil && t.Sampled.Graph == nil:
		return strict.Invalid("/worth", "%s has no graph whose edges could be worth anything", cmp.Or(v.Agent, t.Agent))
	case v.Worth != nil && len(v.Worth) != y:
		return strict.Invalid("/worth", "the edges into %d variables are valued; Y has %d", len(v.Worth), y)
	}
	for j, row := range v.Worth {
		if len(row) != x {
			return strict.Invalid(fmt.Sprintf("/worth/%d", j), "the edges from %d variables are valued; X has %d", len(row), x)
		}
	}
	return nil
}

// passed returns the number of steps that are over, and the fraction of the next step,
// below 1.
func (v *StageView) passed(all int) (steps int, progress float64) {
	switch v.Moment {
	case Act:
		whole, fraction := math.Modf(v.Step)
		if v.ReducedMotion {
			fraction = 0
		}
		return int(whole), fraction
	case Update:
		return all, 0
	}
	return 0, 0
}

// overlays reports which overlays of the world are shown.
func (v *StageView) overlays() (values, policy bool) {
	on := v.Moment == Plan || v.Moment == Act
	return *cmp.Or(v.Values, &on), *cmp.Or(v.Policy, &on)
}
