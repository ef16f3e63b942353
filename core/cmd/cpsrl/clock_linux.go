package main

import (
	"runtime"
	"syscall"
	"unsafe"

	"cpsrl/core/results"
)

const clockName = results.ProcessorTime

// workerClock shows what the processor has worked for the thread of a worker, to which a job is tied.
type workerClock struct{}

func (workerClock) Begin() { runtime.LockOSThread() }
func (workerClock) End()   { runtime.UnlockOSThread() }

func (workerClock) Now() float64 {
	const ofThread = 3 // CLOCK_THREAD_CPUTIME_ID
	var worked syscall.Timespec
	if _, _, err := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, ofThread, uintptr(unsafe.Pointer(&worked)), 0); err != 0 {
		panic("cpsrl: the processor's clock: " + err.Error())
	}
	return float64(worked.Sec) + float64(worked.Nsec)/1e9
}
