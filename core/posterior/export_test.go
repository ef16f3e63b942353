package posterior

// WeighWithin is Weigh with groups of at most that many counts.
var WeighWithin = weigh

// Fitting returns how many of the first sets Weigh takes in a group.
var Fitting = fitting
