package fmdp

// MaxTabular is the largest S²A of a problem that PSRL accepts in a browser, where each
// worker keeps its own table.
const MaxTabular = MaxJoint
