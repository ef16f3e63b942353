package bigraph

import (
	"iter"
	"math/bits"
)

// MaxX is the largest number of X variables.
const MaxX = 256

// Scope is a set of X variables, counted from 0. The zero Scope is empty, and == compares sets.
//
// It is a value of four machine words, and no slice: a list of sets is one piece of memory, a set is the key of a map, and what
// took a set cannot see it change. It is a struct and no array, because the compiler keeps a struct of four fields in registers.
type Scope struct{ a, b, c, d uint64 }

// Of returns the scope that holds the given variables.
func Of(parents ...int) Scope {
	var z Scope
	for _, i := range parents {
		z = z.With(i)
	}
	return z
}

// First returns the scope of the first n variables.
func First(n int) Scope {
	return Scope{firstOf(n), firstOf(n - 64), firstOf(n - 128), firstOf(n - 192)}
}

// firstOf returns the lowest n bits of a word; none if n is negative, all if it is 64 or more.
func firstOf(n int) uint64 { return ^(^uint64(0) << max(n, 0)) }

// Has reports whether X_i is in z.
func (z Scope) Has(i int) bool { return z.word(i)>>(i&63)&1 == 1 }

// word returns the word that holds X_i; 0 if no word does.
func (z Scope) word(i int) uint64 {
	switch i >> 6 {
	case 0:
		return z.a
	case 1:
		return z.b
	case 2:
		return z.c
	case 3:
		return z.d
	}
	return 0
}

// With returns z with X_i.
func (z Scope) With(i int) Scope {
	bit := uint64(1) << (i & 63)
	switch i >> 6 {
	case 0:
		z.a |= bit
	case 1:
		z.b |= bit
	case 2:
		z.c |= bit
	case 3:
		z.d |= bit
	default:
		panic("bigraph: variable index out of range")
	}
	return z
}

// Union returns the variables of z and those of y.
func (z Scope) Union(y Scope) Scope { return Scope{z.a | y.a, z.b | y.b, z.c | y.c, z.d | y.d} }

// Both returns the variables of z that are in y, too.
func (z Scope) Both(y Scope) Scope { return Scope{z.a & y.a, z.b & y.b, z.c & y.c, z.d & y.d} }

// Without returns the variables of z that are not in y.
func (z Scope) Without(y Scope) Scope {
	return Scope{z.a &^ y.a, z.b &^ y.b, z.c &^ y.c, z.d &^ y.d}
}

// Empty reports whether z has no variable.
func (z Scope) Empty() bool { return z == Scope{} }

// Len returns |z|.
func (z Scope) Len() int {
	return bits.OnesCount64(z.a) + bits.OnesCount64(z.b) + bits.OnesCount64(z.c) + bits.OnesCount64(z.d)
}

// Contains reports whether y ⊆ z.
func (z Scope) Contains(y Scope) bool { return y.Without(z).Empty() }

// All yields the variables of z in ascending order.
func (z Scope) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for from := 0; !z.Empty(); from += 64 { // word by word
			for w := z.a; w != 0; w &= w - 1 {
				if !yield(from + bits.TrailingZeros64(w)) {
					return
				}
			}
			z = Scope{z.b, z.c, z.d, 0}
		}
	}
}

// Parents returns the variables of z in ascending order. The slice is never nil.
func (z Scope) Parents() []int { return z.Append(make([]int, 0, z.Len())) }

// Append appends the variables of z in ascending order.
func (z Scope) Append(dst []int) []int {
	for i := range z.All() {
		dst = append(dst, i)
	}
	return dst
}
