package render

import (
	"strings"
	"unicode/utf8"
)

// Widths of the printable ASCII characters in thousandths of the size, in the
// Go fonts, which share them with Helvetica and Arial.
var (
	regular = [95]int{
		278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 584, 584, 316, 584, 316, 278, 556, 556, 556, 556, 556, 556, 556, 556,
		556, 556, 306, 306, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 399, 496, 667, 556, 833, 722, 778,
		667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556,
		556, 247, 253, 500, 268, 833, 556, 556, 556, 556, 333, 500, 283, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
	}
	bold = [95]int{
		278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 558, 584, 278, 584, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556,
		556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 453, 556, 722, 611, 833, 722, 778,
		667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611,
		611, 289, 288, 556, 298, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
	}
)

// signs holds the widths of other characters: exact ones of the signs in formulas, in the
// regular font (bold is up to a tenth wider), and guesses of some more.
var signs = map[rune]int{
	0xa0: 277, 'η': 556, 'π': 689, 'Σ': 587, '−': 583, '±': 583, '×': 583, '√': 548, '≤': 548, 'ℓ': 323, '’': 222,
	'′': 340, '·': 340, '←': 1000, '→': 1000,
}

// Width returns the width of the text. It is exact for ASCII and the signs of formulas,
// and a guess for other characters.
func (t Text) Width() float64 {
	width := 0.0
	for _, piece := range t.Pieces() {
		width += widthOf(piece.Value, piece.Size, piece.Bold)
	}
	return width
}

// Pieces returns the text as texts of one size, from left to right, each at the
// place where it begins. A subscript is smaller and below the line. A text without
// subscripts is its own only piece.
func (t Text) Pieces() []Text {
	if !t.Subscripts {
		return []Text{t}
	}
	var list []Text
	width := 0.0
	add := func(value string, size, drop float64) {
		if value != "" {
			list = append(list, Text{X: t.X + width, Y: t.Y + drop, Size: size, Bold: t.Bold, Color: t.Color, Value: value})
			width += widthOf(value, size, t.Bold)
		}
	}
	for k, part := range strings.Split(t.Value, "_") {
		low, rest := "", part
		if group, after, ok := strings.Cut(part, "}"); k > 0 && ok && strings.HasPrefix(group, "{") {
			low, rest = group[1:], after
		} else if k > 0 {
			_, n := utf8.DecodeRuneInString(part)
			low, rest = part[:n], part[n:]
		}
		add(low, 0.7*t.Size, 0.18*t.Size)
		add(rest, t.Size, 0)
	}
	for k := range list {
		list[k].X -= width * float64(t.Anchor) / 2
	}
	return list
}

// widthOf returns the width of a text without subscripts.
func widthOf(s string, size float64, heavy bool) float64 {
	n := 0
	for _, r := range s {
		n += advance(r, heavy)
	}
	return float64(n) * size / 1000
}

// advance returns the width of a character in thousandths of the size.
func advance(r rune, heavy bool) int {
	table := &regular
	if heavy {
		table = &bold
	}
	switch {
	case r >= ' ' && r <= '~':
		return table[r-' ']
	case signs[r] > 0:
		return signs[r]
	case r >= 0x2E80: // wide scripts
		return 1000
	case r >= '₀' && r <= '₉':
		return 340
	}
	return 600
}

// fit cuts a text to a width. A text that is cut ends in ….
func fit(s string, size float64, heavy bool, width float64) string {
	if widthOf(s, size, heavy) <= width {
		return s
	}
	const more = '…'
	kept, n := 0, advance(more, heavy)
	for at, r := range s {
		if n += advance(r, heavy); float64(n)*size/1000 > width {
			break
		}
		if r != ' ' && r != ',' { // no space or comma before …
			kept = at + len(string(r))
		}
	}
	return s[:kept] + string(more)
}

// split returns as many words of a text as a line of that width has room for, and the rest. The
// line has at least one word.
func split(s string, size float64, heavy bool, width float64) (line, rest string) {
	line = s
	for widthOf(line, size, heavy) > width && strings.Contains(line, " ") {
		line = line[:strings.LastIndexByte(line, ' ')]
	}
	return line, strings.TrimPrefix(s[len(line):], " ")
}
