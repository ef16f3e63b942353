package domain

import (
	"fmt"
	"math/rand/v2"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

var sysadminKind = Kind{
	Key: "sysadmin", Label: "SysAdmin", Phrase: "SysAdmin",
	Reward: "A step pays 1 for each machine that is up, less 0.75 for a reboot.",
	Since:  3, Tied: true,
	Agents: []string{"f-psrl", "c-psrl"}, // PSRL's table is too large for a browser
	New:    func() Domain { return new(SysAdmin) },
}

// SysAdmin is the problem of Guestrin, Koller and Parr, with the numbers of the planning
// competition IPPC 2011. Machines are up or down, and in each step one of them may be rebooted.
// A machine that is up stays up with probability .45 + .5·(1 + its running in-neighbours)/(1 +
// its in-neighbours). A machine that is down comes up with .05, and a rebooted one with 1. At
// first all are up.
type SysAdmin struct {
	Topology string // "instance", "ring" or "star"
	Machines int
	Horizon  int
	Reboots  string // "one" or "bits"; "" is "one"
}

// The action variables of SysAdmin.
const (
	oneReboot  = "one"  // a variable whose value is the machine that is rebooted
	bitReboots = "bits" // a variable for each machine, at most one of which is 1, as in the competition
)

// Topologies of SysAdmin. A link leads from a machine to one that depends on it.
const (
	instanceTopology = "instance" // that of instance 1 of the competition
	ringTopology     = "ring"     // machine i to machine i+1, and the last to the first
	starTopology     = "star"     // machine 1, the server, to each other machine
)

// maxMachines is the largest number of machines with which S·A = 2ⁿ·(n+1) is within fmdp.MaxPoints.
const maxMachines = 15

// instanceMachines and instanceLinks are those of instance 1; machines count from 1.
const instanceMachines = 10

var instanceLinks = [][2]int{{1, 4}, {1, 9}, {2, 8}, {3, 4}, {3, 9}, {4, 5}, {5, 7}, {6, 4}, {6, 8}, {7, 9}, {8, 6}, {8, 10}, {9, 6}, {10, 2}}

// Kind implements [Domain].
func (*SysAdmin) Kind() *Kind { return &sysadminKind }

// Params implements Domain. The instance has its own number of machines.
func (s *SysAdmin) Params() []param.Param {
	low, high := 2, maxMachines
	if s.Topology == instanceTopology {
		low, high = instanceMachines, instanceMachines
	}
	return []param.Param{{
		Name: "topology", Key: "topology", Section: param.Domain, Label: "Topology", Phrase: "topology _",
		Text: &s.Topology, Default: instanceTopology, Restarts: true,
		Words: []param.Word{{Value: instanceTopology, Label: "IPPC 2011, instance 1"}, {Value: ringTopology, Label: "ring"}, {Value: starTopology, Label: "star"}},
	}, {
		Name: "machines", Key: "machines", Section: param.Domain, Label: "Machines", Phrase: "_ machines",
		Int: &s.Machines, Low: low, High: high, Default: fmt.Sprint(instanceMachines),
	}, horizon(&s.Horizon, "40"), {
		Name: "reboots", Key: "reboots", Section: param.Domain, Label: "Action", Phrase: "_ for reboots",
		Help: "With a bit for each machine, at most one of which may be on, an edge says which machine it is about.",
		Text: &s.Reboots, Default: oneReboot, Restarts: true, Since: 4,
		Words: []param.Word{{Value: oneReboot, Label: "one variable"}, {Value: bitReboots, Label: "a bit for each machine"}},
	}}
}

// links returns the in-neighbours of each machine, which count from 0; nil if the topology is
// unknown.
func (s *SysAdmin) links() [][]int {
	into := make([][]int, s.Machines)
	switch s.Topology {
	case instanceTopology:
		into = make([][]int, instanceMachines)
		for _, link := range instanceLinks {
			into[link[1]-1] = append(into[link[1]-1], link[0]-1)
		}
	case ringTopology:
		for i := range into {
			into[i] = []int{(i + s.Machines - 1) % s.Machines}
		}
	case starTopology:
		for i := 1; i < s.Machines; i++ {
			into[i] = []int{0}
		}
	default:
		return nil
	}
	return into
}

// Sparseness implements Domain: the most true parents of a machine, which are the machine itself,
// its in-neighbours and the reboot.
func (s *SysAdmin) Sparseness() int {
	most := 0
	for _, from := range s.links() {
		most = max(most, len(from))
	}
	return 2 + most
}

// Title implements [Domain].
func (s *SysAdmin) Title() (string, []string) {
	facts := []string{fmt.Sprintf("a %s of %d machines", s.Topology, s.Machines)}
	if s.Topology == instanceTopology {
		facts[0] = "instance 1 of IPPC 2011"
	}
	if s.Reboots == bitReboots {
		facts = append(facts, "a bit for each reboot")
	}
	return "SysAdmin", facts
}

// The values of a machine.
const (
	machineDown = iota
	machineUp
)

// noReboot is the value of an action variable that reboots no machine. If there is one variable, 1+i
// reboots machine i.
const noReboot = 0

// Build implements Domain. Parents are revealed in a random order. With one action variable nothing is
// suggested. With bits the suggested prior knows which machine each is about, and nothing of the links.
func (s *SysAdmin) Build(rng *rand.Rand, _ Given) (*Problem, error) {
	links, bits := s.links(), s.Reboots == bitReboots
	if links == nil {
		return nil, &param.Error{Name: "topology", Reason: fmt.Sprintf("there is no topology %q", param.Clip(s.Topology))}
	}
	n := len(links)
	m := &fmdp.Model{Name: "SysAdmin " + s.Topology, Horizon: s.Horizon}
	reboot := fmdp.Variable{Name: "reboot", Size: n + 1, Values: []string{"none"}}
	for i := range n {
		name := fmt.Sprintf("m%d", i+1)
		m.State = append(m.State, fmdp.Variable{Name: name, Size: 2, Values: []string{machineDown: "down", machineUp: "up"}})
		reboot.Values = append(reboot.Values, name)
		if bits {
			m.Action = append(m.Action, binary(fmt.Sprintf("reboot%d", i+1)))
		}
	}
	if bits {
		m.Legal, _ = fmdp.NewAtMost(m.Action, 1, make([]int, n)) // n + 1 actions
	} else {
		m.Action = []fmdp.Variable{reboot}
	}
	for i, from := range links {
		by, value := n, 1+i
		if bits {
			by, value = n+i, 1
		}
		m.Transition = append(m.Transition, machineFactor(m, i, from, by, value))
		m.Reward = append(m.Reward, pays(i, 0, 1))
	}
	for k := range m.Action {
		price := make([]float64, m.Action[k].Size)
		for a := range price {
			if a != noReboot {
				price[a] = -0.75
			}
		}
		m.Reward = append(m.Reward, pays(n+k, price...))
	}
	m.Initial = make([]float64, m.States())
	m.Initial[m.States()-1] = 1 // all machines are up
	err := m.Validate()
	if f, ok := err.(*fmdp.Fault); ok {
		name := "machines"
		if f.At[0] == "horizon" {
			name = "horizon"
		}
		err = &param.Error{Name: name, Reason: f.Reason}
	}
	p := FromModel(m, rng)
	p.Picture = s.picture(m, links)
	for i := range m.State {
		for k := range m.Action {
			switch {
			case !bits:
			case i == k:
				p.suggest(m.Action[k].Name, m.State[i].Name, .95, "A reboot brings a machine up.")
			default:
				p.suggest(m.Action[k].Name, m.State[i].Name, 0, "The reboot is of another machine.")
			}
		}
	}
	return p, err
}

// picture draws the machines and the links between them.
func (s *SysAdmin) picture(m *fmdp.Model, into [][]int) *document.NodesPicture {
	p := &document.NodesPicture{}
	for i, v := range m.State {
		p.Nodes = append(p.Nodes, v.Name)
		for _, from := range into[i] {
			p.Links = append(p.Links, [2]string{m.State[from].Name, v.Name})
		}
	}
	return p
}

// machineFactor tabulates the law of machine i over itself, the machines with a link to it, and
// the action variable that reboots it with that value, in this order.
func machineFactor(m *fmdp.Model, i int, from []int, reboot, value int) fmdp.Factor {
	return factor(m, append(append([]int{i}, from...), reboot), 2, func(point []int) []float64 {
		running := 0
		for _, j := range from {
			running += point[j]
		}
		up := .05
		switch {
		case point[reboot] == value:
			up = 1
		case point[i] == machineUp:
			up = .45 + float64(.5*float64(1+running))/float64(1+len(from))
		}
		return chance(up)
	})
}
