package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"

	"cpsrl/core/spec"
	"cpsrl/core/strict"
)

// Receipt names the records of all settings. There are as many IDs as fingerprints, by setting in order; a fingerprint
// is that of the setting's records, or "" if the setting cannot run. The receipt's own is the SHA-256 of a line for each
// setting: its ID, a space and its fingerprint, or - alone. Receipt returns nil if no setting has a fingerprint.
func Receipt(engine int, ids, fingerprints []string) *spec.Receipt {
	sum, has := sha256.New(), false
	for k, f := range fingerprints {
		if f == "" {
			fmt.Fprintln(sum, "-")
		} else {
			fmt.Fprintln(sum, ids[k], f)
			has = true
		}
	}
	if !has {
		return nil
	}
	return &spec.Receipt{Engine: engine, Fingerprint: hex.EncodeToString(sum.Sum(nil))}
}

// The keys of a link of a sweep: what varies, and its receipt. An engine that knows no sweeps passes over them and
// opens the spec; the key receipt is that of one experiment.
const (
	linkKey    = "vary"
	receiptKey = "swept"
)

var linkEscape = strings.NewReplacer("%", "%25", "&", "%26", "#", "%23", " ", "%20", "+", "%2B")

// EncodeLink returns the fragment of a link of the sweep, or false if no link can hold it. The receipt may be nil.
func EncodeLink(s *Sweep, receipt *spec.Receipt) (string, bool) {
	vary, has := s.Vary()
	base, err := spec.Decode(strict.Encode(s.base))
	if err != nil || !has {
		return "", false
	}
	l := &spec.Link{Spec: base, Unknown: []string{linkKey + "=" + linkEscape.Replace(vary)}}
	if receipt != nil {
		l.Unknown = append(l.Unknown, receiptKey+"="+receipt.String())
	}
	link := spec.EncodeLink(l)
	return link, spec.Fits(base, link)
}

// InLink is what a link says of a sweep.
type InLink struct {
	Vary    string        // in the grammar of flags
	Receipt *spec.Receipt // nil if there is none
	Pairs   []string      // the pairs of the link that say so
}

// OfLink returns what a link that has been read says of a sweep, or nil if it says nothing. It does not tell whether
// the sweep is valid: [New] does. The error is a *[strict.InvalidError].
func OfLink(l *spec.Link) (*InLink, error) {
	of, varies := &InLink{}, false
	for _, pair := range l.Unknown {
		key, value, _ := strings.Cut(pair, "=")
		var err error
		switch key {
		case linkKey:
			if of.Vary, err = url.PathUnescape(value); err != nil {
				return nil, strict.Invalid(linkKey, "the value is not percent-encoded text")
			}
			varies = true
		case receiptKey:
			if of.Receipt, err = spec.ParseReceipt(value); err != nil {
				return nil, strict.Invalid(receiptKey, "%v", err)
			}
		default:
			continue
		}
		of.Pairs = append(of.Pairs, pair)
	}
	if !varies {
		return nil, nil
	}
	return of, nil
}
