package print

import (
	"encoding/json"
	"fmt"

	"cpsrl/render"
)

// Sheet reads the JSON of a [render.Picture] and writes the picture as [PDF] does, in the
// given fonts, which are TrueType files. The error says what is wrong with the sheet.
func Sheet(sheet, regular, bold []byte) ([]byte, error) {
	p, err := readSheet(sheet)
	if err != nil {
		return nil, err
	}
	return document(p, regular, bold)
}

// readSheet reads a sheet of paths and texts. It uses the standard library's decoder, which
// the PDF package links in any case. The decoder used elsewhere would add 0.2 MB gzipped,
// and the engine's own JSON does not need its strictness.
func readSheet(sheet []byte) (*render.Picture, error) {
	var s struct {
		render.Picture
		Marks []struct { // paths and texts have no member in common
			*render.Path
			*render.Text
		}
	}
	if err := json.Unmarshal(sheet, &s); err != nil {
		return nil, err
	}
	p := &s.Picture
	for k, m := range s.Marks {
		switch {
		case m.Path != nil && m.Text == nil:
			if len(m.Path.Dash) == 0 {
				m.Path.Dash = nil // the sheet has []
			}
			p.Marks = append(p.Marks, *m.Path)
		case m.Text != nil && m.Path == nil:
			p.Marks = append(p.Marks, *m.Text)
		default:
			return nil, fmt.Errorf("mark %d of the sheet is neither a path nor a text", k)
		}
	}
	return p, nil
}
