//go:build !js

package fmdp

// MaxTabular is the largest S²A of a problem that PSRL plays: it keeps a count of 4
// bytes and a probability of 8 for each entry. The programs for a browser keep fewer.
const MaxTabular = 1 << 25
