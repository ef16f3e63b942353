//go:build !js

package posterior

// MaxCells is the largest number of counts that an agent's beliefs hold. A count has 4
// bytes. The programs for a browser hold fewer.
const MaxCells = 1 << 26
