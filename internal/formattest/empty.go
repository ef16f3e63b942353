package formattest

import (
	"bytes"
	"iter"

	"github.com/go-json-experiment/json/jsontext"
)

// Emptied yields a valid JSON document once for each list, object and string in it that is not empty, with that one
// empty, and its place. The whole document is the last one.
func Emptied(document []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		dec := jsontext.NewDecoder(bytes.NewReader(document))
		var begins []int // of the lists and objects around
		for {
			kind := dec.PeekKind()
			of, length := dec.StackIndex(dec.StackDepth())
			named := of == '{' && length%2 == 0 // a name comes next
			token, err := dec.ReadToken()
			if err != nil {
				return
			}
			end := int(dec.InputOffset())
			begin, empty := 0, ""
			switch kind {
			case '{', '[':
				begins = append(begins, end-1)
				continue
			case '}', ']':
				begin, begins = begins[len(begins)-1], begins[:len(begins)-1]
				empty = map[jsontext.Kind]string{'}': "{}", ']': "[]"}[kind]
			case '"':
				if named || token.String() == "" {
					continue
				}
				begin = end - 1
				for begin--; document[begin] != '"' || escaped(document[:begin]); begin-- {
				}
				empty = `""`
			default:
				continue
			}
			if len(bytes.TrimSpace(document[begin+1:end-1])) == 0 {
				continue
			}
			if !yield(string(dec.StackPointer()), bytes.Join([][]byte{document[:begin], document[end:]}, []byte(empty))) {
				return
			}
		}
	}
}

// escaped reports whether the character after the text is escaped by an odd number of backslashes.
func escaped(text []byte) bool {
	return (len(text)-len(bytes.TrimRight(text, `\`)))%2 == 1
}
