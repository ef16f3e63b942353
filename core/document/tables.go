package document

import "slices"

// tables are the words for tables whose rows are independent, and for tables that may repeat their
// rows along one parent.
var tables = []string{"rows", "tied"}

// Tables returns the words for the tables of factors, the default first.
func Tables() []string { return slices.Clone(tables) }

// TablesOf returns the word for tables that may be tied, or for those that may not.
func TablesOf(tied bool) string {
	if tied {
		return tables[1]
	}
	return tables[0]
}

// TiedOf reports whether the word is that of tables that may be tied, and whether it is known.
func TiedOf(word string) (tied, known bool) {
	return word == tables[1], slices.Contains(tables, word)
}
