package main

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

var (
	pathData    = regexp.MustCompile(`<path d="([^"]*)"`)
	pathCommand = regexp.MustCompile(`([MLQCZ])([^MLQCZ]*)`)
	pathNumber  = regexp.MustCompile(`-?[0-9.]+(?:e[-+]?[0-9]+)?`)
)

// compact writes the paths of an SVG in hundredths of a point, each point
// relative to the one before: half the size, and no visible difference. A path
// with other commands than M, L, Q, C and Z stays as it is.
func compact(svg string) string {
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
	for _, c := range pathCommand.FindAllStringSubmatch(data, -1) {
		b = append(b, c[1][0]|0x20) // a small letter is relative
		first := true
		var last [2]int
		for k, text := range pathNumber.FindAllString(c[2], -1) {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return data
			}
			axis := k % 2
			last[axis] = int(math.Round(100 * v))
			b = appendHundredths(b, last[axis]-at[axis], first)
			first = false
			// Control points are relative to where the command begins.
			if ends := map[byte]int{'M': 2, 'L': 2, 'Q': 4, 'C': 6}[c[1][0]]; k%ends == ends-1 {
				at = last
				if c[1] == "M" && k == 1 {
					start = at
				}
			}
		}
		if c[1] == "Z" {
			at = start
		}
	}
	return string(b)
}

// appendHundredths appends n/100 as briefly as SVG reads it.
func appendHundredths(b []byte, n int, first bool) []byte {
	if n >= 0 && !first {
		b = append(b, ' ')
	}
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	whole, part := n/100, n%100
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
