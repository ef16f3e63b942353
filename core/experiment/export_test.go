package experiment

// Interval returns the mean and the interval of the values, with the quantile for their
// number.
func Interval(values []float64) (mean, lo, hi float64) {
	return interval(values, quantile(len(values)-1))
}

// AsEngine1 makes the records those of engine 1 and returns a function that undoes it.
func AsEngine1() (undo func()) {
	asEngine1 = true
	return func() { asEngine1 = false }
}
