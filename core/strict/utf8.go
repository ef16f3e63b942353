package strict

import "bytes"

// mark is the byte order mark in UTF-8, with which some programs begin a text.
var mark = []byte("\ufeff")

// UTF8 returns a text without the byte order mark that may stand before it. A text in
// UTF-16 or UTF-32 is an *[InvalidError]. It is known by its mark or, because no
// format has NUL, by a first character with NUL bytes.
func UTF8(text []byte) ([]byte, error) {
	if rest, marked := bytes.CutPrefix(text, mark); marked {
		return rest, nil
	}
	if len(text) < 2 {
		return text, nil
	}
	wide := len(text) >= 4 && bytes.Count(text[:4], []byte{0}) > 1
	switch a, b := text[0], text[1]; {
	case a == 0xff && b == 0xfe && wide, a == 0 && b == 0 && wide, a != 0 && b == 0 && wide && text[2] == 0:
		return nil, Invalid("", "this file is UTF-32; save it as UTF-8")
	case a == 0xff && b == 0xfe, a == 0xfe && b == 0xff, (a == 0) != (b == 0):
		return nil, Invalid("", "this file is UTF-16; save it as UTF-8")
	}
	return text, nil
}
