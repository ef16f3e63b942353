package engine

// lend adds nothing: in a browser, agents are a program of their own, because most pages need none.
func lend(endpoints) {}
