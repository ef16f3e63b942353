package concentration

// Optional is a concentration that may be absent. The zero value is absent, whereas that of a
// [Concentration] is 1.
type Optional struct {
	Concentration
	Given bool
}

// String returns the canonical text; "" if the concentration is absent.
func (o Optional) String() string {
	if !o.Given {
		return ""
	}
	return o.Concentration.String()
}

// Parse sets o from a text, as [Concentration.Parse] does.
func (o *Optional) Parse(text string) error {
	err := o.Concentration.Parse(text)
	o.Given = o.Given || err == nil
	return err
}

// Decode sets o from JSON, as [Concentration.Decode] does.
func (o *Optional) Decode(data []byte) error {
	err := o.Concentration.Decode(data)
	o.Given = o.Given || err == nil
	return err
}
