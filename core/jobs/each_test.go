package jobs

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

// Each does each number once on at most so many workers, and returns when all have ended, however it ends.
func TestEach(t *testing.T) {
	why := errors.New("enough")
	for _, workers := range []int{1, 3, 100} {
		for _, n := range []int{0, 1, 50} {
			for _, most := range []int{0, 1, 7, 50} { // what is read
				for _, ends := range []bool{false, true} { // the context, and not the reader
					ctx, cancel := context.WithCancelCause(t.Context())
					var busy, begun, done atomic.Int64
					var over atomic.Bool
					seen := map[int]bool{}
					for k, square := range Each(ctx, workers, n, func(ctx context.Context, k int) int {
						if begun.Add(1); busy.Add(1) > int64(workers) || ctx.Err() != nil && !over.Load() {
							t.Error("there are too many workers, or the context has ended")
						}
						defer func() { busy.Add(-1); done.Add(1) }()
						return k * k
					}) {
						if seen[k] || square != k*k {
							t.Errorf("%d came twice, or with %d", k, square)
						}
						seen[k] = true
						if len(seen) < most {
							continue
						}
						over.Store(true)
						if !ends {
							break
						}
						cancel(why)
					}
					cancel(nil)
					if begun.Load() != done.Load() || len(seen) > n || len(seen) < min(n, most, 1) || most > n && len(seen) != n {
						t.Errorf("%d workers, %d of %d: %d have begun, %d are done, %d were seen", workers, most, n, begun.Load(), done.Load(), len(seen))
					}
				}
			}
		}
	}
}
