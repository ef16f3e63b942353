package render

// Sheet is what a program needs of a picture that writes it and draws none, as plain data.
// JSON of it keeps every number, bit for bit: package print reads it. Its form is that of
// the build, for who reads it was built with who writes it.
type Sheet struct {
	Width, Height float64
	Theme         Theme
	Title, Text   string
	Marks         []Mark // each as the object that it is
}

// NewSheet returns the picture as a sheet.
func NewSheet(p *Picture) Sheet { return Sheet{p.Width, p.Height, p.Theme, p.Title, p.Text, p.Marks} }
