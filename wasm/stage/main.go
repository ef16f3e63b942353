//go:build js

// Command stage shows the moments of an episode on a page of its own. The boot
// script of that page, site/src/stage.ts, hands it messages and takes its
// answers; both are JSON. The state is the parent page's: a stage that starts
// anew says it is ready and is told again.
package main

import (
	"syscall/js"

	"github.com/hajimehoshi/ebiten/v2"

	"cpsrl/render/canvas"
)

func main() {
	host := js.Global().Get("cpsrlStage")
	painter, err := canvas.NewPainter()
	if err != nil {
		panic(err)
	}
	s := newStage(
		painter,
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
	// The page counts its pixels itself, and sleeps while nothing changes.
	ebiten.SetTPS(ebiten.SyncWithFPS)
	ebiten.SetScreenClearedEveryFrame(false)
	ebiten.SetRunnableOnUnfocused(true)
	host.Call("started")
	if err := ebiten.RunGameWithOptions(s, &ebiten.RunGameOptions{DisableHiDPI: true, InitUnfocused: true}); err != nil {
		host.Call("failed", err.Error())
	}
}
