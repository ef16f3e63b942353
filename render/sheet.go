package render

// Sheet is a picture as plain data, for a program that writes pictures and draws none.
// Its JSON keeps every number bit for bit; package print reads it. The form has no version,
// because the programs that write and read it are built together.
type Sheet struct {
	Width, Height float64
	Theme         Theme
	Title, Text   string
	Marks         []Mark // each as the object that it is
}

// NewSheet returns the picture as a sheet.
func NewSheet(p *Picture) Sheet { return Sheet{p.Width, p.Height, p.Theme, p.Title, p.Text, p.Marks} }
