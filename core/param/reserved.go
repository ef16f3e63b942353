package param

import (
	"fmt"
	"slices"
	"strings"
)

// Reserved returns the keys that a kind of problem may not give to a parameter of its own,
// because each parameter's key is also a flag of the command and a key of links. Tests of
// packages spec and main hold the list to the keys and flags that there are.
func Reserved() []string { return slices.Clone(reserved) }

var reserved = strings.Fields(`
	domain prior agents receipt v
	eta trust false data z episodes first runs seed bound update rewards dirichlet tables depth planner
	heading note measure log band paired hide watch
	action agent as average base behaviour column cpus cut endings episode expand h heat help lag laws letters link list logs long machine max-array methods missing models n
	normalise o of port preset quiet records reliability resume reward run samples shard shards spec time times top transitions truth value vary width with without
	workers x
`)

// CheckKey returns an error of one sentence if a text cannot be the key of a kind.
func CheckKey(key string) error {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	if key == "" || strings.Trim(key, letters+"0123456789-") != "" || strings.IndexByte(letters, key[0]) < 0 {
		return fmt.Errorf("%q is not a key: lower-case letters, digits and -, the first a letter", key)
	}
	return nil
}

// CheckTable returns an error of one sentence if a table of parameters cannot be that of a
// kind: each name is there once and, with keys, so is each key, and no key is reserved.
func CheckTable(table []Param, keys bool) error {
	var seen []string
	for _, p := range table {
		text := p.Name
		if keys {
			text = p.Key
		}
		switch err := CheckKey(text); {
		case err != nil:
			return err
		case slices.Contains(seen, text):
			return fmt.Errorf("two parameters are called %q", text)
		case keys && slices.Contains(reserved, text):
			return fmt.Errorf("the key %q is a flag or a key of links already", text)
		}
		seen = append(seen, text)
	}
	return nil
}
