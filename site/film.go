package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/spec"
	"cpsrl/render"
)

// Film is a few episodes of one run as pictures of the stage, which the page shows before
// it has loaded anything that computes. Marks that several pictures
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

// The width of a film in CSS px, for world and graph side by side.
const filmWidth = 648

// The episodes of a film: the first guess, one on the way, and one after the agent has learned.
var filmEpisodes = []int{1, 20, 100}

// How long pictures stay, and how many there are.
const (
	opening = time.Second             // the first picture, which the page has shown already while it loaded the film
	dwell   = 1500 * time.Millisecond // a moment that does not move, and the end of a drive
	pace    = 330 * time.Millisecond  // a step
	parts   = 3                       // pictures of each step
	steps   = 12                      // at most so many steps of an episode, and its end
)

// readmeFilm returns the film of the README, with one picture a step.
func readmeFilm() (*Film, error) {
	p, _ := experiment.LookupPreset("fig2c")
	return shoot(p.Spec, 1)
}

// shoot records the subject of a spec in its first run, with so many pictures a step.
func shoot(s *spec.Spec, parts int) (*Film, error) {
	e, err := experiment.New(s)
	if err != nil {
		return nil, err
	}
	label, name := subject(e, s.Agents)
	f := &Film{Agent: name, Width: filmWidth, known: map[string]int{}}
	for _, k := range filmEpisodes {
		trace, err := e.Trace(context.Background(), s.FirstRun, label, min(k, s.Episodes))
		if err != nil {
			return nil, err
		}
		for _, view := range takes(trace, parts) {
			view.Scene = s.Domain.Kind().Picture
			if err := f.add(trace, view, pace/time.Duration(parts)); err != nil {
				return nil, err
			}
		}
	}
	return f, nil
}

// subject returns the label and the name of the agent to show: the first agent with a graph
// that is no baseline, or else the lowest baseline with a graph, or else the first agent.
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

// takes returns the views of an episode in their order, with so many of each step.
func takes(t *record.Trace, parts int) []render.View {
	views := []render.View{{Moment: render.Sample}, {Moment: render.Plan}}
	act := func(step float64) {
		views = append(views, render.View{Moment: render.Act, Step: step, Values: new(bool), Policy: new(bool)})
	}
	for k := range min(t.Horizon, steps) * parts {
		act(float64(k) / float64(parts))
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

// add appends the picture of a view. The picture of a part of a drive stays for the given time.
func (f *Film) add(t *record.Trace, v render.View, part time.Duration) error {
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

// SVG returns the film as a picture that moves by its own style and repeats. To readers who prefer
// reduced motion it shows the first frame. Each run of marks is written once.
func (f *Film) SVG(title, text string) []byte {
	cuts := []int{len(f.Marks)}
	stays, total := map[int]string{}, 0 // the class of each time that a frame stays
	for _, frame := range f.Frames {
		for k := 0; k < len(frame.Marks); k += 2 {
			cuts = append(cuts, frame.Marks[k], frame.Marks[k]+frame.Marks[k+1])
		}
		stays[frame.Time] = fmt.Sprint("t", frame.Time)
		total += frame.Time
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)

	empty := *f.first
	empty.Height, empty.Title, empty.Text, empty.Marks = f.Height, title, text, nil
	var b bytes.Buffer
	b.Write(bytes.TrimSuffix(render.SVG(&empty), []byte("</svg>\n")))
	fmt.Fprintf(&b, "<style>.f{visibility:hidden}.f:first-of-type{visibility:inherit}@media(prefers-reduced-motion:no-preference){.f:first-of-type{visibility:hidden}.f{animation:%dms step-end infinite}", total)
	for _, time := range slices.Sorted(maps.Keys(stays)) {
		fmt.Fprintf(&b, ".%s{animation-name:%[1]s}@keyframes %[1]s{0%%{visibility:visible}%.4f%%{visibility:hidden}}", stays[time], 100*float64(time)/float64(total))
	}
	b.WriteString("}</style>\n<defs>\n")
	for k, from := range cuts[:len(cuts)-1] {
		fmt.Fprintf(&b, "<g id=\"m%d\">%s</g>\n", from, strings.Join(f.Marks[from:cuts[k+1]], ""))
	}
	b.WriteString("</defs>\n")
	start := 0
	for _, frame := range f.Frames {
		fmt.Fprintf(&b, `<g class="f %s" style="animation-delay:%dms">`, stays[frame.Time], start)
		for k := 0; k < len(frame.Marks); k += 2 {
			for _, from := range cuts[slices.Index(cuts, frame.Marks[k]):slices.Index(cuts, frame.Marks[k]+frame.Marks[k+1])] {
				fmt.Fprintf(&b, `<use href="#m%d"/>`, from)
			}
		}
		b.WriteString("</g>\n")
		start += frame.Time
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}
