package domain

import (
	"math/rand/v2"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

var coffeeRobotKind = Kind{
	Key: "coffee-robot", Label: "Coffee robot", Phrase: "the coffee robot",
	Reward: "A step pays 0.9 if the user has coffee, and 0.1 if the robot is dry.",
	Since:  4, Tied: true,
	Agents: []string{"psrl", "f-psrl", "c-psrl"},
	New:    func() Domain { return new(CoffeeRobot) },
}

// CoffeeRobot is the robot of Boutilier, Dearden and Goldszmidt (IJCAI 1995), which brings coffee from the
// shop to its user in the office. It goes to the other place, buys coffee, delivers it or fetches an
// umbrella. In the rain it gets wet on the way, unless it has the umbrella. It buys only in the shop and
// fetches and delivers only in the office; a delivery may spill the coffee. An action that succeeds with
// probability below 1 else changes nothing. At first the robot is in the office, dry and with nothing; it
// rains with probability ½, and the weather does not change.
type CoffeeRobot struct{ Horizon int }

func (*CoffeeRobot) Kind() *Kind { return &coffeeRobotKind }

func (c *CoffeeRobot) Params() []param.Param { return []param.Param{horizon(&c.Horizon, "30")} }

// Sparseness implements Domain: the robot's being wet has four parents.
func (*CoffeeRobot) Sparseness() int { return 4 }

func (*CoffeeRobot) Title() (string, []string) { return "The coffee robot", nil }

// The variables of the robot, of two values each, and its actions.
const (
	robotOffice = iota
	robotWet
	robotUmbrella
	robotRain
	robotCoffee
	userCoffee
	robotDo
)

const (
	robotGo = iota
	robotBuy
	robotDeliver
	robotFetch
)

// Build implements Domain. It draws nothing.
func (c *CoffeeRobot) Build(*rand.Rand, Given) (*Problem, error) {
	m := &fmdp.Model{Name: "coffee robot", Horizon: c.Horizon}
	for _, v := range [][3]string{
		robotOffice:   {"office", "shop", "office"},
		robotWet:      {"wet", "dry", "wet"},
		robotUmbrella: {"umbrella", "none", "umbrella"},
		robotRain:     {"rain", "clear", "rain"},
		robotCoffee:   {"robotCoffee", "none", "coffee"},
		userCoffee:    {"userCoffee", "none", "coffee"},
	} {
		m.State = append(m.State, fmdp.Variable{Name: v[0], Size: 2, Values: v[1:]})
	}
	m.Action = []fmdp.Variable{{Name: "do", Size: 4, Values: []string{robotGo: "go", robotBuy: "buy", robotDeliver: "deliver", robotFetch: "fetch"}}}
	law := func(given []int, probability func(x []int) float64) {
		m.Transition = append(m.Transition, tabulate(&m.Space, given, 2, func(row []float64, x []int) {
			p := probability(x)
			row[0], row[1] = 1-p, p
		}))
	}
	// becomes returns the probability that a variable is 1 next: if it is not yet, an event makes it so with
	// probability p.
	becomes := func(now int, event bool, p float64) float64 {
		switch {
		case now == 1:
			return 1
		case event:
			return p
		}
		return 0
	}
	law([]int{robotOffice, robotDo}, func(x []int) float64 {
		if x[robotDo] == robotGo {
			return []float64{.9, .1}[x[robotOffice]]
		}
		return float64(x[robotOffice])
	})
	law([]int{robotWet, robotUmbrella, robotRain, robotDo}, func(x []int) float64 {
		return becomes(x[robotWet], x[robotDo] == robotGo && x[robotRain] == 1 && x[robotUmbrella] == 0, .9)
	})
	law([]int{robotOffice, robotUmbrella, robotDo}, func(x []int) float64 {
		return becomes(x[robotUmbrella], x[robotDo] == robotFetch && x[robotOffice] == 1, .9)
	})
	law([]int{robotRain}, func(x []int) float64 { return float64(x[robotRain]) })
	law([]int{robotOffice, robotCoffee, robotDo}, func(x []int) float64 {
		if x[robotDo] == robotDeliver && x[robotOffice] == 1 {
			return 0 // the user has it, or it is spilt
		}
		return becomes(x[robotCoffee], x[robotDo] == robotBuy && x[robotOffice] == 0, .9)
	})
	law([]int{robotOffice, robotCoffee, userCoffee, robotDo}, func(x []int) float64 {
		return becomes(x[userCoffee], x[robotDo] == robotDeliver && x[robotOffice] == 1 && x[robotCoffee] == 1, .8)
	})
	m.Reward = []fmdp.Reward{
		payoff(&m.Space, []int{userCoffee}, func(x []int) float64 { return []float64{0, .9}[x[userCoffee]] }),
		payoff(&m.Space, []int{robotWet}, func(x []int) float64 { return []float64{.1, 0}[x[robotWet]] }),
	}
	m.Initial = make([]float64, m.States())
	for rain := range 2 {
		m.Initial[m.Index([]int{robotOffice: 1, robotRain: rain, userCoffee: 0})] = .5
	}

	p := problem(m)
	p.Suggested = make(bigraph.Bigraph, m.Y())
	p.Reveal = [][]int{
		robotOffice:   {robotOffice, robotDo},
		robotWet:      {robotWet, robotRain, robotUmbrella, robotDo},
		robotUmbrella: {robotUmbrella, robotDo, robotOffice},
		robotRain:     {robotRain},
		robotCoffee:   {robotCoffee, robotDo, robotOffice},
		userCoffee:    {userCoffee, robotCoffee, robotDo, robotOffice},
	}
	p.nodes()
	for j := range m.State {
		p.suggest(m.State[j].Name, m.State[j].Name, .95, "Things stay as they are unless something happens.")
	}
	p.suggest("do", "office", .95, "The robot is where it goes.")
	p.suggest("rain", "wet", .9, "Rain makes wet.")
	p.suggest("umbrella", "wet", .9, "An umbrella keeps dry.")
	p.suggest("do", "umbrella", .9, "The robot has an umbrella if it fetches one.")
	p.suggest("do", "rain", .05, "Nobody makes the weather.")
	p.suggest("do", "robotCoffee", .9, "The robot has coffee if it buys some.")
	p.suggest("robotCoffee", "userCoffee", .9, "The user gets the robot’s coffee.")
	p.suggest("do", "userCoffee", .9, "The user has coffee if the robot delivers some.")
	return p, m.Validate()
}
