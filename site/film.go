package main

import (
	"context"
	"math"
	"strings"
	"time"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/spec"
	"cpsrl/render"
)

// Film is a few episodes of one run as pictures of the stage at one width, which the
// page shows before it has loaded anything that computes. Marks that several pictures
// share are written once.
type Film struct {
	Agent  string   `json:"agent"`  // its name
	Width  float64  `json:"width"`  // CSS px
	Height float64  `json:"height"` // CSS px
	Marks  []string `json:"marks"`  // elements of SVG, in the colours of the page
	Frames []Frame  `json:"frames"`

	known map[string]int  // the index of each mark
	first *render.Picture // of the first frame
}

// Frame is one picture.
type Frame struct {
	Episode int    `json:"episode"`
	Text    string `json:"text"`  // what it shows, in one sentence
	Time    int    `json:"time"`  // ms that it stays
	Marks   []int  `json:"marks"` // runs of the film's marks, back to front: a first index and a count, and so on
}

// Widths of the films of a preset in CSS px: world above graph, and side by side.
var filmWidths = map[string]float64{"narrow": 350, "wide": 616}

// Episodes of a film: a first guess, one on the way, one that has learned.
var filmEpisodes = []int{1, 20, 100}

// How long pictures stay.
const (
	opening = time.Second             // the first picture: the page has shown it while the film was on its way
	dwell   = 1500 * time.Millisecond // a moment that does not move, and the end of a drive
	part    = 110 * time.Millisecond  // a part of a step
	parts   = 3                       // pictures of one step
	steps   = 12                      // of an episode, at most; its end is shown in any case
)

// films records a spec at each width: its subject in its first run.
func films(s *spec.Spec) (map[string]*Film, error) {
	e, err := experiment.New(s)
	if err != nil {
		return nil, err
	}
	label, name := subject(e, s.Agents)
	all := map[string]*Film{}
	for size, width := range filmWidths {
		all[size] = &Film{Agent: name, Width: width, known: map[string]int{}}
	}
	for _, k := range filmEpisodes {
		trace, err := e.Trace(context.Background(), s.FirstRun, label, min(k, s.Episodes))
		if err != nil {
			return nil, err
		}
		for _, f := range all {
			for _, view := range takes(trace) {
				view.Scene = s.Domain.Kind().Picture
				if err := f.add(trace, view); err != nil {
					return nil, err
				}
			}
		}
	}
	return all, nil
}

// subject returns the label and the name of the agent to show: the first that samples
// graphs and is no baseline, or is the lowest one; without any, the first of all.
func subject(e *experiment.Experiment, labels []string) (label, name string) {
	rank := math.MaxInt
	for _, l := range labels {
		arm, _ := e.Arm(l)
		if label == "" || arm.Graph && arm.Baseline < rank {
			label = l
			name, _ = arm.Names()
		}
		if arm.Graph {
			rank = min(rank, arm.Baseline)
		}
	}
	return label, name
}

// takes are the views of an episode in their order.
func takes(t *record.Trace) []render.View {
	views := []render.View{{Moment: render.Sample}, {Moment: render.Plan}}
	act := func(step float64) {
		views = append(views, render.View{Moment: render.Act, Step: step, Values: new(bool), Policy: new(bool)})
	}
	for k := range min(t.Horizon, steps) * parts {
		act(float64(k) / parts)
	}
	act(float64(t.Horizon))
	return append(views, render.View{Moment: render.Update})
}

// draw draws a view in the colours of the page.
func (f *Film) draw(t *record.Trace, v render.View) (*render.Picture, error) {
	v.Width, v.Agent = f.Width, f.Agent
	p, err := render.Draw(t, v)
	if err == nil {
		p.Theme, p.Fitted = render.Page, true
	}
	return p, err
}

// add appends the picture of a view.
func (f *Film) add(t *record.Trace, v render.View) error {
	p, err := f.draw(t, v)
	if err != nil {
		return err
	}
	stays := dwell
	switch {
	case f.first == nil:
		stays = opening
	case v.Moment == render.Act && v.Step < float64(t.Horizon):
		stays = part
	}
	next := Frame{Episode: t.Episode, Text: p.Text, Time: int(stays.Milliseconds())}
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
	return nil
}
