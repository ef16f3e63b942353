package edit

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// sizes returns the sizes of the variables.
func sizes(list []fmdp.Variable) []int {
	n := make([]int, len(list))
	for k, v := range list {
		n[k] = v.Size
	}
	return n
}

// index returns the number of a tuple in the product of the sizes, the last varying fastest.
func index(size, tuple []int) (k int) {
	for i, v := range tuple {
		k = k*size[i] + v
	}
	return k
}

// relay returns a table with n entries a row for given variables of other sizes: each row is the row
// before of the tuple that from returns.
func relay[T any](table []T, n int, before, after []int, from func(tuple []int)) []T {
	relaid := []T{}
	for _, tuple := range fmdp.Tuples(after) {
		old := slices.Clone(tuple)
		from(old)
		k := index(before, old)
		relaid = append(relaid, table[k*n:(k+1)*n]...)
	}
	return relaid
}

// resize gives variable i other values: from has the old value of each, or −1 for a new one. It reports whether
// values are gone.
func (d *draft) resize(i int, from []int) (gone bool) {
	m, before, size := d.m, d.m.Var(i).Size, len(from)
	to := slices.Repeat([]int{-1}, before) // the new value of each old one
	for v, old := range from {
		if old >= 0 {
			to[old] = v
		}
	}
	gone = slices.Contains(to, -1)
	now := func(old int) int { // those that are gone become the last one
		if to[old] < 0 {
			return size - 1
		}
		return to[old]
	}
	is := func(g int) bool { return g == i || i < m.Y() && g == m.X()+i }
	again := func(given []int) (old, next []int, changes bool, back func([]int)) {
		old = d.m.Sizes(given)
		next = slices.Clone(old)
		for k, g := range given {
			if is(g) {
				next[k] = size
			}
		}
		return old, next, slices.ContainsFunc(given, is), func(tuple []int) {
			for k, g := range given {
				if !is(g) {
					continue
				}
				if tuple[k] = from[tuple[k]]; tuple[k] < 0 {
					tuple[k] = before - 1
				}
			}
		}
	}
	for j := range m.Transition {
		f := &m.Transition[j]
		if old, next, changes, back := again(f.Given); changes {
			f.P = relay(f.P, f.Size, old, next, back)
		}
		if j != i {
			continue
		}
		var p []float64
		for row := range len(f.P) / f.Size {
			column := make([]float64, size)
			for v, q := range f.Row(row) {
				column[now(v)] += q
			}
			p = append(p, column...)
		}
		f.P, f.Size = p, size
	}
	for k := range m.Reward {
		r := &m.Reward[k]
		if old, next, changes, back := again(r.Given); changes {
			r.Mean = relay(r.Mean, 1, old, next, back)
		}
	}
	for k := range m.Ends {
		e := &m.Ends[k]
		if at := slices.Index(e.Given, i); at >= 0 {
			kept := [][]int{}
			for _, values := range e.Is {
				if to[values[at]] >= 0 {
					values = slices.Clone(values)
					values[at] = to[values[at]]
					kept = append(kept, values)
				}
			}
			e.Is = kept
		}
	}
	if i < m.Y() {
		old := sizes(m.State[:d.written()])
		next := slices.Clone(old)
		next[i] = size
		d.restart(old, next, func(tuple []int) []int {
			tuple[i] = now(tuple[i])
			return tuple
		})
	} else if m.Legal != nil {
		d.relegal(func(values []int) []int {
			if values[i-m.Y()] = to[values[i-m.Y()]]; values[i-m.Y()] < 0 {
				return nil
			}
			return values
		})
	}
	return gone
}

// restart carries the initial distribution over to other sizes: the function to returns the new tuple
// of an old one.
func (d *draft) restart(old, now []int, to func(tuple []int) []int) {
	all := 1
	for _, n := range now {
		all = min(all*n, fmdp.MaxPoints+1)
	}
	if all > fmdp.MaxPoints {
		d.initial = nil // too many states: close refuses them
		return
	}
	if d.formulas.Initial == "" && !slices.ContainsFunc(d.initial, func(p float64) bool { return p != d.initial[0] }) {
		d.initial = fmdp.Uniform(all) // as before
		return
	}
	start := make([]float64, all)
	for k, tuple := range fmdp.Tuples(old) {
		if d.initial[k] > 0 {
			start[index(now, to(slices.Clone(tuple)))] += d.initial[k]
		}
	}
	d.initial = start
}

// relegal carries a list of legal actions over: the function to returns the new tuple of an old one, or nil.
func (d *draft) relegal(to func(values []int) []int) {
	if d.m.Legal == nil || d.formulas.Legal != "" {
		return
	}
	var list [][]int
	seen := map[string]bool{}
	for _, values := range d.m.Legal.List() {
		now := to(slices.Clone(values))
		if now == nil {
			continue
		}
		var key []byte
		for _, v := range now {
			key = binary.AppendUvarint(key, uint64(v))
		}
		if !seen[string(key)] {
			seen[string(key)], list = true, append(list, now)
		}
	}
	d.listed, d.relisted = list, true
}

// reindex changes the indices of variables. The function to returns the new index of an old one, −1 for a
// variable that is gone.
func (d *draft) reindex(to func(i int) int) {
	m := d.m
	for j := range m.Transition {
		m.Transition[j].Given = mapped(m.Transition[j].Given, to)
	}
	for k := range m.Reward {
		r := &m.Reward[k]
		r.Given = mapped(r.Given, to)
		if r.Of >= 0 {
			r.Of = to(r.Of)
		}
	}
	for k := range m.Ends {
		m.Ends[k].Given = mapped(m.Ends[k].Given, to)
	}
}

func mapped(given []int, to func(int) int) []int {
	list := make([]int, len(given))
	for k, i := range given {
		list[k] = to(i)
	}
	return list
}

// fresh returns a name that no variable has.
func (d *draft) fresh(letter string) string {
	for k := 1; ; k++ {
		if name := fmt.Sprintf("%s%d", letter, k); d.m.Lookup(name) < 0 {
			return name
		}
	}
}

// add adds a variable behind the others of its kind. To is its name; without one, it gets one.
func (d *draft) add(e *Edit, state bool) error {
	m := d.m
	name := strings.TrimSpace(e.To)
	if name == "" {
		name = d.fresh(map[bool]string{true: "x", false: "a"}[state])
	}
	if err := d.free(name, "", state, "/to"); err != nil {
		return err
	}
	v := fmdp.Variable{Name: name, Size: 2}
	if !state {
		d.reindex(d.inserted(m.X(), false))
		m.Action = append(m.Action, v)
		d.relegal(func(values []int) []int { return append(values, 0) })
		if d.relisted {
			for _, values := range slices.Clone(d.listed) {
				d.listed = append(d.listed, append(slices.Clone(values[:len(values)-1]), 1))
			}
		}
		return nil
	}
	at := d.seen()
	d.reindex(d.inserted(at, true))
	old := sizes(m.State[:d.written()])
	now := slices.Insert(slices.Clone(old), at, 2)
	d.restart(old, now, func(tuple []int) []int { return slices.Insert(tuple, at, 0) })
	m.State = slices.Insert(m.State, at, v)
	m.Transition = slices.Insert(m.Transition, at, fmdp.Factor{Given: []int{at}, Size: 2, P: []float64{1, 0, 0, 1}})
	d.formulas.Laws = slices.Insert(d.formulas.Laws, at, "")
	return nil
}

// inserted returns the new index of a variable when one is put in at index i of X.
func (d *draft) inserted(i int, state bool) func(int) int {
	x := d.m.X()
	return func(g int) int {
		j := g - x
		switch {
		case g < i:
			return g
		case g < x:
			return g + 1
		case state && j >= i:
			return x + 1 + j + 1
		default:
			return x + 1 + j
		}
	}
}

// removed returns the new index of a variable when the one at index i of X is taken out, −1 for that one.
func (d *draft) removed(i int) func(int) int {
	x, y := d.m.X(), d.m.Y()
	return func(g int) int {
		j := g - x
		switch {
		case g == i || g >= x && i < y && j == i:
			return -1
		case g < x && g > i:
			return g - 1
		case g >= x && i < y && j > i:
			return x - 1 + j - 1
		case g >= x:
			return x - 1 + j
		default:
			return g
		}
	}
}

// remove takes a variable out. Tables become those for its first value.
func (d *draft) remove(e *Edit) error {
	i, err := d.variable(e)
	if err != nil {
		return err
	}
	m, state := d.m, i < d.m.Y()
	switch {
	case state && d.seen() == 1 && i < d.seen():
		return strict.Invalid(d.place(i), "a problem has at least one state variable")
	case !state && len(m.Action) == 1:
		return strict.Invalid(d.place(i), "a problem has at least one action")
	}
	if place, text := d.naming(i); text != "" {
		return strict.Invalid(place, "the formula %q names %q; change the formula first", param.Cut(text, 80), param.Clip(e.Of))
	}
	d.renamed(e.Of, "")
	next := m.X() + i
	without := func(given []int) (k int, has bool) {
		for k, g := range given {
			if g == i || state && g == next {
				return k, true
			}
		}
		return 0, false
	}
	changed := 0
	for j := range m.Transition {
		f := &m.Transition[j]
		if k, has := without(f.Given); has && j != i {
			f.P = d.first(f.P, f.Size, f.Given, k)
			f.Given = slices.Delete(slices.Clone(f.Given), k, k+1)
			changed++
		}
	}
	for n := range m.Reward {
		r := &m.Reward[n]
		for k, has := without(r.Given); has; k, has = without(r.Given) {
			r.Mean = d.first(r.Mean, 1, r.Given, k)
			r.Given = slices.Delete(slices.Clone(r.Given), k, k+1)
			changed++
		}
	}
	var idle []int // the ends of which nothing remains
	for n := range m.Ends {
		end := &m.Ends[n]
		if k, has := without(end.Given); has {
			is := [][]int{}
			for _, values := range end.Is {
				if values[k] == 0 {
					is = append(is, slices.Delete(slices.Clone(values), k, k+1))
				}
			}
			if end.Is, end.Given = is, slices.Delete(slices.Clone(end.Given), k, k+1); len(end.Given) == 0 {
				idle = append(idle, n)
			}
			changed++
		}
	}
	for _, n := range slices.Backward(idle) {
		m.Ends, d.formulas.Ends = slices.Delete(m.Ends, n, n+1), slices.Delete(d.formulas.Ends, n, n+1)
		d.gone("end", n)
		d.note("End %d was only about %q and is gone", n+1, param.Clip(e.Of))
	}
	if changed > 0 {
		d.note("Where %q was given, the tables for its first value remain", param.Clip(e.Of))
	}
	if state {
		old := sizes(m.State[:d.written()])
		now := slices.Delete(slices.Clone(old), i, i+1)
		d.restart(old, now, func(tuple []int) []int { return slices.Delete(tuple, i, i+1) })
		m.Transition, d.formulas.Laws = slices.Delete(m.Transition, i, i+1), slices.Delete(d.formulas.Laws, i, i+1)
		if i >= d.seen() {
			m.Hidden--
		}
		d.reindex(d.removed(i))
		m.State = slices.Delete(m.State, i, i+1)
		return nil
	}
	k := i - m.Y()
	d.relegal(func(values []int) []int { return slices.Delete(values, k, k+1) })
	d.reindex(d.removed(i))
	m.Action = slices.Delete(m.Action, k, k+1)
	return nil
}

// first returns the rows of a table in which given variable k has its first value.
func (d *draft) first(table []float64, n int, given []int, k int) []float64 {
	before := d.m.Sizes(given)
	after := slices.Delete(slices.Clone(before), k, k+1)
	relaid := []float64{}
	for _, tuple := range fmdp.Tuples(after) {
		row := index(before, slices.Insert(slices.Clone(tuple), k, 0))
		relaid = append(relaid, table[row*n:(row+1)*n]...)
	}
	return relaid
}

// move moves a variable among those of its kind, by a number of places.
func (d *draft) move(e *Edit) error {
	i, err := d.variable(e)
	if err != nil {
		return err
	}
	by, err := number(e.To, "/to")
	if err != nil {
		return err
	}
	m := d.m
	low, high := 0, d.seen() // of its kind
	switch {
	case i >= m.Y():
		low, high = m.Y(), m.X()
	case i >= d.seen():
		low, high = d.seen(), d.written()
	}
	to := i + by
	if to < low || to >= high {
		return strict.Invalid("/to", "there is no such place")
	}
	order := make([]int, m.X()) // the old index of each new one
	for k := range order {
		order[k] = k
	}
	order = slices.Insert(slices.Delete(order, i, i+1), to, i)
	x := m.X()
	d.reindex(func(g int) int {
		if g >= x {
			return x + slices.Index(order, g-x)
		}
		return slices.Index(order, g)
	})
	if i >= m.Y() {
		y := m.Y()
		action := slices.Clone(m.Action)
		for k := range action {
			action[k] = m.Action[order[y+k]-y]
		}
		m.Action = action
		d.relegal(func(values []int) []int {
			now := slices.Clone(values)
			for k := range now {
				now[k] = values[order[y+k]-y]
			}
			return now
		})
		return nil
	}
	permute := func(tuple []int) []int {
		now := slices.Clone(tuple)
		for k := range now {
			now[k] = tuple[order[k]]
		}
		return now
	}
	old := sizes(m.State[:d.written()])
	d.restart(old, permute(old), permute)
	state, laws, formulas := slices.Clone(m.State), slices.Clone(m.Transition), slices.Clone(d.formulas.Laws)
	for k := range state {
		state[k], laws[k], formulas[k] = m.State[order[k]], m.Transition[order[k]], d.formulas.Laws[order[k]]
	}
	m.State, m.Transition, d.formulas.Laws = state, laws, formulas
	return nil
}

// parent adds the variable To as a parent of the law, or removes it: the table is repeated for each of its
// values, or becomes that for its first.
func (d *draft) parent(e *Edit) error {
	j, err := d.state(e)
	if err != nil {
		return err
	}
	i := d.m.Lookup(e.To)
	place := fmt.Sprintf("/transition/%d", j)
	switch {
	case i < 0:
		return strict.Invalid("/to", "there is no variable %q", param.Clip(e.To))
	case d.formulas.Laws[j] != "":
		return strict.Invalid(place+"/formula", "the parents of %q are those that its formula names; change the formula", param.Clip(e.Of))
	}
	f := &d.m.Transition[j]
	if k := slices.Index(f.Given, i); k >= 0 {
		f.P = d.first(f.P, f.Size, f.Given, k)
		f.Given = slices.Delete(slices.Clone(f.Given), k, k+1)
		return nil
	}
	rows, size := len(f.P)/f.Size, d.m.Var(i).Size
	if rows*size > fmdp.MaxTable/f.Size {
		return strict.Invalid(place, "the table of %q would have more than %d entries", param.Clip(e.Of), fmdp.MaxTable)
	}
	var p []float64
	for row := range rows {
		for range size {
			p = append(p, f.Row(row)...)
		}
	}
	f.P, f.Given = p, append(slices.Clone(f.Given), i)
	return nil
}

// law writes the formula of a law. Without a text, its table stays.
func (d *draft) law(e *Edit) error {
	j, err := d.state(e)
	if err == nil {
		d.formulas.Laws[j] = strings.TrimSpace(e.To)
	}
	return err
}

// row writes a row of the table of a law.
func (d *draft) row(e *Edit) error {
	j, err := d.state(e)
	if err != nil {
		return err
	}
	place := fmt.Sprintf("/transition/%d/p/%d", j, e.Row)
	p, err := e.numbers(place)
	if err != nil {
		return err
	}
	f := &d.m.Transition[j]
	switch {
	case e.Row < 0 || e.Row >= len(f.P)/f.Size:
		return strict.Invalid("/row", "there is no row %d", e.Row)
	case len(p) != f.Size:
		return strict.Invalid(place, "the row has %d probabilities for the %d values of %q", len(p), f.Size, param.Clip(e.Of))
	}
	d.formulas.Laws[j] = ""
	f.P = slices.Clone(f.P)
	copy(f.Row(e.Row), p)
	return nil
}
