package spec

import (
	"reflect"
	"strings"
	"testing"
)

// TestView checks the meaning of each value of the view, and which values are unknown.
// Oracle: the links, read by hand.
func TestView(t *testing.T) {
	for _, test := range []struct {
		keys    string
		view    View
		unknown string
	}{
		{"", View{}, ""},
		{"measure=recall", View{Measure: "recall"}, ""},
		{"measure=", View{}, "measure="},
		{"log=y", View{LogY: true}, ""},
		{"log=x,y", View{LogX: true, LogY: true}, ""},
		{"log=y,x", View{}, "log=y,x"},
		{"band=quantiles", View{Band: Quantiles}, ""},
		{"band=runs", View{Band: EachRun}, ""},
		{"band=interval", View{}, ""},
		{"band=sd", View{}, "band=sd"},
		{"band=", View{}, "band="},
		{"paired=1", View{Paired: true}, ""},
		{"paired=f-psrl,psrl", View{Paired: true, Pair: []string{"f-psrl", "psrl"}}, ""},
		{"paired=psrl,f-psrl", View{Paired: true, Pair: []string{"psrl", "f-psrl"}}, ""},
		{"paired=psrl,psrl", View{}, "paired=psrl,psrl"},
		{"paired=psrl", View{}, "paired=psrl"},
		{"paired=psrl,chess", View{}, "paired=psrl,chess"},
		{"paired=psrl,f-psrl,c-psrl", View{}, "paired=psrl,f-psrl,c-psrl"},
		{"hide=c-psrl,psrl", View{Hidden: []string{"psrl", "c-psrl"}}, ""},
		{"hide=psrl,chess", View{}, "hide=psrl,chess"},
		{"watch=3,40", View{Watched: &Watched{Run: 3, Episode: 40}}, ""},
		{"watch=3,40,sample", View{Watched: &Watched{Run: 3, Episode: 40}}, ""},
		{"watch=0,1,update,psrl", View{Watched: &Watched{Agent: "psrl", Episode: 1, Moment: "update"}}, ""},
		{"watch=20,1", View{}, "watch=20,1"},
		{"watch=0,401", View{}, "watch=0,401"},
		{"watch=00,1", View{}, "watch=00,1"},
		{"watch=0", View{}, "watch=0"},
		{"watch=0,1,sleep", View{}, "watch=0,1,sleep"},
		{"watch=0,1,act,chess", View{}, "watch=0,1,act,chess"},
		{"heading=Which%20edge%20is%20wrong%3F", View{Heading: "Which edge is wrong?"}, ""},
		{"heading=%20Which%09edge%0A", View{Heading: "Which edge"}, ""},
		{"heading=%3Cb%3E%26amp%3B", View{Heading: "<b>&amp;"}, ""},
		{"heading=" + strings.Repeat("%C3%BC", 80), View{Heading: strings.Repeat("ü", 80)}, ""},
		{"heading=" + strings.Repeat("a", 81), View{}, "heading=" + strings.Repeat("a", 81)},
		{"heading=", View{}, "heading="},
		{"heading=%20", View{}, "heading=%20"},
		{"heading=a%00b", View{}, "heading=a%00b"},
		{"heading=a%1Bb", View{}, "heading=a%1Bb"},
		{"heading=a%E2%80%AEb", View{}, "heading=a%E2%80%AEb"},
		{"heading=%FF", View{}, "heading=%FF"},
		{"heading=a&note=b%E2%81%A6", View{Heading: "a"}, "note=b%E2%81%A6"},
		{"note=%F0%9F%91%A9%E2%80%8D%F0%9F%94%AC", View{Note: "👩\u200d🔬"}, ""},
		{"note=" + strings.Repeat("a", 300), View{Note: strings.Repeat("a", 300)}, ""},
		{"note=" + strings.Repeat("a", 301), View{}, "note=" + strings.Repeat("a", 301)},
		{"measure=recall&log=z", View{Measure: "recall"}, "log=z"},
	} {
		l, err := DecodeLink(strings.TrimSuffix("v=1&domain=taxi&"+test.keys, "&"))
		if err != nil {
			t.Errorf("%s: %v", test.keys, err)
			continue
		}
		if got := strings.Join(l.Unknown, "&"); !reflect.DeepEqual(l.View, test.view) || got != test.unknown {
			t.Errorf("%s: %+v and %q, want %+v and %q", test.keys, l.View, got, test.view, test.unknown)
		}
	}
}

// A value of the view replaces an unknown value with the same key.
func TestViewTakesPlace(t *testing.T) {
	l, err := DecodeLink("v=1&domain=taxi&log=z&later=1")
	if err != nil {
		t.Fatal(err)
	}
	l.View.LogX = true
	if got, want := EncodeLink(l), "v=1&later=1&domain=taxi&log=x"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A heading or a note that is refused is refused in one sentence that names it.
func TestCheckView(t *testing.T) {
	long, bytes := strings.Repeat("é", 81), "\xff"
	for _, test := range []struct {
		view View
		want string
	}{
		{View{Heading: "Which edge is wrong?", Note: "One of three."}, ""},
		{View{Heading: long}, "/heading: the heading has 81 characters, more than 80"},
		{View{Heading: "a\u202eb"}, "/heading: the heading has the character U+202E, which cannot be seen"},
		{View{Heading: "a\nb"}, "/heading: the heading has white space other than single spaces between words"},
		{View{Heading: bytes}, "/heading: the heading is not UTF-8"},
		{View{Note: "a\x1bb"}, "/note: the note has the character U+001B, which cannot be seen"},
		{View{Note: strings.Repeat("a", 301)}, "/note: the note has 301 characters, more than 300"},
	} {
		got := ""
		if err := test.view.Check(); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%+v: %q, want %q", test.view, got, test.want)
		}
	}
}

// A link can watch the runs of its spec, from the first to the last, and no others.
func TestWatchedRuns(t *testing.T) {
	for run, known := range map[string]bool{"0": false, "4": false, "5": true, "6": true, "7": false} {
		l, err := DecodeLink("v=1&domain=taxi&first=5&runs=2&watch=" + run + ",1")
		if err != nil || (l.View.Watched != nil) != known || (l.Unknown == nil) != known {
			t.Errorf("run %s: %+v, %v", run, l, err)
		}
	}
}
