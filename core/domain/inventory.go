package domain

import (
	"fmt"
	"math/rand/v2"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

var inventoryKind = Kind{
	Key: "inventory", Label: "Inventory", Phrase: "an inventory",
	Reward: "A step pays 8 for each unit sold, less 2 for each unit bought, 4 for each order and 1 for each unit on the shelf.",
	Since:  4, Tied: true,
	Agents: []string{"psrl", "f-psrl", "c-psrl"},
	New:    func() Domain { return new(Inventory) },
}

// Inventory is the stock of several products, each with the prices and, in the quiet season, the demand of
// the example of Puterman (Markov Decision Processes, 1994, Section 3.2). An order arrives at once, up to
// what fits on the shelf; then customers come, and demand that is not met is lost. The seasons are ours:
// in the busy one each product sells two units more. At first the shelves are empty, and the seasons are
// equally likely.
//
// Demand is not seen, but only what has left the shelf. So the reward does not tell the law of demand. It
// would pay nothing for stock that grew by itself. (If it took 8 for each such unit, an agent that always
// fills the shelf, and so never sees that the next stock depends on stock and order, would go on forever.)
type Inventory struct {
	Products, Stock int
	Horizon         int
}

// Kind implements [Domain].
func (*Inventory) Kind() *Kind { return &inventoryKind }

// mostProducts and mostStock keep S·A = 2·(stock + 1)^(2·products) within fmdp.MaxPoints.
const mostProducts, mostStock = 3, 7

// Params implements [Domain].
func (v *Inventory) Params() []param.Param {
	return []param.Param{{
		Name: "products", Key: "products", Section: param.Domain, Label: "Products", Phrase: "_ products",
		Int: &v.Products, Low: 1, High: mostProducts, Default: "2",
	}, {
		Name: "stock", Key: "stock", Section: param.Domain, Label: "Places on a shelf", Phrase: "_ places on a shelf",
		Int: &v.Stock, Low: 1, High: mostStock, Default: "5",
	}, horizon(&v.Horizon, "30")}
}

// Sparseness implements Domain: a stock has itself, its order and the season.
func (*Inventory) Sparseness() int { return 3 }

// Title implements [Domain].
func (v *Inventory) Title() (string, []string) {
	name := "products"
	if v.Products == 1 {
		name = "product"
	}
	return "Inventory", []string{fmt.Sprintf("%d %s", v.Products, name), fmt.Sprintf("shelves of %d", v.Stock)}
}

// What a unit is sold and bought for, what an order costs, and a unit on the shelf for one step.
const unitPrice, unitCost, orderCost, holdingCost = 8, 2, 4, 1

// quietDemand is the probability of each demand in the quiet season. In the busy one, busyDemand units
// more are wanted.
var quietDemand = []float64{.25, .5, .25}

const busyDemand = 2

// seasonStays is the probability that the season stays the same.
const seasonStays = .9

// delivered returns how many units of an order fit on the shelf.
func (v *Inventory) delivered(stock, order int) int { return min(order, v.Stock-stock) }

// Build implements Domain. It draws nothing. The variables are the stocks, the season and the orders.
func (v *Inventory) Build(*rand.Rand, Given) (*Problem, error) {
	n := v.Products
	m := &fmdp.Model{Name: "inventory", Horizon: v.Horizon}
	for i := range n {
		m.State = append(m.State, fmdp.Variable{Name: fmt.Sprintf("stock%d", i+1), Size: v.Stock + 1})
		m.Action = append(m.Action, fmdp.Variable{Name: fmt.Sprintf("order%d", i+1), Size: v.Stock + 1})
	}
	season := n
	m.State = append(m.State, fmdp.Variable{Name: "season", Size: 2, Values: []string{"quiet", "busy"}})
	for i := range n {
		order, next := n+1+i, m.X()+i
		m.Transition = append(m.Transition, tabulate(&m.Space, []int{i, season, order}, v.Stock+1, func(row []float64, x []int) {
			shelf := x[i] + v.delivered(x[i], x[order])
			for demand, p := range quietDemand {
				row[max(shelf-demand-busyDemand*x[season], 0)] += p
			}
		}))
		m.Reward = append(m.Reward, payoff(&m.Space, []int{i, order, next}, func(x []int) float64 {
			bought := v.delivered(x[i], x[order])
			shelf := x[i] + bought
			pay := unitPrice*max(shelf-x[next], 0) - unitCost*bought - holdingCost*shelf
			if bought > 0 {
				pay -= orderCost
			}
			return float64(pay)
		}))
	}
	m.Transition = append(m.Transition, tabulate(&m.Space, []int{season}, 2, func(row []float64, x []int) {
		row[x[season]], row[1-x[season]] = seasonStays, 1-seasonStays
	}))
	m.Initial = make([]float64, m.States())
	m.Initial[0], m.Initial[1] = .5, .5 // the season is the last variable

	p := problem(m)
	p.Suggested = make(bigraph.Bigraph, m.Y())
	for i := range n {
		stock, order := m.State[i].Name, m.Action[i].Name
		p.Reveal = append(p.Reveal, []int{i, n + 1 + i, season})
		p.suggest(stock, stock, .95, "What is not sold stays on the shelf.")
		p.suggest(order, stock, .95, "An order fills the shelf.")
	}
	p.Reveal = append(p.Reveal, []int{season})
	p.suggest("season", "season", .95, "A season lasts for some time.")
	for i := range n {
		p.suggest(m.Action[i].Name, "season", .05, "Orders do not make the weather.")
	}
	return p, m.Validate()
}
