package param

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestMessage is the largest number of bytes of a message that are shown, because a
// message may quote a hostile file.
const longestMessage = 600

// Printable makes a message one line of a terminal or a file: it replaces characters that cannot be
// printed, and leaves out the middle of a long message.
func Printable(message string) string {
	var b strings.Builder
	if n := len(message); n > longestMessage {
		message = message[:longestMessage/2] + " … " + message[n-longestMessage/2:]
	}
	for _, r := range message {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			b.WriteByte(' ')
		case r == utf8.RuneError:
			b.WriteByte('?')
		case !unicode.IsPrint(r):
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
