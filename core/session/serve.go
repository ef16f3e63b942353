package session

import (
	"bufio"
	"bytes"
	"io"

	"cpsrl/core/strict"
)

// Serve answers the messages of r, one on each line, until r ends. Blank lines are skipped. It calls flush after
// each answer. A line of more than [MaxLine] bytes is one more wrong message. If r fails, the last answer says why; the
// error is that of r or of w.
func Serve(r io.Reader, w io.Writer, flush func() error) error {
	var s Session
	lines := bufio.NewReaderSize(r, 64<<10)
	say := func(answer []byte) error {
		if _, err := w.Write(answer); err != nil {
			return err
		}
		return flush()
	}
	for {
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
			answer = s.Answer(line)
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
