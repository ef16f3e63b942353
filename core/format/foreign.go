package format

import (
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
)

// foreign is what people write graphs in and what is not read. One sentence names it, in place of an error
// for each line.
var foreign = Language{
	Match: func(text string) bool {
		what, _ := strangerOf(text)
		return what != ""
	},
	Read: func(text string, space *fmdp.Space) ([]document.Edge, []Error, string) {
		what, instead := strangerOf(text)
		line := 1
		for before := range strings.Lines(text) {
			if strings.TrimSpace(before) == headerOf(text) {
				break
			}
			line++
		}
		return unread(line, "this is %s, which is not read as a prior; %s", what, instead)
	},
}

const languagesRead = "DOT, DAGitty, BIF, tables and lines such as row -> col are"

// strangers are the words with which a text begins, and what it then is. A space stands for any white space.
var strangers = [][2]string{
	{"%%{", "Mermaid"}, {"graph TD", "Mermaid"}, {"graph TB", "Mermaid"}, {"graph BT", "Mermaid"}, {"graph LR", "Mermaid"}, {"graph RL", "Mermaid"},
	{"flowchart ", "Mermaid"}, {"graph [", "GML"}, {"graph[", "GML"}, {"Creator \"", "GML"}, {"@startuml", "PlantUML"},
	{"Graph Nodes:", "the text of Tetrad or causal-learn"}, {"<", "XML"}, {"{", "JSON"}, {"[(", python}, {"[[", python}, {"[\"", python}, {"['", python}, {"(", python},
	{"[", "a model string of bnlearn"}, {"\\", "LaTeX"}, {"%", "LaTeX"},
}

const python = "Python or JSON"

// strangerOf returns what a text is written in, by its beginning, if that is known and not read, and what
// to do instead. Otherwise it returns "".
func strangerOf(text string) (what, instead string) {
	first := headerOf(text)
	words := strings.Join(strings.Fields(first), " ")
	for _, s := range strangers {
		if strings.HasPrefix(words, s[0]) {
			what = s[1]
			break
		}
	}
	switch {
	case strings.Contains(first, "dagitty(") || strings.Contains(first, "model2network("):
		return "a call in R", "paste the graph that stands between its quotes"
	case what == "JSON":
		return what, "a document in the format cpsrl/prior goes where files are opened; of other graphs, " + languagesRead
	case words == "graph":
		what = "GML"
	case strings.Contains(first, "DAG([") || strings.Contains(first, "Graph([") || strings.Contains(first, "BayesianNetwork(["):
		what = python
	case what == "" && strings.Contains(unquoted(first), "~") && !strings.ContainsAny(first, separators):
		what = "a formula of R or lavaan"
	}
	return what, languagesRead
}

// unfenced returns a text without the fence of Markdown around it, in the same lines.
func unfenced(text string) string {
	body, fence := strings.CutPrefix(strings.TrimLeft(text, " \t\r\n"), "```")
	if !fence {
		return text
	}
	_, rest, _ := strings.Cut(body, "\n")
	before := strings.Count(text[:len(text)-len(rest)], "\n")
	if end := strings.Index("\n"+rest, "\n```"); end >= 0 {
		rest = rest[:max(0, end)]
	}
	return strings.Repeat("\n", before) + rest
}
