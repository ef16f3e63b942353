package render

import (
	"image/color"
	"slices"
	"strconv"
	"strings"
)

// Theme is "light", "dark" or "page".
type Theme string

// Themes.
const (
	Light Theme = "light"
	Dark  Theme = "dark"
	Page  Theme = "page" // light or dark as the page is that shows the SVG
)

// Color says what a colour means; a theme turns it into one. #RRGGBB, or #RRGGBBAA
// for a translucent one, is itself in every theme.
type Color string

// Colours. Those that tell things apart are Okabe and Ito's; they have a
// contrast of at least 3:1 to both backgrounds, Ink and Muted one of 4.5:1.
const (
	Background Color = "background"
	Surface    Color = "surface" // cells, nodes
	Faint      Color = "faint"   // hairlines, what is unlikely or yet to come
	Muted      Color = "muted"   // captions
	Ink        Color = "ink"     // text, walls, known edges
	Sampled    Color = "sampled"
	False      Color = "false"  // and illegal moves
	Missed     Color = "missed" // and the true model
	Action     Color = "action"
	Cab        Color = "cab"
	CabInk     Color = "cab-ink"
	MapInk     Color = "map-ink"   // on the bright half of the map
	MapPaper   Color = "map-paper" // on its dark half
)

var palettes = map[Theme]map[Color]color.RGBA{
	Light: {
		Background: hex("ffffff"), Surface: hex("f1f0ec"), Faint: hex("d6d3cb"), Muted: hex("5c5953"), Ink: hex("1c1b19"),
	},
	Dark: {
		Background: hex("121212"), Surface: hex("222220"), Faint: hex("42403c"), Muted: hex("aaa79f"), Ink: hex("ecebe7"),
	},
}

// properties are the CSS custom properties of a page with the colours of charts.
var properties = map[Color]string{Background: "--paper", Faint: "--line", Muted: "--muted", Ink: "--ink"}

// variables declares the properties with the colours of a theme.
func variables(t Theme) string {
	var list []string
	for color, name := range properties {
		list = append(list, name+":"+t.Hex(color))
	}
	slices.Sort(list)
	return strings.Join(list, ";")
}

// shared are the colours that are the same in both themes.
var shared = map[Color]color.RGBA{
	Sampled: hex("009e73"), False: hex("d55e00"), Missed: hex("0072b2"), Action: hex("cc79a7"),
	Cab: hex("f5c211"), CabInk: hex("1c1b19"), MapInk: hex("000000"), MapPaper: hex("ffffff"),
}

// RGBA returns the colour in the theme.
func (t Theme) RGBA(c Color) color.RGBA {
	if code, ok := strings.CutPrefix(string(c), "#"); ok {
		n, err := strconv.ParseUint((code + "ff")[:8], 16, 32)
		if err != nil {
			panic("render: " + err.Error())
		}
		return color.RGBAModel.Convert(color.NRGBA{uint8(n >> 24), uint8(n >> 16), uint8(n >> 8), uint8(n)}).(color.RGBA)
	}
	if level, ok := strings.CutPrefix(string(c), mapPrefix); ok {
		k, _ := strconv.Atoi(level)
		return cividis(float64(k) / levels)
	}
	if rgba, ok := shared[c]; ok {
		return rgba
	}
	rgba, ok := palettes[t][c]
	if !ok {
		panic("render: no colour " + string(c) + " in theme " + string(t))
	}
	return rgba
}

// Hex returns the colour in the theme as #rrggbb, without its opacity.
func (t Theme) Hex(c Color) string {
	if c[0] == '#' {
		return string(c[:7])
	}
	if name, ok := properties[c]; ok && t == Page {
		return "var(" + name + ")"
	}
	const digits = "0123456789abcdef"
	rgba := t.RGBA(c)
	b := []byte{'#'}
	for _, v := range []uint8{rgba.R, rgba.G, rgba.B} {
		b = append(b, digits[v>>4], digits[v&15])
	}
	return string(b)
}

const (
	mapPrefix = "map-level-"
	levels    = 100
)

// mapped returns the colour of t in [0,1] on the map.
func mapped(t float64) Color {
	return Color(mapPrefix + strconv.Itoa(int(max(0, min(1, t))*levels+0.5)))
}

// onMap returns the colour of what is written over mapped(t).
func onMap(t float64) Color {
	if t > 0.45 {
		return MapInk
	}
	return MapPaper
}

// cividis is the map of Nuñez, Anderton and Renslow (PLOS ONE 13(7), 2018): even
// in lightness and the same to readers with and without colour vision
// deficiency. It is interpolated between eleven of its colours.
func cividis(t float64) color.RGBA {
	at := max(0, min(1, t)) * float64(len(cividisStops)-1)
	k := min(int(at), len(cividisStops)-2)
	a, b, f := cividisStops[k], cividisStops[k+1], at-float64(k)
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + f*(float64(b)-float64(a)) + 0.5) }
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

var cividisStops = []color.RGBA{
	hex("002051"), hex("0a326a"), hex("2b446e"), hex("4d566d"), hex("696970"), hex("7f7c75"),
	hex("948f78"), hex("ada476"), hex("caba6a"), hex("ead156"), hex("fdea45"),
}

func hex(s string) color.RGBA {
	n, err := strconv.ParseUint(s, 16, 24)
	if err != nil {
		panic("render: " + err.Error())
	}
	return color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}
}
