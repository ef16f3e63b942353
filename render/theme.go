package render

import (
	"cmp"
	"fmt"
	"image/color"
	"maps"
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

// Color is the meaning of a colour, which a theme turns into a colour. #RRGGBB, or
// #RRGGBBAA for a translucent one, is the same in every theme.
type Color string

// Colours. Those that tell things apart are Okabe and Ito's and have a contrast of at least
// 3:1 to both backgrounds. Ink and Muted have at least 4.5:1.
const (
	Background Color = "background"
	Surface    Color = "surface" // cells, nodes
	Faint      Color = "faint"   // hairlines, unlikely or future things
	Thin       Color = "thin"    // lines in the background, edges that are not sampled
	Muted      Color = "muted"   // captions
	Ink        Color = "ink"     // text, walls, known edges
	Sampled    Color = "sampled"
	False      Color = "false"  // also illegal moves
	Missed     Color = "missed" // also the true model
	Action     Color = "action"
	Cab        Color = "cab"
	CabInk     Color = "cab-ink"
	MapInk     Color = "map-ink"   // on the bright half of the map
	MapPaper   Color = "map-paper" // on its dark half
)

// palette holds every colour in the light theme and, if it differs, in the dark one.
var palette = map[Color]struct{ light, dark string }{
	Background: {"#ffffff", "#121212"},
	Surface:    {"#f1f0ec", "#222220"},
	Faint:      {"#d6d3cb", "#42403c"},
	Thin:       {"#8b877e", "#77746c"},
	Muted:      {"#5c5953", "#aaa79f"},
	Ink:        {"#1c1b19", "#ecebe7"},
	Sampled:    {light: "#009e73"},
	False:      {light: "#d55e00"},
	Missed:     {light: "#0072b2"},
	Action:     {light: "#cc79a7"},
	Cab:        {light: "#f5c211"},
	CabInk:     {light: "#1c1b19"},
	MapInk:     {light: "#000000"},
	MapPaper:   {light: "#ffffff"},
}

// properties holds the CSS custom properties of a page for the colours that differ between
// its themes.
var properties = map[Color]string{Background: "--paper", Surface: "--raised", Faint: "--line", Thin: "--edge", Muted: "--muted", Ink: "--ink"}

// Standalone replaces the custom properties of a page's colours by the colours of the light theme.
// The marks are then right in any document and in programs without custom properties. These
// colours have capital letters, and colours that are the same in every theme have none; darken
// relies on that.
func Standalone(marks string) string { return standalone.Replace(marks) }

var standalone = func() *strings.Replacer {
	var list []string
	for _, color := range slices.Sorted(maps.Keys(properties)) {
		list = append(list, `"`+Page.Hex(color)+`"`, `"`+plain(color)+`"`) // a quote is no part of a text
	}
	return strings.NewReplacer(list...)
}()

// plain is a colour of the light theme in capitals.
func plain(c Color) string { return strings.ToUpper(Light.Hex(c)) }

// darken is the style that gives standalone marks the colours of the dark theme.
var darken = func() string {
	var b strings.Builder
	for _, color := range slices.Sorted(maps.Keys(properties)) {
		for _, of := range []string{"fill", "stroke"} {
			fmt.Fprintf(&b, `[%s="%s"]{%[1]s:%[3]s}`, of, plain(color), Dark.Hex(color))
		}
	}
	return b.String()
}()

// code returns the colour in the theme as #RRGGBB or #RRGGBBAA.
func (t Theme) code(c Color) string {
	if c[0] == '#' {
		return string(c)
	}
	if level, ok := strings.CutPrefix(string(c), mapPrefix); ok {
		k, _ := strconv.Atoi(level)
		return cividis(float64(k) / levels)
	}
	both, ok := palette[c]
	if !ok {
		panic("render: no colour " + string(c))
	}
	if t == Dark {
		return cmp.Or(both.dark, both.light)
	}
	return both.light
}

// RGBA returns the colour in the theme.
func (t Theme) RGBA(c Color) color.RGBA { return rgba(t.code(c)) }

// Hex returns the colour in the theme as #rrggbb, without its opacity. In the theme Page it
// may be one of the page's properties.
func (t Theme) Hex(c Color) string {
	if name, ok := properties[c]; ok && t == Page {
		return "var(" + name + ")"
	}
	return t.code(c)[:7]
}

// rgba reads #RRGGBB or #RRGGBBAA.
func rgba(code string) color.RGBA {
	n, err := strconv.ParseUint((code[1:] + "ff")[:8], 16, 32)
	if err != nil {
		panic("render: " + err.Error())
	}
	return color.RGBAModel.Convert(color.NRGBA{uint8(n >> 24), uint8(n >> 16), uint8(n >> 8), uint8(n)}).(color.RGBA)
}

const (
	mapPrefix = "map-level-"
	levels    = 100
)

// mapped returns the colour of t in [0,1] on the map.
func mapped(t float64) Color {
	return Color(mapPrefix + strconv.Itoa(int(max(0, min(1, t))*levels+0.5)))
}

// onMap returns the colour of a text over mapped(t).
func onMap(t float64) Color {
	if t > 0.45 {
		return MapInk
	}
	return MapPaper
}

// cividis is the map of Nuñez, Anderton and Renslow (PLOS ONE 13(7), 2018): even
// in lightness and the same to readers with and without colour vision
// deficiency. It is interpolated between eleven of its colours.
func cividis(t float64) string {
	at := t * float64(len(cividisStops)-1)
	k := min(int(at), len(cividisStops)-2)
	a, b, f := rgba(cividisStops[k]), rgba(cividisStops[k+1]), at-float64(k)
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + f*(float64(b)-float64(a)) + 0.5) }
	return fmt.Sprintf("#%02x%02x%02x", mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B))
}

var cividisStops = []string{
	"#002051", "#0a326a", "#2b446e", "#4d566d", "#696970", "#7f7c75",
	"#948f78", "#ada476", "#caba6a", "#ead156", "#fdea45",
}
