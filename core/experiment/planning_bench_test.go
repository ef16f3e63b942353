package experiment

import (
	"fmt"
	"testing"

	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
)

// BenchmarkPlanning solves random FMDPs with N = 2, A = 8, Z = 3, H = 100 and
// d_Y state variables, by elimination and over the dense table.
func BenchmarkPlanning(b *testing.B) {
	for _, dY := range []int{6, 8, 10, 12, 14, 16} {
		p, err := (&domain.Random{
			StateVariables: dY, ActionVariables: 3, Values: 2, Parents: 3, Horizon: 100,
		}).Build(posterior.NewNamedStream(1, 0, "benchmark").Rand, domain.Given{})
		if err != nil {
			b.Fatal(err)
		}
		m := p.View
		mdp, err := planning.FromModel(m, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("factored/dY=%d", dY), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if mdp.Next, err = planning.Choose(&m.Space, m.Transition, nil); err != nil {
					b.Fatal(err)
				}
				planning.Solve(mdp)
			}
		})
		if m.Joint() > fmdp.MaxJoint {
			continue
		}
		b.Run(fmt.Sprintf("dense/dY=%d", dY), func(b *testing.B) {
			joint := make([]float64, m.Joint())
			b.ReportAllocs()
			for b.Loop() {
				fmdp.Joint(joint, &m.Space, m.Transition)
				mdp.Next = planning.NewDense(joint)
				planning.Solve(mdp)
			}
		})
	}
}
