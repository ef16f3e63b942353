package curve_test

import (
	"math"
	"slices"
	"testing"

	"cpsrl/core/curve"
)

// The ends are the last point of the means, and the bootstrap of the last values, in whatever order the runs are.
func TestEnds(t *testing.T) {
	var runs []curve.Run
	last := map[string][]float64{}
	for k := range 12 {
		agent := []string{"a", "b", "c"}[min(k/6, 1)]
		v := float64(k * k % 11)
		runs = append(runs, curve.Run{Agent: agent, Run: k, Values: curve.Numbers{-1, v}})
		last[agent] = append(last[agent], v)
	}
	runs = append(runs, curve.Run{Agent: "c", Values: curve.Numbers{3, 4}}, curve.Run{Agent: "d"})
	ends := curve.Ends(runs)
	if len(ends) != 3 {
		t.Fatalf("%+v", ends)
	}
	for k, c := range curve.Means(runs)[:2] {
		e, p := ends[k], c.Last()
		if e.Agent != c.Agent || e.N != 6 || float64(e.Mean.Value) != p.Mean || float64(e.Mean.Lo) != p.Lo || float64(e.Mean.Hi) != p.Hi {
			t.Errorf("%+v, want the mean %+v", e, p)
		}
		values := slices.Sorted(slices.Values(last[e.Agent]))
		for _, of := range []struct {
			got       curve.Estimate
			statistic func([]float64) float64
		}{{e.Median, curve.Median}, {e.IQM, curve.InterquartileMean}} {
			v, lo, hi := curve.Bootstrap([][]float64{values}, of.statistic)
			if of.got != (curve.Estimate{Value: curve.Number(v), Lo: curve.Number(lo), Hi: curve.Number(hi)}) {
				t.Errorf("%s: %v, want %v [%v, %v]", e.Agent, of.got, v, lo, hi)
			}
		}
		slices.Reverse(last[e.Agent])
		again := curve.EndOf(last[e.Agent])
		if again.Median != e.Median || again.IQM != e.IQM {
			t.Errorf("the order of the runs matters: %+v, %+v", again, e)
		}
	}
	if e := ends[2]; e.N != 1 || e.Mean.Value != 4 || e.IQM.Value != 4 || !math.IsNaN(float64(e.Median.Lo)) || !math.IsNaN(float64(e.Mean.Hi)) {
		t.Errorf("one run: %+v", e)
	}
}
