package domain_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/planning"
)

// sysadmins are the problems of the tests, each with its links by hand: "from to" for machines
// from 1.
var sysadmins = []struct {
	domain   domain.SysAdmin
	machines int
	links    string
	most     int // the most true parents of a machine
}{
	{domain.SysAdmin{Topology: "instance", Machines: 10, Horizon: 40}, 10, "1 4, 1 9, 2 8, 3 4, 3 9, 4 5, 5 7, 6 4, 6 8, 7 9, 8 6, 8 10, 9 6, 10 2", 5},
	{domain.SysAdmin{Topology: "ring", Machines: 5, Horizon: 7}, 5, "1 2, 2 3, 3 4, 4 5, 5 1", 3},
	{domain.SysAdmin{Topology: "ring", Machines: 2, Horizon: 1}, 2, "1 2, 2 1", 3},
	{domain.SysAdmin{Topology: "star", Machines: 4, Horizon: 9}, 4, "1 2, 1 3, 1 4", 3},
}

// network is SysAdmin by its formula.
type network struct {
	n    int
	from map[int][]int // the machines with a link to each machine, from 1
}

func networkOf(t testing.TB, n int, links string) network {
	t.Helper()
	w := network{n, map[int][]int{}}
	for link := range strings.SplitSeq(links, ", ") {
		var from, to int
		if _, err := fmt.Sscanf(link, "%d %d", &from, &to); err != nil {
			t.Fatal(err)
		}
		w.from[to] = append(w.from[to], from)
	}
	return w
}

// up returns the probability that a machine is up next. The function running reports whether a
// machine is up now; reboot is the machine that is rebooted, or 0.
func (w network) up(machine, reboot int, running func(int) bool) float64 {
	if machine == reboot {
		return 1
	}
	if !running(machine) {
		return 0.05
	}
	neighbours, alive := float64(len(w.from[machine])), 0.0
	for _, other := range w.from[machine] {
		if running(other) {
			alive++
		}
	}
	return 0.45 + 0.5*(1+alive)/(1+neighbours)
}

// reward returns what a step pays.
func (w network) reward(reboot int, running func(int) bool) (r float64) {
	for machine := 1; machine <= w.n; machine++ {
		if running(machine) {
			r++
		}
	}
	if reboot != 0 {
		r -= 0.75
	}
	return r
}

// Oracle: the formula at every state and action, exactly, and the graphs by hand.
func TestSysAdmin(t *testing.T) {
	for _, c := range sysadmins {
		w := networkOf(t, c.machines, c.links)
		p, err := c.domain.Build(stream(9), domain.Given{})
		if err != nil {
			t.Fatal(err)
		}
		m := p.View
		if m.Y() != c.machines || m.Actions() != c.machines+1 || m.Horizon != c.domain.Horizon || c.domain.Sparseness() != c.most || p.Suggested.Edges() != 0 || p.Grid != nil {
			t.Fatalf("%+v: %+v", c.domain, m.Space)
		}
		if got := m.Action[0].Values; got[0] != "none" || got[1] != "m1" || m.State[c.machines-1].Name != got[c.machines] || m.State[0].Label(1) != "up" {
			t.Errorf("%+v: the variables are %+v", c.domain, m.Space)
		}
		reward, point := make([]float64, m.Points()), make([]int, m.X())
		copy(reward, planning.Reward(m))
		running := func(machine int) bool { return point[machine-1] == 1 }
		for x := range m.Points() {
			m.Point(point, x)
			reboot := point[m.Y()]
			for j := range m.Transition {
				f, up := &m.Transition[j], w.up(j+1, reboot, running)
				if got := f.Row(m.Row(f.Given, point)); got[1] != up || got[0] != 1-up {
					t.Fatalf("%+v: the law of m%d at %v is %v, want %v", c.domain, j+1, point, got, up)
				}
			}
			if want := w.reward(reboot, running); math.Abs(reward[x]-want) > 1e-12 {
				t.Errorf("%+v: R(%v) = %v, want %v", c.domain, point, reward[x], want)
			}
		}
		for j := range m.Transition {
			f := &m.Transition[j]
			want := []int{j}
			for _, other := range w.from[j+1] {
				want = append(want, other-1)
			}
			if want = append(want, m.Y()); !slices.Equal(f.Given, want) {
				t.Errorf("%+v: m%d is given %v, want %v", c.domain, j+1, f.Given, want)
			}
			for k := range f.Given {
				if !matters(m, f, k) {
					t.Errorf("%+v: m%d does not depend on its parent %d", c.domain, j+1, f.Given[k])
				}
			}
		}
		for s, q := range m.Initial {
			if want := map[bool]float64{true: 1}[s == m.States()-1]; q != want {
				t.Errorf("%+v: μ(%d) = %v", c.domain, s, q)
			}
		}
	}
}

// value returns the largest expected sum of rewards over that many steps from the state in which
// all machines are up, by value iteration over all states.
func (w network) value(horizon int) float64 {
	states := 1 << w.n
	value := make([]float64, states) // bit i of a state says whether machine i+1 is up
	next, mean := make([]float64, states), make([]float64, states)
	for range horizon {
		for s := range states {
			running := func(machine int) bool { return s>>(machine-1)&1 == 1 }
			best := math.Inf(-1)
			for reboot := 0; reboot <= w.n; reboot++ {
				copy(mean, value)
				for machine := 1; machine <= w.n; machine++ { // its bit is the lowest that is left
					up := w.up(machine, reboot, running)
					for k := range states >> machine {
						mean[k] = (1-up)*mean[2*k] + up*mean[2*k+1]
					}
				}
				best = max(best, w.reward(reboot, running)+mean[0])
			}
			next[s] = best
		}
		value, next = next, value
	}
	return value[states-1]
}

// Oracle: value iteration by the formula, without our model and planner.
func TestSysAdminValue(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where it says the same")
	}
	for k, want := range map[int]float64{0: 342.680463680, 1: 31.932670245, 2: 2, 3: 32.941178612} { // V⋆
		c := sysadmins[k]
		p, err := c.domain.Build(stream(1), domain.Given{})
		if err != nil {
			t.Fatal(err)
		}
		mdp, err := planning.FromModel(p.View, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, values := planning.Solve(mdp)
		planned, iterated := values.Value(p.View.Initial), networkOf(t, c.machines, c.links).value(c.domain.Horizon)
		if math.Abs(planned-iterated) > 1e-9 || math.Abs(planned-want) > 1e-8 {
			t.Errorf("%+v: V⋆ = %.10f, by value iteration %.10f, want %.9f", c.domain, planned, iterated, want)
		}
	}
}

// With a bit for each reboot, the problem is the same: the same laws, payoffs and values action by
// action, and the same graph but for the action. Oracle: the problem with one action variable.
func TestSysAdminBits(t *testing.T) {
	for _, c := range sysadmins {
		asBits := c.domain
		asBits.Reboots = "bits"
		build := func(d *domain.SysAdmin) (*fmdp.Model, *domain.Problem, []float64, float64) {
			p, err := d.Build(stream(9), domain.Given{})
			if err != nil {
				t.Fatal(err)
			}
			mdp, err := planning.FromModel(p.World, nil)
			if err != nil {
				t.Fatal(err)
			}
			_, values := planning.Solve(mdp)
			return p.World, p, mdp.Reward, values.Value(p.World.Initial)
		}
		one, _, oneReward, oneValue := build(&c.domain)
		bits, p, bitsReward, bitsValue := build(&asBits)
		n := c.machines
		if math.Abs(oneValue-bitsValue) > 1e-12 {
			t.Errorf("%+v: V⋆ = %.14f with bits, %.14f with one variable", c.domain, bitsValue, oneValue)
		}
		if len(bits.Action) != n || bits.Actions() != n+1 || bits.Action[0].Name != "reboot1" || asBits.Sparseness() != c.most {
			t.Fatalf("%+v: %+v", asBits, bits.Space)
		}
		point, other := make([]int, one.X()), make([]int, bits.X())
		for x := range one.Points() {
			one.Point(point, x)
			copy(other, point[:n])
			clear(other[n:])
			if point[n] > 0 {
				other[n+point[n]-1] = 1
			}
			if y := bits.Index(other); bitsReward[y] != oneReward[x] {
				t.Fatalf("%+v: %v pays %v with bits, %v with one variable", c.domain, point, bitsReward[y], oneReward[x])
			}
			for j := range n {
				f, g := &one.Transition[j], &bits.Transition[j]
				if a, b := f.Row(one.Row(f.Given, point)), g.Row(bits.Row(g.Given, other)); !slices.Equal(a, b) {
					t.Fatalf("%+v: the law of m%d at %v is %v with bits, %v with one variable", c.domain, j+1, point, b, a)
				}
			}
		}
		for j := range n {
			f, g := one.Transition[j].Given, bits.Transition[j].Given
			if last := len(f) - 1; !slices.Equal(f[:last], g[:last]) || f[last] != n || g[last] != n+j || len(g) != len(f) {
				t.Errorf("%+v: m%d is given %v with bits, %v with one variable", c.domain, j+1, g, f)
			}
		}
		if len(p.Suggestions) != n*n || p.Suggested.Edges() != 0 {
			t.Errorf("%+v: %d suggestions", asBits, len(p.Suggestions))
		}
		for _, s := range p.Suggestions {
			if want := map[bool]float64{true: .95}[s.X == n+s.Y]; s.P != want {
				t.Errorf("%+v: %+v", asBits, s)
			}
		}
	}
}

// The number of machines is bounded by the size of the table of states and actions, and that of the
// instance is its own. The error names the parameter to change.
func TestSysAdminLimits(t *testing.T) {
	for _, c := range []struct {
		domain      domain.SysAdmin
		name, says  string
		buildRefuse bool
	}{
		{domain: domain.SysAdmin{}},
		{domain: domain.SysAdmin{Topology: "ring"}},
		{domain: domain.SysAdmin{Topology: "star", Machines: 15}},
		{domain: domain.SysAdmin{Topology: "ring", Machines: 15, Reboots: "bits"}},
		{domain: domain.SysAdmin{Topology: "instance", Machines: 10, Horizon: 1}},
		{domain.SysAdmin{Topology: "ring", Machines: 16}, "machines", "16 is out of range; it must be from 2 to 15", false},
		{domain.SysAdmin{Topology: "star", Machines: 1}, "machines", "1 is out of range; it must be from 2 to 15", false},
		{domain.SysAdmin{Topology: "instance", Machines: 9}, "machines", "9 is out of range; it must be 10", false},
		{domain.SysAdmin{Topology: "bus"}, "topology", `"bus" is unknown; it must be one of instance, ring, star`, false},
		{domain.SysAdmin{Topology: "ring", Machines: 15, Horizon: 16384}, "horizon", "", true},
		{domain.SysAdmin{Topology: "ring", Machines: 15, Horizon: 16384, Reboots: "bits"}, "horizon", "", true},
		{domain.SysAdmin{Reboots: "all"}, "reboots", `"all" is unknown; it must be one of one, bits`, false},
	} {
		d := c.domain
		err := param.Complete(d.Params)
		if err == nil {
			_, err = d.Build(stream(2), domain.Given{})
		} else if c.buildRefuse {
			t.Errorf("%+v: %v", c.domain, err)
		}
		wrong, _ := err.(*param.Error)
		if (err != nil) != (c.name != "") || wrong != nil && (wrong.Name != c.name || !strings.Contains(wrong.Reason, c.says)) {
			t.Errorf("%+v: %v, want %s: %s", c.domain, err, c.name, c.says)
		}
	}
	if states := 1 << 15; states*16 > fmdp.MaxPoints || 2*states*17 <= fmdp.MaxPoints {
		t.Error("15 is not the largest number of machines that planning admits")
	}
	if _, err := (&domain.SysAdmin{Topology: "bus", Machines: 3}).Build(stream(2), domain.Given{}); err == nil || err.Error() != `topology: there is no topology "bus"` {
		t.Error(err)
	}
}

// Titles name the network.
func TestSysAdminTitle(t *testing.T) {
	for want, d := range map[string]domain.SysAdmin{
		"SysAdmin, instance 1 of IPPC 2011": {Topology: "instance", Machines: 10},
		"SysAdmin, a ring of 5 machines":    {Topology: "ring", Machines: 5},
		"SysAdmin, a star of 4 machines":    {Topology: "star", Machines: 4, Reboots: "one"},

		"SysAdmin, a ring of 5 machines, a bit for each reboot": {Topology: "ring", Machines: 5, Reboots: "bits"},
	} {
		name, facts := d.Title()
		if got := strings.Join(append([]string{name}, facts...), ", "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
