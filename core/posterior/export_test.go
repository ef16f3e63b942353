package posterior

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
				more := Cells(w.space, p.y, p.sets[k:k+1], 0) + perWeighed
				sets = append(sets, more)
				n += more
			}
		}
		groups = append(groups, n)
	}
	return groups, sets
}
