package fmdp_test

import (
	"fmt"

	"cpsrl/core/fmdp"
)

func ExampleSpace_Index() {
	s := fmdp.Space{
		State:  []fmdp.Variable{{Name: "row", Size: 3}, {Name: "col", Size: 3}},
		Action: []fmdp.Variable{{Name: "move", Size: 4}},
	}
	x := s.Index([]int{2, 1, 3}) // row 2, col 1, move 3
	fmt.Println(x, s.Point(make([]int, 3), x))
	fmt.Println("state", x/s.Actions(), "action", x%s.Actions())
	// Output:
	// 31 [2 1 3]
	// state 7 action 3
}
