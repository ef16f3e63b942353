package experiment

// Interval is the interval of the values, with its own quantile.
func Interval(values []float64) (mean, lo, hi float64) {
	return interval(values, quantile(len(values)-1))
}
