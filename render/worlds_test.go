package render

import (
	"fmt"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// world is a model with a picture, which the function episode puts into its traces.
type world struct {
	*domain.Custom
	picture document.Picture
}

// tabulate fills in the law of each variable over the given variables, from the probability that
// it has a value after a point.
func tabulate(m *fmdp.Model, given func(j int) []int, p func(j, value int, point []int) float64) {
	for j := range m.State {
		f := fmdp.Factor{Given: given(j), Size: m.State[j].Size}
		point := make([]int, m.X())
		for row := range m.Rows(f.Given) {
			rest := row
			for k := len(f.Given) - 1; k >= 0; k-- {
				size := m.Var(f.Given[k]).Size
				point[f.Given[k]], rest = rest%size, rest/size
			}
			for v := range f.Size {
				f.P = append(f.P, p(j, v, point))
			}
		}
		m.Transition = append(m.Transition, f)
	}
}

func all(m *fmdp.Model) func(int) []int {
	var list []int
	for i := range m.X() {
		list = append(list, i)
	}
	return func(int) []int { return list }
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// newWorld validates a model that begins in a state.
func newWorld(t testing.TB, m *fmdp.Model, start []int, picture document.Picture) world {
	t.Helper()
	m.Initial = make([]float64, m.States())
	m.Initial[m.Index(start)] = 1
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	if err := picture.Check("", &m.Space); err != nil {
		t.Fatal(err)
	}
	return world{domain.NewCustom(m), picture}
}

// lake is FrozenLake-v1: one variable for the cell, ice on which the agent slips, and ends.
func lake(t testing.TB, slips bool) world {
	const ground = "SFFFFHFHFFFHHFFG"
	picture := &document.GridPicture{Rows: 4, Columns: 4, Agent: document.Agent{Cell: "cell"}}
	m := &fmdp.Model{Name: "lake", Horizon: 12, Space: fmdp.Space{
		State:  []fmdp.Variable{{Name: "cell", Size: 16}},
		Action: []fmdp.Variable{{Name: "move", Size: 4, Values: []string{"left", "down", "right", "up"}}},
	}}
	var holes, goals [][]int
	for cell, c := range ground {
		at := document.At(cell/4, cell%4)
		switch c {
		case 'S':
			picture.Marks = append(picture.Marks, document.Mark{At: at, Text: "start", Tone: document.Start})
		case 'H':
			picture.Marks = append(picture.Marks, document.Mark{At: at, Text: "hole", Tone: document.Hole})
			holes = append(holes, []int{cell})
		case 'G':
			picture.Marks = append(picture.Marks, document.Mark{At: at, Text: "goal", Tone: document.Goal})
			goals = append(goals, []int{cell})
		}
	}
	tabulate(m, all(m), func(_, value int, point []int) (p float64) {
		turns := []int{0}
		if slips {
			turns = []int{3, 0, 1}
		}
		for _, turn := range turns {
			row, column := point[0]/4, point[0]%4
			switch (point[1] + turn) % 4 {
			case 0:
				column = max(0, column-1)
			case 1:
				row = min(3, row+1)
			case 2:
				column = min(3, column+1)
			case 3:
				row = max(0, row-1)
			}
			p += one(value == 4*row+column) / float64(len(turns))
		}
		return p
	})
	m.Reward = []fmdp.Reward{{Given: []int{m.X()}, Mean: append(make([]float64, 15), 1), Scale: 1, Of: -1}}
	m.Ends = []fmdp.Ending{{Name: "in a hole", Given: []int{0}, Is: holes}, {Name: "goal", Given: []int{0}, Is: goals}}
	return newWorld(t, m, []int{0}, picture)
}

// cliff is CliffWalking: a step off the cliff leads back to the start.
func cliff(t testing.TB) world {
	picture := &document.GridPicture{Rows: 4, Columns: 12, Agent: document.Agent{Row: "row", Column: "column"}}
	picture.Marks = append(picture.Marks, document.Mark{At: document.At(3, 0), Text: "start", Tone: document.Start})
	for c := 1; c < 11; c++ {
		picture.Marks = append(picture.Marks, document.Mark{At: document.At(3, c), Text: "cliff", Tone: document.Cliff})
	}
	picture.Marks = append(picture.Marks, document.Mark{At: document.At(3, 11), Text: "goal", Tone: document.Goal})
	m := &fmdp.Model{Name: "cliff", Horizon: 20, Space: fmdp.Space{
		State:  []fmdp.Variable{{Name: "row", Size: 4}, {Name: "column", Size: 12}},
		Action: []fmdp.Variable{{Name: "move", Size: 4, Values: []string{"up", "right", "down", "left"}}},
	}}
	tabulate(m, all(m), func(j, value int, point []int) float64 {
		to := [2]int{point[0], point[1]}
		switch point[2] {
		case 0:
			to[0] = max(0, to[0]-1)
		case 1:
			to[1] = min(11, to[1]+1)
		case 2:
			to[0] = min(3, to[0]+1)
		case 3:
			to[1] = max(0, to[1]-1)
		}
		if to[0] == 3 && to[1] > 0 && to[1] < 11 {
			to = [2]int{3, 0}
		}
		return one(value == to[j])
	})
	m.Reward = []fmdp.Reward{{Mean: []float64{-1}, Scale: 1, Of: -1}}
	m.Ends = []fmdp.Ending{{Name: "goal", Given: []int{0, 1}, Is: [][]int{{3, 11}}}}
	return newWorld(t, m, []int{3, 0}, picture)
}

// navigation is like that of IPPC: a bit for each cell, in some of which the robot may vanish, and a
// bit for each move, of which at most one is set.
func navigation(t testing.TB) world {
	picture := &document.GridPicture{Rows: 2, Columns: 3, SouthWalls: [][2]int{{0, 1}}, Marks: []document.Mark{{At: document.At(0, 2), Text: "G", Tone: document.Goal}}}
	m := &fmdp.Model{Name: "navigation", Horizon: 8}
	for k := range 6 {
		name := fmt.Sprintf("robot-at-%d-%d", k/3, k%3)
		m.State = append(m.State, fmdp.Variable{Name: name, Size: 2})
		picture.Agent.Cells = append(picture.Agent.Cells, name)
	}
	for _, name := range []string{"move-north", "move-south", "move-east", "move-west"} {
		m.Action = append(m.Action, fmdp.Variable{Name: name, Size: 2})
	}
	legal, err := fmdp.NewAtMost(m.Action, 1, make([]int, 4))
	if err != nil {
		t.Fatal(err)
	}
	m.Legal = legal
	tabulate(m, all(m), func(j, value int, point []int) float64 {
		at := -1
		for k := 5; k >= 0; k-- {
			if point[k] == 1 {
				at = k
			}
		}
		if at < 0 {
			return one(value == 0)
		}
		row, column := at/3, at%3
		switch {
		case point[6] == 1 && at != 4:
			row = 0
		case point[7] == 1 && at != 1:
			row = 1
		case point[8] == 1:
			column = min(2, column+1)
		case point[9] == 1:
			column = max(0, column-1)
		}
		if j != 3*row+column || at == 2 && j != 2 {
			return one(value == 0)
		}
		stays := 1.0
		if row == 1 && column == 1 {
			stays = 0.3
		}
		return []float64{1 - stays, stays}[value]
	})
	m.Reward = []fmdp.Reward{{Given: []int{2}, Mean: []float64{-1, 0}, Scale: 1, Of: -1}}
	return newWorld(t, m, []int{0, 0, 0, 1, 0, 0}, picture)
}

// patient is a sketch of a patient with sepsis: vitals, treatments, and two ends.
func patient(t testing.TB) world {
	m := &fmdp.Model{Name: "patient", Horizon: 15, Space: fmdp.Space{
		State: []fmdp.Variable{
			{Name: "heart rate", Size: 3, Values: []string{"low", "normal", "high"}},
			{Name: "pressure", Size: 3, Values: []string{"low", "normal", "high"}},
			{Name: "glucose", Size: 5, Values: []string{"very low", "low", "normal", "high", "very high"}},
			{Name: "diabetic", Size: 2, Values: []string{"no", "yes"}},
			{Name: "antibiotic", Size: 2, Values: []string{"off", "on"}},
			{Name: "vasopressor", Size: 2, Values: []string{"off", "on"}},
		},
		Action: []fmdp.Variable{{Name: "give antibiotic", Size: 2}, {Name: "give vasopressor", Size: 2}},
	}}
	tabulate(m, func(j int) []int {
		return [][]int{{0, 4}, {1, 5}, {2, 3}, {3}, {6}, {7}}[j]
	}, func(j, value int, point []int) float64 {
		if j >= 3 {
			return one(value == point[[]int{3: 3, 4: 6, 5: 7}[j]])
		}
		middle, size := 1, 3
		if j == 2 {
			middle, size = 2, 5
		}
		p := 0.0
		for _, by := range []struct {
			step int
			p    float64
		}{{-1, 0.2}, {0, 0.45}, {1, 0.35}} {
			to := point[j] + by.step
			if j < 2 && point[4+j] == 1 && to != point[j] && (to-middle)*(to-middle) > (point[j]-middle)*(point[j]-middle) {
				to = middle
			}
			p += by.p * one(value == max(0, min(size-1, to)))
		}
		return p
	})
	m.Reward = []fmdp.Reward{{Given: []int{8, 9}, Mean: []float64{0, 0, 0, 0, 1, 0, 0, 0, 0}, Scale: 1, Of: -1}}
	m.Ends = []fmdp.Ending{{Name: "death", Given: []int{0, 1}, Is: [][]int{{0, 0}, {2, 2}}}}
	return newWorld(t, m, []int{2, 0, 3, 1, 0, 0}, &document.ChartPicture{
		Vitals:     []document.Vital{{Of: "heart rate", Normal: []int{1}}, {Of: "pressure", Normal: []int{1}}, {Of: "glucose", Normal: []int{2, 3}}},
		Treatments: []string{"antibiotic", "vasopressor", "give antibiotic"},
	})
}

// life is a game of life on 3×3 cells, in which one cell may be set. The names of cells begin with front.
func life(t testing.TB, front string) world {
	m := &fmdp.Model{Name: "life", Horizon: 10}
	picture := &document.NodesPicture{}
	set := fmdp.Variable{Name: "set", Size: 10, Values: []string{"none"}}
	for k := range 9 {
		name := fmt.Sprintf("%s%d%d", front, k/3, k%3)
		m.State = append(m.State, fmdp.Variable{Name: name, Size: 2, Values: []string{"dead", "alive"}})
		picture.Nodes = append(picture.Nodes, name)
		picture.Places = append(picture.Places, [2]int{k / 3, k % 3})
		set.Values = append(set.Values, name)
	}
	m.Action = []fmdp.Variable{set}
	near := func(j int) (list []int) {
		for k := range 9 {
			if r, c := k/3-j/3, k%3-j%3; r*r <= 1 && c*c <= 1 {
				list = append(list, k)
			}
		}
		return append(list, 9)
	}
	tabulate(m, near, func(j, value int, point []int) float64 {
		alive := 0
		for _, k := range near(j) {
			if k != j && k < 9 {
				alive += point[k]
			}
		}
		lives := alive == 3 || alive == 2 && point[j] == 1
		p := 0.1 + 0.8*one(lives)
		if point[9] == j+1 {
			p = 1
		}
		return []float64{1 - p, p}[value]
	})
	for k := range 9 {
		m.Reward = append(m.Reward, fmdp.Reward{Given: []int{k}, Mean: []float64{0, 1}, Scale: 1, Of: -1})
	}
	return newWorld(t, m, []int{0, 1, 0, 1, 1, 1, 0, 1, 0}, picture)
}

// drowned is an episode that ends where it began.
func drowned(t testing.TB) world {
	m := &fmdp.Model{Name: "drowned", Horizon: 3, Space: fmdp.Space{
		State:  []fmdp.Variable{{Name: "cell", Size: 2}},
		Action: []fmdp.Variable{{Name: "move", Size: 2, Values: []string{"left", "right"}}},
	}}
	tabulate(m, all(m), func(_, value int, point []int) float64 { return one(value == point[1]) })
	m.Reward = []fmdp.Reward{{Mean: []float64{0}, Scale: 1, Of: -1}}
	m.Ends = []fmdp.Ending{{Name: "drowned", Given: []int{0}, Is: [][]int{{0}}}}
	return newWorld(t, m, []int{0}, &document.GridPicture{Rows: 1, Columns: 2, Agent: document.Agent{Cell: "cell"}})
}

// named returns the problem of a kind with these values of its parameters.
func named(t testing.TB, key string, values map[string]string) domain.Domain {
	t.Helper()
	kind, err := domain.Lookup(key)
	if err != nil {
		t.Fatal(err)
	}
	d := kind.New()
	err = param.Each(d.Params, func(p *param.Param) error {
		if text, is := values[p.Name]; is {
			return p.SetString(text)
		}
		return nil
	})
	if err == nil {
		err = param.Complete(d.Params)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// worlds holds a problem with each kind of picture.
func worlds(t testing.TB) map[string]domain.Domain {
	return map[string]domain.Domain{
		"lake": lake(t, true), "cliff": cliff(t), "navigation": navigation(t), "patient": patient(t), "life": life(t, "c"), "drowned": drowned(t),
		"frozen-lake 8x8": named(t, "frozen-lake", map[string]string{"map": "8x8", "horizon": "40"}), "cliff-walking": named(t, "cliff-walking", map[string]string{"horizon": "30"}), "taxi-v3": named(t, "taxi-v3", map[string]string{"horizon": "20"}),
		"sepsis":   &domain.Sepsis{Diabetic: "hidden", Glucose: "published", Horizon: 20},
		"sysadmin": &domain.SysAdmin{Topology: "instance", Machines: 10, Horizon: 12},
	}
}
