package record

import (
	"bytes"
	"math"

	"github.com/go-json-experiment/json"

	"cpsrl/core/bigraph"
)

// Header is the first line of a records file.
type Header struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Engine  int    `json:"engine"`
	Spec    Spec   `json:"spec"`
	// ModelError says why the records carry no model error, if they do not.
	ModelError string `json:"modelError,omitempty"`
}

// Record is one agent's one episode in one run. Values are of the true model
// under μ, exact by dynamic programming.
type Record struct {
	Run     int     `json:"run"`     // from 0
	Agent   string  `json:"agent"`   // its label
	Episode int     `json:"episode"` // k, from 1
	Optimal float64 `json:"optimal"` // V_*(π_*)
	Value   float64 `json:"value"`   // V_*(π_k)
	Regret  float64 `json:"regret"`  // V_*(π_*) − V_*(π_k)
	Return  float64 `json:"return"`  // the reward collected in the episode
	// ModelError is the mean over x of ‖p_*(·|x) − p_k(·|x)‖₁ over joint next
	// states; absent where S²A is above fmdp.MaxJoint.
	ModelError *float64 `json:"modelError,omitzero"`
	// Belief is absent for agents without a graph (PSRL).
	Belief *Belief `json:"belief,omitzero"`
}

// Belief is what an agent with a graph sampled and what it then believed.
type Belief struct {
	Graph     Graph   `json:"graph"`     // z_k, the sampled parent sets
	Superset  bool    `json:"superset"`  // z_k ⊇ z_*
	Recall    float64 `json:"recall"`    // of the edges of z_* in z_k
	Precision float64 `json:"precision"` // of the edges of z_k
	Parents   float64 `json:"parents"`   // mean |z_k,j|
	// After the episode's update:
	Best    Graph       `json:"best"`    // the most probable parent set of each Y; ties to the first listed
	Edges   [][]float64 `json:"edges"`   // P(X_i → Y_j), one row for each Y_j, to 4 decimals
	Entropy float64     `json:"entropy"` // of the hyper-posterior, in bits, summed over the Y_j
}

// Graph is a bigraph in the formats: the ascending parents of each Y_j.
type Graph [][]int

// NewGraph returns the bigraph in the form of the formats.
func NewGraph(g bigraph.Bigraph) Graph {
	list := make(Graph, len(g))
	for j, z := range g {
		list[j] = z.Parents()
	}
	return list
}

// Bigraph returns the graph as scopes; indices from outside dX are refused.
func (g Graph) Bigraph(dX int) (bigraph.Bigraph, error) {
	b := make(bigraph.Bigraph, len(g))
	for j, parents := range g {
		for _, i := range parents {
			if i < 0 || i >= dX {
				return nil, invalid("", "there is no variable %d", i)
			}
			b[j] = b[j].With(i)
		}
	}
	return b, nil
}

// Round4 rounds a probability to the 4 decimals of the formats.
func Round4(p float64) float64 { return math.Round(p*1e4) / 1e4 }

// AppendHeader and AppendRecord append one line, with its newline.
func AppendHeader(dst []byte, h *Header) []byte { return appendLine(dst, h) }
func AppendRecord(dst []byte, r *Record) []byte { return appendLine(dst, r) }

func appendLine(dst []byte, value any) []byte {
	buffer := bytes.NewBuffer(dst)
	if err := json.MarshalWrite(buffer, value, json.Deterministic(true)); err != nil {
		panic("record: " + err.Error())
	}
	buffer.WriteByte('\n')
	return buffer.Bytes()
}

// NewHeader returns the header of the records of a complete spec.
func NewHeader(s *Spec) *Header {
	return &Header{Format: RecordFormat, Version: 1, Engine: Engine, Spec: *s}
}

// DecodeHeader reads the first line of a records file. The spec is complete.
func DecodeHeader(line []byte) (*Header, error) {
	if err := sniff(line, RecordFormat, 1); err != nil {
		return nil, err
	}
	var h Header
	if err := decode(line, &h); err != nil {
		return nil, err
	}
	if h.Engine < 1 {
		return nil, invalid("/engine", "the engine version is %d; it must be at least 1", h.Engine)
	}
	if err := h.Spec.Complete(); err != nil {
		return nil, within("/spec", err)
	}
	return &h, nil
}

// DecodeRecord reads one record line.
func DecodeRecord(line []byte) (*Record, error) {
	var r Record
	if err := decode(line, &r); err != nil {
		return nil, err
	}
	return &r, nil
}
