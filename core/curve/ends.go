package curve

import "slices"

// End tells where the runs of one agent, or of a difference, ended: the mean, the median and the interquartile mean of
// the last values, each with a 95% interval. That of the mean is by Student's t, the others are by [Bootstrap].
type End struct {
	Agent  string   `json:"agent"`
	Mean   Estimate `json:"mean"`
	Median Estimate `json:"median"`
	IQM    Estimate `json:"iqm"`
	N      int      `json:"n"` // the number of runs
}

// Estimate is a statistic with its interval, which is null for one run.
type Estimate struct {
	Value Number `json:"value"`
	Lo    Number `json:"lo"`
	Hi    Number `json:"hi"`
}

// Ends returns the ends of runs, which are sorted by agent, by agent. All runs of an agent are of one task, so its
// bootstrap has one stratum.
func Ends(runs []Run) (ends []End) {
	for of := range byAgent(runs) {
		var last []float64
		for _, r := range of {
			if n := len(r.Values); n > 0 {
				last = append(last, r.Values[n-1])
			}
		}
		if len(last) > 0 {
			end := EndOf(last)
			end.Agent = of[0].Agent
			ends = append(ends, end)
		}
	}
	return ends
}

// EndOf returns the end of runs whose last values are given. There must be one.
func EndOf(last []float64) End {
	n := len(last)
	mean, lo, hi := interval(last, student(float64(n-1)))
	e := End{N: n, Mean: Estimate{Number(mean), Number(lo), Number(hi)}}
	one := [][]float64{slices.Sorted(slices.Values(last))} // so that the order of the runs changes no draw
	e.Median, e.IQM = bootstrapped(one, Median), bootstrapped(one, InterquartileMean)
	return e
}

func bootstrapped(strata [][]float64, statistic func(sorted []float64) float64) Estimate {
	value, lo, hi := Bootstrap(strata, statistic)
	return Estimate{Number(value), Number(lo), Number(hi)}
}
