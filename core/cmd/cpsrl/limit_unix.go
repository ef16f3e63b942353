//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// ignoreLimit makes writing beyond the limit of a file's size an error of the write, instead of the end of the program.
func ignoreLimit() { signal.Ignore(syscall.SIGXFSZ) }

// umask returns the permissions that new files do not get.
func umask() os.FileMode {
	mask := syscall.Umask(0o077)
	syscall.Umask(mask)
	return os.FileMode(mask)
}
