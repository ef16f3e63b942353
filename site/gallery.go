package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/render"
)

// card is what the page of the gallery says about a problem beside its title, question and answer.
type card struct {
	Name      string  `json:"name"`      // of its preset
	Variables int     `json:"variables"` // d_X
	States    int     `json:"states"`    // S
	Actions   int     `json:"actions"`   // A
	Width     float64 `json:"width"`     // of its picture
	Height    float64 `json:"height"`
}

// writeGallery writes gallery.json, which has a card for each problem of the gallery, and a picture of each
// as gallery-NAME.svg: the end of an early episode of C-PSRL.
func writeGallery(dir string) error {
	var cards []card
	for _, preset := range experiment.Gallery() {
		e, err := experiment.New(preset.Spec)
		if err != nil {
			return fmt.Errorf("%s: %w", preset.Name, err)
		}
		in, err := e.Instance(preset.Spec.FirstRun)
		if err != nil {
			return fmt.Errorf("%s: %w", preset.Name, err)
		}
		player := preset.Spec.Agents[len(preset.Spec.Agents)-1]
		for _, label := range preset.Spec.Agents {
			if arm, ok := e.Arm(label); ok && arm.Graph && arm.Baseline == 0 {
				player = label
				break
			}
		}
		trace, err := acted(e, preset.Spec.FirstRun, player)
		if err != nil {
			return fmt.Errorf("%s: %w", preset.Name, err)
		}
		picture, err := drawTrace(e, trace, render.Act)
		if err != nil {
			return fmt.Errorf("%s: %w", preset.Name, err)
		}
		picture.Theme, picture.Fitted = render.Page, true
		if err := os.WriteFile(filepath.Join(dir, "gallery-"+preset.Name+".svg"), render.SVG(picture), 0o644); err != nil {
			return err
		}
		space := &in.View.Space
		cards = append(cards, card{preset.Name, space.X(), space.States(), space.Actions(), picture.Width, picture.Height})
	}
	data, err := json.Marshal(cards)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "gallery.json"), data, 0o644)
}

// acted returns the trace of the first episode of some length, or of the last of a few.
func acted(e *experiment.Experiment, run int, label string) (*record.Trace, error) {
	for episode := 1; ; episode++ {
		trace, err := e.Trace(context.Background(), run, label, episode)
		if err != nil || len(trace.Steps) >= 4 || episode == 10 {
			return trace, err
		}
	}
}
