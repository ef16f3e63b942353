package record

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cpsrl/core/fmdp"
)

// tied returns a table over the given variables whose rows repeat along some of them, as a
// random partition of the values in each context says: one block, all single, one value
// against the rest, or blocks of any kind.
func tied(rng *rand.Rand, s *fmdp.Space, given []int) *fmdp.Factor {
	f := &fmdp.Factor{Given: given, Size: 2}
	label := make([]int, s.Rows(given)) // of the row that a row repeats
	for row := range label {
		label[row] = row
	}
	for range rng.IntN(4) {
		k, kind := rng.IntN(len(given)), rng.IntN(5)
		n := s.Var(given[k]).Size
		a, often := rng.IntN(n), rng.IntN(4)
		point := make([]int, s.X())
		for row := range label {
			for k, rest := len(given)-1, row; k >= 0; k-- {
				point[given[k]] = rest % s.Var(given[k]).Size
				rest /= s.Var(given[k]).Size
			}
			v := point[given[k]]
			switch {
			case kind == 0 && rng.IntN(4) < often: // anything
				label[row] = label[rng.IntN(row+1)]
			case kind == 1 && rng.IntN(4) < often || kind >= 2 && v != a && point[given[0]] < often:
				point[given[k]] = (a + 1) % n * min(1, kind-1)
				label[row] = label[s.Row(given, point)]
			}
		}
	}
	for _, r := range label {
		p := float64(r+1) / float64(len(label)+1)
		f.P = append(f.P, p, 1-p)
	}
	return f
}

// space returns a space of variables s0, s1, … and a0, a1, … of those sizes.
func space(state, action []int) fmdp.Space {
	var s fmdp.Space
	for i, n := range state {
		s.State = append(s.State, fmdp.Variable{Name: fmt.Sprint("s", i), Size: n})
	}
	for i, n := range action {
		s.Action = append(s.Action, fmdp.Variable{Name: fmt.Sprint("a", i), Size: n})
	}
	return s
}

var shapes = []fmdp.Space{
	space([]int{2, 3}, []int{2}),
	space([]int{3, 4}, []int{2, 2}),
	space([]int{5, 1, 2}, []int{6}),
	space([]int{9}, []int{1, 3}),
	space([]int{2, 2, 2, 2}, []int{5}),
}

// ties visits random tables.
func ties(rounds int, visit func(s *fmdp.Space, f *fmdp.Factor)) {
	rng := rand.New(rand.NewPCG(1, 2))
	for k := range rounds {
		s := &shapes[k%len(shapes)]
		given := rng.Perm(s.X())
		visit(s, tied(rng, s, given[:1+rng.IntN(len(given))]))
	}
}

// slowContexts finds the contexts of the parent at place k of a table by comparing the rows
// of all pairs of points of the whole space that differ in this parent only. It returns them
// with the values of the other parents, and which pairs of values share a row in each.
func slowContexts(s *fmdp.Space, f *fmdp.Factor, k int) (points [][]int, same [][][]bool) {
	seen := map[string]int{}
	n := s.Var(f.Given[k]).Size
	for x := range s.Points() {
		point := s.Point(make([]int, s.X()), x)
		var rest []int
		for _, i := range f.Given {
			if i != f.Given[k] {
				rest = append(rest, point[i])
			}
		}
		key := fmt.Sprint(rest)
		at, ok := seen[key]
		if !ok {
			at = len(points)
			seen[key] = at
			points = append(points, rest)
			same = append(same, make([][]bool, n))
			for v := range n {
				same[at][v] = make([]bool, n)
			}
		}
		v := point[f.Given[k]]
		for w := range n {
			other := slices.Clone(point)
			other[f.Given[k]] = w
			same[at][v][w] = slices.Equal(f.Row(s.Row(f.Given, point)), f.Row(s.Row(f.Given, other)))
		}
	}
	order := make([]int, len(points))
	for c := range order {
		order[c] = c
	}
	slices.SortFunc(order, func(a, b int) int { return slices.Compare(points[a], points[b]) })
	sorted, pairs := [][]int{}, [][][]bool{}
	for _, c := range order {
		sorted, pairs = append(sorted, points[c]), append(pairs, same[c])
	}
	return sorted, pairs
}

// agree reports whether all values of a set share a row.
func agree(same [][]bool, except ...int) bool {
	for v := range same {
		for w := range same {
			if !same[v][w] && !slices.Contains(except, v) && !slices.Contains(except, w) {
				return false
			}
		}
	}
	return true
}

// Oracle: rows compared pair by pair over the whole space.
func TestContexts(t *testing.T) {
	effects := map[int]int{}
	ties(2000, func(s *fmdp.Space, f *fmdp.Factor) {
		for k, i := range f.Given {
			points, same := slowContexts(s, f, k)
			got := contexts(s, f, i)
			if len(got) != len(points) {
				t.Fatalf("%v: %d contexts, want %d", f, len(got), len(points))
			}
			for c, effect := range got {
				want := mixed
				if agree(same[c]) {
					want = alike
				} else if len(same[c]) > 2 {
					for v := range same[c] {
						if agree(same[c], v) {
							want = v
						}
					}
				}
				if effect != want {
					t.Fatalf("%v, parent %d, context %v: %d, want %d", f, i, points[c], effect, want)
				}
				effects[min(effect, 3)]++
			}
		}
	})
	if len(effects) != 6 {
		t.Errorf("the tables have only the effects %v", effects)
	}
}

var (
	asText    = regexp.MustCompile(`^matters only as (.*) \(its other values are alike\)(, and |$)`)
	partText  = regexp.MustCompile(`^(only|not) (?:in (\d+) of (?:the )?(\d+) contexts ?)?(?:where (.*))?$`)
	clause    = regexp.MustCompile(`^(\w+) is (not |neither )?(.*)$`)
	separator = regexp.MustCompile(`, | or | nor `)
)

// check reads a text and returns why it is not true, or "".
func check(s *fmdp.Space, f *fmdp.Factor, k int, text string) string {
	points, same := slowContexts(s, f, k)
	matters := func(c int) bool { return !agree(same[c]) }
	number := func(label string) int { n, _ := strconv.Atoi(label); return n }
	numbers := func(list string) (values []int) {
		for _, label := range separator.Split(list, -1) {
			values = append(values, number(label))
		}
		return values
	}
	all := func(is func(c int) bool) bool {
		for c := range points {
			if !is(c) {
				return false
			}
		}
		return true
	}
	switch text {
	case "":
		if !all(matters) {
			return "it does not matter everywhere"
		}
		return ""
	case "does not matter":
		if !all(func(c int) bool { return !matters(c) }) {
			return "it matters somewhere"
		}
		return ""
	}
	rest := strings.Replace(strings.TrimPrefix(text, "matters "), "does not matter ", "not ", 1)
	if m := asText.FindStringSubmatch(text); m != nil {
		values := numbers(m[1])
		if m[1] == "one value, not always the same" {
			values = nil
			for v := range same[0] { // those that are alone somewhere
				if !all(func(c int) bool { return !matters(c) || !agree(same[c], v) }) {
					values = append(values, v)
				}
			}
			if len(values) < 2 || !all(func(c int) bool {
				return slices.ContainsFunc(values, func(v int) bool { return agree(same[c], v) })
			}) {
				return "it is the same value, or more than one"
			}
			values = values[:1]
		} else if !all(func(c int) bool { return agree(same[c], values...) }) {
			return "the other values are not alike"
		}
		if len(same[0])-len(values) < 2 {
			return "there are no other values"
		}
		if rest = text[len(m[0]):]; m[2] == "" {
			if !all(matters) {
				return "it does not matter everywhere"
			}
			return ""
		}
	}
	m := partText.FindStringSubmatch(rest)
	if m == nil {
		return "it has another form"
	}
	var others []int
	for _, i := range f.Given {
		if i != f.Given[k] {
			others = append(others, i)
		}
	}
	within, both := 0, 0
	for c, point := range points {
		in := true
		if m[4] != "" {
			for _, text := range strings.Split(m[4], " and ") {
				part := clause.FindStringSubmatch(text)
				at := slices.Index(others, s.Lookup(part[1]))
				in = in && slices.Contains(numbers(part[3]), point[at]) == (part[2] == "")
			}
		}
		is := matters(c) == (m[1] == "only")
		if is && !in {
			return fmt.Sprintf("the context %v is left out", point)
		}
		if in {
			within++
		}
		if in && is {
			both++
		}
	}
	if m[2] == "" && both != within || m[2] != "" && (number(m[2]) != both || number(m[3]) != within) {
		return fmt.Sprintf("it is so in %d of %d contexts", both, within)
	}
	if both == 0 || both == len(points) {
		return "it is so everywhere or nowhere"
	}
	return ""
}

// Every text is true, and says exactly where. Oracle: a reader of the texts, which holds them
// against rows that are compared pair by pair.
func TestWhereIsTrue(t *testing.T) {
	forms := map[string]int{}
	form := regexp.MustCompile(`\w+ is (not|neither|)[^()]*|\d+`)
	ties(6000, func(s *fmdp.Space, f *fmdp.Factor) {
		texts := where(s, f)
		for k, i := range f.Given {
			text := ""
			if texts != nil {
				text = texts[k]
			}
			if s.Var(i).Size == 1 {
				if text != "" {
					t.Fatalf("%q of a variable with one value", text)
				}
				continue
			}
			if why := check(s, f, k, text); why != "" {
				t.Fatalf("%v, parent %d: %q, but %s", f, i, text, why)
			}
			forms[form.ReplaceAllString(asText.ReplaceAllString(text, "matters only as A$2"), "X$1")]++
		}
	})
	if len(forms) < 12 {
		t.Errorf("the texts have only the forms %v", forms)
	}
}

// Texts by hand.
func TestWhere(t *testing.T) {
	move := fmdp.Variable{Name: "move", Size: 4, Values: []string{"south", "north", "east", "west"}}
	reboot := fmdp.Variable{Name: "reboot", Size: 5, Values: []string{"m1", "m2", "m3", "m4", "none"}}
	s := &fmdp.Space{State: []fmdp.Variable{{Name: "row", Size: 3}, {Name: "m2", Size: 2}, {Name: "one", Size: 1}}, Action: []fmdp.Variable{move, reboot, {Name: "dial", Size: 9}}}
	const row, m2, one, moves, reboots, dial = 0, 1, 2, 3, 4, 5
	for _, of := range []struct {
		given []int
		law   func(v []int) int // equal rows have equal numbers; by the values of the given variables
		want  []string          // nil: nothing to say
	}{
		{[]int{reboots}, func(v []int) int { return v[0] }, nil},
		{[]int{m2, reboots}, func(v []int) int { return v[0]*5 + v[1] }, nil},
		{[]int{reboots}, func(v []int) int { return 0 }, []string{"does not matter"}},
		{[]int{one, m2}, func(v []int) int { return 0 }, []string{"", "does not matter"}},
		{[]int{reboots}, func(v []int) int { return v[0] / 2 % 2 * 10 }, []string{"matters only as m3 or m4 (its other values are alike)"}},
		{[]int{m2, reboots}, func(v []int) int { // SysAdmin: a machine that is rebooted runs
			if v[1] == 2 {
				return 9
			}
			return v[0]
		}, []string{"matters only where reboot is not m3", "matters only as m3 (its other values are alike)"}},
		{[]int{row, moves}, func(v []int) int { return v[0] * min(v[1]/2, 1) }, []string{
			"matters only where move is east or west",
			"matters only as east or west (its other values are alike), and only where row is not 0"}},
		{[]int{row, moves}, func(v []int) int { return v[0] * max(0, v[1]-2) }, []string{
			"matters only where move is west", "matters only as west (its other values are alike), and only where row is not 0"}},
		{[]int{moves, dial}, func(v []int) int { // another value in each context
			if v[1] == 3+v[0] {
				return 9
			}
			return v[0]
		}, []string{"", "matters only as one value, not always the same (its other values are alike)"}},
		{[]int{m2, dial}, func(v []int) int { return v[0] * (v[1] / 2) }, []string{
			"matters only where dial is neither 0 nor 1", "matters only where m2 is 1"}},
		{[]int{m2, dial}, func(v []int) int { return v[0]*10 + v[1]%2*v[1] }, nil},
		{[]int{m2, dial}, func(v []int) int { return v[0] * (v[1] % 2) }, []string{
			"matters only in 4 of 9 contexts", "matters only where m2 is 1"}},
		{[]int{row, m2, moves}, func(v []int) int { // unless row = 2 and move = east
			if v[0] == 2 && v[2] == 2 {
				return 99
			}
			return v[0]*8 + v[1]*4 + v[2]
		}, []string{"", "does not matter where row is 2 and move is east", ""}},
		{[]int{row, m2, moves}, func(v []int) int { // on a diagonal within two rows and two moves
			if v[0] < 2 && v[0] == v[2] {
				return v[1]
			}
			return 9
		}, []string{
			"matters only as one value, not always the same (its other values are alike), and only where move is south or north",
			"matters only in 2 of the 4 contexts where row is not 2 and move is south or north",
			"matters only as south or north (its other values are alike), and only where row is not 2"}},
	} {
		f := &fmdp.Factor{Given: of.given, Size: 2}
		for r := range s.Rows(of.given) {
			v := make([]int, len(of.given))
			for k, rest := len(v)-1, r; k >= 0; k-- {
				v[k] = rest % s.Var(of.given[k]).Size
				rest /= s.Var(of.given[k]).Size
			}
			p := float64(of.law(v)) / 128
			f.P = append(f.P, p, 1-p)
		}
		if got := where(s, f); !slices.Equal(got, of.want) {
			t.Errorf("given %v: %q, want %q", s.Names(of.given), got, of.want)
		}
	}
}

// Texts are short, whatever the names: a name that is too long is left out, not cut, and the text
// stays true.
func TestWhereIsShort(t *testing.T) {
	long := strings.Repeat("n", fmdp.MaxName-2)
	ties(1000, func(s *fmdp.Space, f *fmdp.Factor) {
		for _, length := range []int{1, 20, fmdp.MaxName} {
			named := fmdp.Space{State: slices.Clone(s.State), Action: slices.Clone(s.Action)}
			for i := range named.X() {
				v := named.Var(i)
				v.Name = v.Name + long[:max(0, length-2)]
				for value := range v.Size {
					v.Values = append(v.Values, strings.Repeat("0", length)+fmt.Sprint(value)) // a number still
				}
			}
			for k, text := range where(&named, f) {
				if len(text) > MaxWhere {
					t.Errorf("%d bytes: %q", len(text), text)
				}
				if why := check(&named, f, k, text); why != "" && named.Var(f.Given[k]).Size > 1 {
					t.Errorf("%q, but %s", text, why)
				}
			}
		}
	})
}
