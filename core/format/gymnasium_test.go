package format_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"cpsrl/core/fmdp"
	"cpsrl/core/format"
	"cpsrl/core/planning"
)

// gymOf writes a model as the table P of Gymnasium. In states in which episodes end, every action
// stays there.
func gymOf(m *fmdp.Model) string {
	var b strings.Builder
	states, actions, ended := m.States(), m.Actions(), m.Ended()
	list := func(p []float64) string { return strings.ReplaceAll(fmt.Sprint(p), " ", ",") }
	b.WriteString(`{"format":"gymnasium/P","radix":[`)
	for j, v := range m.State {
		fmt.Fprintf(&b, `%s["%s",%d]`, strings.Repeat(",", min(j, 1)), v.Name, v.Size)
	}
	fmt.Fprintf(&b, `],"actions":["%s"],"horizon":%d,"initial":%s,"P":{`, strings.Join(m.Action[0].Values, `","`), m.Horizon, list(m.Initial))
	joint := make([]float64, m.Joint())
	fmdp.Joint(joint, &m.Space, m.Transition)
	for s := range states {
		fmt.Fprintf(&b, `%s"%d":{`, strings.Repeat(",", min(s, 1)), s)
		for a := range actions {
			fmt.Fprintf(&b, `%s"%d":[`, strings.Repeat(",", min(a, 1)), a)
			point := m.Point(make([]int, m.X()), s*actions+a)
			first := true
			for y, p := range joint[(s*actions+a)*states:][:states] {
				reward := 0.0
				for _, r := range m.Reward {
					reward += r.Mean[m.RowAt(r.Given, point, m.Point(make([]int, m.Y()), y))]
				}
				if ended != nil && ended[s] > 0 {
					p, reward = 0, 0
					if y == s {
						p = 1
					}
				}
				if p == 0 {
					continue
				}
				if !first {
					b.WriteByte(',')
				}
				first = false
				fmt.Fprintf(&b, "[%v,%d,%v,%v]", p, y, reward, ended != nil && ended[y] > 0)
			}
			b.WriteByte(']')
		}
		b.WriteByte('}')
	}
	b.WriteString("}}")
	return b.String()
}

// A model that is written as a table is read as one with the same values, and with no more parents.
// Oracle: the model, and its values by backward induction.
func TestGymnasium(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 1))
	ends := 0
	for range 400 {
		want := randomModel(rng)
		for j := range want.State {
			want.State[j].Values = nil
		}
		if rng.IntN(2) == 0 {
			e := fmdp.Ending{Given: []int{rng.IntN(want.Y())}}
			e.Is = [][]int{{rng.IntN(want.Var(e.Given[0]).Size)}}
			want.Ends = []fmdp.Ending{e}
		}
		ended, left := want.Ended(), 0.0
		for s := range want.Initial {
			if ended != nil && ended[s] > 0 {
				want.Initial[s] = 0
			}
			left += want.Initial[s]
		}
		if left == 0 {
			continue
		}
		for s := range want.Initial {
			want.Initial[s] /= left
		}
		text := gymOf(want)
		got, _, err := format.ReadModel("", []byte(text), format.Options{})
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if fmt.Sprint(got.Space) != fmt.Sprint(want.Space) {
			t.Fatalf("%v, want %v", got.Space, want.Space)
		}
		for j, z := range got.Graph() {
			if extra := z.Without(want.Graph()[j]); len(extra.Parents()) > 0 {
				t.Fatalf("the law of variable %d has the parents %v, of %v in\n%s", j, z.Parents(), want.Graph()[j].Parents(), text)
			}
		}
		value := func(m *fmdp.Model) float64 {
			mdp, err := planning.FromModel(m, nil)
			if err != nil {
				t.Fatal(err)
			}
			_, values := planning.Solve(mdp)
			return values.Value(m.Initial)
		}
		if a, b := value(got), value(want); math.Abs(a-b) > 1e-9 {
			t.Fatalf("the value is %v, want %v in\n%s", a, b, text)
		}
		if len(got.Ends) > 0 {
			ends++
		}
	}
	if ends < 50 {
		t.Errorf("only %d models have ends", ends)
	}
}

// lake is a row of three cells, of which the last one ends an episode. On ice, one slips.
const lake = `{"format":"gymnasium/P","radix":[["cell",3],["wind",2]],"actions":["left","right"],"horizon":9,"initial":[0.5,0.5,0,0,0,0],"P":{
"0":{"0":[[0.5,0,0,false],[0.5,1,0,false]],"1":[[0.5,2,0,false],[0.25,3,0,false],[0.25,3,0,false]]},
"1":{"0":[[0.5,0,0,false],[0.5,1,0,false]],"1":[[0.5,2,0,false],[0.5,3,0,false]]},
"2":{"0":[[0.5,0,0,false],[0.5,1,0,false]],"1":[[0.5,4,1,true],[0.5,5,1,true]]},
"3":{"0":[[0.5,0,0,false],[0.5,1,0,false]],"1":[[0.5,4,1,true],[0.5,5,1,true]]},
"4":{"0":[[1,4,0,true]],"1":[[1,4,0,true]]},
"5":{"0":[[1,5,0,true]],"1":[[1,5,0,true]]}}}`

// Oracle: by hand. What happens in a terminal state does not count: wind has no parents.
func TestGymnasiumParents(t *testing.T) {
	m, notes, err := format.ReadModel("", []byte(lake), format.Options{})
	if err != nil || len(notes) > 0 {
		t.Fatal(err, notes)
	}
	if got, want := parts(m), "[0.5 0.5 0 0 0 0] p[0 2] [1 0 0 0 1 0 1 0 0 0 0 1 0 0 1 0 0 1] p[] [0.5 0.5] r[0 2] [0 0 0 1 0 0]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := fmt.Sprint(m.Ends); got != "[{terminated [0] [[2]]}]" {
		t.Error(got)
	}
}

// What a model cannot have, and what is not such a table, is refused at its place.
func TestGymnasiumRefused(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{`"horizon":9,`, ``, `the file states no horizon; the option "horizon" gives the number of steps of an episode`},
		{`["wind",2]`, `["wind",2,1]`, `/radix/1: a variable is [name, size]`},
		{`["wind",2]`, `["wind",3]`, `/initial: 6 probabilities for 9 states`},
		{`["wind",2]`, `["cell",2]`, `/radix: a second variable is named "cell"`},
		{`["left","right"]`, `["left","left"]`, `/actions/1: a second action is named "left"`},
		{`["left","right"]`, `["left"]`, `/P/0/1: there are names of 1 actions`},
		{`["left","right"]`, `["left","right","up"]`, `/P: the state cell=0, wind=0 with the action up has no outcomes`},
		{`[0.5,0.5,0,0,0,0]`, `[0.5,0.6,0,0,0,0]`, `/initial: the initial distribution sums to 1.1; it must sum to 1`},
		{`[0.5,0,0,false]`, `[0.5,0,0]`, `/P/0/0/0: an outcome is [p, next, reward, terminated]`},
		{`[0.5,0,0,false]`, `[0.5,0,0,false,{}]`, `/P/0/0/0: an outcome is [p, next, reward, terminated]`},
		{`[0.5,0,0,false]`, `[0.4,0,0,false]`, `/P/0/0: the probabilities of the state cell=0, wind=0 with the action left sum to 0.9; they must sum to 1`},
		{`[0.5,0,0,false]`, `[0.5,6,0,false]`, `/P/0/0/0: there is no state 6; the radix has 6`},
		{`[0.5,0,0,false]`, `[0.5,2,0,false]`, `/P/0/0: after the state cell=0, wind=0 with the action left, the next values are not independent of each other; one variable in place of several can hold them`},
		{`[0.25,3,0,false],[0.25`, `[0.25,3,0,false],[0.25,3,1,false],[0`, `/P/0/1/2: the state cell=0, wind=0 with the action right pays different rewards on the way to the state 3`},
		{`"2":{"0":[[0.5,0,0,false]`, `"2":{"0":[[0.5,0,0,true]`, `/P/2/0: the state cell=1, wind=0 with the action left enters the state 0, which is terminal here and not elsewhere; a state of a model is either`},
		{`"5":{`, `"05":{`, `/P/05: "05" is not the number of a state`},
		{`"1":[[1,5,0,true]]`, `"one":[[1,5,0,true]]`, `/P/5/one: "one" is not the number of an action`},
		{`"P":{`, `"Q":1,"P":{`, `/Q: unknown field`},
	} {
		text := strings.Replace(lake, test.old, test.new, 1)
		if text == lake {
			t.Fatalf("%q does not stand in the file", test.old)
		}
		if _, _, err := format.ReadModel("", []byte(text), format.Options{}); fmt.Sprint(err) != test.want {
			t.Errorf("%q for %q: %v, want %s", test.new, test.old, err, test.want)
		}
	}
}
