package render

import (
	"slices"

	"cpsrl/core/document"
	"cpsrl/core/record"
)

// scene draws the world; it is a row of scenes.
type scene struct {
	// draws reports whether the trace has what the scene needs.
	draws  func(t *record.Trace) bool
	widest float64 // the largest width in CSS px beside the graph; 0 for no limit
	height func(d *draft, width float64) float64
	draw   func(d *draft, b Box)
	// step describes one step of the episode in a clause.
	step func(d *draft, step record.TraceStep) string
}

// scenes is in the order in which they are tried. The last scene draws every trace.
var scenes = []*scene{
	{pictured[*document.GridPicture], mostGrid, (*draft).gridHeight, (*draft).grid, (*draft).gridStep},
	{pictured[*document.ChartPicture], 0, (*draft).chartHeight, (*draft).chart, (*draft).chartStep},
	{pictured[*document.NodesPicture], 0, (*draft).networkHeight, (*draft).network, (*draft).networkStep},
	{func(*record.Trace) bool { return true }, 0, (*draft).trajectoryHeight, (*draft).trajectory, (*draft).pointStep},
}

// searching draws the moment plan of any trace without a listed policy.
var searching = &scene{nil, 0, (*draft).searchHeight, (*draft).search, (*draft).pointStep}

// pictured reports whether the trace has a picture of that kind.
func pictured[P document.Picture](t *record.Trace) bool {
	_, is := t.Picture().(P)
	return is
}

// sceneOf returns the first scene that draws the trace.
func sceneOf(t *record.Trace) *scene {
	return scenes[slices.IndexFunc(scenes, func(s *scene) bool { return s.draws(t) })]
}
