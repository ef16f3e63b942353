package strict

import (
	"bytes"
	"unicode/utf8"
)

// mark is the byte order mark in UTF-8, with which some programs begin a text.
var mark = []byte("\ufeff")

// UTF8 returns a text without the byte order mark that may stand before it. Every reader of a file or a
// message begins with it: what is not a text in UTF-8 is an *[InvalidError] with the same sentence
// everywhere, which names UTF-16, UTF-32 and packed files by their first bytes.
func UTF8(text []byte) ([]byte, error) {
	if rest, marked := bytes.CutPrefix(text, mark); marked {
		text = rest
	} else if name := encodingOf(text); name != "" {
		return nil, Invalid("", "this file is %s; save it as UTF-8", name)
	} else if name := packedAs(text); name != "" {
		return nil, Invalid("", "this file is %s; unpack it, or save its contents as text", name)
	}
	if !utf8.Valid(text) {
		return nil, Invalid("", "this file is not UTF-8; save it as UTF-8")
	}
	return text, nil
}

// encodingOf returns "UTF-16" or "UTF-32" for a text that begins so, and "" for another one. It is known
// by its mark or, because no format has NUL, by NUL bytes in the same place of the first character and of
// most of the next ones.
func encodingOf(text []byte) string {
	begins := text[:min(len(text), 16)]
	zeros := func(at ...bool) bool { // whether just these bytes of characters are NUL
		n, of := 0, len(begins)/len(at)
		for k := range of {
			like := true
			for j, zero := range at {
				like = like && (begins[k*len(at)+j] == 0) == zero
			}
			if like {
				n++
			} else if k == 0 {
				return false
			}
		}
		return of > 0 && 2*n > of
	}
	starts := func(mark string) bool { return bytes.HasPrefix(begins, []byte(mark)) }
	switch {
	case starts("\xff\xfe\x00\x00"), starts("\x00\x00\xfe\xff"), zeros(false, true, true, true), zeros(true, true, true, false):
		return "UTF-32"
	case starts("\xff\xfe"), starts("\xfe\xff"), zeros(false, true), zeros(true, false):
		return "UTF-16"
	}
	return ""
}

// packedAs returns what a file is that is packed, by its first bytes, or "".
func packedAs(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\x1f\x8b")):
		return "packed by gzip"
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return "a ZIP archive, as a workbook of a spreadsheet is"
	}
	return ""
}
