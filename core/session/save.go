package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
	"cpsrl/core/record"
	"cpsrl/core/strict"
)

// SavedFormat and SavedVersion begin what save answers and load takes. Version 2 has the values of transitions and may have
// Unplanned. A session is saved in version 1 if that can express it: its points have numbers up to MaxPoints.
const (
	SavedFormat  = "cpsrl/agent-saved"
	SavedVersion = 2
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
	// X and Y of version 1 have the index of the point and that of the next state of each transition. Version 2 has
	// their values in Transitions.
	X           []int                 `json:"x,omitzero"`
	Y           []int                 `json:"y,omitzero"`
	Transitions []document.Transition `json:"transitions,omitzero"`
	// Flags has 1 for each transition if the episode ended, plus 2 << f for each payoff f that was paid.
	Flags []int `json:"flags"`
	// Unplanned says that the present episode was begun with its model only.
	Unplanned bool `json:"unplanned,omitzero"`
}

const notState = "this is not the state of a random stream, which has 64 hexadecimal digits that are not all 0"

type saved struct {
	Saved savedDoc `json:"saved"`
}

func (s *Session) save(_ context.Context, raw jsontext.Value) (any, error) {
	if err := strict.Decode(raw, &struct{}{}); err != nil {
		return nil, err
	}
	doc := savedDoc{
		Heading: strict.Heading{Format: SavedFormat}, Engine: record.Engine, Hello: s.hello,
		Episodes: s.episodes, Before: s.seen.before, Belief: s.before.String(), Payoffs: s.payoffs.State().String(),
		Sizes: append([]int{}, s.seen.sizes...), Flags: []int{}, Unplanned: s.unplanned,
	}
	if s.episodes == 0 {
		doc.Belief = s.belief.State().String()
	}
	space := s.task.Space
	if space.Points() > fmdp.MaxPoints || s.unplanned {
		doc.Version, doc.Transitions = 2, []document.Transition{}
	} else {
		doc.Version, doc.X, doc.Y = 1, []int{}, []int{}
	}
	point, next := make([]int, space.X()), make([]int, space.Y())
	for k, flags := range s.seen.flags {
		s.seen.at(k, point, next)
		if doc.Flags = append(doc.Flags, int(flags)); doc.Version == 1 {
			doc.X, doc.Y = append(doc.X, space.Index(point)), append(doc.Y, space.Index(next))
		} else {
			doc.Transitions = append(doc.Transitions, document.Transition{X: slices.Clone(point), Y: slices.Clone(next)})
		}
	}
	if n := len(strict.Encode(doc)); n > MaxLine-64 {
		return nil, strict.Invalid("", "the session takes %d bytes, more than the %d of a line", n, MaxLine)
	}
	return saved{doc}, nil
}

func (s *Session) load(ctx context.Context, raw jsontext.Value) (any, error) {
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
				l.episodes = doc.Episodes - 1 // before the one that is sampled
				if _, l.policy, err = l.sample(ctx, doc.Unplanned); err != nil {
					return nil, err
				}
				l.unplanned = doc.Unplanned
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
	space, most := l.task.Space, int64(2)<<len(l.task.Payoffs)
	if !l.learned {
		most = 2
	}
	steps, err := doc.steps(space)
	if err != nil {
		return nil, err
	}
	if n := len(steps); len(doc.Flags) != n || n > MaxTransitions {
		return nil, strict.Invalid("/flags", "%d flags of %d transitions; there are at most %d", len(doc.Flags), n, MaxTransitions)
	}
	all, ends := make([]entry, len(steps)), &ending{of: l.task.Ends}
	for k, t := range steps {
		place, flags := fmt.Sprintf("/transitions/%d", k), int64(doc.Flags[k])
		if doc.Version == 1 {
			place = fmt.Sprintf("/x/%d", k)
		}
		if err := t.CheckLegal(place, space); err != nil {
			return nil, err
		}
		switch {
		case flags < 0 || flags >= most:
			return nil, strict.Invalid(fmt.Sprintf("/flags/%d", k), "there is no transition with the flags %d", flags)
		case ends.has(t.X[:space.Y()]) || flags&1 != 0 && l.told && !ends.has(t.Y):
			return nil, strict.Invalid(place, "the transition begins where an episode has ended, or ends where none does")
		}
		if flags&1 != 0 {
			ends.add(space, t.Y)
		}
		all[k] = entryOf(t.X, t.Y, flags, len(l.task.Payoffs))
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

// steps returns the values of the transitions.
func (d *savedDoc) steps(space *fmdp.Space) ([]document.Transition, error) {
	if d.Version > 1 {
		switch {
		case d.X != nil || d.Y != nil:
			return nil, strict.Invalid("/x", "indices are for version 1; this version has transitions")
		case d.Transitions == nil:
			return nil, strict.Invalid("/transitions", "the transitions are missing")
		}
		for k, t := range d.Transitions {
			if err := t.Check(fmt.Sprintf("/transitions/%d", k), space); err != nil {
				return nil, err
			}
		}
		return d.Transitions, nil
	}
	points, states := space.Points(), space.States()
	switch {
	case d.Transitions != nil || d.Unplanned:
		return nil, strict.Invalid("/version", "this is for version 2")
	case d.X == nil || len(d.X) != len(d.Y) || len(d.X) > MaxTransitions:
		return nil, strict.Invalid("/x", "%d and %d indices; there is one for each of at most %d transitions", len(d.X), len(d.Y), MaxTransitions)
	}
	list := make([]document.Transition, len(d.X))
	for k := range list {
		x, y := d.X[k], d.Y[k]
		if x < 0 || x >= points || y < 0 || y >= states {
			return nil, strict.Invalid(fmt.Sprintf("/x/%d", k), "there is no transition from %d to %d", x, y)
		}
		list[k] = document.Transition{X: space.Point(make([]int, space.X()), x), Y: space.Point(make([]int, space.Y()), y)}
	}
	return list, nil
}
