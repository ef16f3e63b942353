package main

import (
	"strings"
	"testing"
)

// A records file gives the same words as its link, and its receipt; a part of a file has none.
func TestCite(t *testing.T) {
	records := ok(t, "run", "-domain", "taxi", "-grid", "3x3", "-agents", "c-psrl", "-episodes", "3", "-runs", "2")
	path := file(t, "r.jsonl", records)
	link := strings.TrimSpace(ok(t, "link", "-receipt", path))
	_, print, _ := strings.Cut(link, "receipt=2-")
	print, _, _ = strings.Cut(print, "&")
	for _, more := range [][]string{{"-methods"}, {"-methods", "-as", "tex"}, {}} {
		of, by := ok(t, append([]string{"cite", path}, more...)...), ok(t, append([]string{"cite", "-link", link}, more...)...)
		if of != by || !strings.Contains(of, print) || len(print) != 64 {
			t.Errorf("%q: %s, by the link %s", more, of, by)
		}
	}
	if text := ok(t, "cite", "-methods", file(t, "part.jsonl", records[:strings.LastIndex(strings.TrimSpace(records), "\n")+1])); strings.Contains(text, "SHA-256 of the records") {
		t.Errorf("a receipt of a part: %s", text)
	}
	if text := ok(t, "cite", "-methods", "-link", link, "-episodes", "4"); strings.Contains(text, print) || !strings.Contains(text, "of 4 episodes each") {
		t.Errorf("the receipt of another experiment: %s", text)
	}
	text := ok(t, "cite", "-methods", path)
	if strings.Count(text, "\n") != 1 || !strings.Contains(text, "2 independent runs (numbers 0 to 1) of 3 episodes each, from the seed 0") {
		t.Error(text)
	}
	if tex := ok(t, "cite", "-methods", "-as", "tex", path); !strings.Contains(tex, `\cite{mutti2024exploiting}`) {
		t.Error(tex)
	}
	if bib := ok(t, "cite", "-preset", "fig2a"); !strings.Contains(bib, "@inproceedings{mutti2024exploiting,") || !strings.Contains(bib, "@misc{cpsrl-") {
		t.Error(bib)
	}
}

func TestCiteRefused(t *testing.T) {
	path := file(t, "r.jsonl", ok(t, "run", "-domain", "figure1", "-agents", "psrl", "-episodes", "2"))
	refused(t, cpsrl(t, "cite"), "-preset NAME, -spec FILE, -link URL, -domain NAME or -model FILE was expected")
	refused(t, cpsrl(t, "cite", path, "-preset", "fig2a"), "exclude FILE")
	refused(t, cpsrl(t, "cite", path, "-episodes", "3"), "exclude FILE")
	refused(t, cpsrl(t, "cite", path, "-as", "tex"), "it is for -methods")
	refused(t, cpsrl(t, "cite", path, "-methods", "-as", "word"), "expected one of text, tex")
	refused(t, cpsrl(t, "cite", file(t, "bad.jsonl", "{}")), "bad.jsonl: line 1")
}
