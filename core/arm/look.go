package arm

import "fmt"

// Look is how an agent's curves are drawn. Colours have a contrast of at least 3:1 on
// white and on #121212. Agents of different colours also differ in their dashes.
type Look struct {
	Color string    `json:"color"` // #RRGGBB
	Dash  []float64 `json:"dash"`  // lengths of strokes and gaps at a line of width 2; empty for a solid line
}

// Agents of one colour get these colours and dashes, in their order. The colours keep the contrast
// of a [Look], and the dashes tell the lines apart where colours do not, in print and for the
// colour-blind.
var (
	spareColors = []string{"#CC79A7", "#8C6D31", "#8F6BB3", "#7D7D00", "#7F7F7F"}
	spareDashes = [][]float64{{12, 3}, {2, 2}, {8, 2, 2, 2}, {5, 5}, {16, 4, 4, 4}, {3, 6}, {9, 3, 3, 3, 3, 3}, {1, 5}, {20, 6}, {6, 2}, {4, 8}}
)

// Apart returns n looks that differ from these looks and from each other, in colour as long as
// there are spare colours.
func Apart(from map[string]Look, n int) []Look {
	used := map[string]bool{} // holds colours, and dashes as text
	for _, look := range from {
		used[look.Color], used[fmt.Sprint(look.Dash)] = true, true
	}
	looks := make([]Look, 0, n)
	color, dash := 0, 0
	for range n {
		for tries := 0; tries < len(spareColors) && used[spareColors[color%len(spareColors)]]; tries++ {
			color++
		}
		for tries := 0; tries < len(spareDashes) && used[fmt.Sprint(spareDashes[dash%len(spareDashes)])]; tries++ {
			dash++
		}
		looks = append(looks, Look{Color: spareColors[color%len(spareColors)], Dash: spareDashes[dash%len(spareDashes)]})
		color, dash = color+1, dash+1
	}
	return looks
}

// Looks returns the looks of agents that are drawn together, by label. An agent whose look an
// earlier agent has gets another colour and another dash. Labels that Parse refuses are left out.
func Looks(labels []string) map[string]Look {
	looks, used := map[string]Look{}, map[string]bool{} // used holds colours, and looks as text
	spare := 0
	for _, label := range labels {
		arm, err := Parse(label)
		if _, has := looks[label]; has || err != nil {
			continue
		}
		look := arm.Look()
		for tries := 0; used[fmt.Sprint(look)] && tries < len(spareDashes)*len(spareColors); tries++ {
			next := Look{Color: spareColors[spare%len(spareColors)], Dash: spareDashes[spare%len(spareDashes)]}
			spare++
			if !used[next.Color] || tries >= len(spareColors) {
				look = next
			}
		}
		looks[label], used[look.Color], used[fmt.Sprint(look)] = look, true, true
	}
	return looks
}

// foreignColor is the colour of curves of other programs, which no agent has.
const foreignColor = "#707070"

// foreignDashes are the dashes of such curves, in their order.
var foreignDashes = [][]float64{{1.5, 2.5}, {1.5, 6}, {1.5, 2.5, 1.5, 6}, {5, 2.5, 1.5, 2.5, 1.5, 2.5}}

// Foreign returns n looks for curves of other programs: dots of a grey that no agent has. After the
// fourth they repeat.
func Foreign(n int) []Look {
	looks := make([]Look, n)
	for k := range looks {
		looks[k] = Look{Color: foreignColor, Dash: foreignDashes[k%len(foreignDashes)]}
	}
	return looks
}
