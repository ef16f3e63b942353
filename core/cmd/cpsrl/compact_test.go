package main

import "testing"

// By hand.
func TestCompact(t *testing.T) {
	for in, want := range map[string]string{
		`<path d="M1,2L1.126,2L0,-0.5Z" />`:                     `<path d="m1 2l.13 0-1.13-2.5z" />`,
		`<path d="M10,10Q11,11,12,10L12,9ZM0,0L1e-05,5" />`:     `<path d="m10 10q1 1 2 0l0-1zm-10-10l0 5" />`,
		`<path d="M0,0C0,1,1,1,1,0.05" style="fill:#FFF" />`:    `<path d="m0 0c0 1 1 1 1 .05" style="fill:#FFF" />`,
		`<path d="M0,0L0.5,0.25L0.75,0.5L0.5,10.5" />`:          `<path d="m0 0l.5.25.25.25-.25 10" />`,
		`<path d="M0,0A1,1,0,0,0,2,2" /><path d="M0.004,-0" />`: `<path d="M0,0A1,1,0,0,0,2,2" /><path d="m0 0" />`,
		"<svg>\n<path d=\"M1,1L2,1Z\" style=\"fill:#000000\" />\n<path d=\"M4,1L5,1Z\" style=\"fill:#000000\" />\n<path d=\"M4,1Z\" style=\"fill:#FF0000\" />\n</svg>\n": "<svg>\n<path d=\"m1 1l1 0zm3 0l1 0z\" style=\"fill:#000000\" />\n<path d=\"m4 1z\" style=\"fill:#FF0000\" />\n</svg>\n",
	} {
		if got := compact(in); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}
