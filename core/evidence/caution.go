package evidence

import (
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"

	"cpsrl/core/concentration"
	"cpsrl/core/document"
	"cpsrl/core/posterior"
)

// Caution says that transitions are few for the widest table that they weigh.
type Caution struct {
	Of          string   `json:"of"`      // the Y variable
	Parents     []string `json:"parents"` // of the table
	Rows        int      `json:"rows"`
	Visited     int      `json:"visited"` // the rows that a transition is in
	Transitions int      `json:"transitions"`
	Imagined    float64  `json:"imagined"` // Σα over the table: it weighs as much as so many transitions
	Text        string   `json:"text"`     // the same as a sentence
}

// enough is the number of transitions for each imagined one from which on there is no caution.
const enough = 10

// visits counts which rows of the widest candidate table transitions are in.
type visits struct {
	file    *document.PriorFile
	y       int
	given   []int
	seen    []uint64 // a bit for each row
	visited int
	n       int
}

// newVisits returns the visits of the widest table of a weighing: the one with the most entries; of
// several, the first.
func newVisits(file *document.PriorFile, w *posterior.Weighing) *visits {
	y, z := w.Widest()
	v := &visits{file: file, y: y, given: z.Parents()}
	v.seen = make([]uint64, file.Space.Rows(v.given)/64+1)
	return v
}

// watch returns the transitions as they are, and counts them.
func (v *visits) watch(data iter.Seq2[posterior.Step, error]) iter.Seq2[posterior.Step, error] {
	return func(yield func(posterior.Step, error) bool) {
		for step, err := range data {
			if err == nil {
				row := v.file.Space.Row(v.given, step.Point)
				if bit := uint64(1) << (row % 64); v.seen[row/64]&bit == 0 {
					v.seen[row/64] |= bit
					v.visited++
				}
				v.n++
			}
			if !yield(step, err) {
				return
			}
		}
	}
}

// caution returns one if the rows of tables share nothing, α is a fixed number, and there are at least
// two transitions, but fewer than ten for each imagined one in the widest table; else nil.
func (v *visits) caution() *Caution {
	rows, space := v.file.Rows, v.file.Space
	if v.file.Structure != concentration.Rows || rows.Learns() || rows.Mixes() || len(v.given) == 0 || v.n < 2 {
		return nil
	}
	size, all := space.State[v.y].Size, space.Rows(v.given)
	alpha := rows.Alphas(size, all)[0]
	imagined := alpha * float64(size) * float64(all)
	if float64(v.n) >= enough*imagined {
		return nil
	}
	c := &Caution{space.State[v.y].Name, space.Names(v.given), all, v.visited, v.n, imagined, ""}
	n := len(c.Parents)
	given := c.Parents[n-1]
	if n > 1 {
		given = strings.Join(c.Parents[:n-1], ", ") + " and " + given
	}
	c.Text = fmt.Sprintf("the widest table that was weighed, of %s′ given %s, has %d rows, and the %d transitions visit %d of them; with α = %s it weighs as much as %s imagined transitions, so a true parent may be missed",
		c.Of, given, all, v.n, v.visited, number(alpha), number(imagined))
	return c
}

// number returns a short text of a number.
func number(v float64) string {
	if v == math.Trunc(v) {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}
