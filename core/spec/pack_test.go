package spec

import (
	"strings"
	"testing"
)

// What no link holds is not searched for repetitions, and its text is too long for a link. Oracle: a bit for each byte.
func TestPackLarge(t *testing.T) {
	const rows = maxInflated / 16
	pack := func(data []byte) string { return pack(data, levelOf(data)) }
	if n := len(pack([]byte(strings.Repeat("[0,1,0,1,0,1,0],", rows)))); n > MaxLink {
		t.Errorf("what a link holds takes %d bytes", n)
	}
	if n := len(pack([]byte(strings.Repeat("[0,1,0,1,0,1,0],", rows+1)))); n < maxInflated/8 || n < MaxLink {
		t.Errorf("what no link holds takes %d bytes", n)
	}
}
