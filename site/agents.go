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
	"cpsrl/wasm/engine"
)

// tenths is the part of the episodes that a column of studies/agent.csv is about.
const tenths = 10

// writeAgents draws what agents learned of other programs' simulators, from studies/agent.csv, as SVG into a folder: a
// picture of each problem, with the mean return in each tenth of the episodes.
func writeAgents(dir, figures string) error {
	data, err := os.ReadFile(filepath.Join(figures, "..", "..", "studies", "agent.csv"))
	if err != nil {
		return err
	}
	rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
	if err != nil {
		return err
	}
	charts, order := map[string]*chart.Chart{}, []string(nil)
	for _, row := range rows[1:] {
		c, drawn := charts[row[0]]
		if !drawn {
			c = &chart.Chart{X: "episode k", Y: "mean return of an episode", Signed: true, Whole: true, Width: 720}
			if row[0] == "CliffWalking" { // from thousands lost to 13
				c.Y, c.Signed, c.LogY = "mean loss of an episode (log)", false, true
			}
			charts[row[0]], order = c, append(order, row[0])
		}
		line, err := returns(row, c.LogY)
		if err != nil {
			return fmt.Errorf("studies/agent.csv: %q: %w", row, err)
		}
		c.Curves = append(c.Curves, line)
	}
	for _, name := range order {
		picture := charts[name].Picture()
		picture.Theme, picture.Fitted = render.Page, true
		if err := os.WriteFile(filepath.Join(dir, "poster-agent-"+strings.ToLower(name)+".svg"), render.SVG(picture), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// returns is the curve of a row of studies/agent.csv. A loss is a return with the other sign.
func returns(row []string, loss bool) (c chart.Curve, err error) {
	episodes, err := strconv.Atoi(row[3])
	if err != nil {
		return c, err
	}
	for _, a := range engine.Catalogue().Agents {
		if a.Label == row[1] {
			c = chart.Curve{Name: a.Name, Color: render.Color(a.Look.Color), Dash: a.Look.Dash}
		}
	}
	for k := range tenths {
		mean, err := strconv.ParseFloat(row[6+k], 64)
		if err != nil {
			return c, err
		}
		if loss {
			mean = -mean
		}
		c.Points = append(c.Points, curve.Single((k+1)*episodes/tenths, mean))
	}
	return c, nil
}
