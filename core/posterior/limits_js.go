package posterior

// MaxCells is the largest number of counts that an agent's beliefs hold in a browser,
// where each worker has its own beliefs.
const MaxCells = 1 << 24
