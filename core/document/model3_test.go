package document_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/internal/formattest"
)

// model3 reads the file of version 3 that was written first.
func model3(t testing.TB) string {
	return strings.TrimSpace(string(formattest.Read(t, "model-v3.json")))
}

// Oracle: the formulas in Go.
func TestModel3Contents(t *testing.T) {
	f, err := document.DecodeModelFile([]byte(model3(t)))
	if err != nil {
		t.Fatal(err)
	}
	m := f.Model
	if got := string(f.Encode()); got != model3(t) {
		t.Errorf("written as\n%s\nnot\n%s", got, model3(t))
	}
	if want := [][]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}}; !slices.EqualFunc(m.Legal.List(), want, slices.Equal) {
		t.Errorf("legal %v", m.Legal.List())
	}
	if !slices.Equal(m.Initial, []float64{0, 0, 0, 0, .5, .5, 0, 0}) {
		t.Errorf("μ = %v", m.Initial)
	}
	if e := m.Ends[0]; !slices.Equal(e.Given, []int{0, 1}) || !slices.EqualFunc(e.Is, [][]int{{0, 1}}, slices.Equal) {
		t.Errorf("ends %+v", m.Ends)
	}
	stock := &m.Transition[0]
	if !slices.Equal(stock.Given, []int{0, 1, 2}) || !slices.Equal(m.Reward[0].Given, []int{0, 2, m.X()}) {
		t.Fatalf("parents %v and %v", stock.Given, m.Reward[0].Given)
	}
	for s := range 4 {
		for season := range 2 {
			for order := range 3 {
				row := stock.Row((s*2+season)*3 + order)
				filled := min(3, s+order)
				want := make([]float64, 4)
				p := .25 + .5*float64(season)
				want[max(0, filled-1)] += p
				want[filled] += 1 - p
				for v := range want {
					if math.Abs(row[v]-want[v]) > 1e-12 {
						t.Errorf("stock = %d, season = %d, order = %d: %v, want %v", s, season, order, row, want)
					}
				}
				for next := range 4 {
					if got, want := m.Reward[0].Mean[(s*3+order)*4+next], float64(max(0, s-next))-.25*float64(order); got != want {
						t.Errorf("a payoff of %v, want %v", got, want)
					}
				}
			}
		}
	}
	if m.Transition[0].Known || !m.Transition[1].Known {
		t.Error("the wrong law is told")
	}
	// The tables alone are the same model.
	tables, err := document.DecodeModel(document.EncodeModel(m))
	if err != nil || !slices.Equal(tables.Transition[0].P, stock.P) || !slices.Equal(tables.Initial, m.Initial) {
		t.Errorf("the tables of the model: %v", err)
	}
}

func TestStrictModel3(t *testing.T) {
	formattest.Strict(t, "model 3", model3(t), againModel, []formattest.Edit{
		{`"version":3`, `"version":2`, "/transition/0/formula", "this is for version 3"},
		{`"of":"stock",`, `"of":"stock","given":["stock"],`, "/transition/0/given", "may not stand beside it"},
		{`"of":"stock",`, `"of":"stock","p":[[1,0,0,0]],`, "/transition/0/p", "may not stand beside it"},
		{`stock + order) - 1`, `stock + orders) - 1`, "/transition/0/formula", `column 30: there is no variable "orders"`},
		{`0.25 + 0.5*season`, `0.75 + 0.5*season`, "/transition/0/formula", "the probability is 1.25; it must be from 0 to 1 (for stock = 0, season = high, order = 0)"},
		{`next = max(0, min(3, stock + order) - 1)`, `next = min(3, stock + order) - 1`, "/transition/0/formula", "the next value is -1"},
		{`"formula":"p = 0.2 + 0.6*season",`, ``, "/transition/1/given", `the field "given" is missing`},
		{`"formula":"p = 0.2 + 0.6*season",`, `"given":[],`, "/transition/1/p", `the field "p" is missing`},
		{`stock - stock'`, `stock - price'`, "/reward/0/formula", `there is no variable "price'"`},
		{`- 0.25*order","kind":"fixed"`, `","kind":"bernoulli"`, "/reward/0/formula", "outside [0,1]"},
		{`"formula":"max(0, stock - stock') - 0.25*order",`, ``, "/reward/0/given", "is missing"},
		{`order + price <= 2`, `order + stock <= 2`, "/legal/formula", "this is for version 4"},
		{`order + price <= 2`, `order > 2`, "/legal", "no legal action"},
		{`{"formula":"order + price <= 2"}`, `{"formula":"order = 1","default":[0,0]}`, "/legal/default", "unknown"},
		{`"stock = 2"`, `"stock = 5"`, "/initial/formula", "no state is like this"},
		{`"stock = 2"`, `"stock = order"`, "/initial/formula", `"order" cannot stand here`},
		{`{"formula":"stock = 2"}`, `{}`, "/initial/formula", "is missing"},
		{`stock = 0 and season`, `stock = 0 & season`, "/terminal/0/formula", `a formula has no "&"`},
		{`"name":"sold out",`, `"name":"sold out","is":[],`, "/terminal/0/is", "may not stand beside it"},
	})
}

func FuzzModel3(f *testing.F) { formattest.Fuzz(f, []string{model3(f)}, againModel) }
