package spec

import (
	"fmt"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/strict"
)

// Z returns the degrees of sparseness.
func (s *Spec) Z() document.Sparseness {
	return document.Sparseness{Z: s.Sparseness, Own: s.Own, Listed: s.listed}
}

// sparseness is a spec's degrees of sparseness as a parameter.
type sparseness Spec

func (s *sparseness) String() string {
	if s.Sparseness == 0 && len(s.Own) == 0 {
		return ""
	}
	return (*Spec)(s).Z().String()
}

func (s *sparseness) Encode() []byte { return strict.Encode((*Spec)(s).Z()) }

func (s *sparseness) Range() string {
	return fmt.Sprintf("a whole number from 1 to %d, then NAME:NUMBER for variables with one of their own", fmdp.MaxVariables)
}

func (s *sparseness) Parse(text string) error {
	z, err := document.ParseSparseness(text)
	if err != nil {
		return err
	}
	return s.set(z)
}

func (s *sparseness) Decode(data []byte) error {
	var z document.Sparseness
	if err := strict.DecodeAt(data, &z, ""); err != nil {
		return err
	}
	return s.set(z)
}

func (s *sparseness) set(z document.Sparseness) error {
	for _, o := range append([]document.OwnSparseness{{Z: z.Z}}, z.Own...) {
		switch {
		case o.Z < 1:
			return fmt.Errorf("%d is out of range; it must be at least 1", o.Z)
		case o.Z > fmdp.MaxVariables:
			return fmt.Errorf("%d is out of range; it must be from 1 to %d", o.Z, fmdp.MaxVariables)
		}
	}
	s.Sparseness, s.Own, s.listed = z.Z, z.Own, z.Listed
	return nil
}

// check brings the fields of the spec into their canonical form. It returns an error if no text stands for the fields of the spec.
func (s *sparseness) check() error {
	if text := s.String(); text != "" {
		listed := s.listed
		if err := s.Parse(text); err != nil {
			return strict.Invalid("/sparseness", "%v", err)
		}
		s.listed = listed
	}
	return nil
}
