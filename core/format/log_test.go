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
			if len(want) == 0 { // no answer
				if err == nil {
					t.Fatalf("%v in\n%s", log, text)
				}
				continue
			}
			if err != nil || fmt.Sprint(points(log.Transitions)) != fmt.Sprint(points(want)) || log.Refused != 0 || len(log.Notes) != 0 {
				t.Fatalf("%v, %v, want %v in\n%s", log, err, want, text)
			}
		}
	}
}

// roles says in short what the columns of a table were taken for.
func roles(log *format.Log) string {
	var list []string
	for _, c := range log.Columns {
		words := c.Name + " " + c.Role
		if c.Why != "" {
			words += " (" + c.Why + ")"
		}
		list = append(list, words)
	}
	return strings.Join(list, ", ")
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
	if got := fmt.Sprint(points(log.Transitions), log.Read, log.Refused); got != "[{[0 0 1 1] [1 1]} {[1 0 0 0] [2 0]} {[2 1 2 3] [2 1]}] 7 2" {
		t.Error(got)
	}
	if got := strings.Join(log.Told(), "; "); got != "taken for a reward: reward; columns left out: ward (is no variable)" {
		t.Error(got)
	}
	if got := strings.Join(log.Notes, "; "); got != `1 gap in "t" within an episode, where no transition is known` {
		t.Error(got)
	}
	// Without a space, the values are those that occur.
	text = "side,flip,side',level,level'\nheads,yes,tails,3,1\ntails,no,heads,?,2\nheads,no,heads,1,1"
	log, err = format.ReadLog([]byte(text), format.LogOptions{Actions: []string{"flip"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(points(log.Transitions), log.Read, log.Refused, roles(log)); got != "[{[0 2 1] [1 0]} {[0 0 0] [0 0]}] 2 1side state, flip action, side' next, level state, level' next" {
		t.Error(got)
	}
	if got := fmt.Sprint(*log.Space); got != fmt.Sprint(fmdp.Space{
		State:  []fmdp.Variable{{Name: "side", Size: 2, Values: []string{"heads", "tails"}}, {Name: "level", Size: 3, Values: []string{"1", "2", "3"}}},
		Action: []fmdp.Variable{{Name: "flip", Size: 2, Values: []string{"no", "yes"}}},
	}) {
		t.Error(got)
	}
	log, err = format.ReadLog([]byte("episode,t,x,a,reward\n1,0,0,1,.5\n1,1,2,0,.5\n1,2,1,0,1"), format.LogOptions{Actions: []string{"a"}})
	if got := fmt.Sprint(*log.Space, points(log.Transitions), err); got != "{[{x 3 []}] [{a 2 []}] <nil>} [{[0 1] [2]} {[2 0] [1]}] <nil>" {
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
		{"glucose,pain,drug,dose\n", format.LogOptions{Space: ward}, `there is no column "glucose'"; without columns of episodes or steps, such as episode and t, each row holds the next values, too`},
		{"a,a\n", format.LogOptions{Space: ward}, `line 1, column 3: a second column "a"`},
		{header + "1,0,1,no,a\n", format.LogOptions{Space: ward}, "line 2, column 1: the row has 5 cells, and the header in line 1 has 6"},
		{header + "1,0,1,maybe,a,0\n", format.LogOptions{Space: ward}, `line 2, column 7: "pain" has no value "maybe"`},
		{header + "1,0,3,no,a,0\n", format.LogOptions{Space: ward}, `line 2, column 5: "glucose" has no value "3"`},
		{header + "1,0,1.5,no,a,0\n", format.LogOptions{Space: ward}, `line 2, column 5: "glucose" holds numbers that are not whole; cut points say how to divide them`},
		{header + "1,0,high,no,a,0\n", format.LogOptions{Space: ward, Cuts: cuts}, `line 2, column 5: "glucose" has cut points, but "high" is no number`},
		{header, format.LogOptions{Space: ward, Cuts: map[string][]float64{"glucose": {70}}}, `"glucose" has 3 values; with 1 cut point there are 2`},
		{header, format.LogOptions{Space: ward, Cuts: map[string][]float64{"glucose": {70, 70}}}, `the cut points of "glucose" are not ascending`},
		{header, format.LogOptions{Space: ward, Cuts: map[string][]float64{"sugar": {70}}}, `there is no variable "sugar" to have cut points`},
		{header + "1,x,1,no,a,0\n", format.LogOptions{Space: ward}, `line 2, column 1: "t" is "x"; it must be a number, or a date and a time`},
		{header + "1,1,1,no,a,0\n1,1,1,no,a,0", format.LogOptions{Space: ward}, `line 3, column 1: "t" does not grow within the episode "1"`},
		{header + "1,1,1,no,a,0\n2,1,1,no,a,0\n1,2,1,no,a,0", format.LogOptions{Space: ward}, `line 4, column 1: the rows of the episode "1" do not stand together; sort them, or say which other column tells episodes, too`},
		{header + "1,1,1,no,\"a,0", format.LogOptions{Space: ward}, `line 2, column 10: the quotes of this cell do not match`},
		{"x,y,x'\n1,1,1", format.LogOptions{Actions: []string{}}, `line 1, column 3: the column "y" has no next value, such as y', and is no action`},
		{"x,y,x'\n1,1,1", format.LogOptions{Actions: []string{"z"}}, `there is no column "z" to be an action`},
		{"x,y,x'\n1,.5,1\n0,1,1", format.LogOptions{Actions: []string{"y"}}, `line 2, column 3: "y" holds numbers that are not whole; cut points say how to divide them, as y=1 does into parts of [1 1] rows`},
		{"x,y,x'\n1,,1\n0,,1", format.LogOptions{Actions: []string{"y"}}, `no row has a value of "y"`},
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
	f.Add("R;y;\"'\nX\"\"\";0;A", false, 1.5)
	f.Add("y 0\n\"\"", false, 0.04)
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

// Cells as people write them. Oracle: the values by hand, of the column x of a table in rows of one episode; "-" is a missing cell.
func TestLogCells(t *testing.T) {
	one := func(by string, cells ...string) string {
		text := "episode" + by + "t" + by + "x" + by + "y\n"
		for k, c := range cells {
			text += fmt.Sprintf("1%s%d%s%s%s%d\n", by, k, by, c, by, k%2)
		}
		return text
	}
	cuts := map[string][]float64{"x": {37, 40}}
	for _, c := range []struct {
		text         string
		cuts         map[string][]float64
		values, want string
		notes        string
	}{
		{one(";", "36,5", "37,2", "40,0", "36,5"), cuts, "[below 37 from 37 to 40 from 40]", "0 1 2 0", `numbers are read with a comma: 36,5 of "x" is 36.5`},
		{one("\t", "36", "1.037,2", "38,5", "36"), cuts, "[below 37 from 37 to 40 from 40]", "0 2 1 0", `numbers are read with a comma: 1.037,2 of "x" is 1037.2`},
		{one(",", `"36,5"`, `"37,2"`, `"40,0"`, "36"), cuts, "[below 37 from 37 to 40 from 40]", "0 1 2 0", `numbers are read with a comma: 36,5 of "x" is 36.5`},
		{one(",", `"1,200"`, "800", `"1,200"`, "5"), nil, "[5 800 1200]", "2 1 2 0", `numbers are read with a comma: 1,200 of "x" is 1200`},
		{one(",", "3000000000", "-3000000000", "2", "2.0"), nil, "[-3000000000 2 3000000000]", "2 0 1 1", ""},
		{one(",", "36.5", "inf", "-Inf", "39"), cuts, "[below 37 from 37 to 40 from 40]", "0 2 0 1", ""},
		{one(",", "1", ".", "0", "1"), nil, "[]", "1 - 0 1", `read as a missing cell in place of a number: "." of "x"`},
		{one(",", "1", "0", "-", "missing"), nil, "[]", "1 0 - -", `read as a missing cell in place of a number: "-" of "x", "missing" of "x"`},
		{one(",", "1", "0", "<NA>", "#N/A"), nil, "[]", "1 0 - -", ""},
		{one(",", "1", "0", "None", "nan"), nil, "[]", "1 0 - -", ""},
		{one(",", "1", "high", "0", "2"), nil, "[0 1 2 high]", "1 3 0 2", `read as words, and not as numbers: "x", because of "high" in line 3`},
		{one(",", "38.5", "--", "36", "41"), cuts, "[below 37 from 37 to 40 from 40]", "1 - 0 2", `read as a missing cell in place of a number: "--" of "x"`},
		{one(",", "None", "a", "b", "None"), nil, "[None a b]", "0 1 2 0", `None is read as a value, and not as a missing cell: "x"`},
		{one(",", "none", "a", "b", "none"), nil, "[a b none]", "2 0 1 2", ""},
		{one(",", "-", "+", "-", "+"), nil, "[+ -]", "1 0 1 0", ""},
		{one(",", "True", "FALSE", "true", "0"), nil, "[false true]", "1 0 1 0", ""},
		{one(",", "TRUE", "false", "True", "1"), nil, "[false true]", "1 0 1 1", ""},
		{one(",", "True", "False", "None", "True"), nil, "[False True]", "1 0 - 1", ""},
		{one(",", "Yes", "no", "yes", "NO"), nil, "[no yes]", "1 0 1 0", ""},
		{one(",", "T", "F", "NA", "T"), nil, "[F T]", "1 0 - 1", ""},
		{one(",", "#ff0000", "#00ff00", "red", "red"), nil, "[#00ff00 #ff0000 red]", "1 0 2 2", ""},
	} {
		log, err := format.ReadLog([]byte(c.text), format.LogOptions{Cuts: c.cuts, Actions: []string{}})
		if err != nil {
			t.Errorf("%s%v", c.text, err)
			continue
		}
		// The values are those of the rows that a transition leads from, and of the last one that it leads to.
		cells := strings.Fields(c.want)
		var want []string
		for k := 1; k < len(cells); k++ {
			if cells[k-1] != "-" && cells[k] != "-" {
				want = append(want, cells[k-1]+">"+cells[k])
			}
		}
		var got []string
		for _, tr := range log.Transitions {
			got = append(got, fmt.Sprintf("%d>%d", tr.X[0], tr.Y[0]))
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || fmt.Sprint(log.Space.State[0].Values) != c.values || strings.Join(log.Notes, "; ") != c.notes {
			t.Errorf("%s%v %v %q, want %v %s %q", c.text, got, log.Space.State[0].Values, log.Notes, want, c.values, c.notes)
		}
	}
	// A drug that is called None is one, but not behind the last step.
	log, err := format.ReadLog([]byte("episode,t,x,action\n1,0,0,None\n1,1,1,a\n1,2,0,b\n2,0,1,None\n2,1,0,\n"), format.LogOptions{})
	if err != nil || fmt.Sprint(log.Space.Action, points(log.Transitions)) != "[{action 3 [None a b]}] [{[0 0] [1]} {[1 1] [0]} {[1 0] [0]}]" {
		t.Errorf("%+v, %v", log, err)
	}
	log, err = format.ReadLog([]byte("episode,t,x,action\n1,0,0,a\n1,1,1,b\n1,2,0,None\n2,0,1,a\n2,1,0,None\n"), format.LogOptions{})
	if err != nil || fmt.Sprint(log.Space.Action) != "[{action 2 [a b]}]" || len(log.Transitions) != 3 {
		t.Errorf("%+v, %v", log, err)
	}
	// Truth values are those of a known variable of two values, whatever it calls them.
	for _, labels := range [][]string{nil, {"false", "true"}, {"no", "yes"}, {"yes", "no"}, {"0", "1"}} {
		space := &fmdp.Space{State: []fmdp.Variable{{Name: "sick", Size: 2, Values: labels}}, Action: []fmdp.Variable{{Name: "rest", Size: 2}}}
		log, err := format.ReadLog([]byte("sick,rest,sick'\nTrue,FALSE,0\nno,1,yes\n"), format.LogOptions{Space: space})
		want := "[{[1 0] [0]} {[0 1] [1]}]"
		if labels != nil && labels[0] == "yes" {
			want = "[{[0 0] [1]} {[1 1] [0]}]"
		}
		if err != nil || fmt.Sprint(points(log.Transitions)) != want {
			t.Errorf("%q: %v, %v, want %s", labels, log.Transitions, err, want)
		}
	}
}

// A row that begins with # is a row, unless it has another number of cells than the header. Oracle: by hand.
func TestLogSharp(t *testing.T) {
	const text = "# from a printer\ncolour,paint,colour'\n#ff0000,0,#00ff00\n#00ff00,1,#ff0000\nred,0,red\n# no paint left, alas\nred,1,#00ff00\n#ff0000,1,#ff0000\n"
	log, err := format.ReadLog([]byte(text), format.LogOptions{})
	if err != nil || len(log.Transitions) != 5 || log.Read != 5 || fmt.Sprint(log.Space.State[0].Values) != "[#00ff00 #ff0000 red]" || strings.Join(log.Notes, "; ") != "1 line with # in front left out, with another number of cells than the header" {
		t.Errorf("%+v, %v", log, err)
	}
	var ids strings.Builder
	ids.WriteString("episode,t,x,action\n")
	for k := range 60 {
		fmt.Fprintf(&ids, "#%d,0,%d,a\n#%d,1,%d,\n", k, k%2, k, k%3)
	}
	if log, err := format.ReadLog([]byte(ids.String()), format.LogOptions{}); err != nil || len(log.Transitions) != 60 || log.Read != 120 || len(log.Notes) != 0 {
		t.Errorf("%+v, %v", log, err)
	}
}

// Steps grow by the same, whatever that is; where no transition is known, there is no answer. Oracle: by hand.
func TestLogSteps(t *testing.T) {
	rows := func(times ...string) string {
		text := "episode,t,x,a\n"
		for k, at := range times {
			episode := 1
			if at == "0" && k > 0 {
				episode = 2
			}
			text += fmt.Sprintf("%d,%s,%d,%d\n", episode, at, k%3, k%2)
		}
		return text
	}
	for _, c := range []struct {
		text, froms, says string
	}{
		{rows("0", "5", "10", "15"), "0 1 2", "\"t\" grows by 5 from step to step"},
		{rows("0", "24", "48", "120", "144"), "0 1 0", "\"t\" grows by 24 from step to step; 1 gap in \"t\" within an episode, where no transition is known"},
		{rows("0", "0.1", "0.2", "0.30000000000000004", "0.5"), "0 1 2", "\"t\" grows by 0.1 from step to step; 1 gap in \"t\" within an episode, where no transition is known"},
		{rows("1700000000000", "1700000000001", "1700000000002"), "0 1", ""},
		{rows("1700000000000", "1700000300000", "1700000600000"), "0 1", "\"t\" grows by 300000 from step to step"},
		{rows("3000000000", "3000000001"), "0", ""},
		{rows("-2", "-1", "0"), "0", ""}, // then the next episode begins
		{rows("0", "1", "2", "5", "6"), "0 1 0", "1 gap in \"t\" within an episode, where no transition is known"},
		{rows("0", "1", "NA", "2", "3"), "0 0", ""}, // nothing leads across a row without a step
		{rows("0", "1", "NA", "1", "2"), "", "line 5, column 1: \"t\" does not grow within the episode \"1\""},
		{rows("0", "2", "5", "7"), "", "\"t\" grows by 3 up to line 4 and by 2 elsewhere, so no step can be told; let it count steps, or leave it out, and the rows of an episode follow each other"},
		{"t,x,x'\n0,1,NA\n1,0,NA\n1,0,NA\n", "", "there is no transition: each of the 3 rows has a missing cell"},
		{"episode,t,x,a\n1,0,0,1\n2,0,1,0\n", "", "there is no transition: each of the 2 episodes has one row"},
		{"episode,t,x,a\n", "", "the table has no rows"},
		{"x,a,x'\n1,1,NA\n0,0,NA\n", "", "there is no transition: each of the 2 rows has a missing cell"},
		{"1,2,3\n4,5,6\n", "", "line 1, column 1: the first line holds numbers; a header with the names of the columns was expected"},
		{"x,a\n1,0\n0,1\n", "", "the table has neither columns of next values, such as x' beside x, nor columns of episodes or steps, such as episode and t"},
	} {
		log, err := format.ReadLog([]byte(c.text), format.LogOptions{})
		var froms []string
		for _, tr := range log.Transitions {
			froms = append(froms, fmt.Sprint(tr.X[0]))
		}
		says := strings.Join(log.Notes, "; ")
		if err != nil {
			says = err.Error()
		}
		if (err != nil) != (c.froms == "") || strings.Join(froms, " ") != c.froms || says != c.says {
			t.Errorf("%s%v %q, want %s, %q", c.text, froms, says, c.froms, c.says)
		}
	}
}

// Where no column tells episodes, a new one begins where the step falls, repeats or leaps. Oracle: by hand; x is the number of the row,
// so that it says which rows follow each other, and where episodes begin.
func TestLogEpisodesBySteps(t *testing.T) {
	const falls = `no column tells episodes: a new one begins where "t" falls, repeats or leaps`
	rows := func(times ...string) string {
		text := "t,x,a\n"
		for k, at := range times {
			text += fmt.Sprintf("%s,%d,%d\n", at, k, k%2)
		}
		return text
	}
	ended := func(text string) string {
		return strings.NewReplacer("a\n", "a,done\n", "2,0\n", "2,0,true\n", "0\n", "0,false\n", "1\n", "1,false\n").Replace(text)
	}
	apart := "episode," + strings.ReplaceAll(strings.TrimSuffix(rows("0", "1", "3", "4"), "\n"), "\n", "\n1,")
	for _, c := range []struct {
		text         string
		roles        string // t=state, ...
		froms, first string // the rows that transitions leave, and those in which episodes begin
		says         string
	}{
		{rows("0", "1", "2", "0", "1"), "", "0 1 3", "0 3", falls},
		{rows("0", "1", "1", "2"), "", "0 2", "0 2", falls},
		{rows("0", "1", "2", "5", "6", "8", "9"), "", "0 1 3 5", "0 3 5", falls},
		{rows("0", "10", "20", "47", "57"), "", "0 1 3", "0 3", `"t" grows by 10 from step to step; ` + falls},
		{rows("0", "299", "601", "900", "90000", "90301"), "", "0 1 2 4", "0 4", `"t" grows by 299 to 302 from step to step; ` + falls},
		{rows("2026-03-01 08:00", "2026-03-01 08:05", "2026-03-01 08:10", "2026-03-02 07:58", "2026-03-02 08:03"), "", "0 1 3", "0 3", `"t" grows by 300 from step to step; ` + falls},
		{rows("2026-01-01", "2026-02-01", "2026-03-01", "2026-04-01", "2026-08-01", "2026-09-01"), "", "0 1 2 4", "0 4", `"t" grows by 2419200 to 2678400 from step to step; ` + falls},
		{rows("0", "1", "NA", "3", "4"), "", "0 3", "0", falls}, // a row without a step is one
		{rows("0", "1", "NA", "5", "6"), "", "0 3", "0 3", falls},
		{rows("0", "2", "4", "5", "7"), "", "", "", `"t" grows by 1 up to line 5 and by 2 elsewhere, so no step can be told; let it count steps, or leave it out, and the rows of an episode follow each other`},
		{ended(rows("0", "1", "2", "3", "7")), "", "0 1", "0 3 4", falls + `, and one ends where "done" is true`},
		{rows("0", "1", "5", "2"), "t=nothing", "0 1 2", "0", "no column tells episodes or steps: the rows follow each other, in one episode"},
		{rows("0", "1", "0", "1"), "t=state", "0 1 2", "0", "no column tells episodes or steps: the rows follow each other, in one episode"},
		{apart, "", "0 2", "0", `1 gap in "t" within an episode, where no transition is known`},
		{apart, "episode=nothing", "0 2", "0 2", falls},
		{apart, "t=nothing", "0 1 2", "0", "no column counts steps: the rows of an episode follow each other"},
	} {
		o := format.LogOptions{Roles: map[string]string{}}
		if name, role, ok := format.ParseRole(c.roles); ok {
			o.Roles[name] = role
		}
		log, err := format.ReadLog([]byte(c.text), o)
		says := strings.Join(log.Notes, "; ")
		var froms, first []string
		if err != nil {
			says = err.Error()
		} else {
			x := log.Space.Lookup("x")
			for _, tr := range log.Transitions {
				froms = append(froms, log.Space.Var(x).Label(tr.X[x]))
			}
			for _, s := range log.Starts {
				first = append(first, log.Space.Var(x).Label(s[x]))
			}
		}
		if strings.Join(froms, " ") != c.froms || strings.Join(first, " ") != c.first || says != c.says {
			t.Errorf("%s%s: %v, %v, %q, want %s, %s, %q", c.text, c.roles, froms, first, says, c.froms, c.first, c.says)
		}
	}
	// Of a problem's own variables the same holds.
	space := &fmdp.Space{State: []fmdp.Variable{{Name: "x", Size: 6}}, Action: []fmdp.Variable{{Name: "a", Size: 2}}}
	for role, want := range map[string]int{"step": 2, "nothing": 3} {
		log, err := format.ReadLog([]byte(rows("0", "1", "5", "6")), format.LogOptions{Space: space, Roles: map[string]string{"t": role}})
		if err != nil || len(log.Transitions) != want {
			t.Errorf("t is a %s: %v, %v, want %d", role, log.Transitions, err, want)
		}
	}
}

// A table of very many columns ends in a refusal, and in no more work than its length: these would take minutes otherwise.
func TestLogWide(t *testing.T) {
	long := func(cell string, n int) string {
		var b strings.Builder
		b.WriteString("episode,t")
		for k := range n {
			fmt.Fprintf(&b, cell, k)
		}
		return b.String() + "\n1,0" + strings.Repeat(",1", n) + "\n1,1" + strings.Repeat(",0", n) + "\n"
	}
	for text, want := range map[string]string{
		long(",x%d", 1_000_000):                      "line 1, column 5033: the row has more than 1024 cells",
		strings.Repeat(`"",`, 8<<20/3):               "line 1, column 3073: the row has more than 1024 cells",
		"episode,t,x\n" + strings.Repeat(",", 8<<20): "line 2, column 1025: the row has more than 1024 cells",
		long(",x%d", 1000):                           "1000 columns are taken for variables, more than 256; say which to leave out",
	} {
		if _, err := format.ReadLog([]byte(text), format.LogOptions{}); fmt.Sprint(err) != want {
			t.Errorf("%.30q…: %v, want %s", text, err, want)
		}
	}
	// Most columns may be no variables.
	if log, err := format.ReadLog([]byte(long(",reward%d", 1000)+"1,2"+strings.Repeat(",0", 1000)), format.LogOptions{Roles: map[string]string{"reward7": "state"}}); err != nil || len(log.Transitions) != 2 {
		t.Errorf("%v", err)
	}
}
