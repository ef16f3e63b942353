package experiment

// Interval returns the mean and the interval of the values, with the quantile for their
// number.
func Interval(values []float64) (mean, lo, hi float64) {
	return interval(values, quantile(len(values)-1))
}
