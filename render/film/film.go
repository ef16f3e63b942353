// Package film shows a run of one agent as pictures of the stage: an episode moment by moment, then
// episodes that pass by, one picture each. A film needs nothing that computes. The page plays one
// before anyone opens the stage, and after each edit.
package film

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"iter"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/render"
)

// Film is pictures of one agent in one run. Marks that several pictures share are written once.
type Film struct {
	Agent    string   `json:"agent"`    // its name
	Run      int      `json:"run"`      // counted from 0
	Episodes int      `json:"episodes"` // of the run
	Width    float64  `json:"width"`    // CSS px
	Height   float64  `json:"height"`   // CSS px
	Marks    []string `json:"marks"`    // elements of SVG, in the colours of the page
	Beliefs  []Mind   `json:"beliefs,omitempty"`
	Frames   []Frame  `json:"frames"`

	world bool            // whether the graph is left out
	known map[string]int  // the index of each mark
	first *render.Picture // of the first frame
}

// Frame is one picture.
type Frame struct {
	Episode int    `json:"episode"`
	Text    string `json:"text"`  // what it shows, in one sentence
	Time    int    `json:"time"`  // ms that it stays
	Marks   []int  `json:"marks"` // runs of the film's marks, back to front: a first index and a count, and so on
	// Belief is the film's belief at this picture, counted from 1; 0 for none.
	Belief int `json:"belief,omitzero"`
}

// Mind is what the agent believes of the graph, for a film of the world alone: pictures that follow
// each other share it.
type Mind struct {
	Graph [][]int `json:"graph"`           // the sampled one: the parents of each Y
	Edges [][]int `json:"edges,omitempty"` // the probability of each edge in percent, by Y, then X
}

// The widths of films in CSS px: with world and graph side by side, and of the world alone.
const (
	Width = 648
	World = 336
)

// A larger graph is no part of a film: the page shows its matrix first.
const mostX, mostY = 10, 8

// Cut says what a film shows of a run. Episodes ascend.
type Cut struct {
	Whole   []int // episodes with all their moments
	Passing []int // episodes with one picture, of their end
	Parts   int   // pictures of each step
	World   bool  // the world alone, with what the agent believes as numbers
}

// Highlights is the cut of the film in README: the first guess, one episode on the way, and one after
// the agent has learned. Episodes that the run does not have are the last one.
func Highlights(episodes, parts int) Cut {
	return Cut{Whole: slices.Compact([]int{1, min(20, episodes), min(100, episodes)}), Parts: parts}
}

// Smooth is the number of pictures of each step with which a drive looks smooth.
const Smooth = 3

// passing is the number of pictures that pass by in the cut of a whole run.
const passing = 40

// Learning is the cut of a run in under a minute: the first episode, then episodes that pass by ever
// faster, and the last one. It has the world alone.
func Learning(episodes, parts int) Cut {
	c := Cut{Whole: slices.Compact([]int{1, episodes}), Parts: parts, World: true}
	for i := range passing {
		k := int(math.Round(2 * math.Pow(float64(episodes)/2, float64(i)/(passing-1))))
		if k > 1 && k < episodes && !slices.Contains(c.Passing, k) {
			c.Passing = append(c.Passing, k)
		}
	}
	return c
}

// How long pictures stay, and how many there are.
const (
	opening = time.Second             // the first picture, which the page has shown already while it loaded the film
	dwell   = 1500 * time.Millisecond // a moment that does not move, and the end of a drive
	pace    = 330 * time.Millisecond  // a step
	steps   = 12                      // at most so many steps of an episode, and its end
	slow    = 1200 * time.Millisecond // the first episode that passes by
	quick   = 200 * time.Millisecond  // the last one
)

// Shot is an episode: its record and, if the cut shows the episode, a piece of the film. A piece has the
// marks and frames that are new, and the height so far; [Film.Append] puts pieces together.
type Shot struct {
	*record.Record
	Piece *Film
}

// Shoot plays a run up to the last episode that the cut shows, and yields each episode. If ctx ends, the
// error is that of ctx.
func Shoot(ctx context.Context, e *experiment.Experiment, run int, label string, cut Cut) (iter.Seq2[Shot, error], error) {
	s := e.Spec()
	last := max(slices.Max(append([]int{1}, cut.Whole...)), slices.Max(append([]int{1}, cut.Passing...)))
	told, err := e.Tell(ctx, run, label, last, func(k int) bool { return slices.Contains(cut.Whole, k) || k == 1 })
	if err != nil {
		return nil, err
	}
	return func(yield func(Shot, error) bool) {
		f := &Film{Agent: e.NameOf(label), Run: run, Episodes: s.Episodes, Width: Width, world: cut.World, known: map[string]int{}}
		if cut.World {
			f.Width = World
		}
		var trace *record.Trace
		passed := 0
		for k, err := range told {
			if err != nil {
				yield(Shot{}, err)
				return
			}
			if k.Trace != nil {
				trace = k.Trace
			}
			marks, frames, beliefs := len(f.Marks), len(f.Frames), len(f.Beliefs)
			switch {
			case slices.Contains(cut.Whole, k.Record.Episode):
				for _, view := range takes(trace, cut.Parts) {
					if err = f.add(trace, view, pace/time.Duration(cut.Parts)); err != nil {
						break
					}
				}
			case slices.Contains(cut.Passing, k.Record.Episode):
				share := float64(passed) / float64(max(1, len(cut.Passing)-1))
				stays := time.Duration(float64(slow) * math.Pow(float64(quick)/float64(slow), share))
				passed++
				var p *render.Picture
				if p, err = render.DrawEpisode(trace, k.Episode, render.StageView{Width: f.Width, World: f.world, Agent: f.Agent}); err == nil {
					f.put(p, k.Record.Episode, stays)
					if b := k.Record.Belief; b != nil && b.Scored != nil {
						var edges [][]float64
						if b.Updated != nil {
							edges = b.Edges
						}
						f.believe(b.Graph, edges)
					}
				}
			}
			if err != nil {
				yield(Shot{}, err)
				return
			}
			shot := Shot{Record: &k.Record}
			if len(f.Frames) > frames {
				piece := *f
				piece.Marks, piece.Frames, piece.Beliefs = f.Marks[marks:], f.Frames[frames:], f.Beliefs[beliefs:]
				shot.Piece = &piece
			}
			if !yield(shot, nil) {
				return
			}
		}
	}, nil
}

// Append puts a piece behind the film. The zero Film is empty.
func (f *Film) Append(piece *Film) {
	marks, frames, beliefs := append(slices.Clip(f.Marks), piece.Marks...), append(slices.Clip(f.Frames), piece.Frames...), append(slices.Clip(f.Beliefs), piece.Beliefs...)
	*f = *piece
	f.Marks, f.Frames, f.Beliefs = marks, frames, beliefs
}

// Of returns the whole film of a run.
func Of(ctx context.Context, e *experiment.Experiment, run int, label string, cut Cut) (*Film, error) {
	shots, err := Shoot(ctx, e, run, label, cut)
	if err != nil {
		return nil, err
	}
	f := new(Film)
	for shot, err := range shots {
		if err != nil {
			return nil, err
		}
		if shot.Piece != nil {
			f.Append(shot.Piece)
		}
	}
	return f, nil
}

// Subject returns the label of the agent to show: the first agent with a graph that is no
// baseline, or else the lowest baseline with a graph, or else the first agent.
func Subject(e *experiment.Experiment) string {
	label, rank := "", math.MaxInt
	for _, l := range e.Spec().Agents {
		arm, _ := e.Arm(l)
		if label == "" || arm.Graph && arm.Baseline < rank {
			label = l
		}
		if arm.Graph {
			rank = min(rank, arm.Baseline)
		}
	}
	return label
}

// First returns the first picture, as high as the highest one, so that the film does not move the page.
func (f *Film) First() *render.Picture {
	p := *f.first
	p.Height = f.Height
	return &p
}

// takes returns the views of an episode in their order, with so many of each step.
func takes(t *record.Trace, parts int) []render.StageView {
	views := []render.StageView{{Moment: render.Sample}, {Moment: render.Plan}}
	act := func(step float64) {
		views = append(views, render.StageView{Moment: render.Act, Step: step, Values: new(bool), Policy: new(bool)})
	}
	for k := range min(len(t.Steps), steps) * parts {
		act(float64(k) / float64(parts))
	}
	act(float64(len(t.Steps)))
	return append(views, render.StageView{Moment: render.Update})
}

// draw draws a view.
func (f *Film) draw(t *record.Trace, v render.StageView) (*render.Picture, error) {
	v.Width, v.World, v.Agent = f.Width, f.world, f.Agent
	return render.Draw(t, v)
}

// add appends the picture of a view. The picture of a part of a drive stays for the given time.
func (f *Film) add(t *record.Trace, v render.StageView, part time.Duration) error {
	p, err := f.draw(t, v)
	if err != nil {
		return err
	}
	stays := dwell
	switch {
	case f.first == nil:
		stays = opening
	case v.Moment == render.Act && v.Step < float64(len(t.Steps)):
		stays = part
	}
	f.put(p, t.Episode, stays)
	belief := t.Before
	if v.Moment == render.Update {
		belief = t.After
	}
	edges := make([][]float64, len(belief))
	for j, b := range belief {
		edges[j] = b.Edges
	}
	f.believe(t.Sampled.Graph, edges)
	return nil
}

// believe says what the agent believes at the last picture.
func (f *Film) believe(graph [][]int, edges [][]float64) {
	if !f.world || graph == nil || len(graph) > mostY {
		return
	}
	next := Mind{Graph: graph}
	for _, of := range edges {
		if len(of) > mostX {
			return
		}
		row := make([]int, len(of))
		for i, p := range of {
			row[i] = int(math.Round(100 * p))
		}
		next.Edges = append(next.Edges, row)
	}
	if n := len(f.Beliefs); n == 0 || !reflect.DeepEqual(f.Beliefs[n-1], next) {
		f.Beliefs = append(f.Beliefs, next)
	}
	f.Frames[len(f.Frames)-1].Belief = len(f.Beliefs)
}

// put appends a picture, in the colours of the page.
func (f *Film) put(p *render.Picture, episode int, stays time.Duration) {
	p.Theme, p.Fitted = render.Page, true
	next := Frame{Episode: episode, Text: p.Text, Time: int(stays.Milliseconds())}
	_, body, _ := strings.Cut(string(render.Inline(p)), "\n") // one mark a line
	for mark := range strings.Lines(strings.TrimSuffix(body, "</svg>\n")) {
		mark = strings.TrimSuffix(mark, "\n")
		k, ok := f.known[mark]
		if !ok {
			k = len(f.Marks)
			f.known[mark] = k
			f.Marks = append(f.Marks, mark)
		}
		if n := len(next.Marks); n > 0 && next.Marks[n-2]+next.Marks[n-1] == k {
			next.Marks[n-1]++
		} else {
			next.Marks = append(next.Marks, k, 1)
		}
	}
	if f.first == nil {
		f.first = p
	}
	f.Height = max(f.Height, p.Height)
	f.Frames = append(f.Frames, next)
}

// SVG returns the film as a picture that moves by its own style and repeats. To readers who prefer
// reduced motion it shows the first frame. Each run of marks is written once. The names in it are
// made of its marks, so that two films may stand in one page.
func (f *Film) SVG(title, text string) []byte {
	cuts := []int{len(f.Marks)}
	own := fmt.Sprintf("f%.2x", sha256.Sum256([]byte(strings.Join(f.Marks, "\n"))))
	stays, total := map[int]string{}, 0 // the class of each time that a frame stays
	for _, frame := range f.Frames {
		for k := 0; k < len(frame.Marks); k += 2 {
			cuts = append(cuts, frame.Marks[k], frame.Marks[k]+frame.Marks[k+1])
		}
		stays[frame.Time] = fmt.Sprint(own, "t", frame.Time)
		total += frame.Time
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)

	empty := *f.first
	empty.Height, empty.Title, empty.Text, empty.Marks = f.Height, title, text, nil
	var b bytes.Buffer
	b.Write(bytes.TrimSuffix(render.SVG(&empty), []byte("</svg>\n")))
	fmt.Fprintf(&b, "<style>.%s{visibility:hidden}.%[1]s:first-of-type{visibility:inherit}@media(prefers-reduced-motion:no-preference){.%[1]s:first-of-type{visibility:hidden}.%[1]s{animation:%dms step-end infinite}", own, total)
	for _, time := range slices.Sorted(maps.Keys(stays)) {
		fmt.Fprintf(&b, ".%s{animation-name:%[1]s}@keyframes %[1]s{0%%{visibility:visible}%.4f%%{visibility:hidden}}", stays[time], 100*float64(time)/float64(total))
	}
	b.WriteString("}</style>\n<defs>\n")
	for k, from := range cuts[:len(cuts)-1] {
		fmt.Fprintf(&b, "<g id=\"%s%d\">%s</g>\n", own, from, render.Standalone(strings.Join(f.Marks[from:cuts[k+1]], "")))
	}
	b.WriteString("</defs>\n")
	start := 0
	for _, frame := range f.Frames {
		fmt.Fprintf(&b, `<g class="%s %s" style="animation-delay:%dms">`, own, stays[frame.Time], start)
		for k := 0; k < len(frame.Marks); k += 2 {
			for _, from := range cuts[slices.Index(cuts, frame.Marks[k]):slices.Index(cuts, frame.Marks[k]+frame.Marks[k+1])] {
				fmt.Fprintf(&b, `<use href="#%s%d"/>`, own, from)
			}
		}
		b.WriteString("</g>\n")
		start += frame.Time
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}
