package engine

import (
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/record"
)

// Receipt is the [record.Receipt] of a link.
type Receipt struct {
	Engine      int    `json:"engine"`
	Fingerprint string `json:"fingerprint"`
}

// check returns the receipt as the codec takes it; nil stays nil.
func (r *Receipt) check() (*record.Receipt, error) {
	switch {
	case r == nil:
		return nil, nil
	case r.Engine < 1:
		return nil, problem(http.StatusBadRequest, "/receipt/engine", "the engine version is %d; it must be at least 1", r.Engine)
	case !record.IsFingerprint(r.Fingerprint):
		return nil, problem(http.StatusBadRequest, "/receipt/fingerprint", "the fingerprint is not 64 lower-case hexadecimal digits")
	}
	return &record.Receipt{Engine: r.Engine, Fingerprint: r.Fingerprint}, nil
}

func serveLink(w http.ResponseWriter, r *http.Request) error {
	data, err := body(w, r)
	if err != nil {
		return err
	}
	var in struct {
		Spec    jsontext.Value `json:"spec"`
		Receipt *Receipt       `json:"receipt,omitzero"`
		Unknown []string       `json:"unknown,omitempty"`
	}
	if err := record.Decode(data, &in); err != nil {
		return err
	}
	l := &record.Link{Unknown: in.Unknown}
	if l.Spec, err = specWithin(in.Spec); err != nil {
		return err
	}
	if l.Receipt, err = in.Receipt.check(); err != nil {
		return err
	}
	link := record.EncodeLink(l)
	if _, err := record.DecodeLink(link); err != nil { // it is too long, or has unknown keys that are none
		return problem(http.StatusBadRequest, "", "there is no link of it: %v", err)
	}
	return answer(w, struct {
		Link string `json:"link"`
	}{link})
}

func serveOpen(w http.ResponseWriter, r *http.Request) error {
	data, err := body(w, r)
	if err != nil {
		return err
	}
	var in struct {
		Link string `json:"link"`
	}
	if err := record.Decode(data, &in); err != nil {
		return err
	}
	l, err := record.ReadLink(in.Link)
	if err != nil {
		return problem(http.StatusBadRequest, "/link", "%s", strings.TrimPrefix(err.Error(), "/"))
	}
	cost, err := costOf(l.Spec)
	if err != nil {
		return problem(http.StatusBadRequest, "/link", "%s", strings.TrimPrefix(err.Error(), "/"))
	}
	out := struct {
		Spec    *record.Spec `json:"spec"`
		Link    string       `json:"link"`
		Receipt *Receipt     `json:"receipt,omitzero"`
		Unknown []string     `json:"unknown"`
		Cost    Cost         `json:"cost"`
	}{l.Spec, record.EncodeLink(l), nil, l.Unknown, cost}
	if out.Unknown == nil {
		out.Unknown = []string{}
	}
	if l.Receipt != nil {
		out.Receipt = &Receipt{l.Receipt.Engine, l.Receipt.Fingerprint}
	}
	return answer(w, out)
}
