//go:build !unix

package main

func ignoreLimit() {}
