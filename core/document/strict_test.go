package document

import (
	"fmt"
	"reflect"
	"testing"

	"cpsrl/core/strict"
	"cpsrl/internal/formattest"
)

var twins = formattest.NewTwins(
	map[reflect.Type]reflect.Type{
		reflect.TypeFor[strict.Table](): reflect.TypeFor[[][]float64](), reflect.TypeFor[lawDoc](): reflect.TypeFor[[][]float64](), reflect.TypeFor[meanDoc](): reflect.TypeFor[[]float64](),
	},
	reflect.TypeFor[modelDoc](), reflect.TypeFor[initialDoc](), reflect.TypeFor[priorDoc](), reflect.TypeFor[Transition](),
)

func TestStrictTwin(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js")
	}
	twins.Test(t)
}
func FuzzStrict(f *testing.F)      { twins.Fuzz(f) }
func BenchmarkDecode(b *testing.B) { twins.Benchmark(b) }

// The bound on memory allows labels for a large variable, also one more than a power of
// two.
func TestManyLabels(t *testing.T) {
	for _, n := range []int{1<<17 + 1, 1 << 18} {
		v := Variable{Name: "a", Size: n}
		for k := range n {
			v.Values = append(v.Values, fmt.Sprintf("%x", k))
		}
		var got Variable
		if err := strict.Decode(strict.Encode(v), &got); err != nil || !reflect.DeepEqual(got, v) {
			t.Errorf("%d labels: %v", n, err)
		}
	}
}
