package session

// entry is a transition that an agent has learned from.
type entry struct {
	x, y  int32 // the indices of the point and of the next state
	flags int64 // bit 0: the episode ended; bit 1+f: payoff f was paid
}

// log is all that an agent has learned from: the transitions, message by message. An agent learns from the
// transitions of a message together.
type log struct {
	entries []entry
	sizes   []int // the number of transitions of each message
	before  int   // the number of messages before the present episode
}

func (l *log) len() int { return len(l.entries) }

// add appends the transitions of a message. One without transitions teaches nothing.
func (l *log) add(entries []entry) {
	if len(entries) > 0 {
		l.entries, l.sizes = append(l.entries, entries...), append(l.sizes, len(entries))
	}
}

// begin notes that an episode begins.
func (l *log) begin() { l.before = len(l.sizes) }
