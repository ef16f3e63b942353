package document

import (
	"slices"

	"cpsrl/core/strict"
)

// Source says how an agent comes to the model of an episode.
type Source string

const (
	Sampled   Source = ""          // drawn from the belief, as posterior sampling does
	Estimated Source = "estimated" // computed from the belief, without a draw
	Told      Source = "told"      // the true model
	Assumed   Source = "assumed"   // the same whatever the agent sees
)

// Check returns a *[strict.InvalidError] at the given place if the source is unknown.
func (s Source) Check(place string) error {
	if known := []Source{Sampled, Estimated, Told, Assumed}; !slices.Contains(known, s) {
		return strict.Invalid(place, "%q is unknown; it must be estimated, told or assumed, or absent for a sampled model", string(s))
	}
	return nil
}
