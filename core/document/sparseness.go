package document

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// Sparseness is the degree of sparseness Z of all Y variables; some may have their own.
// In JSON it is a number, or an object of names in which "*" stands for all other
// variables: {"*":4,"alive":8}. Without "*" it names every variable. The texts of these are "4" and "4,alive:8", and JSON may
// hold the text.
type Sparseness struct {
	Z   int             // the Z of the variables that are not in Own
	Own []OwnSparseness // in the order of names; none has the same Z as the others
	// Listed holds the names of an object without "*", which Each compares with the variables. It is not written: Z is
	// then that of most of them.
	Listed []string
}

// OwnSparseness is the Z of one Y variable.
type OwnSparseness struct {
	Of string
	Z  int
}

// newSparseness returns the canonical value. It is an error if a name is given twice, or if
// it is the one that stands for the others.
func newSparseness(z int, own []OwnSparseness) (Sparseness, error) {
	own = slices.Clone(own)
	slices.SortFunc(own, func(a, b OwnSparseness) int { return strings.Compare(a.Of, b.Of) })
	for k := range own {
		if own[k].Of == Others {
			return Sparseness{}, fmt.Errorf("%q stands for all variables without a Z of their own and cannot be the name of one", Others)
		}
		if k > 0 && own[k].Of == own[k-1].Of {
			return Sparseness{}, fmt.Errorf("the Z of %q is given twice", param.Clip(own[k].Of))
		}
	}
	own = slices.DeleteFunc(own, func(o OwnSparseness) bool { return o.Z == z })
	if len(own) == 0 {
		own = nil
	}
	return Sparseness{Z: z, Own: own}, nil
}

// String returns the text. Names with other characters than letters, digits, - and _ are
// quoted as in Go.
func (s Sparseness) String() string {
	text := strconv.Itoa(s.Z)
	for _, o := range s.Own {
		name := o.Of
		if name == "" || strings.Trim(name, plainLetters) != "" {
			name = strconv.Quote(name)
		}
		text += fmt.Sprintf(",%s:%d", name, o.Z)
	}
	return text
}

const plainLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// ParseSparseness reads the text. The error is one sentence.
func ParseSparseness(text string) (Sparseness, error) {
	all, rest, more := strings.Cut(text, ",")
	wrong := fmt.Errorf(`%q is not a whole number, or one and then names with numbers of their own, as in "4,alive:8"%s`, param.Clip(text), param.Hint(all, true))
	z, err := canonicalNumber(all)
	if err != nil {
		return Sparseness{}, wrong
	}
	var own []OwnSparseness
	for more {
		var o OwnSparseness
		quoted, err := strconv.QuotedPrefix(rest)
		if err == nil {
			o.Of, err = strconv.Unquote(quoted)
			rest = rest[len(quoted):]
		} else {
			var name string
			if name, _, more = strings.Cut(rest, ":"); !more || name == "" || strings.Trim(name, plainLetters) != "" {
				return Sparseness{}, wrong
			}
			o.Of, rest, err = name, rest[len(name):], nil
		}
		if err != nil || !strings.HasPrefix(rest, ":") {
			return Sparseness{}, wrong
		}
		var n string
		n, rest, more = strings.Cut(rest[1:], ",")
		if o.Z, err = canonicalNumber(n); err != nil {
			return Sparseness{}, wrong
		}
		switch json, err := jsontext.AppendQuote(nil, o.Of); {
		case err != nil:
			return Sparseness{}, fmt.Errorf("%q is not a name: it is not UTF-8", param.Clip(o.Of))
		case len(json) > strict.MostName: // the JSON could not be read again
			return Sparseness{}, fmt.Errorf("the name %q has more than %d bytes in JSON", param.Clip(o.Of), strict.MostName)
		}
		if own = append(own, o); len(own) > fmdp.MaxVariables {
			return Sparseness{}, fmt.Errorf("more than %d variables have a Z of their own", fmdp.MaxVariables)
		}
	}
	return newSparseness(z, own)
}

// canonicalNumber reads a whole number in its canonical text.
func canonicalNumber(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err == nil && strconv.Itoa(n) != text {
		err = strconv.ErrSyntax
	}
	return n, err
}

// MarshalJSONTo implements json.MarshalerTo.
func (s Sparseness) MarshalJSONTo(enc *jsontext.Encoder) error {
	if s.Own == nil {
		return enc.WriteToken(jsontext.Int(int64(s.Z)))
	}
	object := strict.Ordered{{Name: Others, Value: s.Z}}
	for _, o := range s.Own {
		object = append(object, strict.Member{Name: o.Of, Value: o.Z})
	}
	return object.MarshalJSONTo(enc)
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *Sparseness) UnmarshalJSON(data []byte) error { return strict.Read(data, s.DecodeStrict) }

// DecodeStrict implements [strict.Decoder]: it reads a number, an object or a text.
func (s *Sparseness) DecodeStrict(r *strict.Reader) error {
	switch r.PeekKind() {
	case '{':
	case '"':
		token, err := r.ReadToken()
		if err != nil {
			return err
		}
		z, err := ParseSparseness(token.String())
		if err != nil {
			return strict.Invalid(r.Place(), "%v", err)
		}
		*s = z
		return nil
	default:
		var z int
		err := strict.Number(r, &z)
		if err == nil {
			*s = Sparseness{Z: z}
		}
		return err
	}
	place := r.Place()
	var z *int
	var own []OwnSparseness
	err := r.Members(func() error {
		o := OwnSparseness{Of: r.Name()}
		err := strict.Number(r, &o.Z)
		switch {
		case err != nil:
		case o.Of == Others:
			z = &o.Z
		default:
			own = append(own, o)
		}
		if len(own) > fmdp.MaxVariables {
			err = strict.Invalid(place, "more than %d variables have a Z of their own", fmdp.MaxVariables)
		}
		return err
	})
	if err == nil && z == nil && own == nil && r.Null() == nil {
		err = strict.Invalid(place, noOthers)
	}
	if err != nil || z == nil && own == nil {
		return err
	}
	if z != nil {
		*s, err = newSparseness(*z, own)
		return err
	}
	count, most := map[int]int{}, own[0].Z
	for _, o := range own {
		if count[o.Z]++; count[o.Z] > count[most] || count[o.Z] == count[most] && o.Z < most {
			most = o.Z
		}
	}
	if *s, err = newSparseness(most, own); err == nil {
		for _, o := range own {
			s.Listed = append(s.Listed, o.Of)
		}
	}
	return err
}

const noOthers = `the Z of the other variables, "*", is missing`

// Each returns the Z of each Y variable, or nil if all have s.Z. If a name is not the name of a Y
// variable, the error is a *[strict.InvalidError], and its place is that of the name, below place.
func (s Sparseness) Each(place string, space *fmdp.Space) ([]int, error) {
	for _, name := range s.Listed {
		if j := space.Lookup(name); j < 0 || j >= space.Y() {
			return nil, strict.Invalid(place+strict.Place(name), "there is no state variable %q", param.Clip(name))
		}
	}
	if s.Listed != nil && len(s.Listed) < space.Y() {
		return nil, strict.Invalid(place, noOthers)
	}
	if s.Own == nil {
		return nil, nil
	}
	each := slices.Repeat([]int{s.Z}, space.Y())
	for _, o := range s.Own {
		j := space.Lookup(o.Of)
		if j < 0 || j >= space.Y() {
			return nil, strict.Invalid(place+strict.Place(o.Of), "there is no state variable %q", param.Clip(o.Of))
		}
		each[j] = o.Z
	}
	return each, nil
}

// SparsenessOf returns the sparseness of a prior.
func SparsenessOf(p *bigraph.Prior, space *fmdp.Space) Sparseness {
	all := p.Sparseness
	var own []OwnSparseness
	for j, z := range p.Each {
		if name := space.State[j].Name; name == Others {
			all = z // all other variables have an entry, unless they have the same Z
		} else {
			own = append(own, OwnSparseness{name, z})
		}
	}
	s, err := newSparseness(all, own)
	if err != nil {
		panic("document: two variables have one name")
	}
	return s
}
