package posterior

// MaxCells is the largest number of counts that an agent's beliefs hold in a browser,
// where each worker has its own beliefs.
const MaxCells = 1 << 24

// MaxTables is the largest number of counts for which an agent's beliefs have tables, as elsewhere.
const MaxTables = 1 << 24
