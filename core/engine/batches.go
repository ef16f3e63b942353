package engine

import (
	"net/http"
	"time"
)

// batches sends lines as they are made: soon, but not one by one.
type batches struct {
	w     http.ResponseWriter
	bytes []byte // that have not been sent
	lines int
	sent  time.Time // when the last ones were
}

const (
	batchBytes = 64 << 10
	batchTime  = 100 * time.Millisecond
	batchLook  = 4 // lines from one look at the clock to the next
)

func newBatches(w http.ResponseWriter) *batches {
	w.Header().Set("Content-Type", "application/jsonl")
	return &batches{w: w, sent: time.Now()}
}

// next says that a line has been appended, and sends what is due. An error says that the
// client has gone.
func (b *batches) next() error {
	b.lines++
	// In a browser, a look at the clock takes time.
	if len(b.bytes) >= batchBytes || b.lines%batchLook == 0 && time.Since(b.sent) >= batchTime {
		return b.flush()
	}
	return nil
}

func (b *batches) flush() error {
	_, err := b.w.Write(b.bytes)
	http.NewResponseController(b.w).Flush()
	b.bytes, b.sent = b.bytes[:0], time.Now()
	return err
}
