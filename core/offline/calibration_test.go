package offline_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/evidence"
	"cpsrl/core/fmdp"
	"cpsrl/core/format"
	"cpsrl/core/offline"
	"cpsrl/core/posterior"
)

// Where the prior is right, each band holds the true value as often as it says, to 4 standard errors. Where logs tell what
// somebody did who had another prior, TestCalibration draws the truths by itself.
func TestCalibrate(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where it says the same")
	}
	const logs = 150
	for name, o := range map[string]offline.Options{"known payoffs": {Horizon: 3, Reward: "2*(`soil moisture` == 1) + sun"}, "learned payoffs, ends, missing cells": {Horizon: 3}} {
		p := problem(t, garden+garden2, nil, nil, o)
		c, err := p.Calibrate(t.Context(), logs, 200)
		if err != nil {
			t.Fatal(err)
		}
		if c.Logs+c.Left != logs || c.Left > 5 {
			t.Errorf("%s: %d logs, and %d left out", name, c.Logs, c.Left)
		}
		for what, held := range map[string][]int{"proposed": c.Proposed, "logged": c.Logged, "gain": c.Gain} {
			for b, q := range offline.Bands() {
				n := float64(c.Logs)
				if off := math.Abs(float64(held[b]) - q*n); off > 4*math.Sqrt(n*q*(1-q)) {
					t.Errorf("%s, %s: the band of %v held the true value in %d of %d logs", name, what, q, held[b], c.Logs)
				}
			}
		}
		again, err := p.Calibrate(t.Context(), logs/10, 20)
		twice, err2 := problem(t, garden+garden2, nil, nil, o).Calibrate(t.Context(), logs/10, 20)
		if err != nil || err2 != nil || fmt.Sprint(again) != fmt.Sprint(twice) {
			t.Errorf("%s: %v, then %v", name, again, twice)
		}
	}
}

// garden2 is more of the garden.
const garden2 = `4,wet,yes,yes,2,False
4,dry,yes,no,0,False
4,dry,no,yes,0.5,False
5,dry,no,no,0,False
5,dry,yes,no,0,False
5,dry,yes,yes,1,True
6,wet,no,no,2,False
6,wet,yes,no,2,False
6,wet,no,yes,1,False
7,dry,yes,yes,0,False
7,wet,yes,yes,1,False
7,wet,no,no,2,True
`

// What a model says is known stays known; an end of the model ends the episodes of the logs, and a context ends it all.
func TestCalibrateModel(t *testing.T) {
	lines, model := spinner(t)
	log, err := format.ReadLog([]byte(lines), format.LogOptions{Space: &model.Space})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := (&evidence.Question{Z: 2}).Ask(t.Context(), &evidence.Data{Space: log.Space, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	p, err := offline.New(t.Context(), log, answer, offline.Options{Model: model})
	if err != nil {
		t.Fatal(err)
	}
	if c, err := p.Calibrate(t.Context(), 20, 50); err != nil || c.Logs+c.Left != 20 || c.Proposed[2] < 12 {
		t.Errorf("%+v, %v", c, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Calibrate(ctx, 5, 5); err == nil {
		t.Error("a calibration does not end with its context")
	}
	for _, logs := range []int{0, offline.MaxLogs + 1} {
		if _, err := p.Calibrate(t.Context(), logs, 5); err == nil {
			t.Errorf("%d logs are not refused", logs)
		}
	}
}

// spinner is a model whose episodes end at 2, and a table of it.
func spinner(t *testing.T) (string, *fmdp.Model) {
	t.Helper()
	model, err := document.DecodeModel([]byte(`{"format":"cpsrl/model","version":2,"name":"spin","horizon":4,"state":[{"name":"s","size":3}],"action":[{"name":"a","size":2}],
		"transition":[{"of":"s","given":["s","a"],"p":[[0.5,0.5,0],[0.1,0.8,0.1],[0.3,0.3,0.4],[0.2,0.2,0.6],[0,0,1],[0,0,1]]}],
		"reward":[{"given":["s"],"kind":"fixed","mean":[0,1,3]}],"terminal":[{"name":"two","given":["s"],"is":[[2]]}],"initial":[{"state":[0],"p":1}]}`))
	if err != nil {
		t.Fatal(err)
	}
	table, rng := "episode,s,a\n", posterior.NewStream(3)
	for e := range 30 {
		s := 0
		for range 4 {
			a, next := rng.IntN(2), []int{0}
			table += fmt.Sprintf("%d,%d,%d\n", e, s, a)
			model.Next(rng.Rand, []int{s, a}, next)
			if s = next[0]; s == 2 {
				table += fmt.Sprintf("%d,2,\n", e)
				break
			}
		}
	}
	return table, model
}
