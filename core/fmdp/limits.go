//go:build !js

package fmdp

// MaxTabular is the largest S²A of a problem that PSRL accepts. PSRL keeps 12 bytes for
// each entry: a count of 4 and a probability of 8. It is also the largest number of counts
// of PSRL's learned rewards. In a browser the limit is lower.
const MaxTabular = 1 << 25
