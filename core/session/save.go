package session

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/param"
	"cpsrl/core/posterior"
	"cpsrl/core/record"
	"cpsrl/core/strict"
)

// SavedFormat and SavedVersion begin what save answers and load takes.
const (
	SavedFormat  = "cpsrl/agent-saved"
	SavedVersion = 1
)

// savedDoc is a session: its hello, and all that has happened since.
type savedDoc struct {
	strict.Heading
	Engine   int            `json:"engine"`
	Hello    jsontext.Value `json:"hello"`
	Episodes int            `json:"episodes"`
	// Before is the number of messages with transitions before the present episode began, and Belief the state of
	// the stream that samples models at that time: load samples and plans this episode again.
	Before  int    `json:"before"`
	Belief  string `json:"belief"`
	Payoffs string `json:"payoffs"` // the present state of the stream that draws payoffs
	Sizes   []int  `json:"sizes"`   // the number of transitions of each message
	// X, Y and Flags have a number for each transition: the index of the point, that of the next state, and 1 if the
	// episode ended, plus 2 << f for each payoff f that was paid.
	X     []int `json:"x"`
	Y     []int `json:"y"`
	Flags []int `json:"flags"`
}

const notState = "this is not the state of a random stream, which has 64 hexadecimal digits that are not all 0"

type saved struct {
	Saved savedDoc `json:"saved"`
}

func (s *Session) save(raw jsontext.Value) (any, error) {
	if err := strict.Decode(raw, &struct{}{}); err != nil {
		return nil, err
	}
	doc := savedDoc{
		Heading: strict.Heading{Format: SavedFormat, Version: SavedVersion}, Engine: record.Engine, Hello: s.hello,
		Episodes: s.episodes, Before: s.seen.before, Belief: s.before.String(), Payoffs: s.payoffs.State().String(),
		Sizes: append([]int{}, s.seen.sizes...), X: []int{}, Y: []int{}, Flags: []int{},
	}
	if s.policy == nil {
		doc.Belief = s.belief.State().String()
	}
	for _, e := range s.seen.entries {
		doc.X, doc.Y, doc.Flags = append(doc.X, int(e.x)), append(doc.Y, int(e.y)), append(doc.Flags, int(e.flags))
	}
	if n := len(strict.Encode(doc)); n > MaxLine-64 {
		return nil, strict.Invalid("", "the session takes %d bytes, more than the %d of a line", n, MaxLine)
	}
	return saved{doc}, nil
}

func (s *Session) load(raw jsontext.Value) (any, error) {
	var doc savedDoc
	if err := strict.DecodeDocument(raw, &doc, SavedFormat, SavedVersion); err != nil {
		return nil, err
	}
	if doc.Engine != record.Engine {
		return nil, strict.Invalid("/engine", "the session was saved by engine %d; this is engine %d", doc.Engine, record.Engine)
	}
	l, err := greet(doc.Hello)
	if err != nil {
		return nil, strict.Within("/hello", err)
	}
	belief, known := posterior.ParseState(doc.Belief)
	payoffs, also := posterior.ParseState(doc.Payoffs)
	messages, err := l.entries(&doc)
	switch {
	case !known:
		return nil, strict.Invalid("/belief", notState)
	case !also:
		return nil, strict.Invalid("/payoffs", notState)
	case err != nil:
		return nil, err
	case doc.Episodes < 0 || doc.Episodes > param.Max:
		return nil, strict.Invalid("/episodes", "%d episodes", doc.Episodes)
	case doc.Before < 0 || doc.Before > len(messages) || doc.Episodes == 0 && doc.Before > 0:
		return nil, strict.Invalid("/before", "%d of %d messages", doc.Before, len(messages))
	}
	l.belief.Restore(belief)
	for k := 0; k <= len(messages); k++ {
		if k == doc.Before {
			l.seen.begin()
			l.before = belief
			if doc.Episodes > 0 {
				if _, l.policy, err = l.sample(); err != nil {
					return nil, err
				}
			}
		}
		if k < len(messages) {
			l.learn(messages[k])
		}
	}
	l.payoffs.Restore(payoffs)
	l.episodes = doc.Episodes
	s.lent = l
	return l.ready(), nil
}

// entries returns the transitions of a saved session, message by message.
func (l *lent) entries(doc *savedDoc) ([][]entry, error) {
	points, states, most := l.task.Space.Points(), l.task.Space.States(), int64(2)<<len(l.task.Payoffs)
	if !l.learned {
		most = 2
	}
	n := len(doc.X)
	if len(doc.Y) != n || len(doc.Flags) != n || n > MaxTransitions {
		return nil, strict.Invalid("/x", "%d, %d and %d numbers; there is one for each of at most %d transitions", n, len(doc.Y), len(doc.Flags), MaxTransitions)
	}
	all, ended := make([]entry, n), map[int]bool{}
	for k := range all {
		x, y, flags := doc.X[k], doc.Y[k], int64(doc.Flags[k])
		if x < 0 || x >= points || y < 0 || y >= states || flags < 0 || flags >= most {
			return nil, strict.Invalid(fmt.Sprintf("/x/%d", k), "there is no transition from %d to %d with the flags %d", x, y, flags)
		}
		over := func(s int) bool { return l.task.Ended[s] != 0 || ended[s] }
		if over(x/l.task.Space.Actions()) || flags&1 != 0 && l.told && !over(y) {
			return nil, strict.Invalid(fmt.Sprintf("/x/%d", k), "the transition begins where an episode has ended, or ends where none does")
		}
		if flags&1 != 0 {
			ended[y] = true
		}
		all[k] = entry{int32(x), int32(y), flags}
	}
	var messages [][]entry
	for k, size := range doc.Sizes {
		if size < 1 || size > len(all) {
			return nil, strict.Invalid(fmt.Sprintf("/sizes/%d", k), "%d transitions; %d are left", size, len(all))
		}
		messages, all = append(messages, all[:size]), all[size:]
	}
	if len(all) > 0 {
		return nil, strict.Invalid("/sizes", "%d transitions are left", len(all))
	}
	return messages, nil
}
