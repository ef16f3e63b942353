package export

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"cpsrl/core/bigraph"
	"cpsrl/core/concentration"
	"cpsrl/core/document"
	"cpsrl/core/experiment"
	"cpsrl/core/fmdp"
	"cpsrl/core/format"
	"cpsrl/core/param"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/search"
	"cpsrl/core/spec"
)

// The places of a methods text where its LaTeX has a citation.
const (
	citesPaper      = "(Mutti et al., ICLR 2024)"
	citesPlayground = "C-PSRL playground"
)

// Methods returns a paragraph for a paper that says how the results of an experiment were computed and
// what they assume: the problem, what agents are told, their priors, the runs, and what figures show. It
// is made of the complete spec. Every parameter has its words: two specs with other records have other
// texts, except for lists of more than mostNamed edges or variables. The receipt may be nil.
func Methods(e *experiment.Experiment, receipt *spec.Receipt) string {
	in, err := e.Instance(e.Spec().FirstRun)
	if err != nil {
		panic("export: " + err.Error()) // an experiment has the instance of its first run
	}
	m := &methods{e, e.Spec(), in}
	parts := []string{
		m.problem(), m.tables(), e.Assumes(), m.told(), m.prior(), m.named(), m.start(), m.limits(), m.law(), m.rewards(),
		m.agents(), m.planning(), m.runs(), m.regret(), m.depth(), m.program(receipt),
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}

// MethodsLaTeX is Methods for LaTeX, with citations of the entries of [BibTeX].
func MethodsLaTeX(e *experiment.Experiment, receipt *spec.Receipt) string {
	text := format.LaTeX(Methods(e, receipt))
	text = strings.ReplaceAll(text, " "+format.LaTeX(citesPaper), `~\cite{`+paperKey+`}`)
	return strings.Replace(text, citesPlayground, citesPlayground+`~\cite{`+keyOf(e)+`}`, 1)
}

// mostNamed is the length of the longest list of edges or variables in a methods text.
const mostNamed = 40

type methods struct {
	*experiment.Experiment
	spec *spec.Spec
	in   *experiment.Instance
}

// problem names the problem, its variables and its horizon.
func (m *methods) problem() string {
	name, _ := m.spec.Domain.Title()
	var facts []string
	for _, p := range m.spec.Domain.Params() {
		switch {
		case p.Document != nil:
			facts = append(facts, fmt.Sprintf("the model with SHA-256 %.6x…", sha256.Sum256([]byte(p.String()))))
		default:
			facts = append(facts, phrase(&p))
		}
	}
	v := m.in.View
	hidden := ""
	if n := m.in.World.Hidden; n > 0 {
		hidden = fmt.Sprintf(", %s that agents do not see", param.Count(n, "state variable"))
	}
	return fmt.Sprintf("The problem is %s (%s): a factored Markov decision process of %s%s and %s, all with finitely many values; what agents see makes %s and %s. An episode has at most %s. %s",
		strings.ReplaceAll(name, "_", " "), strings.Join(facts, ", "), variables(v.State, "state"), hidden, variables(v.Action, "action"),
		param.Count(v.States(), "state"), param.Count(v.Actions(), "action"), param.Count(v.Horizon, "step"), m.spec.Domain.Kind().Reward)
}

// variables lists variables with their numbers of values.
func variables(list []fmdp.Variable, sort string) string {
	n := param.Count(len(list), sort+" variable")
	if len(list) > mostNamed {
		return n
	}
	var names []string
	for _, v := range list {
		names = append(names, fmt.Sprintf("%s of %d", v.Name, v.Size))
	}
	return n + " (" + strings.Join(names, ", ") + ")"
}

// phrase returns the words for the value of a parameter.
func phrase(p *param.Param) string {
	value := p.String()
	for _, w := range p.Words {
		if w.Value == value {
			value = w.Label
		}
	}
	switch {
	case p.Symbol == "α" || p.Symbol == "α⋆":
		value = strings.Replace(p.Phrase, "Dirichlet(_)", alphaWords(p.String()), 1)
		return value
	case p.Name == "tables":
		return strings.Replace(p.Phrase, "tables _", "tables with "+value, 1)
	}
	return strings.Replace(p.Phrase, "_", value, 1)
}

// alphaWords says what the rows of tables are drawn from, for the text of a concentration.
func alphaWords(text string) string {
	kind, rest, _ := strings.Cut(text, ":")
	list := func(last string) string { return listed(strings.Split(rest, ":"), last) }
	switch kind {
	case "ess":
		return "drawn from Dirichlet(α, …, α) with α summing to " + rest + " over a table (BDeu)"
	case "learn":
		return "drawn from Dirichlet(α, …, α) with one α for each table, which is learned: " + list("or")
	case "mix":
		return "drawn from Dirichlet(α, …, α) with an α for each row, which is learned: " + list("or")
	}
	return "drawn from Dirichlet(α, …, α) with α = " + text
}

// listed joins words as a list: "a, b or c".
func listed(words []string, last string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " " + last + " " + words[n-1]
	}
	return strings.Join(words, "")
}

// tables says which runs have the same true model.
func (m *methods) tables() string {
	switch {
	case m.SharesTruth():
		return "All runs have the same true model."
	case m.spec.Domain.Kind().PerRun:
		return "Each run draws a true graph and a true model of its own."
	}
	return "All runs have the same true graph, and each draws the tables of its own true model."
}

// told says what agents know of the problem besides the graph, and what they do not.
func (m *methods) told() string {
	var parts, known, hidden []string
	v := m.in.View
	for j := range v.Transition {
		if v.Transition[j].Known {
			known = append(known, v.State[j].Name)
		}
	}
	for _, r := range v.Reward {
		if r.Hidden {
			hidden = append(hidden, r.Name)
		}
	}
	if known != nil {
		parts = append(parts, "Agents are told the law of "+listed(known, "and")+".")
	}
	if hidden != nil {
		parts = append(parts, "They are not told on which variables these payoffs depend: "+strings.Join(hidden, ", ")+".")
	}
	if ends := m.Ends(); ends != nil {
		parts = append(parts, "An episode may end early, by "+listed(ends, "or")+".")
	}
	switch {
	case v.Legal.ByState():
		parts = append(parts, "Which joint actions are legal depends on the state, and agents know it.")
	case v.Legal != nil:
		parts = append(parts, "Only some joint actions are legal, and agents know which.")
	}
	return strings.Join(parts, " ")
}

// prior says what the spec's prior knows.
func (m *methods) prior() string {
	if !m.Told() {
		return "No agent is told the prior graph G₀ of the experiment."
	}
	return "The prior graph G₀ " + m.priorWords(m.spec.Prior, m.in.Prior) + "."
}

// priorWords says what a prior of a spec knows, after its name. Made is the prior of the first run.
func (m *methods) priorWords(p *spec.Prior, made *bigraph.Prior) string {
	if p == nil {
		p = new(spec.Prior)
	}
	anew := m.spec.Domain.Kind().PerRun
	switch {
	case p.Edges != nil:
		return "is stated by us: " + edgeWords(p.Edges)
	case p.Eta == nil && p.False == 0 && !anew:
		return "is our suggestion for the problem, the same in all runs: " + edgeWords(document.PriorEdges(made, &m.in.View.Space))
	}
	text := fmt.Sprintf("holds the edges that we suggest for the problem (in the first run η = %d)", made.Degree())
	if p.Eta != nil {
		text = fmt.Sprintf("reveals %s of each variable (η = %d), or all if there are fewer", param.Count(*p.Eta, "true parent"), *p.Eta)
	}
	if anew {
		text += ", those of the true graph of each run"
	}
	if p.False > 0 {
		text += fmt.Sprintf(", and besides %s of each variable, drawn anew in each run", param.Count(p.False, "false parent"))
	}
	if p.Trust != nil {
		return text + "; edges so stated have probability " + document.FormatP(*p.Trust) + " and are not certain"
	}
	return text + "; edges so stated are certain unless the problem's suggestion gives them a probability"
}

// edgeWords says of edges which are certain, likely and forbidden.
func edgeWords(edges []document.Edge) string {
	var certain, likely, forbidden []string
	for _, e := range edges {
		from := e.From
		if from == document.Others {
			from = "any other variable"
		}
		words := from + " → " + e.To
		switch e.P {
		case 1:
			certain = append(certain, words)
		case 0:
			forbidden = append(forbidden, words)
		default:
			likely = append(likely, words+" with probability "+document.FormatP(e.P))
		}
	}
	some := func(list []string, what string) string {
		switch n := len(list); {
		case n == 0:
			return "no edge is " + what
		case n > mostNamed:
			return param.Count(n, "edge") + " are " + what
		}
		return what + ": " + strings.Join(list, ", ")
	}
	parts := []string{some(certain, "certain to exist")}
	if likely != nil {
		parts = append(parts, some(likely, "stated as likely or unlikely"))
	}
	if forbidden != nil {
		parts = append(parts, some(forbidden, "certain not to exist"))
	}
	return strings.Join(append(parts, "of all other edges nothing is known"), "; ")
}

// named says what the named priors know.
func (m *methods) named() string {
	var parts []string
	for _, p := range m.spec.Priors {
		parts = append(parts, fmt.Sprintf("The prior “%s” %s.", p.Name, m.priorWords(p.Prior, m.in.Task().Named(p.Name, -1))))
	}
	return strings.Join(parts, " ")
}

// start says what agents have seen before the first episode.
func (m *methods) start() string {
	data := m.spec.Data()
	if data == nil {
		return ""
	}
	paid, told := 0, "without what they paid"
	for _, t := range data.Steps() {
		if t.Paid != nil {
			paid++
		}
	}
	if paid > 0 {
		told = fmt.Sprintf("with what %d of them paid", paid)
	}
	return fmt.Sprintf("Before the first episode, every agent that learns has observed %s, %s, in a file whose canonical form has the SHA-256 %s.", param.Count(len(data.Steps()), "given transition"), told, data.Name())
}

// limits says how many parents a variable may have.
func (m *methods) limits() string {
	if !m.factored() {
		return ""
	}
	most := "at most Z"
	if m.spec.BoundOf() == bigraph.Below {
		most = "fewer than Z"
	}
	z := m.spec.Z()
	text := fmt.Sprintf("A variable has %s = %d parents", most, z.Z)
	for _, own := range z.Own {
		text += fmt.Sprintf(", %s %s %d", own.Of, strings.TrimSuffix(most, " Z"), own.Z)
	}
	return text + " in any graph that an agent considers, and graphs that agree with its prior are equally likely before the first episode, up to the stated probabilities of edges."
}

// factored reports whether an agent learns a table for each variable.
func (m *methods) factored() bool {
	for _, a := range m.Arms() {
		if a.Believes {
			return true
		}
	}
	return false
}

// row returns the text of a row of the spec.
func (m *methods) row(name string) string {
	for _, p := range m.spec.Params() {
		if p.Name == name {
			return p.String()
		}
	}
	panic("export: no row " + name)
}

// law says what agents with factors believe of their tables.
func (m *methods) law() string {
	if !m.factored() {
		return ""
	}
	tied := map[string]string{
		concentration.Rows.String():  "its rows are independent",
		concentration.Tied.String():  "rows may be tied along one parent, which then matters only in some contexts",
		concentration.Trees.String(): "rows may be equal as in a decision tree on the parents, each of which then matters only in some contexts; they sum over all trees",
	}[m.row("tables")]
	update := "Bayes’ rule, exactly"
	if m.row("update") != "exact" {
		update = "the rule that the paper prints as its equation (4), which adds 1 to the count of the next value and to the sum of its row"
	}
	return fmt.Sprintf("Agents with factors believe that the variables of the next state are independent given the state and the action, so that no hidden cause moves two of them at once. "+
		"They believe that the law of a variable is a table with rows %s, and that %s. Graphs are weighed by %s.", alphaWords(m.row("dirichlet")), tied, update)
}

// rewards says what agents know of the rewards.
func (m *methods) rewards() string {
	if m.row("rewards") != "known" {
		return "Agents learn the rewards from what is paid."
	}
	text := "Agents know the rewards."
	if m.Leaks() {
		text += " As these depend on the true parents, they tell about the graph."
	}
	return text
}

// agents lists the agents with their parameters and what they know.
func (m *methods) agents() string {
	var list []string
	for _, a := range m.Arms() {
		name := a.Name()
		var more []string
		standard := a.New().Params()
		for k, p := range a.Params() {
			if words := phrase(&p); p.String() != standard[k].String() && !strings.Contains(name, words) {
				more = append(more, words)
			}
		}
		if more != nil {
			name += " [" + strings.Join(more, ", ") + "]"
		}
		if needs := a.Needs(); a.Label() == a.Key {
			name += ", which " + listed(strings.Split(a.Gloss, ", "), "and")
		} else if len(needs) > 0 {
			var told []string
			for _, need := range needs {
				told = append(told, need.String())
			}
			name += ", which is told " + listed(told, "and")
		}
		list = append(list, name)
	}
	return "We compared " + strings.Join(list, "; ") + "; PSRL, F-PSRL and C-PSRL are those of Exploiting Causal Graph Priors with Posterior Sampling for Reinforcement Learning " + citesPaper + "."
}

// planning says how agents plan.
func (m *methods) planning() string {
	text := fmt.Sprintf("Before each episode an agent that learns draws or estimates a model from its belief and plans in it by %s over the %s of the horizon; it updates its belief after the episode.",
		m.spec.Planner.Words(), param.Count(m.in.View.Horizon, "step"))
	for _, a := range m.Arms() {
		if own := a.PlannerOr(search.Choice{}); own.Given() {
			text += fmt.Sprintf(" %s plans by %s.", a.Name(), own.Words())
		}
	}
	return text
}

// runs says how much was computed, from which random numbers.
func (m *methods) runs() string {
	s := m.spec
	which := fmt.Sprintf("There were %d independent runs (numbers %d to %d) of %s each", s.Runs, s.FirstRun, s.FirstRun+s.Runs-1, param.Count(s.Episodes, "episode"))
	if s.Runs == 1 {
		which = fmt.Sprintf("There was 1 run (number %d) of %s", s.FirstRun, param.Count(s.Episodes, "episode"))
	}
	luck := "each with random numbers of its own"
	if m.SharesLuck() {
		luck = "and in episodes of one number the same random numbers of the world"
	}
	return fmt.Sprintf("%s, from the seed %d; in a run all agents met the same true model, %s.", which, s.Seed, luck)
}

// regret says what figures show.
func (m *methods) regret() string {
	text := "The regret of an episode is V*(π*) − V*(π) of the policy π that was played, both exact by dynamic programming in the true model; curves sum it over episodes"
	if why := m.Unvalued(); why != "" {
		text = "Regret was " + why + ". Curves are the returns of episodes"
	}
	if m.spec.Runs == 1 {
		return text + "."
	}
	return text + fmt.Sprintf(" and are means over n = %d runs, with 95%% confidence intervals %s.", m.spec.Runs, interval)
}

// depth says that records hold more.
func (m *methods) depth() string {
	if !m.spec.RecordsDepth() {
		return ""
	}
	of, _ := results.LookupMeasure("depth")
	return "It was also recorded how deep agents are trapped. " + of.Definition
}

// program names the program and its engine, and says how to compute the same.
func (m *methods) program(receipt *spec.Receipt) string {
	if receipt == nil {
		return fmt.Sprintf("All of it was computed with the %s, engine version %d, in which the same settings and seed give the same records, bit for bit.", citesPlayground, record.Engine)
	}
	return fmt.Sprintf("All of it was computed with the %s, engine version %d, in which the same settings and seed give the same records, bit for bit; the SHA-256 of the records is %s.",
		citesPlayground, receipt.Engine, receipt.Fingerprint)
}
