package engine

import (
	"time"

	"cpsrl/wasm/wire"
)

// batches sends lines in batches: soon after they are made, but not one by one.
type batches struct {
	w     wire.Answer
	bytes []byte // lines that have not been sent
	lines int
	begun bool      // whether anything has been sent
	sent  time.Time // the time of the last batch
}

const (
	batchBytes = 64 << 10 // a batch is sent when it has so many bytes
	batchLook  = 4        // lines between two looks at the clock
)

// batchTime is the least time between two batches. Tests change it.
var batchTime = 100 * time.Millisecond

func newBatches(w wire.Answer) *batches {
	return &batches{w: w, sent: time.Now()}
}

// next counts a line that has been appended, and sends the batch if it is due. It returns
// an error if the client has gone.
func (b *batches) next() error {
	b.lines++
	// In a browser a look at the clock is slow.
	if len(b.bytes) >= batchBytes || b.lines%batchLook == 0 && time.Since(b.sent) >= batchTime {
		return b.flush()
	}
	return nil
}

// flush sends the lines that have not been sent.
func (b *batches) flush() error {
	if !b.begun {
		b.w.Begin(wire.Head{Status: wire.OK, Kind: "application/jsonl"})
		b.begun = true
	}
	_, err := b.w.Write(b.bytes)
	b.w.Flush()
	b.bytes, b.sent = b.bytes[:0], time.Now()
	return err
}

// fail returns the error, as long as it can be the answer. Later it is too late for a
// status, and fail cuts the connection off.
func (b *batches) fail(err error) error {
	if b.begun {
		panic(wire.ErrCut)
	}
	return err
}
