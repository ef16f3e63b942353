package loops

import "math"

// MulVec multiplies chosen rows of a matrix by a vector: dst[i] = Σ_k
// matrix[rows[i]·n+k]·v[k] with n = len(v), for every i. Each inner product runs in
// four lanes, lane l adding the terms k ≡ l (mod 4) in ascending order, and ends as
// (lane 0 + lane 2) + (lane 1 + lane 3).
func MulVec(dst, matrix, v []float64, rows []int32) {
	if kernelMulVec(dst, matrix, v, rows) {
		return
	}
	n := len(v)
	whole := n &^ 3
	for i, r := range rows {
		row := matrix[int(r)*n:][:n]
		var l0, l1, l2, l3 float64
		for k := 0; k < whole; k += 4 {
			m, u := row[k:k+4:k+4], v[k:k+4:k+4]
			l0 += float64(m[0] * u[0])
			l1 += float64(m[1] * u[1])
			l2 += float64(m[2] * u[2])
			l3 += float64(m[3] * u[3])
		}
		if whole < n {
			l0 += float64(row[whole] * v[whole])
		}
		if whole+1 < n {
			l1 += float64(row[whole+1] * v[whole+1])
		}
		if whole+2 < n {
			l2 += float64(row[whole+2] * v[whole+2])
		}
		dst[i] = (l0 + l2) + (l1 + l3)
	}
}

// Halve sums a variable of two values out of blocks of before. The u-th block starts
// at source[u] and has 2·rest entries, rest = len(after) / len(source):
// after[u·rest + r] = p[row[u]]·block[r] + p[row[u]+1]·block[rest + r]. There is at
// least one block.
func Halve(after, before, p []float64, source, row []int32) {
	if kernelHalve(after, before, p, source, row) {
		return
	}
	rest := len(after) / len(source)
	row, after = row[:len(source)], after[:rest*len(source)]
	if rest == 1 { // the last step, and a quarter of the time
		for u, at := range source {
			pair, block := p[row[u]:][:2], before[at:][:2]
			after[u] = float64(pair[0]*block[0]) + float64(pair[1]*block[1])
		}
		return
	}
	for u, at := range source {
		pair, block, out := p[row[u]:][:2], before[at:], after[u*rest:][:rest]
		p0, p1, lo, hi := pair[0], pair[1], block[:len(out)], block[rest:][:len(out)]
		for r := range out {
			out[r] = float64(p0*lo[r]) + float64(p1*hi[r])
		}
	}
}

// Improve writes the largest entry of q in each state into v and its action into
// rule, the lowest such action in a tie. It returns the least and the largest
// v[s] − last[s]. There are len(v) states, at least one, and len(q)/len(v) actions. No
// entry is NaN.
func Improve(rule []int32, v, q, last []float64) (lo, hi float64) {
	if lo, hi, ok := kernelImprove(rule, v, q, last); ok {
		return lo, hi
	}
	actions := len(q) / len(v)
	for s := range v {
		rule[s], v[s] = greedy(q[s*actions:][:actions])
	}
	return Growth(last, v)
}

func greedy(q []float64) (int32, float64) {
	best, at := q[0], int32(0)
	for a, value := range q[1:] {
		if value > best {
			best, at = value, int32(a+1)
		}
	}
	return at, best
}

// Growth returns the least and the largest v[s] − last[s].
func Growth(last, v []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for s := range v {
		d := v[s] - last[s]
		if d < lo {
			lo = d
		}
		if d > hi {
			hi = d
		}
	}
	return lo, hi
}

// Margin is what Contend allows for rounding, relative to the size of the values.
const Margin = 1e-9

// Contend adds hi to every entry of q. It then writes the indices of the entries that are
// at least v[s] + lo, less a margin of Margin·(1 + |v[s]+lo| + |v[s]|), into points,
// ascending, and returns their number. The slice points has the length of q.
func Contend(points []int32, q, v []float64, lo, hi float64) int {
	if n, ok := kernelContend(points, q, v, lo, hi); ok {
		return n
	}
	actions, n := len(q)/len(v), 0
	for s, best := range v {
		reach := best + lo
		reach -= float64(Margin * (1 + math.Abs(reach) + math.Abs(best)))
		first := s * actions
		bounds := q[first:][:actions]
		for a := range bounds {
			if bounds[a] += hi; !(bounds[a] < reach) {
				points[n] = int32(first + a)
				n++
			}
		}
	}
	return n
}
