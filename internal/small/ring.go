package small

import (
	"fmt"
	"strings"
)

// RingPlanner is a member of a spec of a [Ring], with a planner of few trials.
const RingPlanner = `,"planner":"uct:20:4"`

// Ring is a spec of a ring of n machines, one of which may be restarted in a step. No list holds the states of 20: the agents need a planner that
// searches, such as RingPlanner.
func Ring(n int, agents, more string) string {
	var state, laws, pays []string
	for i := range n {
		left := (i + n - 1) % n
		state = append(state, fmt.Sprintf(`{"name":"m%d","size":2}`, i))
		pays = append(pays, fmt.Sprintf(`{"given":["m%d"],"mean":[0,1],"kind":"fixed"}`, i))
		var rows []string
		for up := range 4 { // the lower of the two neighbours, then the other
			for restart := range n + 1 {
				own, other := up&1, up>>1
				if i < left {
					own, other = other, own
				}
				switch {
				case restart == i+1:
					rows = append(rows, "[0,1]")
				case own == 1:
					rows = append(rows, [2]string{"[0.55,0.45]", "[0.05,0.95]"}[other])
				default:
					rows = append(rows, "[0.95,0.05]")
				}
			}
		}
		laws = append(laws, fmt.Sprintf(`{"of":"m%d","given":["m%d","m%d","restart"],"p":[%s]}`, i, min(i, left), max(i, left), strings.Join(rows, ",")))
	}
	model := fmt.Sprintf(`{"format":"cpsrl/model","version":1,"horizon":8,"state":[%s],"action":[{"name":"restart","size":%d}],"initial":"uniform","transition":[%s],"reward":[%s]}`,
		strings.Join(state, ","), n+1, strings.Join(laws, ","), strings.Join(pays, ","))
	for _, few := range []string{`,"episodes":3`, `,"runs":2`, `,"sparseness":3`} {
		if name, _, _ := strings.Cut(few, ":"); !strings.Contains(more, name) {
			more += few
		}
	}
	return fmt.Sprintf(`{"format":"cpsrl/spec","version":7,"domain":{"name":"model","model":%s},"agents":[%s],"seed":5%s}`, model, agents, more)
}
