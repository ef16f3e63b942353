package engine

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/format"
	"cpsrl/core/strict"
	"cpsrl/wasm/wire"
)

// Kind says what a file is, by its beginning. The page opens a file accordingly, wherever it is dropped.
type Kind struct {
	// Kind is what follows cpsrl/ in a document of ours, such as "model" or "records", or one of the words
	// below; "" if the beginning does not tell.
	Kind string `json:"kind"`
}

// Files of other programs.
const (
	kindResults     = "results"     // regrets or returns, JSON Lines or a table
	kindTransitions = "transitions" // JSON Lines of x and y, or a table
	kindForeign     = "foreign"     // a model
	kindPart        = "part"        // a model, or a part of one that stands in several files
	kindGraph       = "graph"       // edges, in a language of graphs or as a table
)

// MaxHead is the length in bytes of the longest beginning of a file that /v1/kind reads.
const MaxHead = 4 << 20

func serveKind(w wire.Answer, r *wire.Request) error {
	head, err := io.ReadAll(io.LimitReader(r.Body, MaxHead))
	if err != nil {
		return err
	}
	return writeAnswer(w, Kind{kindOf(head)})
}

// kindOf tells the kind of a file from its first bytes, which may end anywhere.
func kindOf(head []byte) string {
	text, err := strict.UTF8(wholeRunes(head))
	if err != nil {
		return "" // whoever reads the file says what it is
	}
	start := bytes.TrimLeft(text, " \t\r\n")
	if len(start) > 0 && (start[0] == '{' || start[0] == '[') && !format.IsGraph(text) {
		return kindOfJSON(start)
	}
	header, _, _ := strings.Cut(string(start), "\n")
	switch first := strings.IndexAny(header, ",;\t"); {
	case first > 0 && strings.Trim(header[:first], ` "`) == "label":
		return kindResults
	case format.IsPart(text):
		return kindPart
	case format.IsModel(text):
		return kindForeign
	case format.IsGraph(text) || format.IsEdgeTable(text):
		return kindGraph
	}
	if log, _ := format.ReadLog(wholeLines(text), format.LogOptions{}); log != nil && log.Likely() {
		return kindTransitions
	}
	if strings.HasPrefix(header, ",") || strings.HasPrefix(header, `"",`) {
		return kindGraph // a matrix with the names of its rows
	}
	return ""
}

// kindOfJSON tells the kind of a JSON document, or of JSON Lines, by the members of the first object.
func kindOfJSON(text []byte) string {
	d := jsontext.NewDecoder(bytes.NewReader(text))
	if kind := d.PeekKind(); kind != '{' {
		return ""
	}
	d.ReadToken()
	var names []string
	for {
		name, err := d.ReadToken()
		if err != nil || name.Kind() != '"' {
			break
		}
		names = append(names, name.String())
		if names[len(names)-1] == "format" {
			value, err := d.ReadToken()
			if err != nil || value.Kind() != '"' {
				break
			}
			if ours, is := strings.CutPrefix(value.String(), "cpsrl/"); is {
				return ours
			}
			return kindForeign
		}
		if d.SkipValue() != nil {
			break
		}
	}
	switch {
	case slices.Contains(names, "label"):
		return kindResults
	case slices.Contains(names, "x") && slices.Contains(names, "y"):
		return kindTransitions
	}
	return ""
}

// wholeLines returns the text up to its last line end, if it has one.
func wholeLines(text []byte) []byte {
	if at := bytes.LastIndexByte(text, '\n'); at >= 0 {
		return text[:at+1]
	}
	return text
}

// wholeRunes returns the text without a character that is cut at its end.
func wholeRunes(text []byte) []byte {
	for n := range min(len(text), utf8.UTFMax) {
		if end := text[len(text)-n-1:]; utf8.RuneStart(end[0]) {
			if !utf8.FullRune(end) {
				return text[:len(text)-n-1]
			}
			break
		}
	}
	return text
}
