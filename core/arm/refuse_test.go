package arm

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
)

// Each typed error is about the part that can be changed to avoid it. Oracle: by hand.
func TestRefuse(t *testing.T) {
	prior := &bigraph.Prior{X: 4, Known: bigraph.Bigraph{bigraph.Of(0, 1), bigraph.Of(), bigraph.Of()}, Sparseness: 2}
	psrl, err := Parse("psrl")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		err  error
		at   Part
		says string
	}{
		{&bigraph.TooManyError{Y: 1, Count: prior.Count(1)}, OfSparseness, `"y1" has 11 consistent parent sets`},
		{&posterior.TooLargeError{Y: 1, Sets: 7}, OfSparseness, `"y1" has 11 candidate parent sets (Z = 2)`},
		{&posterior.TooLargeError{Y: 0, Sets: 7}, OfSparseness, `"y0" has 1 candidate parent sets (Z = 2)`},
		{&posterior.TooLargeError{Y: 2, Sets: 1}, OfAgents, `the parents of "y2" and the variables before it`},
		{&fmdp.TooLargeError{Entries: 12, Limit: 11}, OfAgent, "PSRL would hold tables of 12 entries"},
		{&UntoldError{}, OfAgent, ""},
		{&agent.UnlearnableError{}, OfRewards, "reward factor 0"},
		{&planning.TooCostlyError{}, OfProblem, ""},
	} {
		at, says, ok := Refuse(c.err, psrl, prior, func(y int) string { return fmt.Sprint("y", y) })
		if !ok || at != c.at || !strings.Contains(says, c.says) {
			t.Errorf("%T: %v, %v, %s", c.err, ok, at, says)
		}
	}
	if _, _, ok := Refuse(errors.New("another"), Arm{}, prior, nil); ok {
		t.Error("an error of no type is refused")
	}
}
