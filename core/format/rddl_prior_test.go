package format_test

import (
	"fmt"
	"strings"
	"testing"

	"cpsrl/core/document"
)

// consistent checks that no true edge of a model is forbidden by its prior, and that none is certain.
func consistent(t *testing.T, f *document.ModelFile) {
	t.Helper()
	graph := f.Model.Graph()
	for e := range document.Suggestions(f.Prior, f.Model) {
		if e.P == 1 || e.P == 0 && graph[e.Y].Has(e.X) {
			t.Errorf("the edge from %s to %s has P = %v", f.Model.Var(e.X).Name, f.Model.Var(e.Y).Name, e.P)
		}
	}
}

// gridRDDL is a walker on a grid with a hole, and rain, which nothing but rain moves. The law of at reads the row and the column of a place.
const gridRDDL = `domain grid {
	types { column : object; row : object; };
	pvariables {
		EAST(column, column) : { non-fluent, bool, default = false };
		NORTH(row, row) : { non-fluent, bool, default = false };
		HOLE(column, row) : { non-fluent, bool, default = false };
		at(column, row) : { state-fluent, bool, default = false };
		rain : { state-fluent, bool, default = false };
		dry(column, row) : { interm-fluent, bool };
		east : { action-fluent, bool, default = false };
		north : { action-fluent, bool, default = false };
	};
	cpfs {
		dry(?x, ?y) = at(?x, ?y) ^ ~rain;
		at'(?x, ?y) = if (HOLE(?x, ?y)) then KronDelta(false)
			else if (east) then KronDelta(exists_{?w : column} [EAST(?w, ?x) ^ at(?w, ?y)])
			else if (north) then KronDelta(exists_{?s : row} [NORTH(?s, ?y) ^ dry(?x, ?s)])
			else KronDelta(at(?x, ?y));
		rain' = Bernoulli(if (rain) then 0.8 else 0.1);
	};
	reward = sum_{?x : column} at(?x, $y2);
}
instance small { domain = grid; objects { column : {x1, x2}; row : {y1, y2}; };
	non-fluents { EAST(x1, x2); NORTH(y1, y2); HOLE(x2, y1); }; init-state { at(x1, y1); }; max-nondef-actions = 1; horizon = 3; discount = 1; }`

// The prior says what the text of the domain says, whatever the instance is. Oracle: by hand.
func TestRDDLPrior(t *testing.T) {
	for name, c := range map[string]struct {
		texts []string
		want  string
	}{
		"any machine may be connected": {[]string{ringRDDL, ringInstance}, `
			The law of up reads up of the same object. 0.95 [[up_m1 up_m1] [up_m2 up_m2] [up_m3 up_m3] [up_m4 up_m4]]
			The law of up reads re-start of the same object. 0.95 [[action up_m1] [action up_m2] [action up_m3] [action up_m4]]`},
		"each action has a variable": {[]string{ringRDDL, strings.Replace(ringInstance, "max-nondef-actions = 1", "max-nondef-actions = 2", 1)}, `
			The law of up reads up of the same object. 0.95 [[up_m1 up_m1] [up_m2 up_m2] [up_m3 up_m3] [up_m4 up_m4]]
			The law of up reads re-start of the same object. 0.95 [[re_start_m1 up_m1] [re_start_m2 up_m2] [re_start_m3 up_m3] [re_start_m4 up_m4]]
			In no instance, the law of up reads it. 0 [[re_start_m2 up_m1] [re_start_m3 up_m1] [re_start_m4 up_m1] [re_start_m1 up_m2] [re_start_m3 up_m2] [re_start_m4 up_m2] [re_start_m1 up_m3] [re_start_m2 up_m3] [re_start_m4 up_m3] [re_start_m1 up_m4] [re_start_m2 up_m4] [re_start_m3 up_m4]]`},
		"a row, a column and the weather": {[]string{gridRDDL}, `
			The law of at reads at of the same objects. 0.95 [[at_x1_y1 at_x1_y1] [at_x1_y2 at_x1_y2] [at_x2_y1 at_x2_y1] [at_x2_y2 at_x2_y2]]
			The law of at reads rain. 0.95 [[rain at_x1_y1] [rain at_x1_y2] [rain at_x2_y1] [rain at_x2_y2]]
			The law of at reads east. 0.95 [[action at_x1_y1] [action at_x1_y2] [action at_x2_y1] [action at_x2_y2]]
			The law of rain reads rain. 0.95 [[rain rain]]
			In no instance, the law of at reads it. 0 [[at_x2_y2 at_x1_y1] [at_x2_y1 at_x1_y2] [at_x1_y2 at_x2_y1] [at_x1_y1 at_x2_y2]]
			In no instance, the law of rain reads it. 0 [[* rain]]`},
		"few of many": {[]string{strings.Replace(ringRDDL, "re-start(machine) :", "look(machine) : { action-fluent, bool, default = false }; ask(machine) : { action-fluent, bool, default = false }; re-start(machine) :", 1),
			strings.NewReplacer("max-nondef-actions = 1", "max-nondef-actions = 2", ", m3, m4", "", "CABLE(m2,m3); CABLE(m3,m4); CABLE(m4,m1); CABLE(m1,m3) = true; ~CABLE(m4,m2);", "", "up(m3);", "").Replace(ringInstance)}, `
			The law of up reads up of the same object. 0.95 [[up_m1 up_m1] [up_m2 up_m2]]
			The law of up reads re-start of the same object. 0.95 [[re_start_m1 up_m1] [re_start_m2 up_m2]]
			In some instances, the law of up reads it. 0.5 [[up_m2 up_m1] [up_m1 up_m2]]
			In no instance, the law of up reads it. 0 [[* up_m1] [* up_m2]]`},
	} {
		f, _ := readRDDL(t, c.texts...)
		got := ""
		for _, r := range f.Prior.Edges {
			got += fmt.Sprintln(r.Why, r.P, r.Edges)
		}
		if want := strings.ReplaceAll(strings.TrimSpace(c.want), "\t", "") + "\n"; got != want {
			t.Errorf("%s:\n%swant\n%s", name, got, want)
		}
		consistent(t, f)
		if again, err := document.DecodeModelFile(f.Encode()); err != nil || fmt.Sprint(again.Prior) != fmt.Sprint(f.Prior) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// No prior is offered where it would take too long to say. Oracle: 1000 intermediate fluents, each behind two signs, that no
// instance needs unless it is FAR.
func TestRDDLNoPrior(t *testing.T) {
	fluents, laws := "FAR : { non-fluent, bool, default = false }; c : { state-fluent, bool, default = false };", "c' = if (FAR) then g0 else a;"
	for k := range 1000 {
		fluents += fmt.Sprintf("g%d : { interm-fluent, bool };", k)
		laws += fmt.Sprintf("g%d = ~~g%d;", k, (k+1)%1000)
	}
	if f, _ := readRDDL(t, small(fluents, laws, "a", "")); f.Prior != nil || f.Model.Y() != 3 {
		t.Errorf("%v", f.Prior)
	}
}
