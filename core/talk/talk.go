// Package talk holds conversations with programs of others: a message is one line of JSON, and so is its answer.
//
// A message is an object with one member, which names it. A message that is wrong has the answer
// {"error":"one sentence","at":"/a/pointer/into/the/message"} and changes nothing.
//
// A conversation belongs to one goroutine at a time.
package talk

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// MaxLine is the largest size of a message in bytes.
const MaxLine = 32 << 20

// Partner answers messages, each by one line. After a wrong message it is as it was before.
type Partner interface {
	AnswerContext(ctx context.Context, line []byte) []byte
}

// Message is a kind of message to a session of type S.
type Message[S any] struct {
	Name string
	// First reports whether it may come before the session has begun.
	First bool
	Read  func(s S, ctx context.Context, raw jsontext.Value) (any, error)
}

// Answer reads a message of one of the kinds and returns its answer as one line. Of a session that has not begun, early says
// so; else it is "".
func Answer[S any](ctx context.Context, s S, kinds []Message[S], early string, line []byte) []byte {
	value, err := reply(ctx, s, kinds, early, line)
	if err != nil {
		value = refused(err)
	}
	return strict.AppendLine(nil, value)
}

func reply[S any](ctx context.Context, s S, kinds []Message[S], early string, line []byte) (any, error) {
	members, err := strict.Object(line)
	if err != nil {
		return nil, err
	}
	if len(members) != 1 {
		return nil, strict.Invalid("", "a message has one member, which names it; this one has %d", len(members))
	}
	var name string
	for name = range members {
	}
	at := slices.IndexFunc(kinds, func(m Message[S]) bool { return m.Name == name })
	switch {
	case at < 0:
		names := make([]string, len(kinds))
		for k, m := range kinds {
			names[k] = m.Name
		}
		return nil, strict.Invalid(strict.Place(name), "there is no such message; it must be %s", param.OneOf(names))
	case early != "" && !kinds[at].First:
		return nil, strict.Invalid("/"+name, "%s", early)
	}
	value, err := kinds[at].Read(s, ctx, members[name])
	return value, strict.Within("/"+name, strict.Located(err))
}

// wrong is the answer to a wrong message.
type wrong struct {
	Error string `json:"error"`
	At    string `json:"at,omitempty"`
}

// refused returns the answer that says an error.
func refused(err error) wrong {
	if e, ok := strict.Located(err).(*strict.InvalidError); ok {
		return wrong{e.Reason, e.Place}
	}
	return wrong{Error: strict.Invalid("", "%v", err).Error()} // not longer than other reasons
}

// Serve lets the partner answer the messages of r, one on each line, until r ends. Blank lines are skipped. It calls flush after
// each answer. A line of more than [MaxLine] bytes is one more wrong message. If r fails, the last answer says why; the
// error is that of r or of w. When ctx ends, no more messages are read: the error is that of ctx.
func Serve(ctx context.Context, p Partner, r io.Reader, w io.Writer, flush func() error) error {
	lines := bufio.NewReaderSize(r, 64<<10)
	say := func(answer []byte) error {
		if _, err := w.Write(answer); err != nil {
			return err
		}
		return flush()
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		line, long, err := next(lines)
		if err != nil && err != io.EOF {
			say(strict.AppendLine(nil, refused(err)))
			return err
		}
		var answer []byte
		switch {
		case long:
			answer = strict.AppendLine(nil, refused(&strict.LongLineError{Limit: MaxLine}))
		case len(bytes.TrimSpace(line)) > 0:
			answer = p.AnswerContext(ctx, line)
		}
		if answer != nil {
			if err := say(answer); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

// next reads a line. Of a long one nothing is kept.
func next(r *bufio.Reader) (line []byte, long bool, err error) {
	err = bufio.ErrBufferFull
	for err == bufio.ErrBufferFull {
		var part []byte
		part, err = r.ReadSlice('\n')
		if long = long || len(line)+len(part) > MaxLine; long {
			line = nil
			continue
		}
		line = append(line, part...)
	}
	return line, long, err
}
