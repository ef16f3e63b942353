package domain_test

import (
	"slices"
	"testing"

	"cpsrl/core/bigraph"
)

// coffeeRobot holds the rules of the robot: what changes, with which probability.
func coffeeRobot() rules {
	const office, wet, umbrella, rain, coffee, user = 0, 1, 2, 3, 4, 5
	return rules{
		starts:  map[string]float64{text(1, 0, 0, 0, 0, 0): .5, text(1, 0, 0, 1, 0, 0): .5},
		actions: all(4),
		step: func(state, action string) []outcome {
			pays := 0.
			if state[user] == 1 {
				pays += .9
			}
			if state[wet] == 0 {
				pays += .1
			}
			list := []outcome{{1, state, pays, false}}
			// happens splits each outcome: with probability p, the variable has the value.
			happens := func(variable int, value byte, p float64) {
				for _, o := range slices.Clone(list) {
					next := []byte(o.next)
					next[variable] = value
					list = append(list, outcome{o.p * p, string(next), pays, false})
				}
				for k := range len(list) / 2 {
					list[k].p *= 1 - p
				}
			}
			switch inOffice := state[office] == 1; action[0] {
			case 0:
				happens(office, 1-state[office], .9)
				if state[rain] == 1 && state[umbrella] == 0 {
					happens(wet, 1, .9)
				}
			case 1:
				if !inOffice {
					happens(coffee, 1, .9)
				}
			case 2:
				if inOffice && state[coffee] == 1 {
					happens(user, 1, .8)
					happens(coffee, 0, 1)
				}
			case 3:
				if inOffice {
					happens(umbrella, 1, .9)
				}
			}
			return list
		},
	}
}

// Oracle: value iteration by the rules.
func TestCoffeeRobot(t *testing.T) {
	const office, wet, umbrella, rain, coffee, user, do = 0, 1, 2, 3, 4, 5, 6
	checkProblem(t, written(t, "coffee-robot", 30), coffeeRobot(), bigraph.Bigraph{
		bigraph.Of(office, do), bigraph.Of(wet, umbrella, rain, do), bigraph.Of(office, umbrella, do), bigraph.Of(rain),
		bigraph.Of(office, coffee, do), bigraph.Of(office, coffee, user, do),
	}, 24.625132251)
}
