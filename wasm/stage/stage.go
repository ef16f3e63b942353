//go:build js

package main

import (
	"cmp"
	"errors"
	"math"
	"reflect"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/hajimehoshi/ebiten/v2"

	"cpsrl/core/record"
	"cpsrl/core/strict"
	"cpsrl/render"
	"cpsrl/render/canvas"
)

// message is a message to the stage. Its kind determines which other fields are used.
type message struct {
	Kind string `json:"kind"`

	// From the parent page.
	View    jsontext.Value `json:"view,omitzero"`    // trace, view
	Episode jsontext.Value `json:"episode,omitzero"` // episode
	Speed   float64        `json:"speed,omitzero"`   // play; absent: 1
	Until   string         `json:"until,omitzero"`   // play: "moment" or "episode" (if absent)

	// From the boot script.
	Width  float64 `json:"width,omitzero"`  // size, in CSS px
	Height float64 `json:"height,omitzero"` // size
	Scale  float64 `json:"scale,omitzero"`  // size: device pixels in a CSS px
	Dark   bool    `json:"dark,omitzero"`   // media
	Still  bool    `json:"still,omitzero"`  // media: reduced motion
	X      float64 `json:"x,omitzero"`      // point, press
	Y      float64 `json:"y,omitzero"`
	Key    string  `json:"key,omitzero"` // key: "next", "previous", "select" or "leave"
}

// changes holds the kinds of messages that may change the picture.
var changes = map[string]bool{
	"trace": true, "view": true, "episode": true, "play": true, "pause": true, "size": true, "media": true, "press": true, "key": true,
}

// incoming is a message as JSON, and the trace that comes with it.
type incoming struct {
	json, trace []byte
}

// answer is a message from the stage.
type answer struct {
	Kind string `json:"kind"`

	Moment  render.Moment `json:"moment,omitzero"` // moment
	Step    *float64      `json:"step,omitzero"`
	Text    string        `json:"text,omitzero"`
	Height  float64       `json:"height,omitzero"` // the least height of the picture in CSS px
	Playing *bool         `json:"playing,omitzero"`
	Episode int           `json:"episode,omitzero"` // passed, which also has a text and a height

	Focus *render.Focus `json:"focus,omitzero"` // focus, select; absent: nothing
	Name  string        `json:"name,omitzero"`

	SVG     string `json:"svg,omitzero"`    // picture
	Frames  *int   `json:"frames,omitzero"` // stats: the number of pictures painted
	Detail  string `json:"detail,omitzero"` // refused
	Pointer string `json:"pointer,omitzero"`
}

// stage is the Ebitengine game.
type stage struct {
	painter *canvas.Painter // nil if the picture is shown as SVG
	post    func([]byte)
	wake    func()
	queue   []incoming

	trace  *record.Trace
	passes *record.Episode  // the episode of the fast forward that is shown instead of the trace
	view   render.StageView // the parent page's view, with the moment and the step of playing
	size   message
	media  message
	hover  *render.Focus // the focus under the pointer
	pinned *render.Focus // the focus chosen by a press or the keyboard

	play    *playing
	changed bool // whether the picture is out of date
	picture *render.Picture
	painted [2]int // the size of the screen that shows the picture, in pixels
	shown   int    // the episode that the screen shows; 0: none
	waits   int    // the frames in which the picture waits while the page takes in its words
	said    answer // the last answer of kind moment
	frames  int
}

// playing is the state of playing an episode.
type playing struct {
	speed  float64
	until  string
	last   time.Time
	waited time.Duration // the time since the last change, while nothing moves
}

// Durations at speed 1.
const (
	dwell    = 1300 * time.Millisecond // a moment that does not move
	drive    = 9 * time.Second         // all steps of an episode, within the limits of a step
	longest  = 550 * time.Millisecond  // the longest step
	shortest = 40 * time.Millisecond   // the shortest step
	calm     = time.Second             // between changes under reduced motion
)

func newStage(post func([]byte), wake func()) *stage {
	return &stage{post: post, wake: wake, size: message{Width: render.MinWidth, Scale: 1}}
}

// say sends an answer.
func (s *stage) say(a answer) {
	data, err := json.Marshal(a, json.Deterministic(true))
	if err != nil {
		panic("stage: " + err.Error())
	}
	s.post(data)
}

// refuse answers a message that is invalid.
func (s *stage) refuse(err error) {
	a := answer{Kind: "refused", Detail: err.Error()}
	if invalid, ok := errors.AsType[*strict.InvalidError](err); ok {
		a.Pointer, a.Detail = invalid.Place, invalid.Reason
	}
	s.say(a)
}

// Layout makes a pixel of the screen one of the canvas.
func (s *stage) Layout(width, height int) (int, int) { return width, height }

// Update handles the messages of the queue, advances an episode that plays, and
// redraws the picture if it changed. The page is told about the picture of another episode
// one frame before it is painted, so that page and picture name one episode.
func (s *stage) Update() error {
	if s.waits > 0 {
		return nil // the picture that waits is painted first
	}
	for len(s.queue) > 0 {
		m := s.queue[0]
		s.queue = s.queue[1:]
		if err := s.take(m); err != nil {
			s.refuse(err)
		}
	}
	s.advance(time.Now())
	if s.changed && s.trace != nil {
		s.redraw()
	}
	return nil
}

// Draw paints the picture if the screen does not show it.
func (s *stage) Draw(screen *ebiten.Image) {
	if p := s.due(screen.Bounds().Dx(), screen.Bounds().Dy()); p != nil {
		s.painter.Paint(screen, p, s.size.Scale*s.size.Width/p.Width)
	}
}

// due returns the picture if a screen of this size does not show it yet, else nil.
func (s *stage) due(width, height int) *render.Picture {
	if s.waits > 0 {
		s.waits--
	}
	if s.play != nil || s.waits > 0 || len(s.queue) > 0 {
		s.wake()
	}
	size := [2]int{width, height}
	if s.picture == nil || s.waits > 0 || !s.changed && size == s.painted {
		return nil
	}
	s.changed, s.painted, s.shown = false, size, s.episode()
	s.frames++
	return s.picture
}

// episode returns the episode of the picture.
func (s *stage) episode() int {
	if s.passes != nil {
		return s.passes.Record.Episode
	}
	return s.trace.Episode
}

// take handles a message.
func (s *stage) take(in incoming) error {
	var m message
	if err := strict.Decode(in.json, &m); err != nil {
		return err
	}
	s.changed = s.changed || changes[m.Kind]
	switch m.Kind {
	case "trace":
		return s.takeTrace(in.trace, m.View)
	case "view":
		return s.takeView(s.trace, m.View)
	case "episode":
		return s.takeEpisode(m.Episode)
	case "play":
		m.Speed = cmp.Or(m.Speed, 1)
		if !(m.Speed >= 0.01 && m.Speed <= 100) {
			return strict.Invalid("/speed", "the speed must be from 0.01 to 100")
		}
		if m.Until != "" && m.Until != "moment" && m.Until != "episode" {
			return strict.Invalid("/until", `it must be "moment" or "episode"`)
		}
		s.passes = nil
		s.play = &playing{speed: m.Speed, until: m.Until, last: time.Now()}
	case "pause":
		s.play = nil
	case "picture":
		if s.picture != nil {
			s.say(answer{Kind: "picture", SVG: string(render.SVG(s.picture))})
		}
	case "stats":
		s.say(answer{Kind: "stats", Frames: &s.frames})
	case "size":
		s.size = m
	case "media":
		s.media = m
	case "point":
		s.setHover(s.at(m))
	case "press":
		s.hover = nil
		s.pin(s.at(m), "select")
	case "leave":
		s.setHover(nil)
	case "key":
		s.key(m.Key)
	default:
		return strict.Invalid("/kind", "there is no message of this kind")
	}
	return nil
}

func (s *stage) takeTrace(data []byte, view jsontext.Value) error {
	t, err := record.DecodeTrace(data)
	if err != nil {
		return err
	}
	if err := s.takeView(t, view); err != nil {
		return err
	}
	if s.passes != nil {
		s.said = answer{} // the page has since been told about another episode
	}
	s.trace, s.passes, s.hover, s.pinned = t, nil, nil, nil
	return nil
}

// takeEpisode shows an episode of the fast forward, of the trace's agent and run.
func (s *stage) takeEpisode(data []byte) error {
	if s.trace == nil {
		return strict.Invalid("/episode", "there is no trace that says what the episode is of")
	}
	e, err := record.DecodeEpisode(data, s.trace.Space(), s.trace.Horizon)
	if err != nil {
		return strict.Within("/episode", err)
	}
	s.passes, s.play = e, nil
	return nil
}

func (s *stage) takeView(t *record.Trace, data jsontext.Value) error {
	v, err := render.DecodeStageView(data)
	if err != nil {
		return err
	}
	if t != nil {
		if _, err := render.Draw(t, *v); err != nil {
			return err
		}
	}
	if !v.Focus.Equal(s.view.Focus) {
		s.pinned = v.Focus // the page's focus is newer
	}
	s.view = *v
	return nil
}

// still reports whether the reader wants reduced motion.
func (s *stage) still() bool { return s.view.ReducedMotion || s.media.Still }

// advance moves an episode that plays to the time now.
func (s *stage) advance(now time.Time) {
	p := s.play
	if p == nil || s.trace == nil {
		return
	}
	// A stage that is out of sight gets no frames. It continues where it stopped.
	passed := min(now.Sub(p.last), 250*time.Millisecond)
	p.last = now
	steps := len(s.trace.Steps)
	each := float64(max(shortest, min(longest, drive/time.Duration(max(1, steps))))) / p.speed
	rest := time.Duration(float64(dwell) / p.speed)
	moving := s.view.Moment == render.Act && s.view.Step < float64(steps)
	switch {
	case moving && !s.still():
		s.view.Step, s.changed = min(float64(steps), s.view.Step+float64(passed)/each), true
		return
	case moving:
		rest = calm
	case s.still():
		rest = max(rest, calm)
	}
	p.waited += passed
	if p.waited < rest {
		return
	}
	p.waited, s.changed = 0, true
	switch {
	case moving:
		s.view.Step = min(float64(steps), s.view.Step+max(1, math.Floor(float64(calm)/each)))
	case p.until == "moment" || s.view.Moment == render.Update:
		s.play = nil
		s.say(answer{Kind: "done"})
	default:
		next := 1 + max(0, slices.Index(render.Moments[:], s.view.Moment))
		s.view.Moment, s.view.Step = render.Moments[next], 0
	}
}

// redraw makes the picture and tells the page what it shows.
func (s *stage) redraw() {
	v := s.view
	v.Moment = cmp.Or(v.Moment, render.Sample)
	v.Width = max(render.MinWidth, min(s.size.Width, render.MaxLength))
	v.Height = min(s.size.Height, render.MaxLength)
	v.ReducedMotion = s.still()
	if v.Theme == "" && s.media.Dark {
		v.Theme = render.Dark
	}
	v.Focus = cmp.Or(s.hover, s.pinned, v.Focus)
	picture, err := s.draw(v)
	if err != nil {
		s.refuse(err)
		return
	}
	if s.painter != nil && s.painter.Lacks(picture) {
		s.say(answer{Kind: "letters"})
		return
	}
	s.picture = picture
	if s.shown != 0 && s.shown != s.episode() {
		s.waits = 2 // this frame, and then it is painted in the next one
	}
	if s.passes != nil {
		s.say(answer{Kind: "passed", Episode: s.passes.Record.Episode, Text: picture.Text, Height: picture.Least})
		return
	}
	step, on := math.Ceil(s.view.Step), s.play != nil // the step of the sentence
	a := answer{Kind: "moment", Moment: v.Moment, Step: &step, Text: picture.Text, Height: picture.Least, Playing: &on}
	if !reflect.DeepEqual(a, s.said) {
		s.said = a
		s.say(a)
	}
}

func (s *stage) draw(v render.StageView) (*render.Picture, error) {
	if s.passes != nil {
		return render.DrawEpisode(s.trace, s.passes, v)
	}
	return render.Draw(s.trace, v)
}

// at returns the focus that a message points at, or nil.
func (s *stage) at(m message) *render.Focus {
	if s.picture == nil {
		return nil
	}
	scale := s.picture.Width / s.size.Width
	return s.picture.At(render.Point{X: m.X * scale, Y: m.Y * scale})
}

func (s *stage) setHover(f *render.Focus) {
	if s.hover.Equal(f) {
		return
	}
	s.hover, s.changed = f, true
	s.sayFocus("focus", f)
}

// pin keeps a focus that was chosen by a press or the keyboard.
func (s *stage) pin(f *render.Focus, kind string) {
	s.pinned = f
	s.sayFocus(kind, f)
}

func (s *stage) sayFocus(kind string, f *render.Focus) {
	a := answer{Kind: kind, Focus: f}
	if s.picture != nil {
		for _, t := range s.picture.Targets {
			if t.Focus.Equal(f) {
				a.Name = t.Name
			}
		}
	}
	s.say(a)
}

func (s *stage) key(key string) {
	if s.picture == nil {
		return
	}
	switch key {
	case "next":
		s.pin(s.picture.Next(s.pinned, 1), "focus")
	case "previous":
		s.pin(s.picture.Next(s.pinned, -1), "focus")
	case "select":
		s.sayFocus("select", s.pinned)
	case "leave":
		s.pin(nil, "focus")
	}
}
