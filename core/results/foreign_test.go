package results_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/curve"
	"cpsrl/core/results"
	"cpsrl/core/strict"
	"cpsrl/internal/small"
)

func foreign(t testing.TB, text string) *results.Foreign {
	t.Helper()
	f, err := results.ReadForeign(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func measureOf(t testing.TB, key string) *results.Measure {
	t.Helper()
	m, known := results.LookupMeasure(key)
	if !known {
		t.Fatal(key)
	}
	return m
}

// By hand: two labels, whose lines are mixed.
const mixedLines = `{"label":"ucrl","run":1,"episode":1,"regret":2}
{"label":"ε-greedy","run":0,"episode":1,"regret":4}
{"label":"ucrl","run":0,"episode":1,"regret":1}

{"label":"ucrl","run":1,"episode":2,"regret":0}
{"regret":0.5,"episode":2,"run":0,"label":"ucrl"}
{"label":"ucrl","run":1,"episode":3,"regret":-1}
`

func TestForeign(t *testing.T) {
	f := foreign(t, mixedLines)
	if f.Returns || !slices.Equal(f.Labels(), []string{"ucrl", "ε-greedy"}) || f.Runs("ucrl") != 2 || f.Runs("ε-greedy") != 1 || f.Runs("psrl") != 0 {
		t.Errorf("%q", f.Labels())
	}
	for key, want := range map[string]string{
		"regret":            "[{ucrl 0 [1 0.5]} {ucrl 1 [2 0 -1]} {ε-greedy 0 [4]}]",
		"cumulative-regret": "[{ucrl 0 [1 1.5]} {ucrl 1 [2 2 1]} {ε-greedy 0 [4]}]",
		"model-error":       "[]",
	} {
		if got := fmt.Sprint(f.RunCurves(measureOf(t, key), nil)); got != want {
			t.Errorf("%s: %s, want %s", key, got, want)
		}
	}
	if text := results.ConcludeForeign(curve.Means(f.RunCurves(results.CumulativeRegret(), nil))); text !=
		"Means of other programs: ucrl (other program) 1 (after 3 episodes, mean over 1 run), ε-greedy (other program) 4 (after 1 episode, mean over 1 run)." {
		t.Error(text)
	}
	if results.ConcludeForeign(nil) != "" {
		t.Error("a sentence about nothing")
	}
}

// The same results in the other notations.
func TestForeignNotations(t *testing.T) {
	want := foreign(t, mixedLines)
	for name, text := range map[string]string{
		"CSV":     "label,run,episode,regret\nucrl,1,1,2\nε-greedy,0,1,4\nucrl,0,1,1\nucrl,1,2,0\nucrl,0,2,0.5\nucrl,1,3,-1",
		"quoted":  "\ufeff\"label\",\"run\",\"episode\",\"regret\"\r\n\"ucrl\",\"1\",1,2\r\nε-greedy,0,1,4\r\nucrl,0,1,1e0\r\nucrl,1,2,0\r\nucrl,0,2,.5\r\nucrl,1,3,-1\r\n",
		"windows": strings.ReplaceAll(mixedLines, "\n", "\r\n"),
	} {
		if got := foreign(t, text); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	f := foreign(t, "label,run,episode,return\n\"a, \"\"b\"\"\",0,1,2")
	if !f.Returns || f.Labels()[0] != `a, "b"` {
		t.Errorf("%q", f.Labels())
	}
}

// The regret of a return is V_* − return, by hand.
func TestForeignReturns(t *testing.T) {
	f := foreign(t, `{"label":"q","run":0,"episode":1,"return":2}`+"\n"+`{"label":"q","run":0,"episode":2,"return":7}`)
	if f.RunCurves(results.CumulativeRegret(), nil) != nil || !strings.Contains(f.Absent(results.CumulativeRegret(), nil), "V*") {
		t.Error("a regret without V*")
	}
	best := 5.0
	if got := fmt.Sprint(f.RunCurves(results.CumulativeRegret(), &best)); got != "[{q 0 [3 1]}]" {
		t.Error(got)
	}
	if got := f.Absent(measureOf(t, "recall"), &best); got != "Another program tells only its return, so it has no recall of the sampled graph." {
		t.Error(got)
	}
}

func TestForeignRefused(t *testing.T) {
	const one = `{"label":"a","run":0,"episode":1,"regret":1}` + "\n"
	row := func(label string) string {
		return fmt.Sprintf(`{"label":%q,"run":0,"episode":1,"regret":1}`+"\n", label)
	}
	many := ""
	for k := range results.MostForeign + 1 {
		many += row(fmt.Sprint(k))
	}
	for _, c := range []struct {
		text string
		line int
		says string
	}{
		{"", 1, "holds no results"},
		{"\n \n", 3, "holds no results"},
		{"label,run,episode,regret\n", 2, "holds no results"},
		{one + one, 2, `episode 1 of "a" in run 0 is there already; episode 2 is next`},
		{one + "\n" + strings.Replace(one, `"episode":1`, `"episode":3`, 1), 3, "out of order; episode 2 is next"},
		{strings.Replace(one, `"episode":1`, `"episode":0`, 1), 1, "out of order; episode 1 is next"},
		{one + strings.Replace(one, "regret", "return", 1), 2, "not both"},
		{strings.Replace(one, `}`, `,"return":1}`, 1), 1, "both a regret and a return"},
		{`{"label":"a","run":0,"episode":1}`, 1, "neither"},
		{`{"label":"a","run":0,"episode":1,"regret":null}`, 1, "null"},
		{`{"label":"a","run":0,"episode":1,"regret":1e13}`, 1, "out of range"},
		{`{"label":"a","run":0,"episode":1,"regret":1e999}`, 1, "number"},
		{`{"label":"a","run":0,"episode":1,"regret":NaN}`, 1, "malformed"},
		{`{"label":"a","run":0,"episode":1,"regret":"1"}`, 1, "number"},
		{`{"label":"a","run":-1,"episode":1,"regret":1}`, 1, "-1 is out of range"},
		{`{"label":"a","run":10000,"episode":1,"regret":1}`, 1, "out of range"},
		{`{"label":"a","run":0.5,"episode":1,"regret":1}`, 1, "whole number"},
		{`{"label":"a","run":0,"episode":1,"regret":1,"seed":1}`, 1, "unknown field"},
		{`{"run":0,"episode":1,"regret":1}`, 1, `"label" is missing`},
		{`{"format":"cpsrl/records","version":2}`, 1, `in the format "cpsrl/records"`},
		{one + "label,run", 2, "malformed"},
		{row(""), 1, "empty"},
		{row(" a"), 1, "spaces"},
		{row("a\u200b"), 1, "cannot be seen"},
		{row(strings.Repeat("a", results.MostLabel+1)), 1, "bytes"},
		{many, results.MostForeign + 1, "one label too many"},
		{"a,b\n", 1, "header label,run,episode,regret"},
		{"label,run,episode,regret,return\na,0,1,1,1", 1, "header"},
		{"label,run,episode,regret\na,0,1", 2, "3 cells"},
		{"label,run,episode,regret\na,0,1,1,2", 2, "5 cells"},
		{"label,run,episode,regret\na,0,1,NaN", 2, "out of range"},
		{"label,run,episode,regret\na,0,1,+Inf", 2, "out of range"},
		{"label,run,episode,regret\na,0,1,\"1,5\"", 2, "write 1.5 with a point"},
		{"label,run,episode,regret\na,0,1.0,1", 2, `the episode "1.0" is not a whole number`},
		{"label,run,episode,regret\n\"a,0,1,1", 2, "the quotes of a cell do not match"},
		{"label,run,episode,regret\n\"a\"b,0,1,1", 2, "the quotes of a cell do not match"},
		{"PK\x03\x04\xff", 1, "this file is a ZIP archive"},
		{"label,run,episode,regret\n\xff,0,1,1", 2, "this file is not UTF-8; save it as UTF-8"},
		{"\xff\xfel\x00", 1, "UTF-16"},
	} {
		_, err := results.ReadForeign(strings.NewReader(c.text))
		line, ok := errors.AsType[*strict.LineError](err)
		if !ok || line.Number != c.line || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.60q: %v, want line %d and %q", c.text, err, c.line, c.says)
		}
	}
}

// The reader ends, whatever it is given, and what it accepts can be drawn.
func FuzzForeign(f *testing.F) {
	f.Add([]byte(mixedLines))
	f.Add([]byte("label,run,episode,return\n\"a\"\"\",0,1,2\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		read, err := results.ReadForeign(bytes.NewReader(data))
		if err != nil {
			return
		}
		best := 1.0
		for _, r := range read.RunCurves(results.CumulativeRegret(), &best) {
			for _, v := range r.Values {
				if math.IsNaN(v) || math.Abs(v) > 1e100 {
					t.Fatal(v)
				}
			}
		}
	})
}

// V_* of records is that of the experiment, and there is none where each run has its own.
func TestOptimum(t *testing.T) {
	for name, sp := range small.All(t) {
		e := ready(t, sp)
		s := results.NewSummary(e)
		if s.Optimum() != nil {
			t.Errorf("%s: V* of no records", name)
		}
		different := false
		var first float64
		for k, r := range run(t, sp) {
			if err := s.Add(r); err != nil {
				t.Fatal(err)
			}
			if k == 0 {
				first = r.Optimal
			}
			different = different || r.Optimal != first
		}
		got, err := e.Optimum()
		if best := s.Optimum(); err != nil || got != first || (best == nil) != different || best != nil && *best != first {
			t.Errorf("%s: %v, %v, %v; the records have %v", name, best, got, err, first)
		}
	}
}
