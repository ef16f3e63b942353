package spec

import (
	"net/url"
	"slices"
	"strings"
	"testing"
)

// Links as other programs hand them on open to the experiment that they had, and say what was
// undone.
func TestRepairedLinks(t *testing.T) {
	const fragment = "v=2&agents=f-psrl,c-psrl:eta=1&domain=taxi&trust=.99&runs=4&watch=0,12,plan"
	const page = "https://example.org/v2/taxi3/"
	const whole = page + "#" + fragment
	const (
		amp     = "&amp; is read as &"
		percent = "the second percent-encoding is undone"
		unseen  = "characters that cannot be seen are left out"
		spaces  = "spaces and ends of lines are left out"
		behind  = "what stands behind it is left out"
		before  = "what stands before it is left out"
		query   = "the query is read as the fragment"
		text    = "the text directive, from :~: on, is left out"
		quoted  = "the percent-encoding of the whole is undone"
		secret  = "the ?secret= behind it is left out"
		mail    = "=3D is read as ="
		slashes = "backslashes are left out"
	)
	pairs := strings.Split(fragment, "&")
	sorted := strings.Join(slices.Sorted(slices.Values(pairs)), "&")
	swapped := strings.Join(slices.Concat(pairs[1:3], pairs[:1], pairs[3:]), "&")
	// As browsers give a page its fragment.
	browser := strings.NewReplacer(`"`, "%22", "<", "%3C", ">", "%3E", "`", "%60", " ", "%20", "\u200b", "%E2%80%8B", "\u00ad", "%C2%AD", "\u00a0", "%C2%A0", "”", "%E2%80%9D", "»", "%C2%BB")
	tests := []struct{ link, repaired string }{
		{whole, ""},
		{fragment, ""},
		{"#" + fragment, ""},
		{" " + whole + "\n", ""},
		{strings.ReplaceAll(whole, "&", "&amp;"), amp},
		{strings.ReplaceAll(whole, "&", "&AMP;"), amp},
		{strings.ReplaceAll(whole, "&", "&#38;"), amp},
		{strings.ReplaceAll(whole, "&", "&#x26;"), amp},
		{strings.ReplaceAll(whole, "&", "&amp;amp;"), amp},
		{strings.Replace(whole, "&runs", "&amp;runs", 1), amp},
		{page + "?" + fragment, query},
		{page + "?utm_source=x&" + fragment, query},
		{page + "?" + fragment + "#", query},
		{page + "?" + fragment + "#top", query},
		{page + "?" + strings.ReplaceAll(fragment, "&", "&amp;"), query + "; " + amp},
		{page + "?embed=1&theme=dark&ui=prior,stage&" + fragment, query},
		{page + "?" + fragment + "&embed=1&theme=dark&ui=", query},
		{page + "index.html?" + strings.Replace(fragment, "&domain", "&theme=dark&domain", 1), query},
		{page + "?" + sorted, query},
		{page + "?" + swapped, query},
		{page + "?utm_source=x&" + swapped, query},
		{"?" + fragment, query},
		{whole + "#?secret=Qw3rTyUiOp", secret},
		{whole + "?secret=Qw3rTyUiOp", secret},
		{whole + "?secret=", secret},
		{whole + "%23%3Fsecret%3DQw3rTyUiOp", secret},
		{page + "?" + fragment + "#?secret=Zz9", query},
		{strings.NewReplacer("#", `\#`, "&", `\&`).Replace(whole), slashes},
		{strings.NewReplacer("#", `\#`, "&", `\&`, "=", `\=`, "-", `\-`).Replace(whole), slashes},
		{strings.NewReplacer("&", `\u0026`).Replace(whole), slashes},
		{strings.NewReplacer("#", `\u0023`, "&", `\u0026`, "=", `\u003D`).Replace(whole), slashes},
		{strings.NewReplacer("=", `\u003d`, "&", `\\u0026`).Replace(whole), slashes},
		{strings.NewReplacer("=", "=3D").Replace(whole), mail},
		{strings.NewReplacer("=", "=3D").Replace(whole) + ".", mail + "; " + behind},
		{strings.NewReplacer("=", "=3D", "agents", "ag=\nents", "runs", "r=\r\nuns").Replace(whole), mail},
		{strings.NewReplacer("=", "=3D", "agents", "ag=ents", "taxi&", "tax=i&").Replace(whole), mail},
		{page + "#!" + fragment, before},
		{page + "#/" + fragment, before},
		{page + "#!/" + fragment, before},
		{page + "#?" + fragment, before},
		{page + "#/?" + fragment + "#?secret=a1", before + "; " + secret},
		{whole + ":~:text=regret", text},
		{whole + ":~:text=regret,of%20the#v=1", text},
		{page + "?" + fragment + "#:~:text=regret", text + "; " + query},
		{strings.NewReplacer("#", "%23").Replace(whole), ""},
		{page + "%23" + url.QueryEscape(fragment), quoted},
		{"https://safe.example/?url=" + url.QueryEscape(whole) + "&data=5%7C1&reserved=0", quoted},
		{"https://safe.example/?url=" + url.QueryEscape(url.QueryEscape(whole)) + "&data=5", quoted},
		{page + "#" + url.QueryEscape(fragment), quoted},
		{page + "?from=" + url.QueryEscape(page+"#v=1&domain=figure1") + "#" + fragment, ""},
		{page + "#v=2" + url.QueryEscape(strings.TrimPrefix(fragment, "v=2")), percent},
		{strings.NewReplacer(",", "%252C", ":", "%253A").Replace(whole), percent},
		{strings.NewReplacer(",", "%25252C").Replace(whole), percent},
		{strings.Replace(whole, "trust", "tr\u200bust", 1), unseen},
		{strings.Replace(whole, "12", "1\u200b2", 1), unseen},
		{strings.Replace(whole, "taxi&", "ta\u00adxi&", 1), unseen},
		{strings.Replace(whole, "domain", "\ufeffdomain\u2060", 1), unseen},
		{"\u200e" + whole + "\u200e", unseen},
		{strings.Replace(whole, "&trust", "\n&trust", 1), spaces},
		{strings.Replace(whole, "taxi&", "ta\r\n xi&", 1), spaces},
		{strings.Replace(whole, "runs=4", "runs=\u00a04", 1), spaces},
		{strings.Replace(whole, "watch", "wa\ttch", 1), spaces},
		{"<" + whole + ">", behind},
		{"<" + fragment + ">", before + "; " + behind},
		{"`" + fragment + "`", before + "; " + behind},
		{"[Figure #1 of (a)](" + whole + ")", behind},
		{"[Figure](<" + whole + ">).", behind},
		{"<a href='" + strings.ReplaceAll(whole, "&", "&amp;") + "'>", amp + "; " + behind},
		{whole + "&quot;", behind},
		{strings.ReplaceAll(whole, "&", "&amp;") + "&gt;.", amp + "; " + behind},
		{strings.Replace(whole, "&trust", "\n\u200b&amp;trust", 1) + "”).", amp + "; " + unseen + "; " + spaces + "; " + behind},
	}
	for _, end := range []string{".", ",", ";", ":", "!", "?", ")", "]", "}", ">", "\"", "'", "`", "”", "’", "»", ").", "),", "?!", ")**", "_", "|", "。", "）", ".\u201d"} {
		tests = append(tests, struct{ link, repaired string }{whole + end, behind}, struct{ link, repaired string }{page + "#" + url.QueryEscape(fragment) + end, ""})
	}
	for _, test := range tests {
		links := []string{test.link}
		if strings.Contains(test.link, "#") {
			links = append(links, browser.Replace(test.link))
		}
		for _, link := range links {
			l, err := ReadLink(link)
			if err != nil {
				t.Errorf("%q: %v", link, err)
				continue
			}
			if got := EncodeLink(l); got != fragment {
				t.Errorf("%q is read as %q", link, got)
			}
			if test.repaired != "" && link == test.link && l.Repaired != test.repaired {
				t.Errorf("%q: %q was undone, want %q", link, l.Repaired, test.repaired)
			}
		}
	}
}

// What may mean something else is not repaired, and the error is of what the link says.
func TestUnrepairedLinks(t *testing.T) {
	for link, says := range map[string]string{
		"https://example.org/":                                "the URL has no fragment, which begins with #v=",
		"https://example.org/watch?v=dQw4w9WgXcQ":             "the URL has no fragment, which begins with #v=",
		"https://example.org/#:~:text=regret":                 "the link is empty",
		"https://example.org/?v=3":                            "the URL has no fragment, which begins with #v=",
		"https://example.org/?v=3&theme=dark#top":             "is not key=value",
		"#v=1&domain=taxi&runs=2?secret=a-b":                  "is not a whole number",
		"#v=1&domain=taxi&runs=2?secret=a&seed=1":             "is not a whole number",
		"#v=1&amp;domain=chess":                               `"chess" is unknown`,
		"#v=1&amp;runs=2":                                     "the link names no domain",
		"#v=1&amp;domain=taxi&amp;runs=0":                     "0 is out of range",
		"#v=1&domain=taxi&runs=1…":                            "is not a whole number",
		"#v=1&domain=taxi&runs=1...":                          "is not a whole number",
		"#v=1&domain=taxi&runs=1%E2%80%A6":                    "is not a whole number",
		"#v=1&domain=taxi&runs=":                              "is not a whole number",
		"#v=1&domain=taxi&":                                   "is not key=value",
		"#v=1&domain=taxi&runs=4 gives a figure":              `"4 gives a figure" is not a whole number`,
		"#v=1&domain=taxi&runs=1-":                            "is not a whole number",
		"https://example.org/?u=%23v%3D1%26domain%3Dtaxi%zz":  "not percent-encoded",
		"https://example.org/?u=%23v%3D1%2526runs%3D1&domain": "the link has version",
	} {
		if l, err := ReadLink(link); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %+v, %v, want %q", link, l, err, says)
		}
	}
	// The unknown parts of a link keep what they hold.
	for _, fragment := range goldenLinks {
		l, err := ReadLink("https://example.org/#" + fragment)
		if err != nil || EncodeLink(l) != fragment || l.Repaired != "" {
			t.Errorf("%s: %+v, %v", fragment, l, err)
		}
	}
	// The time for a hostile link grows with its length.
	for _, part := range []string{"amp;", "25", ")", "%22", "%E2%80%8B", "\u200b", "&amp;", "&quot;", "%2525", "v%3D", "#v=", "?v=", "domain=", `\\`, `\u0026`, "=3D", "?secret=", "&v=1&domain=taxi"} {
		long := strings.Repeat(part, MaxLink/len(part)-8)
		for _, link := range []string{"#v=1&" + long, "#v=1%" + long, "%23v%" + long + "3D1", "#v=1&domain=taxi" + long, "?v=1&" + long} {
			ReadLink(link)
		}
	}
	l, err := ReadLink("v=1&later=x%20y.%E2%80%8B%252C&amp;domain=taxi")
	if err != nil || EncodeLink(l) != "v=1&later=x%20y.%E2%80%8B%252C&domain=taxi" || l.Repaired != "&amp; is read as &" {
		t.Errorf("%+v, %v", l, err)
	}
}

// FuzzReadLink reads any text. What was read has a link that is read without repairs.
func FuzzReadLink(f *testing.F) {
	f.Add("<https://example.org/#v=1&amp;domain=ta\u00adxi&runs=4>.")
	f.Add("https://example.org/?url=https%3A%2F%2Fexample.org%2F%23v%3D1%26domain%3Dtaxi&data=1")
	f.Add("?v=2&domain=taxi%252C&amp;amp;x=%E2%80%8B:~:text=a")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := ReadLink(text)
		if err != nil {
			return
		}
		link := EncodeLink(l)
		again, err := ReadLink(link)
		if err != nil || EncodeLink(again) != link || again.Repaired != "" && l.Unknown == nil {
			t.Errorf("%q became %q: %+v, %v", text, link, again, err)
		}
	})
}
