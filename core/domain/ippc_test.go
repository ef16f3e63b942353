package domain_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/domain"
	"cpsrl/core/planning"
)

// game is an MDP of the planning competition as its RDDL text says it: bits, an action or none, the
// probability that each bit is on next, and the reward.
type game struct {
	bits, actions int // action 0 is none
	start         []int
	next          func(on func(bit int) bool, action, bit int) float64
	reward        func(on func(bit int) bool, action int) float64
}

// life is the text of game_of_life_mdp on a square with P of noise by cell. Cell (x, y) is bit side·(x−1) + y−1, and action 1 + bit
// sets it.
func life(side int, start []int, noise ...float64) game {
	far := func(a, b int) int {
		return max(a/side-b/side, b/side-a/side, a%side-b%side, b%side-a%side)
	}
	return game{
		bits: len(noise), actions: len(noise) + 1, start: start,
		next: func(alive func(int) bool, set, cell int) float64 {
			live := 0
			for other := range noise {
				if far(cell, other) == 1 && alive(other) {
					live++
				}
			}
			if alive(cell) && live >= 2 && live <= 3 || !alive(cell) && live == 3 || set == cell+1 {
				return 1 - noise[cell]
			}
			return noise[cell]
		},
		reward: func(alive func(int) bool, set int) (r float64) {
			for cell := range noise {
				if alive(cell) {
					r++
				}
			}
			if set > 0 {
				r--
			}
			return r
		},
	}
}

// teaching is the text of skill_teaching_mdp and its instance 1, without prerequisites, of which
// the instance has none: "for all" of them holds. Bits of a skill are proficiencyMed,
// proficiencyHigh, updateTurn, answeredRight, hintedRight, hintDelayVar. Actions 1 and 2 ask, 3 and 4
// give a hint.
func teaching() game {
	allPre, allPreMed := [...]float64{0.56987906, 0.7414986}, [...]float64{0.71801746, 0.7900833}
	high, lose, weight := [...]float64{0.9066789, 0.9543038}, [...]float64{0.04352919459342957, 0.018769168853759767}, [...]float64{1.1778302, 1.2346091}
	bit := func(is bool) float64 {
		if is {
			return 1
		}
		return 0
	}
	return game{
		bits: 12, actions: 5,
		next: func(on func(int) bool, action, k int) float64 {
			s := k / 6
			med, hi, turn, right, hint, delay := on(6*s), on(6*s+1), on(6*s+2), on(6*s+3), on(6*s+4), on(6*s+5)
			nobody := !on(2) && !on(8)
			ask, give := action == 1+s, action == 3+s
			switch k % 6 {
			case 0:
				if !turn && med {
					return 1
				} else if turn && hint {
					return 1
				} else if turn && right {
					return 1
				} else if hi {
					return 1
				} else if med && turn && delay {
					return 1
				}
				return 0
			case 1:
				if nobody {
					return bit(hi)
				} else if !turn && hi {
					return 1 - lose[s]
				} else if med && turn && right {
					return 1
				} else if hi && turn && (delay || right) {
					return 1
				}
				return 0
			case 2:
				return bit(nobody && (ask || give))
			case 3:
				if nobody && ask && hi {
					return high[s]
				} else if nobody && ask && med {
					return allPreMed[s]
				} else if nobody && ask {
					return allPre[s]
				}
				return 0
			}
			return bit(nobody && give)
		},
		reward: func(on func(int) bool, _ int) float64 {
			return weight[0]*bit(on(1)) + weight[1]*bit(on(7)) - weight[0]*(1-bit(on(0))) - weight[1]*(1-bit(on(6)))
		},
	}
}

// beside returns the cell that a move leads to on a grid of three rows, if there is one. Cell (x, y) is 3x + y; moves are 1 north, 2
// south, 3 east, 4 west.
func beside(columns, cell, move int) (to int, is bool) {
	x, y := cell/3, cell%3
	switch move {
	case 1:
		y++
	case 2:
		y--
	case 3:
		x++
	case 4:
		x--
	}
	return 3*x + y, move > 0 && x >= 0 && x < columns && y >= 0 && y < 3
}

// navigation is the text of navigation_mdp on a grid of three rows, with P of each cell. The robot begins in the south-eastern cell,
// and its goal is the north-eastern one.
func navigation(columns int, trap func(cell int) float64) game {
	cells := 3 * columns
	goal := cells - 1
	return game{
		bits: cells, actions: 5, start: []int{cells - 3},
		next: func(at func(int) bool, move, cell int) float64 {
			_, leaves := beside(columns, cell, move)
			if cell == goal && at(cell) {
				return 1
			} else if at(goal) || leaves && at(cell) {
				return 0
			}
			for from := range cells {
				if to, is := beside(columns, from, move); is && to == cell && at(from) {
					return 1 - trap(cell)
				}
			}
			if at(cell) {
				return 1
			}
			return 0
		},
		reward: func(at func(int) bool, _ int) float64 {
			if at(goal) {
				return 0
			}
			return -1
		},
	}
}

// robot is instance 1 of navigation_mdp. The columns x6, x9, x14, x21 go east and the rows y12, y15, y20 north.
func robot() game {
	traps := map[int]float64{1: 0.04896671138703823, 4: 0.34543713989357155, 7: 0.6369951789577802, 10: 0.928158446525534}
	return navigation(4, func(cell int) float64 { return traps[cell] })
}

// games are the problems of the competition with their values and graphs by hand.
var games = []struct {
	key             string
	game            game
	optimal, random float64 // V⋆, and the value of the policy that draws actions uniformly
	most, z         int     // the most true parents, and the suggested Z
	graph           string  // the true parents of some variables
}{
	{"game-of-life", life(3, []int{0, 2, 3, 4}, 0.020850267, 0.031577107, 0.02465339, 0.017134635, 0.014217583, 0.037390165, 0.017355671, 0.044999346, 0.049556054), 209.434903920, 63.840127425, 10, 6, "x1y1: x1y1 x1y2 x2y1 x2y2 set; x2y2: x1y1 x1y2 x1y3 x2y1 x2y2 x2y3 x3y1 x3y2 x3y3 set; x3y2: x2y1 x2y2 x2y3 x3y1 x3y2 x3y3 set"},
	{"skill-teaching", teaching(), 66.264688499, 30.547861938, 6, 4, "medium2: medium2 good2 turn2 right2 hinted2 delay2; good1: medium1 good1 turn1 right1 delay1 turn2; turn1: turn1 turn2 teach; right2: turn1 medium2 good2 turn2 teach; hinted1: turn1 turn2 teach; delay2: turn1 turn2 teach"},
	{"navigation", robot(), -9.566934764, -38.909345083, 7, 7, "x1y1: x1y1 x1y2 x2y1 x4y3 move; x2y2: x1y2 x2y1 x2y2 x2y3 x3y2 x4y3 move; x4y2: x3y2 x4y1 x4y2 x4y3 move; x4y3: x3y3 x4y2 x4y3 move"},
}

// values returns V⋆ and the value of random actions at the start, by value iteration over all states.
func (g game) values(horizon int) (optimal, random float64) {
	type outcome struct {
		to int
		p  float64
	}
	states := 1 << g.bits
	laws, rewards := make([][]outcome, states*g.actions), make([]float64, states*g.actions)
	for x := range laws {
		on := func(bit int) bool { return x/g.actions>>bit&1 == 1 }
		list := []outcome{{0, 1}}
		for bit := range g.bits {
			p, longer := g.next(on, x%g.actions, bit), []outcome{}
			for _, o := range list {
				if p > 0 {
					longer = append(longer, outcome{o.to | 1<<bit, o.p * p})
				}
				if p < 1 {
					longer = append(longer, outcome{o.to, o.p * (1 - p)})
				}
			}
			list = longer
		}
		laws[x], rewards[x] = list, g.reward(on, x%g.actions)
	}
	best, mean := make([]float64, states), make([]float64, states)
	for range horizon {
		better, after := make([]float64, states), make([]float64, states)
		for s := range states {
			better[s] = math.Inf(-1)
			for a := range g.actions {
				q, r := rewards[s*g.actions+a], rewards[s*g.actions+a]
				for _, o := range laws[s*g.actions+a] {
					q += o.p * best[o.to]
					r += o.p * mean[o.to]
				}
				better[s] = max(better[s], q)
				after[s] += r / float64(g.actions)
			}
		}
		best, mean = better, after
	}
	start := 0
	for _, bit := range g.start {
		start |= 1 << bit
	}
	return best[start], mean[start]
}

// Oracle: the RDDL text at every state and action, and graphs by hand.
func TestCompetition(t *testing.T) {
	for _, c := range games {
		g, d := c.game, written(t, c.key, 40)
		m := build(t, d).View
		if m.Y() != g.bits || m.Actions() != g.actions || m.Horizon != 40 || m.Initial[stateOf(g.bits, g.start)] != 1 {
			t.Fatalf("%s: %+v", c.key, m.Space)
		}
		rewards, point := planning.Reward(m), make([]int, m.X())
		on := func(bit int) bool { return point[bit] == 1 }
		for x := range m.Points() {
			m.Point(point, x)
			for j := range m.Transition {
				f, want := &m.Transition[j], g.next(on, point[g.bits], j)
				if got := f.Row(m.Row(f.Given, point)); got[1] != want || got[0] != 1-want {
					t.Fatalf("%s: the law of %s at %v is %v, want %v", c.key, m.State[j].Name, point, got, want)
				}
			}
			if want := g.reward(on, point[g.bits]); math.Abs(rewards[x]-want) > 1e-12 {
				t.Fatalf("%s: R(%v) = %v, want %v", c.key, point, rewards[x], want)
			}
		}
		graph, most := m.Graph(), 0
		for j := range m.Transition {
			f := &m.Transition[j]
			most = max(most, len(f.Given))
			for k, i := range f.Given {
				if !matters(m, f, k) {
					t.Errorf("%s: %s does not depend on %s", c.key, m.State[j].Name, m.Var(i).Name)
				}
			}
		}
		if most != c.most || d.Sparseness() != c.z {
			t.Errorf("%s: at most %d parents, want %d, and Z = %d, want %d", c.key, most, c.most, d.Sparseness(), c.z)
		}
		for row := range strings.SplitSeq(c.graph, "; ") {
			of, want, _ := strings.Cut(row, ": ")
			got := m.Names(graph[m.Lookup(of)].Parents())
			slices.Sort(got)
			if !slices.Equal(got, slices.Sorted(strings.FieldsSeq(want))) {
				t.Errorf("%s: %s is given %v, want %s", c.key, of, got, want)
			}
		}
	}
}

// stateOf returns the index of the state in which those bits are on, the first bit varying slowest.
func stateOf(bits int, on []int) (s int) {
	for _, bit := range on {
		s |= 1 << (bits - 1 - bit)
	}
	return s
}

// Oracle: value iteration by the RDDL text, without our model and planner.
func TestCompetitionValues(t *testing.T) {
	for _, c := range games {
		p := build(t, written(t, c.key, 40))
		mdp, err := planning.FromModel(p.View, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, values := planning.Solve(mdp)
		planned := values.Value(p.View.Initial)
		optimal, random := c.game.values(40)
		if math.Abs(planned-optimal) > 1e-9 || math.Abs(planned-c.optimal) > 1e-8 || math.Abs(random-c.random) > 1e-8 {
			t.Errorf("%s: V⋆ = %.10f, by value iteration %.10f, want %.9f; at random %.10f, want %.9f", c.key, planned, optimal, c.optimal, random, c.random)
		}
	}
}

// A horizon out of range is refused by its name.
func TestCompetitionHorizon(t *testing.T) {
	for _, c := range games {
		kind, err := domain.Lookup(c.key)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := kind.New().Build(stream(1), domain.Given{}); err == nil || !strings.HasPrefix(err.Error(), "horizon: ") {
			t.Errorf("%s: %v", c.key, err)
		}
	}
}
