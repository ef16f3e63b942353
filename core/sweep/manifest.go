package sweep

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/strict"
)

// MaxShards is the largest number of shards of a sweep.
const MaxShards = 1_000_000

// Formats of the manifests of a folder.
const (
	RunFormat   = "cpsrl/sweep-run"
	ShardFormat = "cpsrl/sweep-shard"
)

// Run is the manifest of a folder: what is computed into it.
type Run struct {
	Engine int
	Shards int
	Sweep  *Sweep
}

// run is the JSON of a Run.
type run struct {
	strict.Heading
	Engine int            `json:"engine"`
	Shards int            `json:"shards"`
	Sweep  jsontext.Value `json:"sweep"`
}

// Encode returns the JSON of the manifest, a line.
func (r *Run) Encode() []byte {
	return strict.AppendLine(nil, &run{strict.Heading{Format: RunFormat, Version: 1}, r.Engine, r.Shards, r.Sweep.Encode()})
}

// DecodeRun reads the JSON of a [Run]. The error is a *[strict.InvalidError].
func DecodeRun(data []byte) (*Run, error) {
	members, _, err := strict.Members(data, RunFormat, 1, "engine", "shards", "sweep")
	if err != nil {
		return nil, err
	}
	r := &Run{}
	for _, name := range []string{"engine", "shards", "sweep"} {
		if members[name] == nil {
			return nil, strict.Invalid("/"+name, "the field %q is missing", name)
		}
	}
	if err := cmp.Or(strict.DecodeAt(members["engine"], &r.Engine, "/engine"), strict.DecodeAt(members["shards"], &r.Shards, "/shards")); err != nil {
		return nil, err
	}
	if r.Engine < 1 || r.Shards < 1 || r.Shards > MaxShards {
		return nil, strict.Invalid("", "the engine and the number of shards must be at least 1")
	}
	r.Sweep, err = Decode(members["sweep"])
	return r, strict.Within("/sweep", err)
}

// Completion is the manifest that a shard writes last.
type Completion struct {
	strict.Heading
	Sweep      string       `json:"sweep"` // its digest
	Shard      int          `json:"shard"`
	Shards     int          `json:"shards"`
	Settings   []Done       `json:"settings"`   // in the order of the sweep
	Impossible []Impossible `json:"impossible"` // the same
}

// Done is a setting whose records are whole.
type Done struct {
	ID   string `json:"id"`
	Hash string `json:"sha256"` // of its file
}

// Impossible is a setting that cannot run.
type Impossible struct {
	ID      string   `json:"id"`
	Setting []string `json:"setting"` // its values, by column
	Reason  string   `json:"reason"`  // one sentence
}

// Encode returns the JSON of the manifest, a line.
func (c *Completion) Encode() []byte {
	c.Heading = strict.Heading{Format: ShardFormat, Version: 1}
	c.Settings, c.Impossible = append([]Done{}, c.Settings...), append([]Impossible{}, c.Impossible...)
	return strict.AppendLine(nil, c)
}

// DecodeCompletion reads the JSON of a [Completion]. The error is a *[strict.InvalidError].
func DecodeCompletion(data []byte) (*Completion, error) {
	var c Completion
	if err := strict.DecodeDocument(data, &c, ShardFormat, 1); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for k, t := range c.Settings {
		if seen[t.ID] || t.Hash == "" {
			return nil, strict.Invalid(fmt.Sprintf("/settings/%d", k), "a setting stands here once, with the SHA-256 of its file")
		}
		seen[t.ID] = true
	}
	for k, t := range c.Impossible {
		if seen[t.ID] {
			return nil, strict.Invalid(fmt.Sprintf("/impossible/%d", k), "a setting stands here once, and not among those whose records are whole")
		}
		seen[t.ID] = true
	}
	return &c, nil
}

// Array returns the indices of an array as sbatch takes them: "0-3,7". They must ascend.
func Array(indices []int) string {
	var list []string
	for k := 0; k < len(indices); {
		end := k
		for end+1 < len(indices) && indices[end+1] == indices[end]+1 {
			end++
		}
		if end == k {
			list = append(list, strconv.Itoa(indices[k]))
		} else {
			list = append(list, fmt.Sprintf("%d-%d", indices[k], indices[end]))
		}
		k = end + 1
	}
	return strings.Join(list, ",")
}

// Arrays returns flags of sbatch, one text for each array, that run the shards of these ascending indices where
// an index must be less than most. An array whose indices are less by an offset exports it as OFFSET.
func Arrays(indices []int, most int) (list []string) {
	for len(indices) > 0 {
		offset := indices[0] / most * most
		end, _ := slices.BinarySearch(indices, offset+most)
		var within []int
		for _, index := range indices[:end] {
			within = append(within, index-offset)
		}
		text := "--array=" + Array(within)
		if offset > 0 {
			text += fmt.Sprintf(" --export=ALL,OFFSET=%d", offset)
		}
		list, indices = append(list, text), indices[end:]
	}
	return list
}
