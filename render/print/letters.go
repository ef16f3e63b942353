package print

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"cpsrl/render"
)

// LettersError says that the fonts of PDF and PNG lack letters of a picture. A picture as SVG
// is shown in the fonts of its reader.
type LettersError struct {
	Letters []rune // in the order of the picture, each once
	Text    string // the first text with one of them
}

func (e *LettersError) Error() string {
	const most = 8
	shown, more := e.Letters, ""
	if len(shown) > most {
		shown, more = shown[:most], fmt.Sprintf(" and %d more", len(e.Letters)-most)
	}
	return fmt.Sprintf("the font of PDF and PNG lacks %s%s, as in %.200q; SVG can show them", string(shown), more, e.Text)
}

// checkLetters returns a *[LettersError] if a text of the picture has a letter that its font
// lacks.
func checkLetters(p *render.Picture, regular, bold []byte) error {
	fonts := map[bool]letters{false: lettersOf(regular), true: lettersOf(bold)}
	var failed *LettersError
	for _, m := range p.Marks {
		t, is := m.(render.Text)
		if !is {
			continue
		}
		for _, r := range lacking.Replace(t.Value) {
			switch {
			case fonts[t.Bold].has(r):
			case failed == nil:
				failed = &LettersError{[]rune{r}, t.Value}
			case !slices.Contains(failed.Letters, r):
				failed.Letters = append(failed.Letters, r)
			}
		}
	}
	if failed == nil {
		return nil
	}
	return failed
}

// letters is the table of a TrueType font that maps characters to glyphs, in format 4: segments
// of characters.
type letters []byte

// lettersOf finds the table in a font. It is empty if the font has none.
func lettersOf(font []byte) letters {
	table := func(data []byte, first, size, count, offset int, is func(record []byte) bool) []byte {
		for k := range count {
			record := data[first+k*size:]
			if is(record) {
				return data[binary.BigEndian.Uint32(record[offset:]):]
			}
		}
		return nil
	}
	cmap := table(font, 12, 16, int(binary.BigEndian.Uint16(font[4:])), 8, func(record []byte) bool { return strings.HasPrefix(string(record[:4]), "cmap") })
	if cmap == nil {
		return nil
	}
	unicode := []byte{0, 3, 0, 1} // of Windows
	segments := table(cmap, 4, 8, int(binary.BigEndian.Uint16(cmap[2:])), 4, func(record []byte) bool { return slices.Equal(record[:4], unicode) })
	if len(segments) < 14 || binary.BigEndian.Uint16(segments) != 4 {
		return nil
	}
	return segments
}

// has reports whether the font has a glyph for a character.
func (l letters) has(r rune) bool {
	if len(l) == 0 || r < 0 || r > 0xFFFF {
		return false
	}
	at := func(k int) int { return int(binary.BigEndian.Uint16(l[k:])) }
	size := at(6) // of the list of ends, and of each of the other three
	for k := 0; k < size; k += 2 {
		if int(r) > at(14+k) {
			continue
		}
		start, delta, place := at(16+size+k), at(16+2*size+k), 16+3*size+k
		if int(r) < start {
			return false
		}
		glyph := int(r)
		if offset := at(place); offset != 0 {
			if glyph = at(place + offset + 2*(int(r)-start)); glyph == 0 {
				return false
			}
		}
		return (glyph+delta)&0xFFFF != 0
	}
	return false
}
