package posterior

import (
	"math"
	"slices"

	"cpsrl/core/concentration"
)

// NewWeighingWithin is NewWeighing with groups of at most that many counts.
var NewWeighingWithin = newWeighing

// PerWeighed is the memory of a parent set beside its counts.
const PerWeighed = perWeighed

// Groups returns the number of counts of each group, and of the single sets.
func (w *Weighing) Groups() (groups, sets []int) {
	for _, group := range w.groups {
		n := 0
		for _, p := range group {
			for k := range p.sets {
				more := w.law.Cells(w.space, p.y, p.sets[k:k+1], 0) + perWeighed
				sets = append(sets, more)
				n += more
			}
		}
		groups = append(groups, n)
	}
	return groups, sets
}

// Concentrations writes P(α | data) for each α of the list into dst, given the
// probabilities of the sets, and returns dst. If α is not learned, dst has one entry.
func (l *Local) Concentrations(dst, probabilities []float64) []float64 {
	clear(dst)
	given := make([]float64, len(l.hypotheses))
	logs := make([]float64, len(l.hypotheses))
	for k, p := range probabilities {
		for a := range logs {
			logs[a] = l.hypotheses[a].evidence[k]
		}
		for a, q := range normalise(given, logs) {
			dst[a] += float64(p * q)
		}
	}
	return dst
}

// WithTies returns the law with tied rows whose prior has other probabilities: of ties along a parent,
// and that this parent matters in a context.
func (law Law) WithTies(tie, matter float64) Law {
	law.Structure, law.own = concentration.Tied, &ties{tie, matter}
	return law
}

// Along returns the logarithms of P(data | z) for the set of that index without ties and with ties
// along each parent, without the prior of the ties.
func (l *Local) Along(set int) []float64 {
	b := l.hypotheses[0].family.(*blocks)
	list := slices.Clone(b.along(set))
	if len(list) == 1 {
		return list
	}
	list[0] -= math.Log(1 - b.tie)
	for k, p := range b.pairsOf(set) {
		list[1+k] -= math.Log(b.tie) + p.logShare
	}
	return list
}

// LogRise is logRise.
var LogRise = logRise

// ObserveTimes is Observe of that many equal steps, for tables that are not independent rows of one α.
func (l *Local) ObserveTimes(step Step, times int) {
	rows, points := l.rowsAt(l.all(), []Step{step})
	l.observeBlocks(rows, points, []int32{int32(step.Next[l.y])})
	ch := &l.channels[0]
	for k := range l.sets {
		row := int(rows[int(points[0])*len(l.sets)+k])
		ch.counts[row*ch.size+step.Next[l.y]] += uint32(times - 1)
		ch.totals[row] += uint32(times - 1)
	}
	for a := range l.hypotheses {
		l.hypotheses[a].family.update(&l.changes)
	}
	for k := range l.sets {
		l.refresh(k)
	}
	l.average()
	l.weigh()
}
