package record_test

import (
	"reflect"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/record"
	"cpsrl/internal/formattest"
)

// law is the type of the tables of a document.Factor.
var law, _ = reflect.TypeFor[document.Factor]().FieldByName("P")

var twins = formattest.NewTwins(
	map[reflect.Type]reflect.Type{law.Type: reflect.TypeFor[[][]float64](), reflect.TypeFor[document.Graph](): reflect.TypeFor[[][]int]()},
	reflect.TypeFor[record.Record](), reflect.TypeFor[record.Trace](),
)

func TestStrictTwin(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js")
	}
	twins.Test(t)
}
func FuzzStrict(f *testing.F)      { twins.Fuzz(f) }
func BenchmarkDecode(b *testing.B) { twins.Benchmark(b) }
