package formula_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"cpsrl/core/fmdp"
	"cpsrl/core/formula"
)

// shop is stock (4 values), weather (sunny, wet) and order (3).
func shop() *fmdp.Space {
	return &fmdp.Space{
		State:  []fmdp.Variable{{Name: "stock", Size: 4}, {Name: "weather", Size: 2, Values: []string{"sunny", "wet"}}, {Name: "with space", Size: 2}},
		Action: []fmdp.Variable{{Name: "order", Size: 3}},
	}
}

// TestExpressions compares values with those of the same expressions in Go.
func TestExpressions(t *testing.T) {
	c := func(is bool) float64 {
		if is {
			return 1
		}
		return 0
	}
	for text, want := range map[string]func(stock, weather, order float64) float64{
		"2*stock + order":                  func(s, _, o float64) float64 { return 2*s + o },
		"stock - order - 1":                func(s, _, o float64) float64 { return s - o - 1 },
		"stock − -order · 2":               func(s, _, o float64) float64 { return s + o*2 },
		"(stock + 1) / (order + 2) / 2":    func(s, _, o float64) float64 { return (s + 1) / (o + 2) / 2 },
		"min(stock, order, 1.5)":           func(s, _, o float64) float64 { return min(s, o, 1.5) },
		"max(stock)":                       func(s, _, _ float64) float64 { return s },
		"if(stock > 1, 10, 1e1/4)":         func(s, _, _ float64) float64 { return map[bool]float64{true: 10, false: 2.5}[s > 1] },
		"if(stock = 0, 0, 1/stock)":        func(s, _, _ float64) float64 { return map[bool]float64{true: 0, false: 1 / max(s, 1)}[s == 0] },
		"stock = 0 or 1/stock > 0.4":       func(s, _, _ float64) float64 { return c(s == 0 || 1/s > .4) },
		"not stock == 2 and order ≠ 1":     func(s, _, o float64) float64 { return c(s != 2 && o != 1) },
		"stock >= 2 or order<=0":           func(s, _, o float64) float64 { return c(s >= 2 || o <= 0) },
		"weather = \"wet\"":                func(_, w, _ float64) float64 { return w },
		"\"sunny\" != weather and stock<2": func(s, w, _ float64) float64 { return c(w != 0 && s < 2) },
		"(stock - 3) % 2":                  func(s, _, _ float64) float64 { return math.Mod(s-3+4, 2) },
		"abs(stock - 2) + floor(order/2) + ceil(order/2) + round(stock/2)": func(s, _, o float64) float64 {
			return math.Abs(s-2) + math.Floor(o/2) + math.Ceil(o/2) + math.Floor(s/2+.5)
		},
		"`with space` * 0 + stock": func(s, _, _ float64) float64 { return s },
	} {
		space := shop()
		given, mean, err := (&formula.Tabulator{Space: space}).Payoffs(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		x := make([]int, space.X())
		for point := range space.Points() {
			space.Point(x, point)
			got, want := mean[space.Row(given, x)], want(float64(x[0]), float64(x[1]), float64(x[3]))
			if got != want {
				t.Errorf("%s at %v: %v, want %v", text, x, got, want)
			}
		}
	}
}

// TestLaws compares laws with rows written by hand.
func TestLaws(t *testing.T) {
	for _, c := range []struct {
		text  string
		of    int
		given []int
		rows  map[int][]float64 // some rows by their number
	}{
		{"next = min(3, stock + order)", 0, []int{0, 3}, map[int][]float64{0: {1, 0, 0, 0}, 5: {0, 0, 0, 1}, 4: {0, 0, 1, 0}, 11: {0, 0, 0, 1}}},
		{"next stock = stock with 0.75, max(0, stock-1)", 0, []int{0}, map[int][]float64{0: {1, 0, 0, 0}, 2: {0, .25, .75, 0}}},
		{"next = 0 with 0.5, 1 with 0.25, 2 with .25", 0, []int{}, map[int][]float64{0: {.5, .25, .25, 0}}},
		{"next weather = if(stock = 0, \"wet\", \"sunny\")", 1, []int{0}, map[int][]float64{0: {0, 1}, 1: {1, 0}, 3: {1, 0}}},
		{"p = 0.25 + 0.5*weather", 1, []int{1}, map[int][]float64{0: {.75, .25}, 1: {.25, .75}}},
		{"p = 0.333333, 0.333333, 0.333333, 0", 0, []int{}, map[int][]float64{0: {.333333, .333333, .333333, 0}}}, // six digits
		{"p = 0.333334, 0.333334, 0.333334", 0, []int{}, map[int][]float64{0: {0, .333334, .333334, .333334}}},
		{"next = 0 with .333334, 1 with .333334, 2 with .333334, 3", 0, []int{}, map[int][]float64{0: {.333334, .333334, .333334, 0}}},
		{"p = 0.25, 0.75", 1, []int{}, map[int][]float64{0: {.25, .75}}},
		{"p = order/8, 0.25, 0.5", 0, []int{3}, map[int][]float64{0: {.25, 0, .25, .5}, 2: {0, .25, .25, .5}}},
	} {
		f, err := (&formula.Tabulator{Space: shop()}).Law(c.text, c.of)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if len(f.Given) != len(c.given) {
			t.Errorf("%s is given %v, want %v", c.text, f.Given, c.given)
		}
		for k := range c.given {
			if f.Given[k] != c.given[k] {
				t.Errorf("%s is given %v, want %v", c.text, f.Given, c.given)
			}
		}
		for row, want := range c.rows {
			for v, p := range f.Row(row) {
				if p != want[v] {
					t.Errorf("%s, row %d: %v, want %v", c.text, row, f.Row(row), want)
				}
			}
		}
	}
}

// TestFaults demands one sentence with the column of the first fault.
func TestFaults(t *testing.T) {
	deep := strings.Repeat("(", 60) + "1" + strings.Repeat(")", 60)
	for _, c := range []struct {
		kind, text string
		column     int
		says       string
	}{
		{"law", "min(3, stock)", 1, "a law begins with"},
		{"law", "next order = 1", 6, "this is the law of"},
		{"law", "next = stock + order", 14, "the next value is 4; \"stock\" has the whole values 0 to 3 (for stock = 2, order = 2)"},
		{"law", "next = stock / 2", 14, "the next value is 0.5"},
		{"law", "next = 0, 1", 9, "only the last value has the rest"},
		{"law", "next = 0 with 0.7, 1 with 0.7", 8, "sum to 1.4"},
		{"law", "next = 0 with 1.5, 1", 15, "the probability is 1.5"},
		{"law", "p = 0.5", 5, "4 are needed"},
		{"law", "p = 0.5, 0.5, 0.5", 5, "more than 1"},
		{"law", "p = 1, 1, 0, 0", 5, "not to 1"},
		{"law", "next = stock'", 8, "cannot stand here"},
		{"law", "next = 1/stock", 9, "divides by 0 (for stock = 0)"},
		{"law", "next = \"wet\"", 8, "no value"},
		{"law", "next = if(\"wet\", 1, 0)", 11, "stands for no number here"},
		{"weather", "next = if(\"wet\", 1, 0)", 11, "stands for no number here"},
		{"weather", "next = if(\"wet\" = weather, \"dry\", 0)", 28, "has no value"},
		{"weather", "p = if(stock = 1, \"wet\", 0)", 19, "stands for no number here"},
		{"law", "p = 0.333333, 0.333333, 0.333331, 0", 5, "not to 1"},
		{"law", "next = 0 with 0.666667, 1 with 0.333337, 2", 15, "more than 1"},
		{"law", "next = stock with", 18, "expected, found the end"},
		{"pay", "stock + demand", 9, "there is no variable \"demand\""},
		{"pay", "stock +", 8, "found the end"},
		{"pay", "1 < stock < 3", 11, "do not chain"},
		{"pay", "sqrt(stock)", 1, "there is no function"},
		{"pay", "if(stock, 1)", 1, "it takes 3"},
		{"pay", "stock $ 2", 7, "a formula has no"},
		{"pay", "1.2.3", 1, "is no number"},
		{"pay", "`stock", 1, "the quote does not end"},
		{"pay", "\"wet\" + 1", 1, "stands for no number here"},
		{"pay", "weather = \"dry\"", 11, "has no value"},
		{"pay", "1e308 * 10 * stock", 7, "not finite"},
		{"pay", "stock and with", 11, "expected"},
		{"pay", deep, 51, "nested"},
		{"pay", strings.Repeat("1+", 600) + "1", 0, "bytes"},
		{"pay", "(stock", 7, "\")\" was expected"},
		{"pay", "stock 2", 7, "an operator or the end"},
		{"end", "order = 1", 1, "cannot stand here"},
		{"end", "stock' = 1", 1, "cannot stand here"},
		{"act", "order = 1 and stock' = 2", 15, "\"stock'\" cannot stand here: this is a condition on the state and the action"},
		{"act", "stock", 0, "no action is legal where stock = 0; at least one is needed in each state"},
		{"act", "order > stock + 9", 0, "there is no legal action"},
	} {
		tab := &formula.Tabulator{Space: shop()}
		var err error
		switch c.kind {
		case "law":
			_, err = tab.Law(c.text, 0)
		case "weather":
			_, err = tab.Law(c.text, 1)
		case "pay":
			_, _, err = tab.Payoffs(c.text)
		case "end":
			_, _, err = tab.Condition(c.text)
		case "act":
			_, err = tab.Actions(c.text)
			if fault, is := err.(*fmdp.Fault); is {
				err = &formula.Error{Reason: fault.Reason}
			}
		}
		e, is := errors.AsType[*formula.Error](err)
		if !is || e.Column != c.column || !strings.Contains(e.Reason, c.says) {
			t.Errorf("%s %q: %v, want column %d and %q", c.kind, param(c.text), err, c.column, c.says)
		}
	}
}

func param(text string) string { return text[:min(len(text), 40)] }

// TestWork refuses formulas whose tables take too many steps, in all of a model.
func TestWork(t *testing.T) {
	space := &fmdp.Space{State: []fmdp.Variable{{Name: "a", Size: 1 << 10}, {Name: "b", Size: 1 << 10}}, Action: []fmdp.Variable{{Name: "c", Size: 1 << 12}}}
	tab := &formula.Tabulator{Space: space}
	if _, _, err := tab.Payoffs("a + b + c"); err == nil || !strings.Contains(err.Error(), "parts") {
		t.Errorf("a table of 2³² rows: %v", err)
	}
	n := 0
	for ; n < 100; n++ {
		if _, _, err := tab.Payoffs("a + b"); err != nil {
			break
		}
	}
	if n != formula.MaxWork/(4<<20) {
		t.Errorf("%d tables of 2²⁰ rows were made", n)
	}
}

// TestWide refuses a law before its table is made: rows times values would not fit in memory.
func TestWide(t *testing.T) {
	space := &fmdp.Space{State: []fmdp.Variable{{Name: "w", Size: 1 << 20}}, Action: []fmdp.Variable{{Name: "a", Size: 1 << 11}, {Name: "b", Size: 1 << 12}}}
	tab := &formula.Tabulator{Space: space}
	if _, err := tab.Law("next = w", 0); err == nil || !strings.Contains(err.Error(), "results for each") {
		t.Errorf("2⁴⁰ entries: %v", err)
	}
	if _, err := tab.Actions("a or b"); err == nil || !strings.Contains(err.Error(), "joint actions") {
		t.Errorf("2²³ joint actions: %v", err)
	}
}

// TestRelabel renames labels of one variable only.
func TestRelabel(t *testing.T) {
	for _, c := range []struct {
		text string
		law  bool
		want string
	}{
		{`next = if(other = "wet", "wet", "sunny")`, true, `next = if(other = "wet", "rain", "sunny")`},
		{`weather = "wet" or "wet" != weather' and other = "wet"`, false, `weather = "rain" or "rain" != weather' and other = "wet"`},
		{"p = 0.5", true, "p = 0.5"},
	} {
		if got := formula.Relabel(c.text, "weather", "wet", "rain", c.law); got != c.want {
			t.Errorf("%s became %s, want %s", c.text, got, c.want)
		}
	}
}

func TestRename(t *testing.T) {
	for _, c := range []struct{ text, from, to, want string }{
		{"next stock = min(3, stock + stockB)", "stock", "held", "next held = min(3, held + stockB)"},
		{"next = stock", "next", "x", "next = stock"},
		{"p = p + min(1, min)", "p", "q", "p = q + min(1, min)"},
		{"p = p + min(1, min)", "min", "least", "p = p + min(1, least)"},
		{"next = `with space`*stock", "with space", "plain", "next = plain*stock"},
		{"next = stock", "stock", "in store", "next = `in store`"},
		{"next = \"stock\"", "stock", "b", "next = \"stock\""},
	} {
		if got := formula.Rename(c.text, c.from, c.to, true); got != c.want {
			t.Errorf("%q with %s for %s is %q, want %q", c.text, c.to, c.from, got, c.want)
		}
	}
	if got := formula.Rename("p = 1 or stock' = 2", "p", "q", false); got != "q = 1 or stock' = 2" {
		t.Error(got)
	}
	if got := formula.Rename("p = 1 or stock' = 2", "stock", "and", false); got != "p = 1 or `and`' = 2" {
		t.Error(got)
	}
}

// FuzzFormula demands that what is read has rows that are distributions, and that what is refused
// is so with a sentence, a column within the text and no panic.
func FuzzFormula(f *testing.F) {
	for _, text := range []string{
		"next = min(3, stock + 2*order - weather)", "p = 0.1*stock, 0.2, if(weather = \"wet\", 0.3, 0)", "next = stock with 0.9, 0", "stock' > 1 and not `with space`", "p=.25,.25,.25,.25", "next=((((1))))",
		"next = ", "p", "`", "\"", "1e", "next = 0 with 0.5, 1 with 0.5", "−·×≤≥≠",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tab := &formula.Tabulator{Space: shop()}
		factor, err := tab.Law(text, 0)
		if err == nil {
			for row := range len(factor.P) / factor.Size {
				sum := 0.0
				for _, p := range factor.Row(row) {
					if !(p >= 0 && p <= 1) {
						t.Fatalf("%q has the probability %v", text, p)
					}
					sum += p
				}
				if math.Abs(sum-1) > 2*fmdp.SumTolerance {
					t.Fatalf("%q has a row whose sum is %v", text, sum)
				}
			}
			if again, err := tab.Law(formula.Rename(text, "stock", "stock", true), 0); err != nil || len(again.P) != len(factor.P) {
				t.Fatalf("%q renamed to itself: %v", text, err)
			}
		}
		_, means, other := tab.Payoffs(text)
		for _, v := range means {
			if other == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
				t.Fatalf("%q pays %v", text, v)
			}
		}
		for _, err := range []error{err, other} {
			if e, is := errors.AsType[*formula.Error](err); err != nil && (!is || e.Reason == "" || e.Column > len([]rune(text))+1) {
				t.Fatalf("%q: %v", text, err)
			}
		}
	})
}
