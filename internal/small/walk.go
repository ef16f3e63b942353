package small

import (
	"fmt"
	"strings"
)

// Walk is a spec of a walk east along n cells, a bit each, which in each step pays the number of the robot's cell. On its way
// into a cell the robot vanishes with probability 0.1. No list holds the states of 30 cells, but only n + 1 can occur.
func Walk(n int, agents, more string) string {
	var state, laws, pays []string
	for i := range n {
		state = append(state, fmt.Sprintf(`{"name":"x%d","size":2}`, i))
		pays = append(pays, fmt.Sprintf(`{"formula":"%d*x%d","kind":"fixed"}`, i, i))
		here := fmt.Sprintf(`if(walk, 0, x%d)`, i)
		if i == n-1 {
			here = fmt.Sprintf(`x%d`, i)
		}
		if i > 0 {
			here = fmt.Sprintf(`if(walk and x%d, 0.9, %s)`, i-1, here)
		}
		laws = append(laws, fmt.Sprintf(`{"of":"x%d","formula":"p = %s"}`, i, here))
	}
	model := fmt.Sprintf(`{"format":"cpsrl/model","version":3,"horizon":8,"state":[%s],"action":[{"name":"walk","size":2}],"initial":[{"state":[1%s],"p":1}],"transition":[%s],"reward":[%s]}`,
		strings.Join(state, ","), strings.Repeat(",0", n-1), strings.Join(laws, ","), strings.Join(pays, ","))
	return fmt.Sprintf(`{"format":"cpsrl/spec","version":7,"domain":{"name":"model","model":%s},"agents":[%s],"sparseness":2,"runs":2,"episodes":2,"seed":5%s}`, model, agents, more)
}
