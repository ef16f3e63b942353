package strict

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// Limits of a file of JSON Lines, in bytes.
const (
	MaxHeader = 32 << 20
	MaxLine   = 1 << 20 // of any other line
)

// LineError is an error in a line of a file.
type LineError struct {
	Number int // from 1
	Err    error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Number, e.Err) }
func (e *LineError) Unwrap() error { return e.Err }

// LongLineError says that a line is longer than its limit, in bytes.
type LongLineError struct{ Limit int }

func (e *LongLineError) Error() string {
	return fmt.Sprintf("the line is longer than %d MiB", e.Limit>>20)
}

// Lines reads a file line by line. It skips blank lines, and a byte order mark before a line,
// which also stands inside of files that were joined.
type Lines struct {
	r      *bufio.Reader
	buffer []byte
	number int // the number of the last line, blank lines included
	read   int64
	ended  bool
}

// NewLines returns the lines of a file. They belong to one goroutine at a time.
func NewLines(r io.Reader) *Lines { return &Lines{r: bufio.NewReaderSize(r, 64<<10)} }

// Number returns the number of the last line, from 1, blank lines included.
func (l *Lines) Number() int { return l.number }

// Read returns the number of bytes up to the end of the last line.
func (l *Lines) Read() int64 { return l.read }

// CountAgain numbers the lines from 1 again, beginning with the next line. If a caller has put
// lines of its own before those of a file, an error then has the number of a line of the file.
func (l *Lines) CountAgain() { l.number = 0 }

// Rest returns what follows the last line. What is read of it is no line of the file.
func (l *Lines) Rest() *bufio.Reader { return l.r }

// Wrong returns the error of the last line, a *[LineError].
func (l *Lines) Wrong(err error) error { return &LineError{l.number, err} }

// Next returns the next line that is not blank, with a newline. The line is valid until
// the next call. At the end of the file the error is io.EOF. If dropTorn is set, a last
// line without a newline is ignored. A line of more than most bytes is an error.
func (l *Lines) Next(most int, dropTorn bool) ([]byte, error) {
	for !l.ended {
		l.number++
		l.buffer = l.buffer[:0]
		err := bufio.ErrBufferFull
		for err == bufio.ErrBufferFull {
			var part []byte
			part, err = l.r.ReadSlice('\n')
			l.buffer = append(l.buffer, part...)
			l.read += int64(len(part))
			if len(l.buffer) > most {
				return nil, l.Wrong(&LongLineError{most})
			}
		}
		line, wide := UTF8(l.buffer)
		switch l.ended = err == io.EOF; {
		case err != nil && !l.ended:
			return nil, err
		case wide != nil:
			return nil, l.Wrong(wide)
		case len(bytes.TrimSpace(line)) == 0:
		case l.ended && dropTorn:
		case l.ended:
			return append(line, '\n'), nil
		default:
			return line, nil
		}
	}
	return nil, io.EOF
}
