package session

import "cpsrl/core/posterior"

// log is all that an agent has learned from: the transitions, message by message. An agent learns from the
// transitions of a message together. It keeps values and no indices, so that states need no numbers.
type log struct {
	values []int32 // of each transition, those of X, then those of Y
	flags  []int64 // of each transition: bit 0: the episode ended; bit 1+f: payoff f was paid
	sizes  []int   // the number of transitions of each message
	before int     // the number of messages before the present episode
}

func (l *log) len() int { return len(l.flags) }

// add appends the transitions of a message. One without transitions teaches nothing.
func (l *log) add(entries []entry) {
	if len(entries) == 0 {
		return
	}
	for _, e := range entries {
		for _, v := range e.Point {
			l.values = append(l.values, int32(v))
		}
		for _, v := range e.Next {
			l.values = append(l.values, int32(v))
		}
		l.flags = append(l.flags, e.flags())
	}
	l.sizes = append(l.sizes, len(entries))
}

// at writes the values of transition k into point and next.
func (l *log) at(k int, point, next []int) {
	n := len(point) + len(next)
	for i, v := range l.values[k*n : (k+1)*n] {
		if i < len(point) {
			point[i] = int(v)
		} else {
			next[i-len(point)] = int(v)
		}
	}
}

// begin notes that an episode begins.
func (l *log) begin() { l.before = len(l.sizes) }

// entry is a transition that an agent learns from.
type entry struct {
	posterior.Step
	ended bool
}

// flags says what is in the log beside values.
func (e *entry) flags() (flags int64) {
	if e.ended {
		flags = 1
	}
	for f, paid := range e.Paid {
		flags |= int64(paid) << (1 + f)
	}
	return flags
}

// entryOf returns a transition of a saved session.
func entryOf(x, y []int, flags int64, payoffs int) entry {
	e := entry{posterior.Step{Point: x, Next: y, Paid: make([]uint8, payoffs)}, flags&1 != 0}
	for f := range e.Paid {
		e.Paid[f] = uint8(flags >> (1 + f) & 1)
	}
	return e
}
