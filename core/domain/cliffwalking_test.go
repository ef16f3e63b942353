package domain_test

import (
	"testing"

	"cpsrl/core/bigraph"
)

// cliffWalking holds the rules of Gymnasium's CliffWalking, by a picture.
func cliffWalking() rules {
	picture := []string{
		"............",
		"............",
		"............",
		"SCCCCCCCCCCG",
	}
	at := func(row, col int) byte {
		if row < 0 || row > 3 || col < 0 || col > 11 {
			return 0
		}
		return picture[row][col]
	}
	return rules{starts: map[string]float64{text(3, 0): 1}, actions: all(4), step: func(state, action string) []outcome {
		from := [2]int{int(state[0]), int(state[1])}
		to := from
		switch action[0] {
		case 0:
			to[0]--
		case 1:
			to[1]++
		case 2:
			to[0]++
		case 3:
			to[1]--
		}
		if at(to[0], to[1]) == 0 {
			to = from // the edge of the map
		}
		if at(to[0], to[1]) == 'C' {
			return []outcome{{1, text(3, 0), -100, false}}
		}
		return []outcome{{1, text(to[:]...), -1, at(to[0], to[1]) == 'G'}}
	}}
}

// Oracle: value iteration by Gymnasium's rules, and the 13 steps of the way along the cliff. A shorter
// episode costs its steps.
func TestCliffWalking(t *testing.T) {
	const row, col, move = 0, 1, 2
	graph := bigraph.Bigraph{bigraph.Of(row, move), bigraph.Of(row, col, move)}
	for horizon, want := range map[int]float64{1: -1, 12: -12, 13: -13, 100: -13} {
		checkProblem(t, written(t, "cliff-walking", horizon), cliffWalking(), graph, want)
	}
}
