package document

// The moves of the taxi of a [Grid]: the values of its action, in their order.
const (
	South = iota
	North
	East
	West
	PickUp
	DropOff
	Moves // their number
)
