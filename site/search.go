package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"cpsrl/core/curve"
	"cpsrl/render"
	"cpsrl/render/chart"
)

// searched are the problems of studies/search.csv with their names and colours.
var searched = []struct {
	key, name string
	color     render.Color
}{{"figure1", "Figure 1", "#0072B2"}, {"ring", "SysAdmin, ring of 4", "#009E73"}, {"coffee", "coffee robot", "#D55E00"}}

// writeSearch draws, from studies/search.csv, the exact regret of a search in the true model as a share of that of random play,
// by its trials, as SVG into a folder.
func writeSearch(dir, figures string) error {
	data, err := os.ReadFile(filepath.Join(figures, "..", "..", "studies", "search.csv"))
	if err != nil {
		return err
	}
	rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
	if err != nil {
		return err
	}
	number := func(text string) (v float64) {
		if err == nil {
			v, err = strconv.ParseFloat(text, 64)
		}
		return v
	}
	random := map[string]float64{}
	for _, row := range rows[1:] {
		if row[2] == "random" {
			random[row[0]] = number(row[3])
		}
	}
	c := chart.Chart{X: "trials of a decision (log)", Y: "regret ÷ that of random play", LogX: true, Whole: true, Width: 720}
	for _, of := range searched {
		line := chart.Curve{Name: of.name, Color: of.color}
		for _, row := range rows[1:] {
			if row[0] == of.key && row[2] == "optimal" {
				mean, half := number(row[3])/random[of.key], number(row[4])/random[of.key]
				line.Points = append(line.Points, curve.Point{Episode: int(number(row[1])), Mean: mean, Lo: max(mean-half, 0), Hi: mean + half, N: 20})
			}
		}
		c.Curves = append(c.Curves, line)
	}
	if err != nil {
		return fmt.Errorf("studies/search.csv: %w", err)
	}
	picture := c.Picture()
	picture.Theme, picture.Fitted = render.Page, true
	return os.WriteFile(filepath.Join(dir, "poster-search.svg"), render.SVG(picture), 0o644)
}
