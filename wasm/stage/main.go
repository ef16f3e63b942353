//go:build js

// Command stage shows the moments of an episode on a page of its own. The boot
// script of that page, site/src/stage.ts, passes it messages and takes its
// answers; both are JSON. The parent page has the state. If the stage starts again, the
// page sends the state again.
package main

import (
	"syscall/js"

	"github.com/hajimehoshi/ebiten/v2"

	"cpsrl/render"
	"cpsrl/render/canvas"
)

func main() {
	host := js.Global().Get("cpsrlStage")
	s := newStage(
		func(message []byte) { host.Call("send", string(message)) },
		func() { host.Call("wake") },
	)
	host.Set("receive", js.FuncOf(func(_ js.Value, args []js.Value) any {
		m := incoming{json: []byte(args[0].String())}
		if len(args) > 1 && args[1].Truthy() {
			m.trace = make([]byte, args[1].Length())
			js.CopyBytesToGo(m.trace, args[1])
		}
		s.queue = append(s.queue, m)
		s.wake()
		return nil
	}))
	if host.Get("still").Bool() {
		sketch(s, host)
	} else if err := paint(s, host); err != nil {
		host.Call("failed", err.Error())
	}
}

// paint shows the stage on Ebitengine's canvas.
func paint(s *stage, host js.Value) error {
	painter, err := canvas.NewPainter()
	if err != nil {
		return err
	}
	s.painter = painter
	// The boot script sets the size in pixels; frames stop while nothing changes.
	ebiten.SetTPS(ebiten.SyncWithFPS)
	ebiten.SetScreenClearedEveryFrame(false)
	ebiten.SetRunnableOnUnfocused(true)
	host.Call("started")
	return ebiten.RunGameWithOptions(s, &ebiten.RunGameOptions{DisableHiDPI: true, InitUnfocused: true})
}

// sketch shows the stage as SVG if there is no WebGL 2. The page's frames drive it as
// they drive Ebitengine.
func sketch(s *stage, host js.Value) {
	var frame js.Func
	ask := func() { js.Global().Call("requestAnimationFrame", frame) }
	frame = js.FuncOf(func(js.Value, []js.Value) any {
		s.Update()
		if p := s.due(0, 0); p != nil {
			host.Call("draw", string(render.SVG(p)))
		}
		ask()
		return nil
	})
	ask()
	host.Call("started")
	select {}
}
