package loops

import "math"

// Exp2 returns 2ˣ, by the method of FreeBSD's e_exp.c. Its bits are those of math.Exp2, except on
// arm64, where math.Exp2 is written in assembly and fuses products and sums whatever the compiler's
// flags are.
func Exp2(x float64) float64 {
	const (
		// ln 2 in two parts: the upper one has zeros at its end.
		ln2High, ln2Low = 6.93147180369123816490e-01, 1.90821492927058770002e-10
		// The coefficients of an even polynomial that approximates r·(eʳ + 1)/(eʳ − 1).
		p1, p2, p3, p4, p5 = 1.66666666666666657415e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05, -1.65339022054652515390e-06, 4.13813679705723846039e-08
		most, least        = 1.0239999999999999e+03, -1.0740e+03
	)
	switch {
	case math.IsNaN(x):
		return x
	case x > most:
		return math.Inf(1)
	case x < least:
		return 0
	}
	// 2ˣ = 2ᵏ eʳ, where k is the whole number next to x and r = high − low = (x − k) ln 2.
	k := int(x + math.Copysign(0.5, x))
	rest := x - float64(k)
	high, low := float64(rest*ln2High), -float64(rest*ln2Low)
	r := high - low
	t := float64(r * r)
	c := r - float64(t*(p1+float64(t*(p2+float64(t*(p3+float64(t*(p4+float64(t*p5)))))))))
	y := 1 - ((low - float64(r*c)/(2-c)) - high) // from 1/√2 to √2
	if k > -1022 && k < 1023 {
		return math.Float64frombits(math.Float64bits(y) + uint64(k)<<52)
	}
	return math.Ldexp(y, k)
}
