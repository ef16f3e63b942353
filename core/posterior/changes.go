package posterior

// changes holds what the last steps changed, and lists the rows of a set that they changed.
type changes struct {
	seen []seen
	at   []int32 // of each point, one more than its place in seen; 0 if there is none
	rows []int32 // those that rowsAt found

	list   []int32
	listed int    // one more than the set of list; 0 if there is none
	marks  []bool // of the rows of a table; all false between calls
}

// seen is how often an outcome was seen at a point in some steps.
type seen struct {
	point, outcome int32
	times          uint32
	next           int32 // one more than the place of another outcome of the point; 0 if there is none
}

// gather counts outcomes by point.
func (c *changes) gather(rows, points, outcomes []int32) {
	c.rows, c.seen, c.listed = rows, c.seen[:0], 0
	for t, x := range points {
		if int(x) >= len(c.at) {
			c.at = append(c.at, make([]int32, int(x)+1-len(c.at))...)
		}
		k := c.at[x]
		for k > 0 && c.seen[k-1].outcome != outcomes[t] {
			k = c.seen[k-1].next
		}
		if k > 0 {
			c.seen[k-1].times++
			continue
		}
		c.seen = append(c.seen, seen{x, outcomes[t], 1, c.at[x]})
		c.at[x] = int32(len(c.seen))
	}
	for _, s := range c.seen {
		c.at[s.point] = 0
	}
}

// of returns the rows of a set that have changed, counted from the first row of the set. The next
// call overwrites them.
func (c *changes) of(l *Local, set int) []int32 {
	if c.listed == set+1 {
		return c.list
	}
	first, height, sets := l.first[set], l.height(set), len(l.sets)
	c.reserve(height)
	c.list, c.listed = c.list[:0], set+1
	for _, s := range c.seen {
		if r := c.rows[int(s.point)*sets+set] - first; !c.marks[r] {
			c.marks[r] = true
			c.list = append(c.list, r)
		}
	}
	c.unmark(c.list)
	return c.list
}

// reserve makes room for the marks of that many rows.
func (c *changes) reserve(height int) {
	if height > len(c.marks) {
		c.marks = make([]bool, height)
	}
}

// marked returns the marks of the rows of a table of that height, with these rows marked. The caller
// takes the marks away by unmark.
func (c *changes) marked(rows []int32, height int) []bool {
	c.reserve(height)
	for _, r := range rows {
		c.marks[r] = true
	}
	return c.marks
}

func (c *changes) unmark(rows []int32) {
	for _, r := range rows {
		c.marks[r] = false
	}
}

// count counts the outcomes of steps in the rows that rowsAt has found.
func (l *Local) count(rows, points, outcomes []int32) {
	ch, sets := &l.channels[0], len(l.sets)
	l.changes.gather(rows, points, outcomes)
	size, totals := ch.size, ch.totals
	for _, s := range l.changes.seen {
		counts, times := ch.counts[s.outcome:], s.times
		for _, row := range rows[int(s.point)*sets:][:sets] {
			counts[int(row)*size] += times
			totals[row] += times
		}
	}
}
