package experiment

// Stopwatch sums the seconds that an agent takes for its own work: it is built, observes data, samples a model, plans, acts in the
// simulator and learns. To solve the true model and to score an episode is no part of it. A nil *Stopwatch measures nothing.
type Stopwatch struct {
	clock      func() float64 // seconds since any moment
	began, sum float64
}

// NewStopwatch returns a stopwatch that looks at a clock: the seconds since any moment.
func NewStopwatch(clock func() float64) *Stopwatch { return &Stopwatch{clock: clock} }

func (w *Stopwatch) start() {
	if w != nil {
		w.began = w.clock()
	}
}

func (w *Stopwatch) stop() {
	if w != nil {
		w.sum += w.clock() - w.began
	}
}

// Lap returns the seconds since the last lap, and begins the next one.
func (w *Stopwatch) Lap() float64 {
	if w == nil {
		return 0
	}
	lap := w.sum
	w.sum = 0
	return lap
}
