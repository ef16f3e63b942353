package format

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// notation says what the comma is in the numbers of a column.
type notation int

const (
	plain  notation = iota // no part of a number
	comma                  // the decimal mark, as in 1.234,5
	groups                 // between thousands, as in 1,234.5
)

// spaces and signs that some programs write.
var ascii = strings.NewReplacer("\u2212", "-", "\u00a0", " ", "\u202f", " ", "\u2009", " ", "’", "'")

// number reads a decimal number, or an infinite one.
func (n notation) number(text string) (float64, bool) {
	if text == "" || !strings.ContainsAny(text, "0123456789iI∞") {
		return 0, false
	}
	if v, ok := numberOf(text); ok && n == plain {
		return v, true
	}
	text = ascii.Replace(text)
	bare := strings.TrimLeft(text, "+-")
	sign := text[:len(text)-len(bare)]
	if len(sign) > 1 {
		return 0, false
	}
	if b := strings.ToLower(bare); b == "inf" || b == "infinity" || b == "∞" {
		if sign == "-" {
			return math.Inf(-1), true
		}
		return math.Inf(1), true
	}
	if n == plain {
		return numberOf(sign + bare)
	}
	mark := "."
	if n == comma {
		mark = ","
	}
	whole, rest, marked := strings.Cut(bare, mark)
	for _, by := range []string{".", ",", " ", "'"} {
		parts := strings.Split(whole, by)
		if by == mark || len(parts) == 1 {
			continue
		}
		if len(parts[0]) == 0 || len(parts[0]) > 3 || slices.ContainsFunc(parts[1:], func(part string) bool { return len(part) != 3 || !allDigits(part) }) {
			return 0, false
		}
		whole = strings.Join(parts, "")
		break
	}
	if !allDigits(whole) || rest != "" && !unicode.IsDigit(rune(rest[0])) {
		return 0, false
	}
	if marked {
		whole += "." + rest
	}
	return numberOf(sign + whole)
}

// allDigits reports whether a text has no other characters than digits.
func allDigits(text string) bool { return strings.Trim(text, "0123456789") == "" }

// mostWhole is the largest absolute value of a whole number: those up to it are exact.
const mostWhole = 1 << 53

// whole returns a number as the text of a whole one: "2" for 2.0.
func whole(v float64) (string, bool) {
	if v != math.Trunc(v) || math.Abs(v) > mostWhole {
		return "", false
	}
	return strconv.FormatInt(int64(v), 10), true
}

// dateOf reads a date, as 2026-03-01, or a date and a time, as 2026-03-01 14:05:30 or 2026-03-01T14:05:30.5+02:00,
// as seconds since 1970. The date may also be written 01.03.2026.
func dateOf(text string) (float64, bool) {
	if len(text) >= len("01.03.2026") && text[2] == '.' && text[5] == '.' {
		text = text[6:10] + "-" + text[3:5] + "-" + text[:2] + text[10:]
	}
	if len(text) < len("2026-03-01") || text[4] != text[7] || text[4] != '-' && text[4] != '/' {
		return 0, false
	}
	ok := true
	number := func(text string, least, most int) int {
		n, err := strconv.Atoi(text)
		ok = ok && err == nil && allDigits(text) && n >= least && n <= most
		return n
	}
	year, month, day := number(text[:4], 0, 9999), number(text[5:7], 1, 12), number(text[8:10], 1, 31)
	// The days of the civil calendar (H. Hinnant, "chrono-compatible low-level date algorithms").
	if month <= 2 {
		year, month = year-1, month+12
	}
	era := math.Floor(float64(year) / 400)
	of := year - int(era)*400
	days := era*146097 + float64(of*365+of/4-of/100+(153*(month-3)+2)/5+day-1) - 719468
	seconds := days * 86400
	clock, zone := strings.TrimSuffix(text[10:], "Z"), ""
	if clock == "" {
		return seconds, ok
	}
	if clock[0] != 'T' && clock[0] != ' ' {
		return 0, false
	}
	if k := strings.LastIndexAny(clock, "+-"); k > 0 {
		clock, zone = clock[:k], clock[k:]
		sign := 1.0
		if zone[0] == '+' {
			sign = -1
		}
		hours, minutes, _ := strings.Cut(zone[1:], ":")
		if minutes == "" && len(hours) == 4 {
			hours, minutes = hours[:2], hours[2:]
		}
		seconds += sign * float64(number(hours, 0, 14)*3600)
		if minutes != "" {
			seconds += sign * float64(number(minutes, 0, 59)*60)
		}
	}
	parts := strings.Split(clock[1:], ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	seconds += float64(number(parts[0], 0, 24)*3600 + number(parts[1], 0, 59)*60)
	if len(parts) == 3 {
		s, is := plain.number(parts[2])
		ok = ok && is && s >= 0 && s < 61
		seconds += s
	}
	return seconds, ok
}

// clockOf reads a time of the day, as 14:05 or 14:05:30, or a span, as "2 days 14:05:30", as seconds.
func clockOf(text string) (float64, bool) {
	days, clock, span := strings.Cut(text, " day")
	if !span {
		days, clock = "0", text
	} else {
		clock = strings.TrimLeft(strings.TrimPrefix(clock, "s"), ", ")
	}
	n, ok := plain.number(days)
	parts := strings.Split(clock, ":")
	if !ok || n != math.Trunc(n) || len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	seconds := n * 86400
	for k, part := range parts {
		v, is := plain.number(part)
		if !is || v < 0 || k > 0 && v >= 60 || k < 2 && !allDigits(part) {
			return 0, false
		}
		seconds += v * float64([]int{3600, 60, 1}[k])
	}
	return seconds, true
}

// isDate reports whether a text is a date, also one such as 03/10/2026, which is read in two ways.
func isDate(text string) bool {
	if _, is := dateOf(text); is {
		return true
	}
	date, _, _ := strings.Cut(text, " ")
	parts := strings.Split(date, "/")
	return len(parts) == 3 && len(parts[0]) <= 2 && len(parts[1]) <= 2 && (len(parts[2]) == 4 || len(parts[2]) == 2) &&
		!slices.ContainsFunc(parts, func(part string) bool { return part == "" || !allDigits(part) })
}

// absent reports whether a text stands in place of a missing value, in every column.
func absent(text string) bool {
	switch strings.ToLower(text) {
	case "", "na", "<na>", "n/a", "nan", "null", "nat", "?",
		"#n/a", "#na", "#n/a n/a", "#null!", "#num!", "#ref!", "#value!", "#name?", "#div/0!":
		return true
	}
	return false
}

// absentAmong reports whether a text stands in place of a missing value among numbers or truth values.
func absentAmong(text string) bool {
	if text == "None" {
		return true // none may be a value, as of a drug
	}
	switch strings.ToLower(text) {
	case "nil", "missing", "unknown", "undefined", "n.a.", "n/d", "nd", "-", "--", "---", ".", "..", "...", "*", "/", "–", "—":
		return true
	}
	return absent(text)
}

// truths are the spellings of truth values. Those of one row are the same in one column.
var truths = [][2][]string{{{"false", "f", "0"}, {"true", "t", "1"}}, {{"no", "n"}, {"yes", "y"}}, {{"off"}, {"on"}}}

// truthIn returns which of the two values of a row of truths a text is, or −1.
func truthIn(row int, text string) int {
	text = strings.ToLower(text)
	for k, spellings := range truths[row] {
		if slices.Contains(spellings, text) {
			return k
		}
	}
	return -1
}

// truthOf returns which truth value a text is, or −1.
func truthOf(text string) int {
	for row := range truths {
		if k := truthIn(row, text); k >= 0 {
			return k
		}
	}
	return -1
}
