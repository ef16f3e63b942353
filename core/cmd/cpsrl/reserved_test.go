package main

import (
	"flag"
	"slices"
	"testing"

	"cpsrl/core/domain"
	"cpsrl/core/param"
	"cpsrl/core/spec"
)

// No parameter of a domain can have a key that means something else: param.Reserved holds
// every flag and every key of links that is not a domain's, and nothing else.
func TestReserved(t *testing.T) {
	own := map[string]bool{} // the keys of domains
	for _, k := range domain.Kinds() {
		for _, p := range k.New().Params() {
			own[p.Key] = true
		}
	}
	used := map[string]bool{"h": true, "help": true} // which package flag knows
	for _, key := range spec.LinkKeys() {
		used[key] = true
	}
	for _, c := range commands() {
		flags, _ := c.flags()
		flags.VisitAll(func(f *flag.Flag) {
			if !own[f.Name] {
				used[f.Name] = true
			}
		})
	}
	for key := range used {
		if !slices.Contains(param.Reserved(), key) {
			t.Errorf("%q is a flag or a key of links, and is not reserved", key)
		}
	}
	for _, key := range param.Reserved() {
		if !used[key] {
			t.Errorf("%q is reserved for nothing", key)
		}
	}
}

// A kind whose parameter has a key that is taken cannot be registered.
func TestRegisterReserved(t *testing.T) {
	for _, key := range []string{"run", "watch", "z", "v", "o", "", "Size", "a b"} {
		func() {
			before := len(domain.Kinds())
			defer func() {
				if recover() == nil || len(domain.Kinds()) != before {
					t.Errorf("the key %q was taken", key)
				}
			}()
			domain.Register(&domain.Kind{Key: "lamp", New: func() domain.Domain { return &keyed{key: key} }})
		}()
	}
}

// keyed is a domain with a parameter of that key.
type keyed struct {
	domain.Domain
	key string
	n   int
}

func (k *keyed) Params() []param.Param {
	return []param.Param{{Name: "n", Key: k.key, Int: &k.n, High: 3}}
}
