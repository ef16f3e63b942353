package format_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/format"
)

// ward is a problem with labels and without.
var ward = &fmdp.Space{
	State:  []fmdp.Variable{{Name: "glucose", Size: 3}, {Name: "pain", Size: 2, Values: []string{"no", "yes"}}},
	Action: []fmdp.Variable{{Name: "drug", Size: 3, Values: []string{"none", "a", "b"}}, {Name: "dose", Size: 4}},
}

// randomEpisodes returns episodes of random values of X.
func randomEpisodes(rng *rand.Rand, space *fmdp.Space) (episodes [][][]int, transitions []document.Transition) {
	for range rng.IntN(5) {
		var steps [][]int
		for range rng.IntN(6) {
			x := make([]int, space.X())
			for i := range x {
				x[i] = rng.IntN(space.Var(i).Size)
			}
			if n := len(steps); n > 0 {
				transitions = append(transitions, document.Transition{X: steps[n-1], Y: x[:space.Y()]})
			}
			steps = append(steps, x)
		}
		episodes = append(episodes, steps)
	}
	return episodes, transitions
}

// A table gives back the transitions that it was written from, in both forms. Oracle: the
// transitions.
func TestLog(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 1))
	for range 200 {
		episodes, want := randomEpisodes(rng, ward)
		var steps, pairs strings.Builder
		write := func(b *strings.Builder, i, v int) { b.WriteString("," + ward.Var(i).Label(v)) }
		order := rng.Perm(ward.X())
		steps.WriteString("episode,t")
		for _, i := range order {
			steps.WriteString("," + ward.Var(i).Name)
		}
		for e, list := range episodes {
			for k, x := range list {
				fmt.Fprintf(&steps, "\nE%d,%d", e, k+7)
				for _, i := range order {
					if i >= ward.Y() && k == len(list)-1 {
						steps.WriteString(",")
						continue
					}
					write(&steps, i, x[i])
				}
			}
		}
		pairs.WriteString("glucose,pain,drug,dose,glucose',pain_next\n")
		for _, tr := range want {
			var line strings.Builder
			for i, v := range append(append([]int{}, tr.X...), tr.Y...) {
				write(&line, i%ward.X(), v)
			}
			pairs.WriteString(line.String()[1:] + "\r\n")
		}
		for _, text := range []string{steps.String(), pairs.String()} {
			log, err := format.ReadLog([]byte(text), format.LogOptions{Space: ward})
			if err != nil || fmt.Sprint(log.Transitions) != fmt.Sprint(want) || log.Refused != 0 || len(log.Notes) != 0 {
				t.Fatalf("%v, %v, want %v in\n%s", log, err, want, text)
			}
		}
	}
}

// Oracle: by hand. What is refused is counted, and what is left out is said.
func TestLogRows(t *testing.T) {
	text := `episode,t,pain,glucose,drug,dose,reward,ward
1,0,no,65,a,1,0,W
1,1,yes,70.0,a,2,0,W
1,2,yes,NA,a,3,0,W
1,3,no,99.9,none,0,0,W
1,4,no,140,b,0,0,W
2,0,no,150,b,,0,W
2,1,yes,150,b,3,0,W
2,3,yes,150,b,3,0,W
2,4,yes,150,,,0,W
`
	log, err := format.ReadLog([]byte(text), format.LogOptions{Space: ward, Cuts: map[string][]float64{"glucose": {70, 140}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(log.Transitions, log.Read, log.Refused); got != "[{[0 0 1 1] [1 1]} {[1 0 0 0] [2 0]} {[2 1 2 3] [2 1]}] 7 2" {
		t.Error(got)
	}
	if got := strings.Join(log.Notes, "; "); got != `columns that are no variable are left out: "reward", "ward"; 1 gap in t within an episode, where no transition is known` {
		t.Error(got)
	}
	// Without a space, the values are those that occur.
	text = "side,flip,side',level,level'\nheads,yes,tails,3,1\ntails,no,heads,?,2\nheads,no,heads,1,1"
	log, err = format.ReadLog([]byte(text), format.LogOptions{Actions: []string{"flip"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(*log); got != fmt.Sprint(format.Log{
		Space: log.Space, Columns: []string{"side", "flip", "level"},
		Transitions: []document.Transition{{X: []int{0, 2, 1}, Y: []int{1, 0}}, {X: []int{0, 0, 0}, Y: []int{0, 0}}},
		Read:        2, Refused: 1,
	}) {
		t.Error(got)
	}
	if got := fmt.Sprint(*log.Space); got != fmt.Sprint(fmdp.Space{
		State:  []fmdp.Variable{{Name: "side", Size: 2, Values: []string{"heads", "tails"}}, {Name: "level", Size: 3, Values: []string{"1", "2", "3"}}},
		Action: []fmdp.Variable{{Name: "flip", Size: 2, Values: []string{"no", "yes"}}},
	}) {
		t.Error(got)
	}
	log, err = format.ReadLog([]byte("episode,t,x,a,reward\n1,0,0,1,.5\n1,1,2,0,.5\n1,2,1,0,1"), format.LogOptions{Actions: []string{"a"}})
	if got := fmt.Sprint(*log.Space, log.Transitions, err); got != "{[{x 3 []}] [{a 2 []}] <nil>} [{[0 1] [2]} {[2 0] [1]}] <nil>" {
		t.Error(got)
	}
}

// Oracle: by hand.
func TestLogRefused(t *testing.T) {
	const header = "episode,t,glucose,pain,drug,dose\n"
	cuts := map[string][]float64{"glucose": {70, 140}}
	for _, test := range []struct {
		text string
		o    format.LogOptions
		want string
	}{
		{"", format.LogOptions{Space: ward}, "the table has no header"},
		{"episode,t,glucose,pain,drug\n", format.LogOptions{Space: ward}, `there is no column of the variable "dose"`},
		{"glucose,pain,drug,dose\n", format.LogOptions{Space: ward}, `there is no column "glucose'"; without the columns "episode" and "t" in front, each row holds the next values, too`},
		{"a,a\n", format.LogOptions{Space: ward}, `line 1, column 3: a second column "a"`},
		{header + "1,0,1,no,a\n", format.LogOptions{Space: ward}, "line 2, column 1: the row has 5 cells, and the header 6"},
		{header + "1,0,1,maybe,a,0\n", format.LogOptions{Space: ward}, `line 2, column 7: "pain" has no value "maybe"`},
		{header + "1,0,3,no,a,0\n", format.LogOptions{Space: ward}, `line 2, column 5: "glucose" has no value "3"`},
		{header + "1,0,1.5,no,a,0\n", format.LogOptions{Space: ward}, `line 2, column 5: "glucose" holds numbers that are not whole; cut points say how to divide them`},
		{header + "1,0,high,no,a,0\n", format.LogOptions{Space: ward, Cuts: cuts}, `line 2, column 5: "glucose" has cut points, but "high" is no number`},
		{header, format.LogOptions{Space: ward, Cuts: map[string][]float64{"glucose": {70}}}, `"glucose" has 3 values; with 1 cut point there are 2`},
		{header, format.LogOptions{Space: ward, Cuts: map[string][]float64{"glucose": {70, 70}}}, `the cut points of "glucose" are not ascending`},
		{header, format.LogOptions{Space: ward, Cuts: map[string][]float64{"sugar": {70}}}, `there is no variable "sugar" to have cut points`},
		{header + "1,x,1,no,a,0\n", format.LogOptions{Space: ward}, `line 2, column 1: t is "x"; it must be a whole number`},
		{header + "1,1,1,no,a,0\n1,1,1,no,a,0", format.LogOptions{Space: ward}, `line 3, column 1: t does not grow within the episode "1"`},
		{header + "1,1,1,no,a,0\n2,1,1,no,a,0\n1,2,1,no,a,0", format.LogOptions{Space: ward}, `line 4, column 1: the rows of the episode "1" do not stand together`},
		{header + "1,1,1,no,\"a,0", format.LogOptions{Space: ward}, `line 2, column 14: the quotes of this cell do not match`},
		{"x,y,x'\n1,1,1", format.LogOptions{}, `line 1, column 3: the column "y" has no next value, such as y', and is no action`},
		{"x,y,x'\n1,1,1", format.LogOptions{Actions: []string{"z"}}, `there is no column "z" to be an action`},
		{"x,y,x'\n1,.5,1", format.LogOptions{Actions: []string{"y"}}, `line 2, column 3: "y" holds numbers that are not whole; cut points say how to divide them`},
		{"x,y,x'\n1,,1", format.LogOptions{Actions: []string{"y"}}, `no row has a value of "y"`},
		{"episode,t\n1,2", format.LogOptions{}, `the table has no column of a state variable`},
	} {
		if _, err := format.ReadLog([]byte(test.text), test.o); fmt.Sprint(err) != test.want {
			t.Errorf("%q: %v, want %s", test.text, err, test.want)
		}
	}
}

// FuzzLog checks that every table gives transitions of its space or an error of one line.
func FuzzLog(f *testing.F) {
	f.Add("episode,t,glucose,pain,drug,dose\n1,0,1,no,a,0\n1,1,0,yes,b,", true, 0.0)
	f.Add("x,y,x'\n1,.5,1\n2,3,2", false, 1.0)
	f.Add("x;y;x_next\n\"a\"\"\";.5;?", false, 0.2)
	f.Fuzz(func(t *testing.T, text string, known bool, cut float64) {
		o := format.LogOptions{Actions: []string{"y"}, Cuts: map[string][]float64{}}
		if known {
			o = format.LogOptions{Space: ward, Cuts: map[string][]float64{}}
		} else if cut != 0 {
			o.Cuts["y"] = []float64{cut, cut + 1}
		}
		log, err := format.ReadLog([]byte(text), o)
		if err != nil {
			if strings.Contains(err.Error(), "\n") || len(err.Error()) > 500 {
				t.Errorf("%q: %q", text, strconv.Quote(err.Error()))
			}
			return
		}
		if err := log.Space.Validate(); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		for _, tr := range log.Transitions {
			if err := tr.Check("", log.Space); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
	})
}
