package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"cpsrl/render"
)

// saving is what edges save of the regret of C-PSRL with no edge stated, as a share, with its 95% interval.
type saving struct{ share, low, high float64 }

// graphStudy is studies/graph.csv.
type graphStudy struct {
	problems, laws []string
	runs           map[string]int       // of a problem
	regret         map[[3]string]string // of problem, law and agent
	half           map[[3]string]string // of its 95% interval
	saved          map[[3]string]saving
	links          map[[2]string]string
}

// The agents of the study.
const (
	statedEdges = "c-psrl"
	noEdges     = "c-psrl:prior=nothing"
	allEdges    = "c-psrl:prior=all"
)

// percent writes a share in per cent, with its sign.
func percent(v float64) string {
	text := strings.Replace(fmt.Sprintf("%.0f%%", 100*v), "-", "−", 1)
	if text == "−0%" {
		return "0%"
	}
	return text
}

// readGraphStudy reads studies/graph.csv.
func readGraphStudy(path string) (*graphStudy, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
	if err != nil {
		return nil, err
	}
	s := &graphStudy{runs: map[string]int{}, regret: map[[3]string]string{}, half: map[[3]string]string{}, saved: map[[3]string]saving{}, links: map[[2]string]string{}}
	for _, row := range rows[1:] {
		problem, law, agent := row[0], row[1], row[2]
		key := [3]string{problem, law, agent}
		if !slices.Contains(s.problems, problem) {
			s.problems = append(s.problems, problem)
		}
		if !slices.Contains(s.laws, law) {
			s.laws = append(s.laws, law)
		}
		s.regret[key], s.half[key], s.links[[2]string{problem, law}] = row[3], row[4], row[9]
		if s.runs[problem], err = strconv.Atoi(row[5]); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", path, row, err)
		}
		if agent == noEdges {
			continue
		}
		var v [3]float64
		for k := range v {
			if v[k], err = strconv.ParseFloat(row[6+k], 64); err != nil {
				return nil, fmt.Errorf("%s: %q: %w", path, row, err)
			}
		}
		s.saved[key] = saving{v[0], v[1], v[2]}
	}
	return s, nil
}

// writeGraphStudy draws what a graph adds, from studies/graph.csv, as SVG into a folder: a panel for each law of tables with a bar
// for each problem.
func writeGraphStudy(dir, figures string) error {
	s, err := readGraphStudy(filepath.Join(figures, "..", "..", "studies", "graph.csv"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "poster-graph.svg"), render.SVG(s.picture()), 0o644)
}

// picture draws the study. A bar is what the preset's edges save, with its interval; a ring is what all true edges save. What
// lies outside the axis ends there, with a point.
func (s *graphStudy) picture() *render.Picture {
	const (
		width, top, row    = 720.0, 58.0, 21.0
		labels, gap, edge  = 118.0, 18.0, 12.0
		small, size        = 11.0, 12.5
		least, most, thick = -1.0, 1.0, 11.0
	)
	panel := (width - labels - edge - gap*float64(len(s.laws)-1)) / float64(len(s.laws))
	bottom := top + row*float64(len(s.problems))
	p := &render.Picture{Width: width, Height: bottom + 42, Theme: render.Page, Fitted: true, Title: "What does a graph add?"}
	text := func(x, y, size float64, anchor render.Anchor, color render.Color, value string) {
		p.Marks = append(p.Marks, render.Text{X: x, Y: y, Anchor: anchor, Size: size, Color: color, Value: value})
	}
	line := func(color render.Color, width float64, points ...render.Point) {
		p.Marks = append(p.Marks, render.Path{Points: points, Stroke: color, Width: width, Dash: []float64{1000}})
	}
	text(labels-8, 18, size, render.End, render.Muted, "regret saved by")
	p.Marks = append(p.Marks, render.Rect{X: labels, Y: 9, W: 18, H: 9, Fill: render.Sampled})
	text(labels+24, 18, size, render.Start, render.Ink, "the preset's edges")
	p.Marks = append(p.Marks, render.Circle{X: labels + 166, Y: 14, R: 4, Stroke: render.Ink, Width: 1.5, Fill: render.Background})
	text(labels+176, 18, size, render.Start, render.Ink, "all true edges")
	var words []string
	for k, law := range s.laws {
		left := labels + float64(k)*(panel+gap)
		at := func(v float64) float64 { return left + (min(max(v, least), most)-least)/(most-least)*panel }
		text(left+panel/2, 42, size, render.Middle, render.Ink, map[string]string{"α = 1": "α = 1, independent rows", "tied": "tied rows", "trees": "trees"}[law])
		for _, v := range []float64{-1, -0.5, 0, 0.5, 1} {
			color := render.Faint
			if v == 0 {
				color = render.Thin
			}
			line(color, 0.75, render.Point{X: at(v), Y: top - 6}, render.Point{X: at(v), Y: bottom})
			if v > least && v < most {
				text(at(v), bottom+16, small, render.Middle, render.Muted, percent(v))
			}
		}
		for i, problem := range s.problems {
			y := top + row*(float64(i)+0.5)
			if k == 0 {
				text(labels-8, y+4, small, render.End, render.Ink, problem)
			}
			v, played := s.saved[[3]string{problem, law, statedEdges}]
			if !played {
				continue
			}
			from, to := at(min(v.share, 0)), at(max(v.share, 0))
			p.Marks = append(p.Marks, render.Rect{X: from, Y: y - thick/2, W: max(to-from, 0.75), H: thick, Fill: render.Sampled})
			line(render.Ink, 1.5, render.Point{X: at(v.low), Y: y}, render.Point{X: at(v.high), Y: y})
			for _, end := range []float64{v.low, v.high} {
				x := at(end)
				if end >= least && end <= most {
					line(render.Ink, 1.5, render.Point{X: x, Y: y - 3}, render.Point{X: x, Y: y + 3})
					continue
				}
				back := 5.0
				if end > most {
					back = -5
				}
				p.Marks = append(p.Marks, render.Path{Points: []render.Point{{X: x, Y: y}, {X: x + back, Y: y - 4}, {X: x + back, Y: y + 4}}, Closed: true, Fill: render.Ink})
			}
			if all, has := s.saved[[3]string{problem, law, allEdges}]; has {
				p.Marks = append(p.Marks, render.Circle{X: at(all.share), Y: y, R: 3.5, Stroke: render.Ink, Width: 1.5, Fill: render.Background})
			}
			words = append(words, fmt.Sprintf("%s, %s: %s (%s to %s)", problem, law, percent(v.share), percent(v.low), percent(v.high)))
		}
	}
	text(labels+(width-labels-edge)/2, bottom+34, small, render.Middle, render.Muted, "share of the regret of C-PSRL with no edge stated that edges save, with 95% interval")
	p.Text = "What the preset's edges save of the regret of C-PSRL with no edge stated. " + strings.Join(words, "; ") + "."
	return p
}
