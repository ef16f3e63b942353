package spec

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/strict"
)

// Data are transitions that agents have seen before the first episode, by name: the SHA-256 of their
// canonical bytes, which are JSON Lines as a transitions file has them, {"x":[…],"y":[…]} and a newline
// each, with "paid":[…] if it is known what was paid. The transitions may be missing. In JSON, Data are written as their name, and read from the name
// or from the list of the transitions. Data do not change.
type Data struct {
	name  string
	steps []document.Transition // nil if they are missing
}

// Limits of [Data].
const (
	MaxData      = 100_000 // transitions
	MaxDataBytes = 4 << 20 // canonical bytes
)

// NewData returns the data of transitions, which it keeps. The error is one sentence.
func NewData(steps []document.Transition) (*Data, error) {
	if len(steps) == 0 {
		return nil, fmt.Errorf("there is no transition to start from")
	}
	if len(steps) > MaxData {
		return nil, fmt.Errorf("there are %d transitions to start from, more than %d", len(steps), MaxData)
	}
	d := &Data{steps: steps}
	canonical := d.Encode()
	if len(canonical) > MaxDataBytes {
		return nil, fmt.Errorf("the transitions to start from take %d bytes, more than %d MiB", len(canonical), MaxDataBytes>>20)
	}
	d.name = fmt.Sprintf("%x", sha256.Sum256(canonical))
	return d, nil
}

// NamedData returns the data of that name without their transitions.
func NamedData(name string) (*Data, error) {
	if len(name) != 2*sha256.Size || strings.Trim(name, "0123456789abcdef") != "" {
		return nil, fmt.Errorf("the name of data is the SHA-256 of their transitions, %d lower-case hexadecimal digits", 2*sha256.Size)
	}
	return &Data{name: name}, nil
}

// Name returns the SHA-256 of the canonical bytes in hexadecimal digits.
func (d *Data) Name() string { return d.name }

// Steps returns the transitions in their order, or nil if they are missing. The caller must not change
// them.
func (d *Data) Steps() []document.Transition { return d.steps }

// Encode returns the canonical bytes; none if the transitions are missing.
func (d *Data) Encode() []byte {
	var b []byte
	for _, t := range d.steps {
		b = strict.AppendLine(b, t)
	}
	return b
}

// Check returns an *[strict.InvalidError] if one of the transitions cannot be of the model, as in [document.Transition.CheckSeen].
func (d *Data) Check(place string, m *fmdp.Model) error {
	for k, t := range d.steps {
		if err := t.CheckSeen(fmt.Sprintf("%s/%d", place, k), m); err != nil {
			return err
		}
	}
	return nil
}

// MarshalJSONTo implements json.MarshalerTo.
func (d *Data) MarshalJSONTo(enc *jsontext.Encoder) error {
	return enc.WriteToken(jsontext.String(d.name))
}

// DecodeData reads data from their name or from a list of transitions.
func DecodeData(data []byte) (*Data, error) {
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		var name string
		if err := strict.Decode(data, &name); err != nil {
			return nil, err
		}
		return NamedData(name)
	}
	var steps []document.Transition
	if err := strict.Decode(data, &steps); err != nil {
		return nil, err
	}
	return NewData(slices.Clip(steps))
}
