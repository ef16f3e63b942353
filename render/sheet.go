package render

// Sheet is a picture as JSON, for a program that writes pictures in other formats. The JSON
// keeps every number bit for bit; package print reads it. The form has no version, because
// the programs that write and read it are built together.
type Sheet struct {
	Width, Height float64
	Theme         Theme
	Title, Text   string
	Marks         []Mark
}

// NewSheet returns the picture as a sheet.
func NewSheet(p *Picture) Sheet { return Sheet{p.Width, p.Height, p.Theme, p.Title, p.Text, p.Marks} }
