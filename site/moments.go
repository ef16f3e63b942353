package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"cpsrl/core/experiment"
	"cpsrl/core/spec"
	"cpsrl/render"
)

// moments are the pictures of the stage that the article shows until a reader starts the figure.
// Each has a name and the link that watches the same moment.
var moments = map[string]string{
	"moment-sample":  "v=1&domain=taxi&grid=3x3&watch=0,1,sample,c-psrl",
	"moment-plan":    "v=1&domain=taxi&grid=3x3&watch=0,1,plan,c-psrl",
	"moment-act":     "v=1&domain=taxi&grid=3x3&watch=0,1,act,c-psrl",
	"moment-update":  "v=1&domain=taxi&grid=3x3&watch=0,1,update,c-psrl",
	"moment-learned": "v=1&domain=taxi&grid=3x3&watch=0,100,act,c-psrl",
}

// writeMoments writes the pictures as SVG into a folder. All have the height of the highest,
// so that nothing moves when one takes another's place.
func writeMoments(dir string) error {
	pictures, height := map[string]*render.Picture{}, 0.
	for name, link := range moments {
		picture, err := drawMoment(link)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		pictures[name], height = picture, max(height, picture.Height)
	}
	for name, picture := range pictures {
		picture.Height = height
		if err := os.WriteFile(filepath.Join(dir, name+".svg"), render.SVG(picture), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// drawMoment draws the moment that a link watches, as wide as a figure of the article. An act is
// drawn at the end of its episode.
func drawMoment(link string) (*render.Picture, error) {
	l, err := spec.DecodeLink(link)
	if err != nil {
		return nil, err
	}
	e, err := experiment.New(l.Spec)
	if err != nil {
		return nil, err
	}
	w := l.View.Watched
	trace, err := e.Trace(context.Background(), w.Run, w.Agent, w.Episode)
	if err != nil {
		return nil, err
	}
	view := render.View{
		Width: 900, Agent: trace.Agent, Scene: l.Spec.Domain.Kind().Picture,
		Moment: render.Moment(cmp.Or(w.Moment, "sample")),
	}
	if arm, ok := e.Arm(w.Agent); ok {
		view.Agent, _ = arm.Names()
	}
	if view.Moment == render.Act {
		view.Step = float64(trace.Horizon)
	}
	picture, err := render.Draw(trace, view)
	if err != nil {
		return nil, err
	}
	picture.Theme, picture.Fitted = render.Page, true
	return picture, nil
}
