package domain_test

import (
	"math"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// inventory holds the rules of an inventory, unit by unit.
func inventory(products, places int) rules {
	stocks, demands := []int{}, []int{2} // each demand is one of four equally likely cases; the season comes first
	for range products {
		stocks, demands = append(stocks, places+1), append(demands, 4)
	}
	empty := make([]int, products)
	return rules{
		starts:  map[string]float64{text(append(empty, 0)...): .5, text(append(empty, 1)...): .5},
		actions: all(stocks...),
		step: func(state, action string) (list []outcome) {
			season := int(state[products])
			for _, chance := range all(demands...) {
				o := outcome{p: math.Pow(.25, float64(products))}
				for i := range products {
					shelf := int(state[i])
					for range int(action[i]) {
						if shelf == places {
							break
						}
						if shelf == int(state[i]) {
							o.pays -= 4
						}
						shelf++
						o.pays -= 2
					}
					o.pays -= float64(shelf)
					for range []int{0, 1, 1, 2}[chance[1+i]] + 2*season {
						if shelf > 0 {
							shelf--
							o.pays += 8
						}
					}
					o.next += text(shelf)
				}
				if chance[0] == 0 {
					o.next += text(season)
					o.p *= .9
				} else {
					o.next += text(1 - season)
					o.p *= .1
				}
				list = append(list, o)
			}
			return list
		},
	}
}

// Oracle: value iteration by the rules, case by case.
func TestInventory(t *testing.T) {
	for _, c := range []struct {
		domain domain.Inventory
		graph  bigraph.Bigraph
		want   float64
	}{
		{domain.Inventory{Products: 1, Stock: 3, Horizon: 10}, bigraph.Bigraph{bigraph.Of(0, 1, 2), bigraph.Of(1)}, 56.685365234},
		{domain.Inventory{Products: 2, Stock: 5, Horizon: 30}, bigraph.Bigraph{bigraph.Of(0, 2, 3), bigraph.Of(1, 2, 4), bigraph.Of(2)}, 363.731065326},
		{domain.Inventory{Products: 3, Stock: 2, Horizon: 4}, bigraph.Bigraph{bigraph.Of(0, 3, 4), bigraph.Of(1, 3, 5), bigraph.Of(2, 3, 6), bigraph.Of(3)}, 44.727609375},
	} {
		checkProblem(t, &c.domain, inventory(c.domain.Products, c.domain.Stock), c.graph, c.want)
	}
}

// Oracle: the optimal values over three steps in Puterman, Section 4.6.1: 67/16, 129/16, 194/16 and 227/16
// with 0 to 3 units on the shelf. His example is the one that is always quiet.
func TestInventoryPuterman(t *testing.T) {
	m := build(t, &domain.Inventory{Products: 1, Stock: 3, Horizon: 3}).View
	copy(m.Transition[1].P, []float64{1, 0, 0, 1})
	for stock, want := range []float64{67, 129, 194, 227} {
		clear(m.Initial)
		m.Initial[m.Index([]int{stock, 0})] = 1
		if got := planned(t, m); math.Abs(got-want/16) > 1e-12 {
			t.Errorf("with %d units, V⋆ = %v/16, want %v/16", stock, 16*got, want)
		}
	}
}

// All problems within the limits of the parameters can be built; the error names the parameter to change.
func TestInventoryLimits(t *testing.T) {
	if fmdp.MaxPoints < 2*8*8*8*8*8*8 || fmdp.MaxPoints >= 2*9*9*9*9*9*9 {
		t.Error("7 is not the largest stock of three products that planning admits")
	}
	for _, c := range []struct {
		domain domain.Inventory
		name   string
	}{
		{domain.Inventory{Products: 3, Stock: 7}, ""},
		{domain.Inventory{Stock: 8}, "stock"},
		{domain.Inventory{Products: 4}, "products"},
		{domain.Inventory{Products: 3, Stock: 7, Horizon: 16384}, ""},
	} {
		err := param.Complete(c.domain.Params)
		if err == nil {
			_, err = c.domain.Build(nil, domain.Given{})
		}
		if wrong, _ := err.(*param.Error); (err != nil) != (c.name != "") || wrong != nil && wrong.Name != c.name {
			t.Errorf("%+v: %v, want %q", c.domain, err, c.name)
		}
	}
}
