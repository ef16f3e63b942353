//go:build js

// Command print writes one picture as PDF and ends. The boot script of its worker,
// site/src/print.ts, passes it the picture and the fonts, and takes the document.
package main

import (
	"syscall/js"

	"cpsrl/render/print"
)

func main() {
	host := js.Global().Get("cpsrlPrint")
	document, err := print.Sheet(bytesOf(host, "sheet"), bytesOf(host, "regular"), bytesOf(host, "bold"))
	if err != nil {
		host.Call("failed", err.Error())
		return
	}
	array := js.Global().Get("Uint8Array").New(len(document))
	js.CopyBytesToJS(array, document)
	host.Call("done", array)
}

// bytesOf returns a Uint8Array of the host.
func bytesOf(host js.Value, name string) []byte {
	array := host.Get(name)
	data := make([]byte, array.Length())
	js.CopyBytesToGo(data, array)
	return data
}
