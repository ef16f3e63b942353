package format

import (
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// readAll returns the cells of all rows, and the first error.
func readAll(s *sheet) (rows [][]cell, err error) {
	for {
		row, err := s.row()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return rows, err
		}
		rows = append(rows, row)
	}
}

// Oracle: encoding/csv, for the cells, their places, and which texts are refused.
func TestSheet(t *testing.T) {
	rng := rand.New(rand.NewPCG(52, 1))
	accepted := 0
	for range 20_000 {
		var b strings.Builder
		for range rng.IntN(24) {
			b.WriteString([]string{"a", "é", ",", ",", ";", "\t", `"`, `""`, `"a"`, `",`, "\n", "\r\n", " ", "\n#"}[rng.IntN(14)])
		}
		text := b.String()
		if strings.Contains(text, " #") || strings.Contains(text, "\" ") || strings.Contains(text, "\"\t") || slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool { return strings.TrimSpace(line) == "" && strings.Trim(line, "\r") != "" }) {
			continue // a line of white space is blank, a comment may be indented, and space may follow quotes
		}
		s := newSheet(text)
		if s.by == '\t' && strings.Contains(text, " ") {
			continue // encoding/csv trims there no space
		}
		r := csv.NewReader(strings.NewReader(text))
		r.Comma, r.Comment, r.FieldsPerRecord, r.TrimLeadingSpace = rune(s.by), '#', -1, s.by != '\t'
		var want []string
		var err error
		for {
			var fields []string
			if fields, err = r.Read(); err != nil {
				break
			}
			for k, f := range fields {
				line, bytes := r.FieldPos(k)
				runes := len([]rune(strings.Split(text, "\n")[line-1][:min(bytes-1, len(strings.Split(text, "\n")[line-1]))])) + 1
				if f = strings.TrimSpace(f); f != "" { // where an empty cell is matters to nobody
					f = fmt.Sprintf("%q at %d:%d", f, line, runes)
				}
				want = append(want, f)
			}
			want = append(want, "/")
		}
		rows, wrong := readAll(s)
		if (wrong != nil) != (err != io.EOF) {
			t.Fatalf("%q: %v, %v by encoding/csv", text, wrong, err)
		}
		if wrong != nil {
			continue
		}
		accepted++
		var got []string
		for _, row := range rows {
			for _, c := range row {
				if c.text == "" {
					got = append(got, "")
				} else {
					got = append(got, fmt.Sprintf("%q at %d:%d", c.text, c.line, c.column))
				}
			}
			got = append(got, "/")
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", text, got, want)
		}
	}
	if accepted < 1000 {
		t.Errorf("only %d texts were accepted", accepted)
	}
}

// A wide or long line takes time in proportion to its length: these would take minutes otherwise. Oracle: by hand.
func TestSheetWide(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where it says the same")
	}
	for text, want := range map[string]string{
		strings.Repeat(`"",`, 3<<20):            "line 1, column 3073: the row has more than 1024 cells",
		strings.Repeat(",", 8<<20):              "line 1, column 1025: the row has more than 1024 cells",
		`"` + strings.Repeat(`""`, 4<<20) + `"`: "",
		strings.Repeat(`"`, 8<<20+1):            "line 1, column 1: the quotes of this cell do not match",
		strings.Repeat(",a\n", 2<<20):           "",
		strings.Repeat("a", 8<<20) + `"`:        "line 1, column 8388609: the quotes of this cell do not match",
	} {
		if _, err := readAll(newSheet(text)); err == nil && want != "" || err != nil && err.Error() != want {
			t.Errorf("%.10q…: %v, want %q", text, err, want)
		}
	}
	line := strings.Repeat(`"a,",`, 2<<20)
	if got := unquoted(line); strings.Trim(got, ",") != "" || len(got) != 2<<20 {
		t.Errorf("%d bytes are not in quotes", len(got))
	}
}
