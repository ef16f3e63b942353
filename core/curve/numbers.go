package curve

import (
	"fmt"
	"math"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Number is a JSON number in its shortest form. NaN and infinities are null.
type Number float64

// MarshalJSONTo implements json.MarshalerTo.
func (n Number) MarshalJSONTo(e *jsontext.Encoder) error { return e.WriteValue(n.append(nil)) }

// UnmarshalJSONFrom implements json.UnmarshalerFrom. It reads null as NaN.
func (n *Number) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	token, err := d.ReadToken()
	if err != nil {
		return err
	}
	switch token.Kind() {
	case 'n':
		*n = Number(math.NaN())
	case '0':
		v, err := token.Float()
		*n = Number(v)
		return err
	default:
		return fmt.Errorf("a number or null was expected, not %s", token.Kind())
	}
	return nil
}

func (n Number) append(b []byte) []byte {
	if v := float64(n); !math.IsNaN(v) && !math.IsInf(v, 0) {
		return strconv.AppendFloat(b, v, 'g', -1, 64)
	}
	return append(b, "null"...)
}

// Numbers is a JSON array of numbers. It is written as one value, which is faster
// for the many numbers of a curve.
type Numbers []float64

// MarshalJSONTo implements json.MarshalerTo.
func (list Numbers) MarshalJSONTo(e *jsontext.Encoder) error {
	b := []byte{'['}
	for k, n := range list {
		if k > 0 {
			b = append(b, ',')
		}
		b = Number(n).append(b)
	}
	return e.WriteValue(append(b, ']'))
}

// UnmarshalJSONFrom implements json.UnmarshalerFrom. It reads null as NaN.
func (list *Numbers) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	var numbers []Number
	if err := json.UnmarshalDecode(d, &numbers); err != nil {
		return err
	}
	*list = make(Numbers, len(numbers))
	for k, n := range numbers {
		(*list)[k] = float64(n)
	}
	return nil
}
