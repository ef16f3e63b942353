//go:build !js

package posterior

// MaxCells is the largest number of counts, of 4 bytes each, that an agent's beliefs
// hold. In a browser the limit is lower.
const MaxCells = 1 << 26

// MaxTables is the largest number of counts for which an agent's beliefs have tables. It is the same everywhere, since beliefs
// without tables round otherwise.
const MaxTables = 1 << 24
