package engine

import (
	"errors"
	"net/http"
	"strings"

	"cpsrl/core/experiment"
	"cpsrl/core/spec"
)

// checkReceipt checks a receipt, which may be nil.
func checkReceipt(r *spec.Receipt) error {
	switch {
	case r == nil:
		return nil
	case r.Engine < 1:
		return refuse(http.StatusBadRequest, "/receipt/engine", "the engine version is %d; it must be at least 1", r.Engine)
	case !spec.IsFingerprint(r.Fingerprint):
		return refuse(http.StatusBadRequest, "/receipt/fingerprint", "the fingerprint is not 64 lower-case hexadecimal digits")
	}
	return nil
}

// Linked is what /v1/link answers.
type Linked struct {
	Link string `json:"link"` // the fragment, without #
}

// Opened is what /v1/open answers.
type Opened struct {
	Spec    *spec.Spec    `json:"spec"`
	Link    string        `json:"link"` // the canonical form of the link
	Receipt *spec.Receipt `json:"receipt,omitzero"`
	Unknown []string      `json:"unknown"` // the pairs of the link whose keys this version does not know
	Cost    Cost          `json:"cost"`
}

func serveLink(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Spec    *spec.Spec    `json:"spec"`
		Receipt *spec.Receipt `json:"receipt,omitzero"`
		Unknown []string      `json:"unknown,omitempty"`
	}
	if err := readBody(w, r, &in); err != nil {
		return err
	}
	if err := checkReceipt(in.Receipt); err != nil {
		return err
	}
	link := spec.EncodeLink(&spec.Link{Spec: in.Spec, Receipt: in.Receipt, Unknown: in.Unknown})
	if _, err := spec.DecodeLink(link); err != nil { // it is too long, or a pair in Unknown is no key=value
		return refuse(http.StatusBadRequest, "", "there is no link of this spec: %v", err)
	}
	return answer(w, Linked{link})
}

func serveOpen(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Link string `json:"link"`
	}
	if err := readBody(w, r, &in); err != nil {
		return err
	}
	l, err := spec.ReadLink(in.Link)
	if err != nil {
		return refuse(http.StatusBadRequest, "/link", "%s", strings.TrimPrefix(err.Error(), "/"))
	}
	e, err := experiment.NewContext(r.Context(), l.Spec)
	var cost Cost
	if err == nil {
		cost = costOf(e)
	} else if refusal, ok := errors.AsType[*experiment.Refusal](err); !ok || refusal.Instance == nil {
		return refuse(http.StatusBadRequest, "/link", "%s", strings.TrimPrefix(err.Error(), "/"))
	} // a form can mend the others; until then their cost is 0
	return answer(w, Opened{l.Spec, spec.EncodeLink(l), l.Receipt, l.Unknown, cost})
}
