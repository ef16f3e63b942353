package render

import (
	"strings"
	"unicode"
)

// fronts returns for each name the length of the front that every name of the same first word has: running_ in
// running_c1 and running_c2. A front ends after a separator, or with the word. The page cuts names
// at the same place (site/src/parts/prior/names.ts).
func fronts(names []string) []int {
	word := func(name string) string {
		if end := strings.IndexFunc(name, func(r rune) bool { return !unicode.IsLetter(r) }); end >= 0 {
			return name[:end]
		}
		return name
	}
	shared, count := map[string]string{}, map[string]int{}
	for _, name := range names {
		w := word(name)
		if count[w]++; count[w] == 1 {
			shared[w] = name
		}
		shared[w] = common(shared[w], name)
	}
	list := make([]int, len(names))
	for k, name := range names {
		w := word(name)
		if count[w] == 1 {
			continue
		}
		list[k] = len(w)
		for at, r := range shared[w] {
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				list[k] = at + len(string(r))
			}
		}
	}
	return list
}

// common returns what two texts have in common at the front, in whole characters.
func common(a, b string) string {
	for at, r := range a {
		if !strings.HasPrefix(b[min(at, len(b)):], string(r)) {
			return a[:at]
		}
	}
	return a
}

// fitName cuts a name, which may have a mark behind it, to a width. Its front gives way first, so that names stay distinct.
func fitName(name string, front int, size float64, heavy bool, width float64) string {
	if widthOf(name, size, heavy) <= width {
		return name
	}
	own := name[front:]
	room := width - widthOf(own, size, heavy)
	if room < widthOf("…", size, heavy) {
		return fit(own, size, heavy, width)
	}
	return fit(name[:front], size, heavy, room) + own
}
