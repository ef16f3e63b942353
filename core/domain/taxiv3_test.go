package domain_test

import (
	"testing"

	"cpsrl/core/bigraph"
)

// taxiV3 holds the rules of Gymnasium's Taxi-v3, by its printed map.
func taxiV3() rules {
	stands := map[[2]int]int{{0, 0}: 0, {0, 4}: 1, {4, 0}: 2, {4, 3}: 3} // R, G, Y, B
	r := rules{starts: map[string]float64{}, actions: all(6)}
	for _, s := range all(5, 5, 4, 4) {
		if s[2] != s[3] {
			r.starts[s] = 1. / 300
		}
	}
	r.step = func(state, action string) []outcome {
		row, col, passenger, destination := int(state[0]), int(state[1]), int(state[2]), int(state[3])
		stand, atStand := stands[[2]int{row, col}]
		pays, ends := -1., false
		switch action[0] {
		case 0: // south
			row = min(row+1, 4)
		case 1: // north
			row = max(row-1, 0)
		case 2: // east
			if gymnasium[row][2*col+2] == ':' {
				col++
			}
		case 3: // west
			if gymnasium[row][2*col] == ':' {
				col--
			}
		case 4: // pick up
			if passenger < 4 && atStand && stand == passenger {
				passenger = 4
			} else {
				pays = -10
			}
		case 5: // drop off
			switch {
			case passenger == 4 && atStand && stand == destination:
				passenger, pays, ends = stand, 20, true
			case passenger == 4 && atStand:
				passenger = stand
			default:
				pays = -10
			}
		}
		return []outcome{{1, text(row, col, passenger, destination), pays, ends}}
	}
	return r
}

// Oracle: value iteration by Gymnasium's rules and its printed map. The longest way takes 18 steps, so V⋆
// is 7.93 from there on.
func TestTaxiV3(t *testing.T) {
	graph := bigraph.Bigraph{bigraph.Of(row, move), bigraph.Of(row, col, move), bigraph.Of(row, col, passenger, move), bigraph.Of(destination)}
	checkProblem(t, written(t, "taxi-v3", 200), taxiV3(), graph, 7.93)
	checkProblem(t, written(t, "taxi-v3", 18), taxiV3(), graph, 7.93)
	if r := taxiV3(); r.value(17) >= 7.93-1e-9 {
		t.Error("17 steps are enough")
	}
	m, starts := build(t, written(t, "taxi-v3", 3)).View, 0
	for _, p := range m.Initial {
		if p > 0 {
			starts++
		}
	}
	if m.States() != 500 || m.Actions() != 6 || starts != 300 {
		t.Errorf("%d states, %d actions, %d starts", m.States(), m.Actions(), starts)
	}
}
