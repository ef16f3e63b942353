package render

import (
	"fmt"

	"cpsrl/core/param"
	"cpsrl/core/record"
)

// searchHeight returns the height of the panel of a search.
func (d *draft) searchHeight(float64) float64 {
	return titleBand + 24 + rowHeight*float64(max(1, len(d.tried())))
}

// tried returns what the search of the shown step liked best. An episode may have ended before that step.
func (d *draft) tried() []record.TraceAction {
	if h := d.shownStep(); h <= len(d.trace.Steps) {
		return d.trace.Steps[h-1].Tried
	}
	return nil
}

// triedName returns the name of an action, with its variable where a number alone would say little.
func (d *draft) triedName(action []int) string {
	if v := &d.space.Action[0]; len(action) == 1 && v.Values == nil {
		return v.Name + " = " + v.Label(action[0])
	}
	return d.actionName(action)
}

// search draws what the search of a step made of the actions of its state: a bar for the mean of what the trials of each
// paid, and their number. What it would do elsewhere, nobody has asked.
func (d *draft) search(b Box) {
	list, h := d.tried(), d.shownStep()
	about := fmt.Sprintf("no list holds the states: each step searches anew; step %d", h)
	if d.trace.Steps == nil || list == nil {
		about = "the agent does not search: no policy is listed"
	}
	b = d.panel(b, "The plan", about)
	if list == nil {
		return
	}
	low, high, labels := min(0, list[len(list)-1].Value), max(0, list[0].Value), 0.0
	for _, tried := range list {
		labels = max(labels, widthOf(d.triedName(tried.Action), small, false))
	}
	labels = min(labels, b.W*0.4)
	const numbers = 132
	x, w := b.X+labels+10, max(20, b.W-labels-10-numbers)
	zero := x + share(0, low, high)*w
	played := d.trace.Steps[h-1].X
	d.text(b.right(), b.Y+12, End, tiny, false, Muted, "mean of trials, and their number")
	for k, tried := range list {
		y := b.Y + 24 + rowHeight*float64(k)
		is := fmt.Sprint(tried.Action) == fmt.Sprint(d.actionOf(played))
		d.text(b.X, y+15, Start, small, is, Ink, fit(d.triedName(tried.Action), small, is, labels))
		end := x + share(tried.Value, low, high)*w
		color := Faint
		if is {
			color = Sampled
		}
		d.add(Rect{X: min(zero, end), Y: y + 4, W: max(1, max(zero, end)-min(zero, end)), H: rowHeight - 8, Radius: 2, Fill: color})
		d.text(b.right()-62, y+15, End, small, false, Ink, decimal(tried.Value, 2))
		d.text(b.right(), y+15, End, small, false, Muted, fmt.Sprint(tried.Trials))
	}
}

// searchSentence says what the search of the shown step found.
func (d *draft) searchSentence() string {
	list := d.tried()
	if list == nil {
		return "no list holds the states, and the agent does not search"
	}
	return fmt.Sprintf("in step %d the search likes %s best, with a mean of %s in %s", d.shownStep(), d.triedName(list[0].Action), decimal(list[0].Value, 2), param.Count(list[0].Trials, "trial"))
}
