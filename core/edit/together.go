package edit

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/formula"
	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// mostTried is how many of the edits that wait are tried in every combination, the newest first. The others are
// tried one by one.
const mostTried = 5

// Waiting is an edit that was refused, and is still refused.
type Waiting struct {
	Edit Edit  // as it is after the edits that were applied: of the variable's new name, at the payoff's new number
	Err  error // why it is refused now
}

// Outcome is what has become of a model after an edit and those that waited for it.
type Outcome struct {
	File    *document.ModelFile
	Notes   []string  // sentences on what else changed
	Waiting []Waiting // in the order in which they were given
	applied []Edit    // in their order
}

// Name returns the name that a variable has after all edits that were applied, or "" if it is gone.
func (o *Outcome) Name(before string) string {
	name := before
	for k := range o.applied {
		if name != "" {
			name = o.applied[k].Name(name)
		}
	}
	return name
}

// Accept says why a valid model is not wanted, or returns nil. Name is that of [Outcome].
type Accept func(f *document.ModelFile, name func(before string) string) error

// Waits returns an error unless the edit may wait: it writes what a person has typed into a cell.
func (e *Edit) Waits() error {
	r, err := lookup(e.Edit)
	if err == nil && !r.waits {
		err = strict.Invalid("/edit", "an edit %q does not wait", e.Edit)
	}
	return err
}

// Together applies an edit to a model, and with it as many as it can of the edits that wait because they were
// refused. Edits that are valid only together are applied together. An edit that waits follows the others: it gets
// a variable's new name, and it is dropped where its variable, its payoff or its row is gone, or where another edit
// has written what it is about.
//
// If the edit itself is refused, nothing changes, and the error is why it is refused alone.
func Together(f *document.ModelFile, e *Edit, waiting []Edit, accept Accept) (*Outcome, error) {
	first := max(0, len(waiting)-mostTried)
	n := len(waiting) - first
	sets := make([]uint, 1<<n) // of the newest that wait: the larger sets before the smaller ones, the newer before the older
	for k := range sets {
		sets[k] = uint(k)
	}
	slices.SortFunc(sets, func(a, b uint) int {
		if c := bits.OnesCount(b) - bits.OnesCount(a); c != 0 {
			return c
		}
		return int(b) - int(a)
	})
	all := make([]*Edit, len(waiting))
	for k := range waiting {
		all[k] = &waiting[k]
	}
	var o *Outcome
	var rest []*Edit
	var err error
	for _, set := range sets {
		if o, rest, err = attempt(&Outcome{File: f}, e, all, func(k int) bool { return k >= first && set>>(k-first)&1 == 1 }, accept); err == nil {
			break
		}
	}
	if err != nil {
		return nil, err // the last set is that without any
	}
	for again := true; again; {
		again = false
		o.Waiting = nil
		for k, w := range rest {
			if w == nil {
				continue
			}
			others := slices.Clone(rest)
			others[k] = nil
			next, left, err := attempt(o, w, others, none, accept)
			if err == nil {
				o, rest, again = next, left, true
				break
			}
			o.Waiting = append(o.Waiting, Waiting{*w, err})
		}
	}
	if n := len(o.applied) - 1; n > 0 {
		o.Notes = append(o.Notes, "What was refused before is accepted now in "+param.Count(n, "cell"))
	}
	return o, nil
}

func none(int) bool { return false }

// attempt applies an edit to what has come of others, and then those of the waiting edits that with says. Left are
// the others as they are then, with nil for those that are gone.
func attempt(before *Outcome, e *Edit, waiting []*Edit, with func(k int) bool, accept Accept) (o *Outcome, left []*Edit, err error) {
	if err := few(before.File); err != nil {
		return nil, nil, err
	}
	d := open(before.File)
	d.notes = slices.Clone(before.Notes)
	d.waiting = make([]*Edit, len(waiting))
	for k, w := range waiting {
		if w != nil {
			d.waiting[k] = new(*w)
		}
	}
	o = &Outcome{applied: slices.Clone(before.applied)}
	take := func(e *Edit) error {
		r, err := lookup(e.Edit)
		if err != nil {
			return err
		}
		o.applied = append(o.applied, *e)
		return d.follow(e, r)
	}
	if err := take(e); err != nil {
		return nil, nil, err
	}
	for k := range d.waiting {
		if w := d.waiting[k]; w != nil && with(k) {
			d.waiting[k] = nil
			if err := take(w); err != nil {
				return nil, nil, err
			}
		}
	}
	if o.File, err = d.close(); err == nil {
		err = accept(o.File, o.Name)
	}
	o.Notes = d.notes
	return o, d.waiting, err
}

// follow makes an edit, and drops the edits that wait for what it has written, or for a row of a table that has
// other rows now.
func (d *draft) follow(e *Edit, r row) error {
	shapes := make([][]int, len(d.waiting))
	for k, w := range d.waiting {
		if w == nil {
			continue
		}
		if w.replacedBy(e) {
			d.waiting[k] = nil
		} else {
			shapes[k] = d.shape(w)
		}
	}
	if err := r.do(d, e); err != nil {
		return err
	}
	for k, w := range d.waiting {
		if w != nil && !slices.Equal(d.shape(w), shapes[k]) {
			d.waiting[k] = nil
		}
	}
	return nil
}

// shape returns the sizes of the table whose row an edit writes, and nil for any other edit.
func (d *draft) shape(e *Edit) []int {
	switch e.Edit {
	case "row":
		if j := d.m.Lookup(e.Of); j >= 0 && j < d.m.Y() {
			return append(d.m.Sizes(d.m.Transition[j].Given), d.m.State[j].Size)
		}
	case "mean":
		if e.At >= 0 && e.At < len(d.m.Reward) {
			return d.m.Sizes(d.m.Reward[e.At].Given)
		}
	}
	return nil
}

// replacedBy reports whether another edit writes what this one would.
func (e *Edit) replacedBy(other *Edit) bool {
	if e.Edit == other.Edit {
		return e.Of == other.Of && e.At == other.At && e.Row == other.Row
	}
	formula := strings.TrimSpace(other.To) != ""
	switch e.Edit {
	case "law":
		return e.Of == other.Of && slices.Contains([]string{"row", "fill", "parent"}, other.Edit)
	case "row":
		return e.Of == other.Of && (other.Edit == "fill" || other.Edit == "law" && formula)
	case "payoff":
		return e.At == other.At && other.Edit == "mean"
	case "mean":
		return e.At == other.At && other.Edit == "payoff" && formula
	}
	return false
}

// gone drops the edits that wait for a payoff or an end, whose words begin with kind, and counts those behind it anew.
func (d *draft) gone(kind string, at int) {
	for k, w := range d.waiting {
		if w == nil || w.Edit != kind && !strings.HasPrefix(w.Edit, kind+"-") && !(kind == "payoff" && w.Edit == "mean") {
			continue
		}
		switch {
		case w.At == at:
			d.waiting[k] = nil
		case w.At > at:
			w.At--
		}
	}
}

// restate gives the edges of a variable or a payoff in the prior its new name, and drops them if it has none.
func (d *draft) restate(from, to string) {
	d.prior = document.Rename(d.prior, func(name string) string {
		if name == from {
			return to
		}
		return name
	})
}

// renamed gives the edits that wait for a variable its new name, and drops them if it has none. So it does with the prior.
func (d *draft) renamed(from, to string) {
	d.restate(from, to)
	for k, w := range d.waiting {
		if w == nil || w.Of != from {
			continue
		}
		if w.Of = to; to == "" {
			d.waiting[k] = nil
		}
	}
}

// each replaces each formula by what change returns for it, also those that wait. The place is that in the document.
func (d *draft) each(change func(place, text string, law bool) string) {
	each(&d.formulas, change)
	for _, w := range d.waiting {
		if w == nil {
			continue
		}
		switch w.Edit {
		case "law":
			w.To = change(fmt.Sprintf("/transition/%d/formula", d.m.Lookup(w.Of)), w.To, true)
		case "payoff", "start", "end", "legal":
			w.To = change("", w.To, false)
		}
	}
}

// clip lets the law of a variable that has lost values give the last one where its formula gives one that is gone,
// as tables do.
func (d *draft) clip(j int) {
	text := d.formulas.Laws[j]
	if text == "" {
		return
	}
	if clipped := (&formula.Tabulator{Space: &d.m.Space}).Clip(text, j); clipped != text {
		d.formulas.Laws[j] = clipped
		d.note("Where the law of %q gave a value that is gone, it now gives the last one", param.Clip(d.m.State[j].Name))
	}
}
