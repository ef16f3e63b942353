package format

import (
	"fmt"
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/param"
)

// likely reads the probability of an edge. Other programs write numbers with an exponent, and numbers that
// are nearer to 0 or 1 than a probability may be: these become the nearest that is neither.
func likely(text string) (float64, error) {
	p, ok := numberOf(text)
	mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
	switch digits := strings.Trim(mantissa, "+-.0"); {
	case ok && p == 0 && digits != "", p > 0 && p < document.LeastLikely:
		return document.LeastLikely, nil
	case p > document.MostLikely && p < 1, p == 1 && strings.HasPrefix(strings.TrimLeft(text, "+0"), "."):
		return document.MostLikely, nil
	case ok && p == 0:
		return 0, nil // −0, too
	case ok:
		return p, document.CheckP(p)
	}
	return document.ParseP(text)
}

// weights reads the weights of the edges of one file. If one of them lies between 0 and 1, all are
// probabilities; else they may be anything that people weigh or count.
type weights struct {
	likely bool // whether they are probabilities
}

// see looks at a weight before any is read.
func (w *weights) see(text string) {
	v, _ := numberOf(text)
	w.likely = w.likely || v > 0 && v < 1
}

// read returns the probability that a weight states.
func (w *weights) read(text string) (p float64, err error) {
	v, ok := numberOf(text)
	switch {
	case !ok:
		return 0, fmt.Errorf("the weight %q is no number", param.Clip(text))
	case v < 0:
		return 0, fmt.Errorf("a weight of %s is below 0, and no probability of an edge", param.Clip(text))
	case v > 1 && w.likely:
		return 0, fmt.Errorf("a weight of %s is no probability, but others of this file are", param.Clip(text))
	case v > 1:
		return 0, fmt.Errorf("a weight of %s is no probability of an edge", param.Clip(text))
	}
	return likely(text)
}
