package edit

import (
	"fmt"
	"slices"

	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
	"cpsrl/core/strict"
)

// Fill is a way to fill the table of a law.
type Fill struct {
	Name  string `json:"name"`
	Label string `json:"label"` // as a menu has it
	// Number says what P[0] of the edit is, or "" if the fill takes no number. Standard is what a form begins with.
	Number   string  `json:"number,omitempty"`
	Standard float64 `json:"standard,omitzero"`
	Seeded   bool    `json:"seeded,omitzero"` // whether the edit's seed decides what is drawn

	// row returns what writes row k of the table of law j, which holds the row before.
	row func(d *draft, j int, number float64, seed int) (func(k int, row []float64), error)
}

// Fills returns the ways to fill a table, in the order of a menu.
func Fills() []Fill {
	return []Fill{
		{Name: "uniform", Label: "uniform", row: uniform},
		{Name: "deterministic", Label: "certain of the likeliest", row: deterministic},
		{Name: "stay", Label: "stays, else any other", Number: "with probability", Standard: 0.9, row: stay},
		{Name: "dirichlet", Label: "drawn at random", Number: "Dirichlet α", Standard: 1, Seeded: true, row: drawn},
	}
}

// fill fills the table of a law. A formula gives way to the table.
func (d *draft) fill(e *Edit) error {
	j, err := d.state(e)
	if err != nil {
		return err
	}
	all := Fills()
	at := slices.IndexFunc(all, func(f Fill) bool { return f.Name == e.To })
	if at < 0 {
		names := make([]string, len(all))
		for k, f := range all {
			names[k] = f.Name
		}
		return strict.Invalid("/to", "there is no fill %q; it must be %s", param.Clip(e.To), param.OneOf(names))
	}
	number := all[at].Standard
	if len(e.P) > 0 {
		number = e.P[0]
	}
	d.formulas.Laws[j] = ""
	row, err := all[at].row(d, j, number, e.Seed)
	if err != nil {
		return err
	}
	f := &d.m.Transition[j]
	f.P = slices.Clone(f.P)
	for k := range len(f.P) / f.Size {
		row(k, f.Row(k))
	}
	return nil
}

func uniform(*draft, int, float64, int) (func(int, []float64), error) {
	return func(_ int, row []float64) { copy(row, fmdp.Uniform(len(row))) }, nil
}

// deterministic makes the most probable value of each row certain, the first of several.
func deterministic(*draft, int, float64, int) (func(int, []float64), error) {
	return func(_ int, row []float64) {
		best := 0
		for v, p := range row {
			if p > row[best] {
				best = v
			}
		}
		clear(row)
		row[best] = 1
	}, nil
}

// stay lets the variable keep its value with probability p, and else have any other. The variable becomes a
// parent of its own.
func stay(d *draft, j int, p float64, _ int) (func(int, []float64), error) {
	if !(p >= 0 && p <= 1) {
		return nil, strict.Invalid("/p", "the probability is %v; it must be from 0 to 1", p)
	}
	f := &d.m.Transition[j]
	if !slices.Contains(f.Given, j) {
		if name := d.m.State[j].Name; len(f.P) > fmdp.MaxTable/f.Size {
			return nil, strict.Invalid(fmt.Sprintf("/transition/%d", j), "the table of %q would have more than %d entries", param.Clip(name), fmdp.MaxTable)
		} else if err := d.parent(&Edit{Of: name, To: name}); err != nil {
			return nil, err
		}
	}
	size, own := d.m.Sizes(f.Given), slices.Index(f.Given, j)
	after := 1
	for _, n := range size[own+1:] {
		after *= n
	}
	return func(k int, row []float64) {
		for v := range row {
			row[v] = (1 - p) / float64(f.Size-1)
		}
		if row[k/after%f.Size] = p; f.Size == 1 {
			row[0] = 1
		}
	}, nil
}

// drawn draws each row from Dirichlet(alpha, …, alpha).
func drawn(d *draft, j int, alpha float64, seed int) (func(int, []float64), error) {
	if !(alpha >= 1e-3 && alpha <= 1e3) {
		return nil, strict.Invalid("/p", "the concentration is %v; it must be from 0.001 to 1000", alpha)
	}
	if seed < 0 || seed > param.Max {
		return nil, strict.Invalid("/seed", "the seed must be from 0 to %d", param.Max)
	}
	rng := posterior.NewNamedStream(int64(seed), 0, "fill "+d.m.State[j].Name)
	none := make(posterior.Counts, d.m.State[j].Size)
	return func(_ int, row []float64) { none.Sample(rng.Rand, alpha, row) }, nil
}
