package render

import (
	"slices"

	"cpsrl/core/record"
	"cpsrl/core/strict"
)

// scene draws the world; it is a row of scenes. A domain names its scene in its row
// (domain.Kind.Picture), and the page passes the name on in a view.
type scene struct {
	key string
	// draws reports whether the trace has what the scene needs.
	draws  func(t *record.Trace) bool
	widest float64 // the largest width in CSS px beside the graph; 0 for no limit
	height func(d *draft, width float64) float64
	draw   func(d *draft, b Box)
	// step describes one step of the episode in a clause.
	step func(d *draft, step record.TraceStep) string
}

// scenes is in the order in which a view without a scene tries them. The last scene draws
// every trace.
var scenes = []*scene{
	{"taxi", hasGrid, mostGrid, (*draft).gridHeight, (*draft).grid, (*draft).taxiStep},
	{"", always, 0, (*draft).trajectoryHeight, (*draft).trajectory, (*draft).pointStep},
}

func hasGrid(t *record.Trace) bool { return t.Grid != nil }
func always(*record.Trace) bool    { return true }

// sceneOf returns the scene that a view names, or the first that draws the trace.
func (v *View) sceneOf(t *record.Trace) (*scene, error) {
	k := slices.IndexFunc(scenes, func(s *scene) bool { return s.key == v.Scene || v.Scene == "" && s.draws(t) })
	s := scenes[k]
	if !s.draws(t) {
		return nil, strict.Invalid("/scene", "the trace has nothing for the scene %q to draw", v.Scene)
	}
	return s, nil
}

// sceneNames returns the scenes that a view may name.
func sceneNames() []string {
	var names []string
	for _, s := range scenes {
		if s.key != "" {
			names = append(names, s.key)
		}
	}
	return names
}
