package chart

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// scale is the scale of an axis: its ends, and whether it is logarithmic.
type scale struct {
	low, high float64
	log       bool
}

// share returns where a value lies between the ends, from 0 to 1.
func (s scale) share(v float64) float64 {
	if s.log {
		return math.Log(max(v, s.low)/s.low) / math.Log(s.high/s.low)
	}
	return (v - s.low) / (s.high - s.low)
}

// holds reports whether a value has a place on the axis.
func (s scale) holds(v float64) bool { return !math.IsNaN(v) && (!s.log || v >= Least) }

// beyond returns a value past the end of the axis. The share is its distance from the end, divided
// by the length of the axis.
func (s scale) beyond(share float64) float64 {
	if s.log {
		return s.high * math.Pow(s.high/s.low, share)
	}
	return s.high + share*(s.high-s.low)
}

// headroom is the factor by which the axis may exceed the largest mean to show a band.
const headroom = 1.5

// scales sets the axes. The vertical axis holds every mean and, unless it is logarithmic,
// zero. Bands are cut off at the headroom and at the largest possible value; hidden then
// says so.
func (d *draft) scales() {
	d.x = scale{0, float64(d.Episodes), d.LogX}
	if d.Episodes == 0 {
		for _, c := range d.Curves {
			if n := len(c.Points); n > 0 {
				d.x.high = max(d.x.high, float64(c.Points[n-1].Episode))
			}
		}
	}
	if d.placed() {
		d.places()
	} else if d.x.high = max(d.x.high, 1); d.LogX {
		d.x.low, d.x.high = 1, max(d.x.high, 2)
	}
	least, greatest := math.Inf(1), math.Inf(-1) // of the means and ranges on the axis
	lo, hi := math.Inf(1), math.Inf(-1)          // of the bands
	y := scale{log: d.LogY}
	for _, c := range d.Curves {
		for _, p := range d.within(c) {
			values := []float64{p.Mean}
			if p.Least < p.Greatest {
				values = []float64{p.Mean, p.Least, p.Greatest}
			}
			for _, v := range values {
				if y.holds(v) {
					least, greatest = min(least, v), max(greatest, v)
				}
			}
			if c.Mark == "" && !c.Run && !math.IsNaN(p.Lo) {
				lo, hi = min(lo, p.Lo), max(hi, p.Hi)
			}
		}
	}
	if d.LogY {
		y.low, y.high = d.logExtent(least, greatest, hi)
	} else {
		y.low, y.high = d.extent(least, greatest, lo, hi)
	}
	d.y = y
	d.hidden = d.leftOut(lo, hi)
}

// places sets the horizontal axis of curves that have places of their own: from 0 or, if it is logarithmic, from the first
// place above 0.
func (d *draft) places() {
	least, greatest := math.Inf(1), 0.0
	for _, c := range d.Curves {
		for _, x := range c.At {
			if greatest = max(greatest, x); x > Least {
				least = min(least, x)
			}
		}
	}
	if !(greatest > Least) {
		least, greatest = 0.1, 1
	}
	if d.x.high = greatest; d.LogX {
		d.x.low = least
		if least >= greatest {
			d.x.low = greatest / 10
		}
	}
}

// extent returns the ends of a linear axis.
func (d *draft) extent(least, greatest, lo, hi float64) (low, high float64) {
	high = max(0, greatest, d.Most)
	if d.Signed || least < -1e-6*high { // exact values differ from the optimum by rounding
		low = min(0, least, lo)
	}
	switch {
	case d.Most > 0:
	case d.Whole || low < 0:
		high = max(high, hi)
	default:
		high = max(high, min(headroom*high, hi))
	}
	if high-low < Least {
		high = low + 1
	}
	return low, high
}

// logExtent returns the ends of a logarithmic axis, rounded to one digit.
func (d *draft) logExtent(least, greatest, hi float64) (low, high float64) {
	if !(greatest >= Least) {
		return 0.1, 1
	}
	high = max(greatest, min(headroom*greatest, hi))
	if d.Most > 0 {
		high = d.Most
	}
	if low = least; low >= high {
		low = high / 10
	}
	digit := func(v float64, round func(float64) float64) float64 {
		unit := math.Pow(10, math.Floor(math.Log10(v)))
		return round(math.Round(v/unit*1e6)/1e6) * unit
	}
	return digit(low, math.Floor), digit(high, math.Ceil)
}

// leftOut says in sentences what a logarithmic axis cannot show: the points at 0 or below, and
// the parts of bands there. A band reaches from lo to hi.
func (d *draft) leftOut(lo, hi float64) string {
	var sentences, missing, cuts []string
	type count struct{ n, of int }
	counts := map[string]count{} // by label, which all runs of an agent share
	var labels []string
	for _, c := range d.Curves {
		label := c.label(false)
		if c.Run {
			label = "the runs of " + label
		}
		now, known := counts[label]
		if !known {
			labels = append(labels, label)
		}
		for _, p := range c.Points {
			if !d.y.holds(p.Mean) {
				now.n++
			}
		}
		now.of += len(c.Points)
		counts[label] = now
	}
	for _, label := range labels {
		if now := counts[label]; now.n > 0 {
			missing = append(missing, fmt.Sprintf("%d of %d points of %s", now.n, now.of, label))
		}
	}
	if missing != nil {
		sentences = append(sentences, "Left out, for a logarithmic axis has no zero: "+strings.Join(missing, ", ")+".")
	}
	if lo < d.y.low {
		cuts = append(cuts, number(d.y.low))
	}
	if hi > d.y.high {
		cuts = append(cuts, number(d.y.high))
	}
	if cuts != nil {
		sentences = append(sentences, "Bands are cut off at "+strings.Join(cuts, " and ")+".")
	}
	return strings.Join(sentences, " ")
}

// mark is a value on an axis.
type mark struct {
	value float64
	label string
}

// ticks marks round values: about five on a linear axis, no closer than least; at most most
// on a logarithmic one.
func (s scale) ticks(most int, least float64) []mark {
	if s.log {
		return s.logTicks(most)
	}
	return ticks(s.low, s.high, least)
}

// ticks marks multiples of 1, 2 or 5 times a power of ten, about five of them, no
// closer than least.
func ticks(low, high, least float64) []mark {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/4)))
	factors, k := [...]float64{2, 2.5, 2}, 0 // from 1 to 2, to 5, to 10
	for ; k < 2 && (high-low)/(step*factors[k]) >= 4 || step < least; k++ {
		step *= factors[k%3]
	}
	var list []mark
	digits := max(0, int(-math.Floor(math.Log10(step))))
	for k := int(math.Ceil(low/step - 1e-9)); float64(k)*step <= high+1e-9*step; k++ {
		value := float64(k) * step
		list = append(list, mark{value, minus(strconv.FormatFloat(value, 'f', digits, 64))})
	}
	return list
}

// logTicks marks 1, 2, 5, 10 and so on. If these are more than most, it marks powers of ten
// at equal distances. If they are fewer than two, it marks every digit, or both ends.
func (s scale) logTicks(most int) []mark {
	first, last := int(math.Floor(math.Log10(s.low)+1e-9)), int(math.Ceil(math.Log10(s.high)-1e-9))
	list := func(step int, digits ...int) (list []mark) {
		for power := first; power <= last; power += step {
			for _, digit := range digits {
				value, _ := strconv.ParseFloat(fmt.Sprintf("%de%d", digit, power), 64)
				if value >= 0.999*s.low && value <= 1.001*s.high {
					list = append(list, mark{value, plain(value)})
				}
			}
		}
		return list
	}
	fine := list(1, 1, 2, 5)
	if len(fine) < 2 {
		if fine = list(1, 1, 2, 3, 4, 5, 6, 7, 8, 9); len(fine) > most {
			fine = []mark{fine[0], fine[len(fine)-1]}
		}
	}
	if len(fine) <= most {
		return fine
	}
	return list((last-first)/most+1, 1)
}

var superscripts = strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

// plain writes a round value in full or, if that is long, with a power of ten.
func plain(v float64) string {
	if v >= 1e-3 && v < 1e6 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	digits, power, _ := strings.Cut(strconv.FormatFloat(v, 'e', 0, 64), "e")
	exponent, _ := strconv.Atoi(power)
	return strings.TrimPrefix(digits+"·10", "1·") + superscripts.Replace(strconv.Itoa(exponent))
}
