package document

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// WrittenStage is a part of an episode in which a policy does not change. The first rule whose conditions all hold says the action;
// if none does, it is Otherwise.
type WrittenStage struct {
	From      int           `json:"from"`
	To        int           `json:"to"`
	Steps     string        `json:"steps,omitzero"` // as in: Steps 1 to 5
	Rules     []WrittenRule `json:"rules"`
	Otherwise []int         `json:"otherwise"`    // the value of each action variable
	Act       string        `json:"act,omitzero"` // the same in words
}

// WrittenRule is an action under conditions, with its words.
type WrittenRule struct {
	If   []WrittenCondition `json:"if"`
	Then []int              `json:"then"`          // the value of each action variable
	When string             `json:"when,omitzero"` // the conditions, as in: soil = dry and sun = yes
	Act  string             `json:"act,omitzero"`  // as in: water = yes
}

// WrittenCondition is one on a state variable, of which it takes the values from Least to Most.
type WrittenCondition struct {
	Variable string `json:"variable"`
	Least    int    `json:"least"`
	Most     int    `json:"most"`
}

// Policy is a policy that is written as rules.
type Policy struct {
	space  *fmdp.Space
	stages []policyStage
	step   []int // the stage of each step
}

type policyStage struct {
	rules     []policyRule
	otherwise int // the joint action
}

type policyRule struct {
	given []policyCondition
	then  int
}

type policyCondition struct{ variable, least, most int }

// DecodePolicy reads a policy for a problem: an object whose member "rules" has its stages, as "cpsrl policy -as json" writes it. If it
// has the members "horizon", "state" and "action", these are the problem's, with the labels of values. It may have others, which are not read.
func DecodePolicy(data []byte, space *fmdp.Space, horizon int) (*Policy, error) {
	members, err := strict.Object(data)
	if err != nil {
		return nil, err
	}
	var stages []WrittenStage
	if members["rules"] == nil {
		return nil, strict.Invalid("", "the policy has no member \"rules\"")
	}
	if err := strict.Decode(members["rules"], &stages); err != nil {
		return nil, strict.Within("/rules", err)
	}
	if raw := members["horizon"]; raw != nil {
		var h int
		if err := strict.Decode(raw, &h); err != nil {
			return nil, strict.Within("/horizon", err)
		}
		if h != horizon {
			return nil, strict.Invalid("/horizon", "the policy is for %s; the problem has %d", param.Count(h, "step"), horizon)
		}
	}
	if err := cmp.Or(samePolicyVariables(members, "state", space.State), samePolicyVariables(members, "action", space.Action)); err != nil {
		return nil, err
	}
	if space.Actions() == math.MaxInt {
		return nil, strict.Invalid("", "the problem has more joint actions than can be numbered, so no rules can name them")
	}
	p := &Policy{space: space, step: make([]int, horizon)}
	action := func(place string, values []int) (int, error) {
		is := len(values) == len(space.Action)
		for k := 0; is && k < len(values); k++ {
			is = values[k] >= 0 && values[k] < space.Action[k].Size
		}
		if is {
			if a := space.ActionOf(values); a >= 0 {
				return a, nil
			}
		}
		return 0, strict.Invalid(place, "there is no such joint action")
	}
	next := 1
	for k, w := range stages {
		place := fmt.Sprintf("/rules/%d", k)
		if w.From != next || w.To < w.From || w.To > horizon {
			return nil, strict.Invalid(place, "these are the steps %d to %d; stages follow each other from step 1 to step %d", w.From, w.To, horizon)
		}
		stage := policyStage{}
		if stage.otherwise, err = action(place+"/otherwise", w.Otherwise); err != nil {
			return nil, err
		}
		for n, r := range w.Rules {
			at := fmt.Sprintf("%s/rules/%d", place, n)
			rule := policyRule{}
			if rule.then, err = action(at+"/then", r.Then); err != nil {
				return nil, err
			}
			for c, of := range r.If {
				j := space.Lookup(of.Variable)
				switch at := fmt.Sprintf("%s/if/%d", at, c); {
				case j < 0 || j >= space.Y():
					return nil, strict.Invalid(at+"/variable", "there is no state variable %q", param.Clip(of.Variable))
				case of.Least < 0 || of.Least > of.Most || of.Most >= space.State[j].Size:
					return nil, strict.Invalid(at, "%q has no values %d to %d", param.Clip(of.Variable), of.Least, of.Most)
				}
				rule.given = append(rule.given, policyCondition{j, of.Least, of.Most})
			}
			stage.rules = append(stage.rules, rule)
		}
		for ; next <= w.To; next++ {
			p.step[next-1] = k
		}
		p.stages = append(p.stages, stage)
	}
	if next <= horizon {
		return nil, strict.Invalid("/rules", "the policy says nothing for step %d", next)
	}
	return p, nil
}

// samePolicyVariables returns an error unless a member of a policy, if it is there, has these variables in their order.
func samePolicyVariables(members map[string]jsontext.Value, name string, want []fmdp.Variable) error {
	if members[name] == nil {
		return nil
	}
	var docs []Variable
	if err := strict.Decode(members[name], &docs); err != nil {
		return strict.Within("/"+name, err)
	}
	list := read(docs)
	if !slices.EqualFunc(list, want, func(a, b fmdp.Variable) bool { return a.Name == b.Name && a.Size == b.Size }) {
		return strict.Invalid("/"+name, "the policy is for other %s variables than the problem has", name)
	}
	for k := range list {
		v, of := &list[k], &want[k]
		if value := v.Unlike(of); value >= 0 {
			return strict.Invalid(fmt.Sprintf("/%s/%d", name, k), "the policy is for %q whose value %d is %q; in the problem it is %q", param.Clip(v.Name), value, param.Clip(v.Label(value)), param.Clip(of.Label(value)))
		}
	}
	return nil
}

// Horizon returns the number of steps.
func (p *Policy) Horizon() int { return len(p.step) }

// Action returns the number of the joint action at step h = 1 … H in a state.
func (p *Policy) Action(h int, state []int) int {
	stage := &p.stages[p.step[h-1]]
next:
	for _, r := range stage.rules {
		for _, c := range r.given {
			if v := state[c.variable]; v < c.least || v > c.most {
				continue next
			}
		}
		return r.then
	}
	return stage.otherwise
}

// Listed returns the joint action in each state, by the index of the state: one list for each step, in which steps of one stage share
// theirs. Ended says where no action is needed. An action that is not legal is an *[strict.InvalidError].
func (p *Policy) Listed(ended func(s int) bool) (lists [][]int32, err error) {
	space, of := p.space, make([][]int32, len(p.stages))
	state := make([]int, space.Y())
	for h := range p.step {
		k := p.step[h]
		if of[k] == nil {
			of[k] = make([]int32, space.States())
			for s := range of[k] {
				a := p.Action(h+1, space.Point(state, s))
				switch {
				case space.May(state, a):
				case ended(s):
					a = int(space.Choices(state)[0])
				default:
					return nil, strict.Invalid(fmt.Sprintf("/rules/%d", k), "in a state, the rules play an action that is not legal there")
				}
				of[k][s] = int32(a)
			}
		}
		lists = append(lists, of[k])
	}
	return lists, nil
}
