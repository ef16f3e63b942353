package domain_test

import (
	"testing"

	"cpsrl/core/bigraph"
)

// frozenLake holds the rules of Gymnasium's FrozenLake-v1 for a map in one string.
func frozenLake(n int, tiles string, slippery bool) rules {
	walk := func(cell, way int) int {
		switch {
		case way == 0 && cell%n > 0: // left
			return cell - 1
		case way == 1 && cell+n < n*n: // down
			return cell + n
		case way == 2 && (cell+1)%n > 0: // right
			return cell + 1
		case way == 3 && cell >= n: // up
			return cell - n
		}
		return cell
	}
	return rules{starts: map[string]float64{text(0): 1}, actions: all(4), step: func(state, action string) (list []outcome) {
		wanted := int(action[0])
		ways := []int{wanted}
		if slippery {
			ways = append(ways, wanted^1, wanted^3) // left and right are even, up and down odd
		}
		for _, way := range ways {
			to := walk(int(state[0]), way)
			o := outcome{p: 1 / float64(len(ways)), next: text(to)}
			switch tiles[to] {
			case 'G':
				o.pays, o.ends = 1, true
			case 'H':
				o.ends = true
			}
			list = append(list, o)
		}
		return list
	}}
}

// Oracle: value iteration by Gymnasium's rules. Without a limit of steps, the best policy on the slippery
// 4×4 map reaches the goal with probability 14/17.
func TestFrozenLake(t *testing.T) {
	small := "SFFFFHFHFFFHHFFG"
	large := "SFFFFFFF" + "FFFFFFFF" + "FFFHFFFF" + "FFFFFHFF" + "FFFHFFFF" + "FHHFFFHF" + "FHFFHFHF" + "FFFHFFFG"
	graph := bigraph.Bigraph{bigraph.Of(0, 1)}
	checkProblem(t, written(t, "frozen-lake", 100, "4x4", "yes"), frozenLake(4, small, true), graph, 0.744190288)
	checkProblem(t, written(t, "frozen-lake", 5000, "4x4", "yes"), frozenLake(4, small, true), graph, 14./17)
	checkProblem(t, written(t, "frozen-lake", 200, "8x8", "yes"), frozenLake(8, large, true), graph, 0.913220150)
	checkProblem(t, written(t, "frozen-lake", 6, "4x4", "no"), frozenLake(4, small, false), graph, 1)
	checkProblem(t, written(t, "frozen-lake", 13, "8x8", "no"), frozenLake(8, large, false), graph, 0)
	checkProblem(t, written(t, "frozen-lake", 14, "8x8", "no"), frozenLake(8, large, false), graph, 1)
}
