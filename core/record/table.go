package record

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/fmdp"
)

// table is an array of arrays of numbers, kept in one piece.
type table struct {
	entries []float64
	ends    []int32 // of each row, in entries
}

// tableOf returns the table whose rows have that size. It shares the entries.
func tableOf(entries []float64, size int) table {
	t := table{entries, make([]int32, len(entries)/size)}
	for row := range t.ends {
		t.ends[row] = int32((row + 1) * size)
	}
	return t
}

// rows returns the number of rows.
func (t *table) rows() int { return len(t.ends) }

// Row returns a row, as a view.
func (t *table) Row(row int) []float64 {
	from := int32(0)
	if row > 0 {
		from = t.ends[row-1]
	}
	return t.entries[from:t.ends[row]:t.ends[row]]
}

// MarshalJSONTo implements json.MarshalerTo.
func (t table) MarshalJSONTo(enc *jsontext.Encoder) error {
	if err := enc.WriteToken(jsontext.BeginArray); err != nil {
		return err
	}
	for row := range t.rows() {
		if err := json.MarshalEncode(enc, t.Row(row)); err != nil {
			return err
		}
	}
	return enc.WriteToken(jsontext.EndArray)
}

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (t *table) UnmarshalJSONFrom(dec *jsontext.Decoder) (err error) {
	t.entries, t.ends, err = readRows[float64](dec, fmdp.MaxTable, fmdp.MaxTable)
	return err
}

// numbers is an array of numbers, one for each state-action pair at most.
type numbers []float64

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (n *numbers) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}
	_, entries := shape(raw)
	if entries > fmdp.MaxPoints {
		return tooMany(string(dec.StackPointer()), fmdp.MaxPoints)
	}
	w := walk{data: raw}
	if *n, err = appendRow(make([]float64, 0, entries), &w); err != nil {
		return Within(string(dec.StackPointer()), err)
	}
	return nil
}

// number is what the rows of the formats hold.
type number interface{ int | int32 | float64 }

// Rows is an array of arrays of numbers.
type Rows[T number] [][]T

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (r *Rows[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	flat, ends, err := readRows[T](dec, mostElements, fmdp.MaxTable)
	*r = cut(flat, ends)
	return err
}

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (g *Graph) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	flat, ends, err := readRows[int](dec, mostElements, mostElements)
	*g = cut(flat, ends)
	return err
}

// cut returns the rows that end there in flat, as views.
func cut[T number](flat []T, ends []int32) [][]T {
	rows := make([][]T, len(ends))
	from := int32(0)
	for k, end := range ends {
		rows[k] = flat[from:end:end]
		from = end
	}
	return rows
}

// readRows reads an array of arrays of numbers: at most so many rows, so many
// numbers, and [fmdp.MaxPoints] a row on average. It returns the numbers and the
// end of each row, and takes no more memory than they do.
func readRows[T number](dec *jsontext.Decoder, mostRows, mostNumbers int) (flat []T, ends []int32, err error) {
	raw, err := dec.ReadValue()
	if err != nil {
		return nil, nil, err
	}
	if raw.Kind() != '[' {
		return nil, nil, DecodeAt(raw, &[][]T{}, string(dec.StackPointer())) // says what it is
	}
	rows, entries := shape(raw)
	mostNumbers = min(mostNumbers, max(rows, 1)*fmdp.MaxPoints)
	switch {
	case rows > mostRows:
		return nil, nil, tooMany(string(dec.StackPointer()), mostRows)
	case entries > mostNumbers:
		return nil, nil, tooMany(string(dec.StackPointer()), mostNumbers)
	}
	flat, ends = make([]T, 0, entries), make([]int32, 0, rows)
	w := walk{data: raw}
	for w.at++; w.space() != ']'; w.comma() {
		if flat, err = appendRow(flat, &w); err != nil {
			return nil, nil, Within(fmt.Sprintf("%s/%d", dec.StackPointer(), len(ends)), err)
		}
		ends = append(ends, int32(len(flat)))
	}
	return flat, ends, nil
}

// appendRow appends the numbers of the array that comes next in valid JSON. What
// is no plain number is left to the JSON library, which says why.
func appendRow[T number](flat []T, w *walk) ([]T, error) {
	if w.space() != '[' {
		return nil, decode(w.next(), &[]T{})
	}
	w.at++
	for k := 0; w.space() != ']'; k++ {
		text := w.next()
		x, ok := parse[T](text)
		if !ok {
			slow := new(T)
			if err := decode(text, slow); err != nil {
				return nil, Within(fmt.Sprintf("/%d", k), err)
			}
			x = *slow
		}
		flat = append(flat, x)
		w.comma()
	}
	w.at++
	return flat, nil
}

// parse reads a number as the JSON library does; not ok, it may be one all the
// same.
func parse[T number](text []byte) (x T, ok bool) {
	if len(text) == 1 {
		return T(text[0] - '0'), true
	}
	if T(1)/2 != 0 {
		f, err := strconv.ParseFloat(string(text), 64)
		return T(f), err == nil
	}
	n, err := strconv.Atoi(string(text))
	return T(n), err == nil && int(T(n)) == n
}

// shape returns how many rows are in an array of arrays of numbers, and at most
// how many numbers. No string is one: what comes after it is not counted.
func shape(array jsontext.Value) (rows, numbers int) {
	if at := bytes.IndexByte(array, '"'); at >= 0 {
		array = array[:at]
	}
	return bytes.Count(array, []byte("[")) - 1, bytes.Count(array, []byte(",")) + 1
}
