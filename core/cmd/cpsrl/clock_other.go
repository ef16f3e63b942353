//go:build !linux

package main

import (
	"time"

	"cpsrl/core/results"
)

const clockName = results.WallTime

// workerClock shows the time that goes by: Go's library knows no clock of a thread here.
type workerClock struct{}

var began = time.Now()

func (workerClock) Begin()       {}
func (workerClock) End()         {}
func (workerClock) Now() float64 { return time.Since(began).Seconds() }
