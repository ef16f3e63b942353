package experiment

import (
	"cmp"
	"fmt"

	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
	"cpsrl/core/record"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
)

// Header is the first line of a records file.
type Header struct {
	strict.Heading
	Engine int        `json:"engine"`
	Spec   *spec.Spec `json:"spec"` // complete
	// ModelError says why the records have no model error, or is "".
	ModelError string `json:"modelError,omitempty"`
	// Regret says why the records have no optimal, no value and no regret, or is "".
	Regret string `json:"regret,omitempty"`
}

// Versions of the format of records in which they are written.
const (
	valuedVersion  = 2 // of records with a regret
	recordsVersion = 3 // the newest: of records without
)

// heading returns the heading of a file whose header says why its records have no regret.
func heading(regret string) strict.Heading {
	h := strict.Heading{Format: record.RecordFormat, Version: valuedVersion}
	if regret != "" {
		h.Version = recordsVersion
	}
	return h
}

// Header returns the header of the experiment's records.
func (e *Experiment) Header() *Header {
	h := &Header{Heading: heading(e.Unvalued()), Engine: record.Engine, Spec: e.spec, Regret: e.Unvalued()}
	if e.first.vast {
		h.ModelError = e.first.vastness()
	} else if m := e.first.View; e.first.Sight == domain.Blind {
		h.ModelError = "not computed: agents do not see everything, and what they see has no law of its own"
	} else if m.Joint() > fmdp.MaxJoint {
		h.ModelError = fmt.Sprintf("not computed: S²A is %d, above %d", uint64(m.States())*uint64(m.Points()), fmdp.MaxJoint)
	}
	return h
}

// AppendHeader appends the line of a header, with its newline.
func AppendHeader(dst []byte, h *Header) []byte { return strict.AppendLine(dst, h) }

// DecodeHeader reads the first line of a records file of any version. The header that it
// returns has the version in which its records are written.
func DecodeHeader(line []byte) (*Header, error) {
	members, version, err := strict.Members(line, record.RecordFormat, recordsVersion, "engine", "spec", "modelError", "regret")
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"engine", "spec"} {
		if _, given := members[name]; !given {
			return nil, strict.Invalid("/"+name, "the field %q is missing", name)
		}
	}
	h := &Header{Spec: &spec.Spec{}}
	err = strict.DecodeAt(members["engine"], &h.Engine, "/engine")
	err = cmp.Or(err, strict.Within("/spec", h.Spec.UnmarshalJSON(members["spec"])))
	if raw, given := members["modelError"]; given {
		err = cmp.Or(err, strict.DecodeAt(raw, &h.ModelError, "/modelError"))
	}
	if raw, given := members["regret"]; given {
		err = cmp.Or(err, strict.DecodeAt(raw, &h.Regret, "/regret"))
		if err == nil && (version < recordsVersion || h.Regret == "") {
			err = strict.Invalid("/regret", "records of version %d have no regret, and a sentence says why", recordsVersion)
		}
	} else if version == recordsVersion {
		err = cmp.Or(err, strict.Invalid("/version", "records with a regret are of version %d", valuedVersion))
	}
	h.Heading = heading(h.Regret)
	if err == nil && h.Engine < 1 {
		err = strict.Invalid("/engine", "the engine version is %d; it must be at least 1", h.Engine)
	}
	return h, err
}
