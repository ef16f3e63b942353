package format

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"cpsrl/core/param"
)

// scanner divides the text of a model into marks and words, which end at white space, a mark or
// a comment. After an error it is at the end of the text.
type scanner struct {
	lexer
	marks   string                // the characters that are tokens of their own
	remark  string                // what begins a comment that ends with its line
	block   bool                  // whether comments also stand between /* and */
	quotes  bool                  // whether a word may stand in quotes
	length  func(rest string) int // of the word with which the rest begins; nil for words that end at white space, a mark or a comment
	now     token                 // the token that is read next
	failure *Error                // the first error
}

// scan begins to read the text.
func (s *scanner) scan(text string) {
	s.lexer = newLexer(text)
	s.take()
}

// fail keeps an error at a token, and ends the reading. Only the first error counts.
func (s *scanner) fail(at token, format string, args ...any) {
	if s.failure == nil {
		s.failure = at.fault(format, args...)
	}
	s.now = token{line: at.line, column: at.column}
}

// failed reports whether there is an error.
func (s *scanner) failed() bool { return s.failure != nil }

// err returns the error, or nil.
func (s *scanner) err() error {
	if s.failure == nil {
		return nil
	}
	return s.failure
}

// comment returns the length of the comment with which the rest begins, or 0. A block that does
// not end is −1.
func (s *scanner) comment() int {
	if strings.HasPrefix(s.rest, s.remark) {
		if n := strings.IndexByte(s.rest, '\n'); n >= 0 {
			return n
		}
		return len(s.rest)
	}
	if s.block && strings.HasPrefix(s.rest, "/*") {
		n := strings.Index(s.rest[2:], "*/")
		if n < 0 {
			return -1
		}
		return n + len("/**/")
	}
	return 0
}

// take returns the next token and reads on.
func (s *scanner) take() token {
	t := s.now
	if s.failed() {
		return t
	}
	for {
		s.skip(len(s.rest) - len(strings.TrimLeftFunc(s.rest, unicode.IsSpace)))
		n := s.comment()
		if n < 0 {
			s.fail(s.here(), "the comment does not end")
			return t
		}
		if n == 0 {
			break
		}
		s.skip(n)
	}
	s.now = s.here()
	switch {
	case s.rest == "":
	case strings.IndexByte(s.marks, s.rest[0]) >= 0:
		s.now.kind, s.now.text = mark, s.skip(1)
	case s.quotes && s.rest[0] == '"':
		text, n, ok := quoted(s.rest)
		if !ok {
			s.fail(s.now, "the quoted name does not end")
			return t
		}
		s.skip(n)
		s.now.kind, s.now.text, s.now.quoted = name, text, true
	default:
		s.now.kind, s.now.text = name, s.skip(s.word())
	}
	return t
}

// word returns the length of the word with which the rest begins.
func (s *scanner) word() int {
	if s.length != nil {
		return s.length(s.rest)
	}
	whole := s.rest
	defer func() { s.rest = whole }()
	for n, r := range whole {
		if n == 0 {
			continue
		}
		if s.rest = whole[n:]; unicode.IsSpace(r) || strings.ContainsRune(s.marks, r) || s.quotes && r == '"' || s.comment() != 0 {
			return n
		}
	}
	return len(whole)
}

// expect reads on behind that mark or word, or fails.
func (s *scanner) expect(text string) bool {
	if !s.now.is(text) {
		s.unexpected(strconv.Quote(text))
		return false
	}
	s.take()
	return true
}

// unexpected fails at the next token, where something else was expected.
func (s *scanner) unexpected(expected string) {
	if s.now.kind == end {
		s.fail(s.now, "%s was expected, but the file ends", expected)
		return
	}
	s.fail(s.now, "%s was expected, not %q", expected, param.Clip(s.now.text))
}

// name returns the next token, which must be a word.
func (s *scanner) name(expected string) (t token, ok bool) {
	if s.now.kind != name {
		s.unexpected(expected)
		return s.now, false
	}
	return s.take(), true
}

// number returns the number that the next token is.
func (s *scanner) number(expected string) (float64, bool) {
	v, ok := numberOf(s.now.text)
	if !ok || s.now.kind != name || s.now.quoted {
		s.unexpected(expected)
		return 0, false
	}
	s.take()
	return v, true
}

// whole returns the whole number from low to high that the next token is.
func (s *scanner) whole(expected string, low, high int) (int, bool) {
	v, err := strconv.Atoi(s.now.text)
	if err != nil || s.now.kind != name || v < low || v > high {
		s.unexpected(fmt.Sprintf("%s, a whole number from %d to %d,", expected, low, high))
		return 0, false
	}
	s.take()
	return v, true
}

// numberOf reads a finite decimal number.
func numberOf(text string) (float64, bool) {
	if text == "" || strings.Trim(text, "0123456789+-.eE") != "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && !math.IsInf(v, 0)
}

// checked keeps a fault of the mathematics as an error at a token.
func (s *scanner) checked(at token, err error) bool {
	if err != nil {
		s.fail(at, "%v", err)
	}
	return err == nil
}
