package main

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"net/url"
	"os"
	"strings"
	"testing"

	"cpsrl/render/print"
)

// TestIconOfPage checks that the icon in index.html is the one that the program draws.
func TestIconOfPage(t *testing.T) {
	data, err := os.ReadFile("../index.html")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(data), `<link rel="icon" href="`)
	icon, _, _ := strings.Cut(after, `"`)
	page, err := url.PathUnescape(icon)
	if err != nil {
		t.Fatal(err)
	}
	a, b, end := iconNodes[0], iconNodes[1], iconNodes[2]
	wanted := []string{
		fmt.Sprintf("stroke='%s' stroke-linecap='round'", iconColor),
		fmt.Sprintf("stroke-width='%v' d='M%v %v %v %v %v %v'", edgeWidth, a.X, a.Y, end.X, end.Y, b.X, b.Y),
		// These lines are so short that their round ends are discs.
		fmt.Sprintf("stroke-width='%v' d='M%v %vh.01M%v %vh.01M%v %vh.01'", 2*nodeSize, a.X, a.Y, b.X, b.Y, end.X, end.Y),
	}
	for _, want := range wanted {
		if !strings.Contains(page, want) {
			t.Errorf("the icon of index.html has no %s", want)
		}
	}
}

// TestIcon checks that the nodes are white and the corners green, and that everything white is
// inside the safe zone of the Web Application Manifest: a circle of 80% of the width.
func TestIcon(t *testing.T) {
	for _, size := range iconSizes {
		data, err := print.PNG(icon(size), 96)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		n := int(size)
		if b := img.Bounds(); b.Dx() != n || b.Dy() != n {
			t.Fatalf("%v", b)
		}
		at := func(x, y int) color.NRGBA { return color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA) }
		green, white := color.NRGBA{0, 0x9e, 0x73, 255}, color.NRGBA{255, 255, 255, 255}
		if at(0, 0) != green || at(n-1, n-1) != green {
			t.Errorf("the corners are %v", at(0, 0))
		}
		for _, node := range iconNodes {
			if got := at(int(size*(5+node.X)/26), int(size*(5+node.Y)/26)); got != white {
				t.Errorf("a node is %v", got)
			}
		}
		for x := range n {
			for y := range n {
				dx, dy := float64(2*x+1-n)/2, float64(2*y+1-n)/2
				if at(x, y) != green && dx*dx+dy*dy > 0.16*size*size {
					t.Fatalf("%d, %d is outside the safe zone", x, y)
				}
			}
		}
	}
}
