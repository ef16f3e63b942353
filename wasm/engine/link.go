package engine

import (
	"errors"
	"reflect"
	"slices"
	"strings"

	"cpsrl/core/experiment"
	"cpsrl/core/param"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
	"cpsrl/core/sweep"
	"cpsrl/wasm/wire"
)

// checkReceipt checks a receipt, which may be nil.
func checkReceipt(r *spec.Receipt) error {
	switch {
	case r == nil:
		return nil
	case r.Engine < 1:
		return refuse(wire.BadRequest, "/receipt/engine", "the engine version is %d; it must be at least 1", r.Engine)
	case !spec.IsFingerprint(r.Fingerprint):
		return refuse(wire.BadRequest, "/receipt/fingerprint", "the fingerprint is not 64 lower-case hexadecimal digits")
	}
	return nil
}

// Linked is the answer of /v1/link.
type Linked struct {
	Link string `json:"link"` // the fragment, without #
}

// Opened is the answer of /v1/open.
type Opened struct {
	Spec    *spec.Spec    `json:"spec"`
	Link    string        `json:"link"` // the canonical form of the link
	Receipt *spec.Receipt `json:"receipt,omitzero"`
	View    spec.View     `json:"view"`
	Unknown []string      `json:"unknown"` // the pairs of the link with a key, or a value of the view, that this version does not know
	// Sweep is what the link says of a sweep whose spec is Spec. Its pairs are not among Unknown.
	Sweep *SweepLink `json:"sweep,omitzero"`
	// Repaired says in a sentence how a mail, a chat or a document had changed the link, such as
	// &amp; in place of &, and how it was read. It is absent if the link was whole.
	Repaired string   `json:"repaired,omitzero"`
	Cost     Cost     `json:"cost"`
	Checked  *Checked `json:"checked,omitzero"` // the answer of /v1/check about the spec; absent: the spec is refused
}

// SweepLink is what a link says of a sweep.
type SweepLink struct {
	Vary    string        `json:"vary"`
	Receipt *spec.Receipt `json:"receipt,omitzero"`
	Pairs   []string      `json:"pairs"` // the pairs of the link that say so
}

func serveLink(w wire.Answer, r *wire.Request) error {
	var in struct {
		Spec    *spec.Spec    `json:"spec"`
		Receipt *spec.Receipt `json:"receipt,omitzero"`
		View    spec.View     `json:"view,omitzero"`
		Unknown []string      `json:"unknown,omitempty"`
	}
	if err := readBody(r, &in); err != nil {
		return err
	}
	if err := checkReceipt(in.Receipt); err != nil {
		return err
	}
	in.View.Settle()
	if in.View.Measure != "" && !isOther(in.View.Measure) {
		return refuse(wire.BadRequest, "/view/measure", "%q is not the key of a measure other than the first", param.Clip(in.View.Measure))
	}
	if err, ok := errors.AsType[*strict.InvalidError](in.View.Check()); ok {
		return refuse(wire.BadRequest, "/view"+err.Place, "%s", err.Reason)
	}
	whole := &spec.Link{Spec: in.Spec, Receipt: in.Receipt, View: in.View, Unknown: in.Unknown}
	link, l, err := encodeLink(whole)
	if err == nil && len(l.Unknown) < len(in.Unknown) { // a pair suits this spec, but the view is without it
		whole.Unknown = l.Unknown
		link, l, err = encodeLink(whole)
	}
	if err != nil { // the link is too long, or a pair in Unknown is not key=value
		return refuse(wire.BadRequest, "", "no link can hold this spec: %v", err)
	}
	if !reflect.DeepEqual(l.View, in.View) {
		return refuse(wire.BadRequest, "/view", "the view does not suit the spec")
	}
	return writeAnswer(w, Linked{link})
}

// encodeLink returns a link and what a reader makes of it.
func encodeLink(whole *spec.Link) (string, *spec.Link, error) {
	link := spec.EncodeLink(whole)
	l, err := spec.DecodeLink(link)
	if err == nil {
		setAside(l)
	}
	return link, l, err
}

// setAside puts a measure that this engine does not have from the view into the unknown parts.
// The view does not name the first measure, which is the default.
func setAside(l *spec.Link) {
	key := l.View.Measure
	if key == "" || isOther(key) {
		return
	}
	l.View.Measure = ""
	if key != results.CumulativeRegret().Key {
		l.Unknown = slices.Sorted(slices.Values(append(l.Unknown, "measure="+key)))
	}
}

func serveOpen(w wire.Answer, r *wire.Request) error {
	var in struct {
		Link string `json:"link"`
	}
	if err := readBody(r, &in); err != nil {
		return err
	}
	l, err := spec.ReadLink(in.Link)
	if err != nil {
		return refuse(wire.BadRequest, "/link", "%s", strings.TrimPrefix(err.Error(), "/"))
	}
	e, err := experiment.NewContext(r.Context, l.Spec)
	var checked *Checked
	var cost Cost
	refusal, ok := errors.AsType[*experiment.Refusal](err)
	switch {
	case err == nil:
		if checked, err = checkedOf(e); err != nil {
			return err
		}
		cost, l.Spec = checked.Cost, e.Spec()
	case ok && refusal.Instance != nil: // a form can mend the spec; until then its cost is 0
		l.Spec = refusal.Spec
	default:
		return refuse(wire.BadRequest, "/link", "%s", strings.TrimPrefix(err.Error(), "/"))
	}
	setAside(l)
	link := spec.EncodeLink(l)
	var swept *SweepLink
	if of, err := sweep.OfLink(l); err != nil {
		return refuse(wire.BadRequest, "/link", "%s", strings.TrimPrefix(err.Error(), "/"))
	} else if of != nil {
		swept = &SweepLink{of.Vary, of.Receipt, of.Pairs}
		l.Unknown = slices.DeleteFunc(l.Unknown, func(pair string) bool { return slices.Contains(of.Pairs, pair) })
	}
	repaired := ""
	if l.Repaired != "" {
		repaired = "The link was changed on its way: " + l.Repaired + "."
	}
	return writeAnswer(w, Opened{l.Spec, link, l.Receipt, l.View, l.Unknown, swept, repaired, cost, checked})
}

// isOther reports whether key is that of a measure other than the first, the default,
// which a view does not name.
func isOther(key string) bool {
	_, ok := results.LookupMeasure(key)
	return ok && key != results.CumulativeRegret().Key
}
