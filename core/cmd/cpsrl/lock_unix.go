//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package main

import (
	"errors"
	"os"
	"syscall"
)

// renamesOpen says that a file may be renamed while it is open.
const renamesOpen = true

// tryLock locks a file until it is closed or the program ends, in whatever way. Held says that another program has locked
// it; any other error says that the file system has no locks.
func tryLock(f *os.File) (held bool, err error) {
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	return errors.Is(err, syscall.EWOULDBLOCK), err
}
