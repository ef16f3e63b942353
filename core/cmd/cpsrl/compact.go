package main

import (
	"bytes"
	"math"
	"regexp"
	"strconv"
	"strings"
)

var (
	filledPath  = regexp.MustCompile(`^<path d="([^"]*)" style="(fill:#[0-9A-F]{6})" />$`)
	pathData    = regexp.MustCompile(`<path d="([^"]*)"`)
	pathCommand = regexp.MustCompile(`([MLQCZ])([^MLQCZ]*)`)
	pathNumber  = regexp.MustCompile(`-?[0-9.]+(?:e[-+]?[0-9]+)?`)
)

// compact joins neighbouring paths of one opaque colour, as the glyphs of a text
// are, and writes paths in hundredths of a point, each point relative to the one
// before: half the size, and no visible difference. A path with other commands
// than M, L, Q, C and Z stays as it is.
func compact(svg string) string {
	var b strings.Builder
	var joined, style string
	flush := func() {
		if joined != "" {
			b.WriteString(`<path d="` + joined + `" style="` + style + "\" />\n")
		}
		joined = ""
	}
	for line := range strings.Lines(svg) {
		path := filledPath.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if path == nil {
			flush()
			b.WriteString(line)
			continue
		}
		if path[2] != style {
			flush()
		}
		joined, style = joined+path[1], path[2]
	}
	flush()
	return compactPaths(b.String())
}

func compactPaths(svg string) string {
	return pathData.ReplaceAllStringFunc(svg, func(path string) string {
		data := pathData.FindStringSubmatch(path)[1]
		if strings.Trim(data, "MLQCZ0123456789.,-+e \n\t") != "" {
			return path
		}
		return `<path d="` + relative(data) + `"`
	})
}

// relative rewrites the data of a path.
func relative(data string) string {
	var b []byte
	var at, start [2]int // in hundredths
	last := ""
	for _, c := range pathCommand.FindAllStringSubmatch(data, -1) {
		// A command that is repeated need not be named again.
		if c[1] != last || c[1] == "M" {
			b = append(b, c[1][0]|0x20) // a small letter is relative
		}
		last = c[1]
		var to [2]int
		ends := map[string]int{"M": 2, "L": 2, "Q": 4, "C": 6}[c[1]]
		for k, text := range pathNumber.FindAllString(c[2], -1) {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return data
			}
			axis := k % 2
			to[axis] = int(math.Round(100 * v))
			b = appendHundredths(b, to[axis]-at[axis])
			if k%ends == ends-1 { // control points are relative to where the command begins
				at = to
			}
		}
		switch c[1] {
		case "M":
			start = at
		case "Z":
			at = start
		}
	}
	return string(b)
}

// appendHundredths appends n/100 as briefly as SVG reads it: a space only where
// the number would else run into the one before.
func appendHundredths(b []byte, n int) []byte {
	token := b[bytes.LastIndexAny(b, "mlqcz -")+1:]
	if n < 0 {
		b = append(b, '-')
		n, token = -n, nil
	}
	whole, part := n/100, n%100
	if len(token) > 0 && (whole > 0 || part == 0 || bytes.IndexByte(token, '.') < 0) {
		b = append(b, ' ')
	}
	if whole > 0 || part == 0 {
		b = strconv.AppendInt(b, int64(whole), 10)
	}
	if part > 0 {
		b = append(b, '.', byte('0'+part/10))
		if part%10 > 0 {
			b = append(b, byte('0'+part%10))
		}
	}
	return b
}
