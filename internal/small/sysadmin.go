package small

import (
	"fmt"

	"cpsrl/core/fmdp"
)

// SysAdmin returns SysAdmin with a ring of n machines and one action variable, whose states nobody lists. All are up at first.
func SysAdmin(n int) *fmdp.Model {
	m := &fmdp.Model{Horizon: 40, First: &fmdp.Start{}}
	for i := range n {
		m.State = append(m.State, fmdp.Variable{Name: fmt.Sprint("machine", i), Size: 2})
		f := fmdp.Factor{Given: []int{(i + n - 1) % n, i, n}, Size: 2}
		for row := range 4 * (n + 1) {
			up := []float64{.05, .7, .05, .95}[row/(n+1)]
			if row%(n+1) == 1+i {
				up = 1
			}
			f.P = append(f.P, 1-up, up)
		}
		m.Transition = append(m.Transition, f)
		m.Reward = append(m.Reward, fmdp.Reward{Given: []int{i}, Mean: []float64{0, 1}, Scale: 1, Of: -1})
		m.First.Each = append(m.First.Each, []float64{0, 1})
	}
	m.Action = []fmdp.Variable{{Name: "reboot", Size: n + 1}}
	return m
}
