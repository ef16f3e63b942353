package format

// ReadText reads the text form alone.
var ReadText = readText
