package format

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/document"
)

// Table says how a table of transitions was read.
type Table struct {
	State   []document.Variable `json:"state"`   // as they were found, or as the prior says
	Action  []document.Variable `json:"action"`  // the same
	Columns []Column            `json:"columns"` // all of them, in their order
	Rows    int                 `json:"rows"`    // that were used
	Refused int                 `json:"refused"` // in which a cell is missing
	Notes   []string            `json:"notes"`   // sentences on what was left out
}

// Table says how the log was read.
func (l *Log) Table() *Table {
	vars := document.NewVariables(l.Space)
	return &Table{State: vars.State, Action: vars.Action, Columns: l.Columns, Rows: l.Read, Refused: l.Refused, Notes: append([]string{}, l.Notes...)}
}

// Column says what a column of a table of transitions was taken for.
type Column struct {
	Name string `json:"name"`
	Role string `json:"role"`         // one of [Roles]
	Of   string `json:"of,omitzero"`  // the variable whose next value it holds
	Why  string `json:"why,omitzero"` // why it is left out, as in: has one value, "A"
	// Cuts are cut points that divide the numbers of a state or an action into parts of about as many rows, if they are not all
	// whole and nobody has said cut points, with the number of rows in each part.
	Cuts []float64 `json:"cuts,omitzero"`
	Rows []int     `json:"rows,omitzero"`
}

// parts is how many parts the cut points of a column make that are proposed.
const parts = 3

// What a column may be taken for.
const (
	AsEpisode = "episode" // tells episodes apart, alone or with others
	AsStep    = "step"    // grows within an episode by the same from step to step
	AsState   = "state"
	AsAction  = "action"
	AsNext    = "next"    // the next value of a state variable
	AsReward  = "reward"  // of the step; it says nothing about the graph
	AsEnd     = "end"     // tells the last rows of episodes
	AsNothing = "nothing" // left out
)

// Roles returns what a column may be taken for.
func Roles() []string {
	return []string{AsEpisode, AsStep, AsState, AsAction, AsNext, AsReward, AsEnd, AsNothing}
}

// ParseRole reads what a column is taken for: NAME=ROLE, as in day=episode.
func ParseRole(text string) (name, role string, ok bool) {
	at := strings.LastIndexByte(text, '=')
	if at < 0 || !slices.Contains(Roles(), text[at+1:]) {
		return "", "", false
	}
	return text[:at], text[at+1:], true
}

// ParseCuts reads the cut points of a column: NAME=POINTS, as in glucose=70,100,140.
func ParseCuts(text string) (name string, points []float64, ok bool) {
	at := strings.LastIndexByte(text, '=')
	if at < 0 {
		return "", nil, false
	}
	for part := range strings.SplitSeq(text[at+1:], ",") {
		point, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || math.IsNaN(point) || math.IsInf(point, 0) {
			return "", nil, false
		}
		points = append(points, point)
	}
	return text[:at], points, true
}

// WriteCuts writes what ParseCuts reads.
func WriteCuts(name string, points []float64) string {
	list := make([]string, len(points))
	for k, point := range points {
		list[k] = strconv.FormatFloat(point, 'f', -1, 64)
	}
	return name + "=" + strings.Join(list, ",")
}
