package posterior

import (
	"slices"

	"cpsrl/core/fmdp"
)

// Counts returns how often each value of Y_j was seen in each row of the table of the set of
// that index, without the prior's α. The caller must not change them, and Observe does.
func (l *Local) Counts(set int) Counts {
	l.see(set)
	return l.counts(0, set)
}

// MeanFactor returns the mean of p_j(·|x[z]) given the set z of that index: in each row, an
// outcome that was seen n times in m has the probability (n + α)/(m + α·|Y_j|). If α is
// learned, it is the mean over α given the set; if rows may be tied, over the ties. The factor's
// table uses the memory of dst if it is large enough.
func (l *Local) MeanFactor(set int, dst []float64) fmdp.Factor {
	if l.lean != nil {
		f := l.counted(set).MeanFactor(0, dst)
		f.Given = l.givenOf(set)
		return f
	}
	counts, size := l.Counts(set), l.channels[0].size
	dst = slices.Grow(dst[:0], len(counts))[:len(counts)]
	clear(dst)
	l.ready(set)
	weights := l.alphaWeights(set)
	for a, weight := range weights {
		if b := l.hypotheses[a].family; b != nil {
			b.addMean(l, set, weight, dst)
			continue
		}
		alpha := l.hypotheses[a].alpha(set)
		for at := 0; at < len(counts); at += size {
			counts[at:at+size].addMean(dst[at:at+size], alpha, weight)
		}
	}
	return fmdp.Factor{Given: l.givenOf(set), Size: size, P: dst}
}

// MeanReward returns the mean payoffs of the c-th learned reward factor, counted from 0, given
// the set of that index: (1 + paid)/(2 + seen) for each row of the set's table, in a new slice.
func (l *Local) MeanReward(c, set int) (given []int, means []float64) {
	l.see(set)
	return l.givenOf(set), l.counts(1+c, set).Means()
}

// alphaWeights returns P(α | z, data) for the set z of that index, for each α of the list.
func (l *Local) alphaWeights(set int) []float64 {
	if len(l.hypotheses) == 1 {
		return []float64{1}
	}
	logs := make([]float64, len(l.hypotheses))
	for a := range logs {
		logs[a] = l.hypotheses[a].evidence[set]
	}
	return normalise(make([]float64, len(logs)), logs)
}

// alpha returns the α of the table of the set of that index.
func (h *hypothesis) alpha(set int) float64 { return h.runs[h.run(set)].alpha }

// run returns the run that the set of that index is in.
func (h *hypothesis) run(set int) int {
	return slices.IndexFunc(h.runs, func(r run) bool { return set < r.end })
}

// addMean adds the mean of Dirichlet(α + counts), times weight, to dst.
func (c Counts) addMean(dst []float64, alpha, weight float64) {
	total := float64(alpha * float64(len(c)))
	for _, n := range c {
		total += float64(n)
	}
	for k, n := range c {
		dst[k] += float64(weight * ((float64(n) + alpha) / total))
	}
}

// Means returns the mean of each row of two counts, the second being successes, under a
// uniform prior: (1 + successes)/(2 + all).
func (c Counts) Means() []float64 {
	means := make([]float64, len(c)/2)
	for row := range means {
		failed, paid := float64(c[2*row]), float64(c[2*row+1])
		means[row] = (paid + 1) / (failed + paid + 2)
	}
	return means
}
