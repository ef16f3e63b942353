// Package concentration holds what is assumed of tables: the concentration of a Dirichlet prior over their rows,
// as a value, as text and as JSON, and their structure.
//
// A row of probabilities is a priori Dirichlet(α, …, α). A large α makes rows nearly
// uniform, a small α nearly deterministic. With α = 1 all rows are equally likely.
//
// Functions may be called by several goroutines at once. Only the methods Parse and
// Decode change a Concentration.
package concentration

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/param"
)

// Limits of a concentration.
const (
	Least      = 1e-6 // the least α or sample size
	Most       = 1e6  // the largest
	MostListed = 8    // the longest list of α
)

// Concentration is the law of α. The zero value is α = 1. There are four kinds:
//
//	a number        every table has that α
//	a sample size s a table of r rows with n values has α = s/(n·r), so that α sums to s
//	                over the whole table, however fine it is ("BDeu")
//	a learned list  each table has one α of the list, each as likely as the others
//	a mixed list    each row has one α of the list, each as likely as the others
//
// The texts of the kinds are "0.1", "ess:1", "learn:0.01:0.1:1" and "mix:0.01:0.1:1"; in JSON
// they are 0.1, {"ess":1}, {"learn":[0.01,0.1,1]} and {"mix":[0.01,0.1,1]}. JSON may also hold
// the text.
type Concentration struct {
	kind kind
	list []float64 // ascending; empty stands for 1
}

type kind int

const (
	number kind = iota
	sampleSize
	learned
	mixed
)

// words holds the word that begins the text of a kind and names the member of its JSON.
var words = map[kind]string{sampleSize: "ess", learned: "learn", mixed: "mix"}

// Alphas returns the values of α for a table with that many values and rows, ascending:
// those of a list, else one.
func (c Concentration) Alphas(values, rows int) []float64 {
	switch {
	case len(c.list) == 0:
		return []float64{1}
	case c.kind == sampleSize:
		return []float64{c.list[0] / (float64(values) * float64(rows))}
	}
	return slices.Clone(c.list)
}

// Learns reports whether each table has an α of a list.
func (c Concentration) Learns() bool { return c.kind == learned }

// Mixes reports whether each row has an α of a list.
func (c Concentration) Mixes() bool { return c.kind == mixed }

// Mix returns the mixed list of three α that a problem of the user's begins with.
func Mix() Concentration { return Concentration{mixed, []float64{0.01, 0.1, 1}} }

// Since returns the first version of specs, links and priors that can hold the concentration.
func (c Concentration) Since() int {
	if c.Mixes() {
		return 3
	}
	return 1
}

// One reports whether α is 1 for every table.
func (c Concentration) One() bool { return len(c.list) == 0 }

// Name returns the text for a legend: "α = 0.1".
func (c Concentration) Name() string {
	switch c.kind {
	case sampleSize:
		return "ess = " + format(c.list[0])
	case learned:
		return "α learned"
	case mixed:
		return "α mixed"
	}
	return "α = " + c.String()
}

// String returns the canonical text.
func (c Concentration) String() string {
	if c.One() {
		return "1"
	}
	var parts []string
	if word := words[c.kind]; word != "" {
		parts = append(parts, word)
	}
	for _, a := range c.list {
		parts = append(parts, format(a))
	}
	return strings.Join(parts, ":")
}

func format(a float64) string { return strconv.FormatFloat(a, 'f', -1, 64) }

// Range describes the possible values in words.
func (Concentration) Range() string {
	return fmt.Sprintf("a number from %s to %s, ess:NUMBER, learn:NUMBER:NUMBER or mix:NUMBER:NUMBER", format(Least), format(Most))
}

// Offered returns the concentrations that a form offers.
func Offered() []param.Word {
	return []param.Word{
		{Value: "1", Label: "1"}, {Value: "0.5", Label: "0.5"}, {Value: "0.1", Label: "0.1"}, {Value: "0.01", Label: "0.01"},
		{Value: "ess:1", Label: "1 a table (BDeu)"}, {Value: "learn:0.01:0.1:1", Label: "learned: 0.01, 0.1 or 1"},
		{Value: Mix().String(), Label: "mixed: 0.01, 0.1 or 1 in each row"},
	}
}

// Parse sets c from a text, which need not be the canonical one. If the text is refused,
// c does not change and the error is one sentence.
func (c *Concentration) Parse(text string) error {
	k := number
	numbers := []string{text}
	if word, rest, is := strings.Cut(text, ":"); is {
		switch word {
		case words[sampleSize]:
			k, numbers = sampleSize, []string{rest}
		case words[learned]:
			k, numbers = learned, strings.SplitN(rest, ":", MostListed+2)
		case words[mixed]:
			k, numbers = mixed, strings.SplitN(rest, ":", MostListed+2)
		default:
			return errText(text)
		}
	}
	var list []float64
	for _, n := range numbers {
		a, err := strconv.ParseFloat(n, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) || strings.Trim(n, "0123456789.eE+-") != "" {
			return errText(text)
		}
		list = append(list, a)
	}
	return c.set(k, list)
}

func errText(text string) error {
	return fmt.Errorf("%q is not %s%s", param.Clip(text), Concentration{}.Range(), param.Hint(text, false))
}

// set sets c, unless a number of the list or the length of the list is refused. It sorts
// the list and keeps it.
func (c *Concentration) set(k kind, list []float64) error {
	slices.Sort(list)
	for i, a := range list {
		switch {
		case !(a >= Least && a <= Most): // NaN is neither
			return fmt.Errorf("%v is out of range; it must be from %s to %s", a, format(Least), format(Most))
		case i > 0 && a == list[i-1]:
			return fmt.Errorf("%v is listed twice", a)
		}
	}
	if len(list) == 0 || len(list) > MostListed {
		return errCount(len(list))
	}
	*c = Concentration{k, list}
	if k == number && list[0] == 1 {
		*c = Concentration{}
	}
	return nil
}

// Encode returns the canonical JSON.
func (c Concentration) Encode() []byte {
	var b bytes.Buffer
	if word := words[c.kind]; word != "" {
		fmt.Fprintf(&b, `{"%s":`, word)
	}
	switch {
	case c.kind == learned || c.kind == mixed:
		for k, a := range c.list {
			b.WriteByte("[,"[min(k, 1)])
			b.WriteString(format(a))
		}
		b.WriteByte(']')
	case c.One():
		b.WriteByte('1')
	default:
		b.WriteString(format(c.list[0]))
	}
	if c.kind != number {
		b.WriteByte('}')
	}
	return b.Bytes()
}

// errJSON says what the JSON may be.
var errJSON = errors.New(`expected a number, {"ess":NUMBER}, {"learn":[NUMBER,…]} or {"mix":[NUMBER,…]}`)

// Decode sets c from JSON. If the JSON is refused, c does not change and the error is one
// sentence.
func (c *Concentration) Decode(data []byte) error {
	switch jsontext.Value(data).Kind() {
	case '"':
		var text string
		if json.Unmarshal(data, &text) != nil {
			return errJSON
		}
		return c.Parse(text)
	case '{':
		var doc map[string]jsontext.Value
		if json.Unmarshal(data, &doc) != nil || len(doc) != 1 {
			return errJSON
		}
		for k, word := range words {
			value, is := doc[word]
			switch {
			case !is:
			case k == sampleSize:
				return c.decodeNumber(k, value)
			default:
				return c.decodeList(k, value)
			}
		}
		return errJSON
	}
	return c.decodeNumber(number, data)
}

func (c *Concentration) decodeNumber(k kind, text jsontext.Value) error {
	a, ok := decodeAlpha(text)
	if !ok {
		return errJSON
	}
	return c.set(k, []float64{a})
}

// decodeList reads a list of α of that kind. Of the numbers past MostListed it keeps only the count.
func (c *Concentration) decodeList(k kind, array jsontext.Value) error {
	dec := jsontext.NewDecoder(bytes.NewBuffer(array))
	if open, err := dec.ReadToken(); err != nil || open.Kind() != '[' {
		return errJSON
	}
	alphas, n, good := make([]float64, 0, MostListed), 0, true
	for ; dec.PeekKind() != ']'; n++ {
		text, err := dec.ReadValue()
		if err != nil {
			return errJSON
		}
		if n < MostListed {
			a, ok := decodeAlpha(text)
			alphas, good = append(alphas, a), good && ok
		}
	}
	switch {
	case n > MostListed:
		return errCount(n)
	case !good:
		return errJSON
	}
	return c.set(k, alphas)
}

// decodeAlpha reads a number. A number beyond the range of float64 becomes an infinity.
func decodeAlpha(text jsontext.Value) (a float64, ok bool) {
	a, err := strconv.ParseFloat(string(bytes.TrimSpace(text)), 64)
	return a, text.Kind() == '0' && (err == nil || errors.Is(err, strconv.ErrRange))
}

func errCount(n int) error {
	return fmt.Errorf("%d numbers are listed; from 1 to %d are needed", n, MostListed)
}
