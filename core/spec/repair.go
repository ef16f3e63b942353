package spec

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cpsrl/core/strict"
)

// ReadLink reads the link in a URL, or a bare fragment, as it comes out of mails, chats and
// documents. What programs do to a link on its way is undone if the link cannot be read
// otherwise, or has fewer unknown parts then; Repaired says what was undone.
func ReadLink(text string) (*Link, error) {
	plain := repeated(text, escapes.Replace) // no link has a backslash
	fragment, undone, err := findLink(plain)
	if err != nil {
		return nil, err
	}
	if plain != text {
		undone = append([]string{"backslashes are left out"}, undone...)
	}
	if separated := repeated(fragment, ampersands.Replace); separated != fragment { // no key begins with amp;
		fragment, undone = separated, append(undone, "&amp; is read as &")
	}
	l, err := DecodeLink(fragment)
	if (err != nil || len(l.Unknown) > 0) && len(fragment) <= MaxLink {
		// Undo everything. If that helps, leave out what makes no difference.
		chosen := slices.Repeat([]bool{true}, len(repairs))
		if all, wrong := decodeRepaired(fragment, chosen); wrong == nil && (err != nil || len(all.Unknown) < len(l.Unknown)) {
			l, err = all, nil
			for k, r := range repairs {
				chosen[k] = false
				if less, wrong := decodeRepaired(fragment, chosen); wrong == nil && len(less.Unknown) <= len(all.Unknown) {
					l = less
				} else {
					chosen[k], undone = true, append(undone, r.words)
				}
			}
		}
	}
	if err != nil {
		return nil, err
	}
	l.Repaired = strings.Join(undone, "; ")
	return l, nil
}

// decodeRepaired decodes a fragment after the chosen repairs.
func decodeRepaired(fragment string, chosen []bool) (*Link, error) {
	for k, r := range repairs {
		if chosen[k] {
			fragment = r.undo(fragment)
		}
	}
	return DecodeLink(fragment)
}

// often is how often a program may have done the same to a link.
const often = 5

// repeated undoes the same until nothing changes.
func repeated(text string, undo func(string) string) string {
	for range often {
		text = undo(text)
	}
	return text
}

// ampersands are the ways to write & in HTML.
var ampersands = strings.NewReplacer("&amp;", "&", "&AMP;", "&", "&#38;", "&", "&#038;", "&", "&#x26;", "&", "&#X26;", "&")

// escapes are the ways to write the marks of a link with a backslash: in JSON, in LaTeX and in Markdown.
var escapes = func() *strings.Replacer {
	var pairs []string
	for _, mark := range "&#=%_~!*-.:;,/?" {
		for _, code := range []string{`\u%04x`, `\u%04X`} {
			pairs = append(pairs, fmt.Sprintf(code, mark), string(mark))
		}
		pairs = append(pairs, `\`+string(mark), string(mark))
	}
	return strings.NewReplacer(pairs...)
}()

// pageKeys are the parts of a query that say how a page looks. They are no part of a link.
var pageKeys = []string{"embed", "theme", "ui"}

// queryLink returns the pairs of a link that stands in the query of an address, "" if there is none. A program may have
// sorted them. What stands before the version and is no part of a link belongs to the address.
func queryLink(query string) string {
	var kept []string
	version, domain := -1, -1
	for pair := range strings.SplitSeq(query, "&") {
		key, _, _ := strings.Cut(pair, "=")
		if slices.Contains(pageKeys, key) {
			continue
		}
		switch key {
		case "v":
			version = len(kept)
		case "domain":
			domain = len(kept)
		}
		kept = append(kept, pair)
	}
	if version < 0 || domain < 0 {
		return ""
	}
	if l, err := DecodeLink(strings.Join(kept, "&")); err == nil {
		before := slices.DeleteFunc(kept[:version:version], func(pair string) bool { return slices.Contains(l.Unknown, pair) })
		kept = slices.Concat(before, kept[version:])
	}
	return strings.Join(kept, "&")
}

// starts holds the texts with which a fragment begins in an address: # and v=, both perhaps
// percent-encoded.
var starts = func() (list []string) {
	hashes, equals := []string{"#"}, []string{"="}
	for k := range often {
		percent := "%" + strings.Repeat("25", k)
		hashes, equals = append(hashes, percent+"23"), append(equals, percent+"3D", percent+"3d")
	}
	for _, hash := range hashes {
		for _, equal := range equals {
			list = append(list, hash+"v"+equal)
		}
	}
	return list
}()

// findLink returns the fragment in a text, and what was undone to find it.
func findLink(text string) (fragment string, undone []string, err error) {
	text, _, directed := strings.Cut(strings.TrimSpace(text), ":~:") // the rest is for the browser
	if directed {
		undone = append(undone, "the text directive, from :~: on, is left out")
	}
	if bare := strings.TrimLeft(text, "\"'`<([{“‘«"); strings.HasPrefix(bare, "v=") {
		if bare != text {
			undone = append(undone, "what stands before it is left out")
		}
		return bare, undone, nil
	}
	if at := strings.Index(text, "#v="); at >= 0 { // also if the address before it has another link in it
		return text[at+1:], undone, nil
	}
	first := len(text)
	for _, start := range starts {
		if at := strings.Index(text, start); at >= 0 && at < first {
			first, fragment = at, text[at+strings.Index(start, "v"):]
		}
	}
	switch {
	case strings.HasPrefix(fragment, "v="):
		return fragment, undone, nil
	case fragment != "": // a part of another address
		fragment, _, _ = strings.Cut(fragment, "&")
		for !strings.HasPrefix(fragment, "v=") {
			if fragment, err = url.PathUnescape(fragment); err != nil {
				return "", nil, strict.Invalid("", "the link is not percent-encoded text")
			}
		}
		return fragment, append(undone, "the percent-encoding of the whole is undone"), nil
	}
	address, fragment, found := strings.Cut(text, "#")
	if bare := strings.TrimLeftFunc(fragment, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }); strings.HasPrefix(bare, "v=") {
		return bare, append(undone, "what stands before it is left out"), nil
	}
	_, query, _ := strings.Cut(address, "?")
	separated := repeated(query, ampersands.Replace)
	if link := queryLink(separated); link != "" && !strings.Contains(fragment, "domain=") {
		if undone = append(undone, "the query is read as the fragment"); separated != query {
			undone = append(undone, "&amp; is read as &")
		}
		return link, undone, nil
	}
	if !found {
		return "", nil, strict.Invalid("", "the URL has no fragment, which begins with #v=")
	}
	return fragment, undone, nil
}

// repair is something that programs do to a link, which can be undone.
type repair struct {
	words string
	undo  func(fragment string) string
}

// repairs are undone in this order.
var repairs = []repair{
	{"the ?secret= behind it is left out", trimSecret},
	{"=3D is read as =", quotedPrintable},
	{"the second percent-encoding is undone", func(fragment string) string {
		fragment = repeated(fragment, func(text string) string { return strings.ReplaceAll(text, "%25", "%") })
		if !strings.Contains(fragment, "&") { // the separators are encoded, too
			if once, err := url.PathUnescape(fragment); err == nil {
				return once
			}
		}
		return fragment
	}},
	{"characters that cannot be seen are left out", func(fragment string) string { return without(fragment, unseen) }},
	{"spaces and ends of lines are left out", func(fragment string) string { return without(fragment, unicode.IsSpace) }},
	{"what stands behind it is left out", trimEnd},
}

// trimSecret removes what WordPress appends to the address of a frame: #?secret= or ?secret= and letters and digits.
func trimSecret(fragment string) string {
	for _, mark := range []string{"?secret=", "%3Fsecret=", "%3Fsecret%3D"} {
		at := strings.LastIndex(fragment, mark)
		if at < 0 || strings.ContainsFunc(fragment[at+len(mark):], func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			continue
		}
		return strings.TrimSuffix(strings.TrimSuffix(fragment[:at], "#"), "%23")
	}
	return fragment
}

// quotedPrintable undoes the encoding of a mail, in which = is =3D, and any other = has ended a line, perhaps one
// that has been joined since.
func quotedPrintable(fragment string) string {
	if !strings.HasPrefix(fragment, "v=3D") {
		return fragment
	}
	return strings.NewReplacer("=3D", "=", "=3d", "=", "=\r\n", "", "=\n", "", "=", "").Replace(fragment)
}

// unseen reports whether a character cannot be seen: soft hyphens, joiners, marks of
// direction, byte order marks.
func unseen(r rune) bool { return unicode.Is(unicode.Cf, r) || 0xFE00 <= r && r <= 0xFE0F }

// without removes characters, also where they are percent-encoded.
func without(fragment string, drop func(rune) bool) string {
	remove := func(text string) string {
		return strings.Map(func(r rune) rune {
			if drop(r) {
				return -1
			}
			return r
		}, text)
	}
	var b strings.Builder
	for rest := remove(fragment); rest != ""; {
		n := 0
		for isCode(rest[n:]) {
			n += len("%25")
		}
		code := rest[:n]
		if text, _ := url.PathUnescape(code); remove(text) != text && utf8.ValidString(text) {
			code = escape(remove(text))
		}
		b.WriteString(code)
		rest = rest[n:]
		n = strings.IndexByte(rest[min(1, len(rest)):], '%') + 1 // of the next code
		if n == 0 {
			n = len(rest)
		}
		b.WriteString(rest[:n])
		rest = rest[n:]
	}
	return b.String()
}

// isCode reports whether a text begins with a percent-encoded byte.
func isCode(text string) bool {
	const digits = "0123456789abcdefABCDEF"
	return len(text) > 2 && text[0] == '%' && strings.IndexByte(digits, text[1]) >= 0 && strings.IndexByte(digits, text[2]) >= 0
}

// marks are the quotes and brackets that HTML writes in another way.
var marks = []string{"&quot;", "&apos;", "&lt;", "&gt;", "&nbsp;", "&#34;", "&#39;", "&#x22;", "&#x27;"}

// trimEnd removes the punctuation of a sentence, brackets and quotes from the end, also where
// they are percent-encoded. A canonical link ends in a letter or a digit. An ellipsis stays,
// because it says that the link has been cut.
func trimEnd(fragment string) string {
	for {
		rest := fragment
		for _, mark := range marks {
			rest = strings.TrimSuffix(rest, mark)
		}
		r, n := lastRune(rest)
		switch {
		case rest != fragment:
		case n == 0:
			return fragment
		case r == '…' || r == '.' && strings.HasSuffix(rest[:len(rest)-n], ".") || strings.ContainsRune("&=%#-", r):
			return fragment
		case unicode.IsPunct(r) || unicode.IsSymbol(r) || unicode.IsSpace(r):
			rest = rest[:len(rest)-n]
		default:
			return fragment
		}
		fragment = rest
	}
}

// lastRune returns the last character of a text, which may be percent-encoded, and its
// length in the text.
func lastRune(text string) (rune, int) {
	for n := len("%25"); n <= len("%25")*utf8.UTFMax && n <= len(text) && isCode(text[len(text)-n:]); n += len("%25") {
		code, _ := url.PathUnescape(text[len(text)-n:])
		if r, size := utf8.DecodeRuneInString(code); size == len(code) && r != utf8.RuneError {
			return r, n
		}
	}
	return utf8.DecodeLastRuneInString(text)
}
