package domain_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"cpsrl/core/planning"
)

// machines is the text of sysadmin_mdp with that many computers, REBOOT-PROB and CONNECTED: "1:2,3" says that computer 1
// is connected to 2 and 3. Action c reboots computer c.
func machines(n int, comesUp float64, connected string) game {
	g := game{bits: n, actions: n + 1}
	into := make([][]int, n)
	for _, part := range strings.Fields(connected) {
		from, list, _ := strings.Cut(part, ":")
		a, _ := strconv.Atoi(from)
		for to := range strings.SplitSeq(list, ",") {
			b, _ := strconv.Atoi(to)
			into[b-1] = append(into[b-1], a-1)
		}
	}
	for c := range n {
		g.start = append(g.start, c)
	}
	g.next = func(running func(int) bool, reboot, c int) float64 {
		up := 0
		for _, from := range into[c] {
			if running(from) {
				up++
			}
		}
		switch {
		case reboot == c+1:
			return 1
		case running(c):
			return .45 + .5*float64(1+up)/float64(1+len(into[c]))
		}
		return comesUp
	}
	g.reward = func(running func(int) bool, reboot int) (r float64) {
		for c := range n {
			if running(c) {
				r++
			}
		}
		if reboot > 0 {
			r -= .75
		}
		return r
	}
	return g
}

// board is instance 4 of game_of_life_mdp.
func board() game {
	return life(4, []int{0, 2, 3, 5, 10}, 0.03923399, 0.0314785, 0.045545667, 0.01801408, 0.033678092, 0.026349675, 0.04605113, 0.017919231, 0.019390307, 0.048203297, 0.023413055, 0.036412105, 0.0243228, 0.029662048, 0.02418549, 0.023468675)
}

// swallows is P of the middle row of instance 5 of navigation_mdp, from west to east.
var swallows = [...]float64{0.024014816619455814, 0.1536506913188431, 0.21357332878849572, 0.34208946157660747, 0.42676472498310936, 0.525113389827311, 0.6266834967666202, 0.7261174401889244, 0.8539166100737121, 0.9336750203122696}

// trap returns P of a cell.
func trap(cell int) float64 {
	if cell%3 == 1 {
		return swallows[cell/3]
	}
	return 0
}

// wanderer is instance 5 of navigation_mdp, of 10 columns and 3 rows.
func wanderer() game { return navigation(10, trap) }

// Oracle: the RDDL texts of instances that no list holds, at random states and at such with few bits, for each action; and the
// number of true parents of each variable.
func TestLargeCompetition(t *testing.T) {
	for _, c := range []struct {
		key     string
		game    game
		parents []int
	}{
		{"sysadmin-20", machines(20, .04, "1:15 2:16,15 3:16,6 4:16,1 5:16,20 6:3 7:4,11 8:9,12 9:1,6 10:4,6 11:17,19 12:19,11 13:1,9 14:2,7 15:17,6 16:8,15 17:2,10 18:1,3 19:1,13 20:6,9"),
			[]int{7, 4, 4, 4, 2, 7, 3, 3, 5, 3, 4, 3, 3, 2, 5, 6, 4, 2, 4, 3}},
		{"sysadmin-30", machines(30, .03, "1:5,13 2:3,25 3:24,13 4:20,15 5:17 6:3,11 7:22,11 8:19,28 9:5,30 10:17,20 11:16,19 12:27,13 13:18,22 14:16,29 15:2,25 16:24 17:6,22 18:4,9 19:27,15 20:8,29 21:23,9 22:4,21 23:24 24:1,6 25:1,28 26:16 27:4,9 28:24,27 29:2,25 30:20,9"),
			[]int{4, 4, 4, 5, 4, 4, 2, 3, 6, 2, 4, 2, 5, 2, 4, 5, 4, 3, 4, 5, 3, 5, 3, 6, 5, 2, 5, 4, 4, 3}},
		{"game-of-life-4x4", board(), []int{5, 7, 7, 5, 7, 10, 10, 7, 7, 10, 10, 7, 5, 7, 7, 5}},
		{"navigation-30", wanderer(), []int{5, 6, 5, 6, 7, 6, 6, 7, 6, 6, 7, 6, 6, 7, 6, 6, 7, 6, 6, 7, 6, 6, 7, 6, 6, 7, 5, 5, 5, 4}},
	} {
		g := c.game
		m := build(t, written(t, c.key, 40)).View
		start := make([]int, g.bits)
		for _, bit := range g.start {
			start[bit] = 1
		}
		if m.Initial != nil || m.Y() != g.bits || m.Actions() != g.actions || m.Horizon != 40 || m.First.At(start) != 1 {
			t.Fatalf("%s: %+v, first %+v", c.key, m.Space, m.First)
		}
		for j, z := range m.Graph() {
			if z.Len() != c.parents[j] {
				t.Errorf("%s: %s has %d true parents %v, want %d", c.key, m.State[j].Name, z.Len(), z, c.parents[j])
			}
		}
		rng, point := stream(30), make([]int, m.X())
		on := func(bit int) bool { return point[bit] == 1 }
		for round := range 2000 {
			clear(point)
			for bit := range g.bits {
				if round%2 == 0 {
					point[bit] = rng.IntN(2)
				} else if rng.IntN(g.bits) == 0 {
					point[bit] = 1
				}
			}
			for a := range g.actions {
				point[g.bits] = a
				for j := range m.Transition {
					f, want := &m.Transition[j], g.next(on, a, j)
					if got := f.Row(m.Row(f.Given, point)); math.Abs(got[1]-want) > 1e-15 || math.Abs(got[0]+got[1]-1) > 1e-15 {
						t.Fatalf("%s: the law of %s at %v is %v, want %v", c.key, m.State[j].Name, point, got, want)
					}
				}
				pays := 0.0
				for _, r := range m.Reward {
					pays += r.Mean[m.Row(r.Given, point)]
				}
				if want := g.reward(on, a); math.Abs(pays-want) > 1e-12 {
					t.Fatalf("%s: R(%v) = %v, want %v", c.key, point, pays, want)
				}
			}
		}
	}
}

// Oracle: value iteration over the cells of the grid. A robot is in one of them or gone, so only these states can occur.
func TestLargeNavigation(t *testing.T) {
	m := build(t, written(t, "navigation-30", 40)).View
	r, err := planning.Reach(m)
	if err != nil {
		t.Fatal(err)
	}
	_, values := planning.Solve(r.MDP)
	best, mean := make([]float64, 31), make([]float64, 31) // a robot that is gone is in cell 30
	const goal = 29
	for range m.Horizon {
		better, after := make([]float64, 31), make([]float64, 31)
		for cell := range better {
			if cell == goal {
				continue
			}
			better[cell] = math.Inf(-1)
			for move := range 5 {
				to, p := cell, 0.0
				if cell != 30 {
					if next, is := beside(10, cell, move); is {
						to, p = next, trap(next)
					}
				}
				q := -1 + (1-p)*best[to] + p*best[30]
				better[cell] = max(better[cell], q)
				after[cell] += (-1 + (1-p)*mean[to] + p*mean[30]) / 5
			}
		}
		best, mean = better, after
	}
	got, random := values.Value(r.Initial), planning.Uniform(r.MDP, r.Initial)
	if r.Len() != 31 || math.Abs(got-best[27]) > 1e-12 || math.Abs(random-mean[27]) > 1e-12 {
		t.Errorf("%d states can occur, V⋆ = %v and V(random) = %v, want %v and %v", r.Len(), got, random, best[27], mean[27])
	}
	for _, key := range []string{"sysadmin-20", "sysadmin-30", "game-of-life-4x4"} {
		if _, err := planning.Reach(build(t, written(t, key, 40)).View); err == nil {
			t.Errorf("%s: what can occur is listed", key)
		}
	}
}

// Elimination action by action plans Life on 4×4 cells, whose tables over all actions would not fit. Oracle: with two steps
// to go, the expected number of live cells is the sum of the probabilities of the RDDL text. (With all 40 steps, V⋆ is
// 364.5371959365, in about 12 s and 210 MB.)
func TestLargeLife(t *testing.T) {
	m := build(t, written(t, "game-of-life-4x4", 40)).View
	next, err := planning.Choose(&m.Space, m.Transition, nil)
	if err != nil {
		t.Fatal(err)
	}
	mdp := &planning.MDP{States: m.States(), Actions: m.Actions(), Horizon: 2, Reward: planning.Reward(m), Next: next}
	_, values := planning.Solve(mdp)
	g, point, first := board(), make([]int, m.X()), values.At(make([]float64, m.States()), 1)
	on := func(bit int) bool { return point[bit] == 1 }
	for s := 0; s < m.States(); s += 37 {
		m.Point(point[:m.Y()], s)
		best := math.Inf(-1)
		for a := range g.actions {
			q := g.reward(on, a)
			for cell := range g.bits {
				q += g.next(on, a, cell)
			}
			best = max(best, q)
		}
		if math.Abs(first[s]-best) > 1e-9 {
			t.Fatalf("V_1(%v) = %v, want %v", point[:m.Y()], first[s], best)
		}
	}
}
