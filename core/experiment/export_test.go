package experiment

// Interval is the interval of the values, with its own quantile.
func Interval(values []float64) (mean, lo, hi float64) {
	return interval(values, quantile(len(values)-1))
}

// TellMore makes records have what engine 2 adds to them, with its measures, and returns
// a function that undoes it.
func TellMore() (undo func()) {
	if tellsMore {
		return func() {}
	}
	tellsMore = true
	undo = func() { tellsMore = false }
	for _, m := range ofEngine2(true) {
		before, remove := undo, RegisterMeasure(m)
		undo = func() { remove(); before() }
	}
	return undo
}
