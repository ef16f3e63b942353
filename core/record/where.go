package record

import (
	"fmt"
	"slices"
	"strings"

	"cpsrl/core/fmdp"
)

// What a given variable does to a table in one context, an assignment of the other given
// variables. Any other effect is the one value whose row differs, while all others share a row.
const (
	alike = -1 // all values share a row: the variable does not matter
	mixed = -2 // it matters, and not by one value alone; so it is if it has two values
)

// contexts returns what X_i, a given variable of a table, does in each context. Contexts are
// in the order of rows: the last of the other given variables varies fastest. Rows are equal
// if all their entries are. This is the context-specific independence of Boutilier et al.
// (1996).
func contexts(s *fmdp.Space, f *fmdp.Factor, i int) []int {
	rows, _ := rowsOf(f)
	return parentOf(s, f, rows, slices.Index(f.Given, i)).effects()
}

// MaxWhere is the largest length of a text of where, in bytes.
const MaxWhere = 300

const (
	mostListed = 3  // values that a text lists
	mostPhrase = 96 // bytes of a part of a text in which there are names
)

// where says in words where each given variable of a table matters, such as "matters only
// where move is south or north". What it says is exact. A text is empty if there is nothing to
// say: the variable matters in every context and as more than a few values, or no data can
// tell, because one of the two ends of the edge has one value. It returns nil if all texts
// are empty.
//
// A variable may matter only as some values, or as one that depends on the context: the others
// share a row. The contexts where it matters, or the rest of them, are named if they are a
// product of sets of values. Else they are counted, within the smallest such product if that
// has a name.
func where(s *fmdp.Space, f *fmdp.Factor) []string {
	rows, different := rowsOf(f)
	if different == len(rows) || f.Size == 1 {
		return nil
	}
	texts, some := make([]string, len(f.Given)), false
	for k, i := range f.Given {
		if s.Var(i).Size > 1 {
			texts[k] = parentOf(s, f, rows, k).where()
			some = some || texts[k] != ""
		}
	}
	if !some {
		return nil
	}
	return texts
}

// rowsOf numbers the rows of a table so that equal ones have the same number. It also returns how
// many rows differ.
func rowsOf(f *fmdp.Factor) (numbers []int32, different int) {
	return classes(len(f.P)/f.Size, func(a, b int32) int { return slices.Compare(f.Row(int(a)), f.Row(int(b))) })
}

// classes numbers n things so that equal ones have the same number.
func classes(n int, compare func(a, b int32) int) (numbers []int32, different int) {
	order := make([]int32, n)
	for k := range order {
		order[k] = int32(k)
	}
	slices.SortFunc(order, compare)
	numbers = make([]int32, n)
	for k, at := range order {
		if k == 0 || compare(order[k-1], at) != 0 {
			different++
		}
		numbers[at] = int32(different - 1)
	}
	return numbers, different
}

// parent is a given variable of a table whose rows have numbers.
type parent struct {
	*fmdp.Variable
	rows   []int32
	inner  int              // rows from one of its values to the next
	others []*fmdp.Variable // the other given variables
}

func parentOf(s *fmdp.Space, f *fmdp.Factor, rows []int32, k int) *parent {
	p := &parent{Variable: s.Var(f.Given[k]), rows: rows, inner: s.Rows(f.Given[k+1:])}
	for _, i := range slices.Delete(slices.Clone(f.Given), k, k+1) {
		p.others = append(p.others, s.Var(i))
	}
	return p
}

// row returns the number of the row in a context.
func (p *parent) row(context, value int) int32 {
	return p.rows[(context/p.inner*p.Size+value)*p.inner+context%p.inner]
}

func (p *parent) effects() []int {
	list := make([]int, len(p.rows)/p.Size)
	for c := range list {
		// Unless one value alone differs, or several do, the others have the row that two of
		// the first three have.
		usual, effect := p.row(c, 0), alike
		if p.Size > 2 && p.row(c, 1) == p.row(c, 2) {
			usual = p.row(c, 1)
		}
		for v := range p.Size {
			switch {
			case p.row(c, v) == usual:
			case effect == alike && p.Size > 2:
				effect = v
			default:
				effect = mixed
			}
		}
		list[c] = effect
	}
	return list
}

func (p *parent) where() string {
	effects := p.effects()
	var without, matters []int // contexts
	for c, effect := range effects {
		if effect == alike {
			without = append(without, c)
		} else {
			matters = append(matters, c)
		}
	}
	if len(matters) == 0 {
		return "does not matter"
	}
	as := p.as()
	if lone := distinct(effects, matters); as == "" && len(lone) > 1 && lone[0] != mixed {
		as = "matters only as one value, not always the same (its other values are alike)"
	}
	if len(without) == 0 {
		return as
	}
	only, not := p.part(matters), p.part(without)
	switch better := not.rank > only.rank; {
	case as != "" && better:
		return as + ", and not " + not.text
	case as != "":
		return as + ", and only " + only.text
	case better:
		return "does not matter " + not.text
	}
	return "matters only " + only.text
}

// distinct returns the different effects in some contexts, in their order.
func distinct(effects, contexts []int) []int {
	list := make([]int, len(contexts))
	for k, c := range contexts {
		list[k] = effects[c]
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// part is some of the contexts, in words. Its rank is 2 if the words name them, 1 if they
// count them within a product, and else 0.
type part struct {
	text string
	rank int
}

func (p *parent) part(contexts []int) part {
	switch name, size := p.product(contexts); {
	case size == len(contexts):
		return part{"where " + name, 2}
	case name != "":
		return part{fmt.Sprintf("in %d of the %d contexts where %s", len(contexts), size, name), 1}
	}
	return part{fmt.Sprintf("in %d of %d contexts", len(contexts), len(p.rows)/p.Size), 0}
}

// as says as which values the variable matters, if in every context all others share a row. It
// is empty if there are fewer than two others.
func (p *parent) as() string {
	if p.Size < 3 {
		return ""
	}
	class, different := classes(p.Size, func(a, b int32) int {
		for c := range len(p.rows) / p.Size {
			if d := int(p.row(c, int(a))) - int(p.row(c, int(b))); d != 0 {
				return d
			}
		}
		return 0
	})
	members := make([]int, different)
	for _, k := range class {
		members[k]++
	}
	others := slices.Index(members, slices.Max(members))
	if members[others] < 2 {
		return ""
	}
	in := make([]bool, p.Size)
	for v, k := range class {
		in[v] = int(k) != others
	}
	names := listed(p.Variable, in, true, "or")
	if names == "" || len(names) > mostPhrase {
		return ""
	}
	return "matters only as " + names + " (its other values are alike)"
}

// product names the smallest product of sets of values of the other given variables that has
// these contexts, and returns how many contexts it has. A set that takes too many words is
// taken to be that of all values.
func (p *parent) product(contexts []int) (name string, size int) {
	in := make([][]bool, len(p.others))
	for k, v := range p.others {
		in[k] = make([]bool, v.Size)
	}
	for _, c := range contexts {
		for k := len(p.others) - 1; k >= 0; k-- {
			n := p.others[k].Size
			in[k][c%n] = true
			c /= n
		}
	}
	size = 1
	for k, v := range p.others {
		longer := v.Name + " " + among(v, in[k])
		if name != "" {
			longer = name + " and " + longer
		}
		if among(v, in[k]) == "" || len(longer) > mostPhrase {
			size *= v.Size
			continue
		}
		name = longer
		size *= count(in[k], true)
	}
	return name, size
}

// among says that a value is in a set. It is empty if all values are, or if that takes too
// many words.
func among(v *fmdp.Variable, in []bool) string {
	verb, list := "is ", ""
	switch no := count(in, false); {
	case no == 0:
	case no >= len(in)-no:
		list = listed(v, in, true, "or")
	case no == 1:
		verb, list = "is not ", listed(v, in, false, "")
	default:
		verb, list = "is neither ", listed(v, in, false, "nor")
	}
	if list == "" {
		return ""
	}
	return verb + list
}

// list returns the labels of the values that are in a set, or are not. It is empty if there are
// too many, or if one of them is.
func listed(v *fmdp.Variable, in []bool, whether bool, last string) string {
	n := count(in, whether)
	if n > mostListed {
		return ""
	}
	var labels []string
	for value, is := range in {
		if is == whether {
			labels = append(labels, v.Label(value))
		}
	}
	switch {
	case slices.Contains(labels, ""):
		return ""
	case n == 1:
		return labels[0]
	}
	return strings.Join(labels[:n-1], ", ") + " " + last + " " + labels[n-1]
}

func count(in []bool, whether bool) (n int) {
	for _, is := range in {
		if is == whether {
			n++
		}
	}
	return n
}
