//go:build !js

package posterior

// MaxCells is the largest number of counts, of 4 bytes each, that an agent's beliefs
// hold. In a browser the limit is lower.
const MaxCells = 1 << 26
