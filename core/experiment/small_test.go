package experiment_test

import (
	"cpsrl/internal/small"
)

// The small experiments of these tests.
var (
	specOf = small.Spec
	ready  = small.Ready
	run    = small.Run
)
