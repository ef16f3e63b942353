package domain

import (
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// tabulate returns the law, over the given variables, of a variable that has size values. The function
// law writes the probabilities of the next value into a row of zeros; x holds the values of the X
// variables, and −1 for each that is not given.
func tabulate(space *fmdp.Space, given []int, size int, law func(row []float64, x []int)) fmdp.Factor {
	f := fmdp.Factor{Given: given, Size: size, P: make([]float64, space.Rows(given)*size)}
	eachRow(space, given, func(row int, x []int) { law(f.Row(row), x) })
	return f
}

// payoff returns the fixed reward that pays that much. The next value of state variable j is x[d_X+j],
// if d_X+j is given.
func payoff(space *fmdp.Space, given []int, pay func(x []int) float64) fmdp.Reward {
	r := fmdp.Reward{Given: given, Mean: make([]float64, space.Rows(given)), Kind: fmdp.Fixed, Scale: 1, Of: -1}
	eachRow(space, given, func(row int, x []int) { r.Mean[row] = pay(x) })
	return r
}

// eachRow calls visit for each row of a table over the given variables.
func eachRow(space *fmdp.Space, given []int, visit func(row int, x []int)) {
	x := make([]int, space.X()+space.Y())
	for i := range x {
		x[i] = -1
	}
	for row := range space.Rows(given) {
		rest := row
		for k := len(given) - 1; k >= 0; k-- {
			size := space.Var(given[k]).Size
			x[given[k]], rest = rest%size, rest/size
		}
		visit(row, x)
	}
}

// factor is tabulate for a law that returns the row of a point, of which only the given variables have
// values.
func factor(m *fmdp.Model, given []int, size int, law func(x []int) []float64) fmdp.Factor {
	return tabulate(&m.Space, given, size, func(row []float64, x []int) { copy(row, law(x)) })
}

// chance returns the row of a binary variable that is 1 with probability p.
func chance(p float64) []float64 { return []float64{1 - p, p} }

// certainly returns the row of a binary variable that is 1 if a condition holds.
func certainly(is bool) []float64 {
	if is {
		return chance(1)
	}
	return chance(0)
}

// pays returns a fixed reward factor over one variable: a payoff for each value.
func pays(i int, payoffs ...float64) fmdp.Reward {
	return fmdp.Reward{Given: []int{i}, Mean: payoffs, Kind: fmdp.Fixed, Scale: 1, Of: -1}
}

// checked validates the model of a domain whose only free size is the horizon.
func checked(m *fmdp.Model) error {
	err := m.Validate()
	if f, ok := err.(*fmdp.Fault); ok && f.At[0] == "horizon" {
		return &param.Error{Name: "horizon", Reason: f.Reason}
	}
	return err
}
