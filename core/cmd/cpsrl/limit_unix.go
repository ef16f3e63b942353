//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// ignoreLimit makes writing beyond the limit of a file's size an error of the write, instead of the end of the program.
func ignoreLimit() { signal.Ignore(syscall.SIGXFSZ) }
