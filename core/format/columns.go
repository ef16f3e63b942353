package format

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"unicode"

	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// logColumn is a column of a table of transitions.
type logColumn struct {
	Column
	at   cell // the header's
	told bool // whether the options say what it is
	of   int  // the variable: i of X, or d_X + j for the next value of Y_j; −1 for none
	next int  // the column that holds its next value, or −1
	base int  // the column whose next value it holds, or −1

	ids     map[string]int32
	texts   []cell // the different texts, each where it stands first
	missing []bool // of these texts
	how     notation
	number  []float64 // the texts as numbers
	is      []bool    // whether they are
	words   []string  // the texts as values: "2" for 2.0
	values  []int     // the texts as values of the variable
}

// plainName returns a name in small letters, without what is neither a letter nor a digit.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// calling says what the name of a column says.
type calling int

const (
	unnamed  calling = iota // nothing
	surely                  // it is called so
	possibly                // it may be called so, and may be a variable
	growing                 // it may be called so if it grows within each episode
	together                // it may be called so if equal cells stand together
)

// calledFor returns what a column is taken for because of its name.
func calledFor(name string) (role string, sure calling) {
	n := plainName(name)
	for _, now := range []string{"_t", "[t]", "(t)"} { // A_t and R_t beside S_t
		if base, is := strings.CutSuffix(strings.ToLower(name), now); is && plainName(base) != "" {
			n = plainName(base)
		}
	}
	switch n {
	case "reward", "rewards", "rew", "r", "payoff", "payoffs", "paid", "return", "returns", "cumulativereward", "totalreward":
		return AsReward, surely
	case "done", "dones", "terminated", "truncated", "terminal", "terminals", "timeout", "timeouts", "isdone", "isterminal", "islast", "ended", "endofepisode", "episodeend":
		return AsEnd, surely
	case "act", "acts":
		return AsAction, surely
	case "a", "u":
		return AsAction, possibly
	case "t", "step", "steps", "timestep", "timesteps", "stepid", "stepindex", "stepidx", "timeindex", "timeidx":
		return AsStep, surely
	case "time", "timestamp", "timestamps", "datetime", "date", "tick", "ts":
		return AsStep, possibly
	case "second", "seconds", "minute", "minutes", "hour", "hours", "day", "days", "week", "weeks", "month", "months", "year", "years", "visit", "cycle", "period", "round", "turn", "frame":
		return AsStep, growing
	}
	switch {
	case strings.HasPrefix(n, "action"):
		return AsAction, surely
	case strings.HasPrefix(n, "reward"):
		return AsReward, surely
	}
	for _, suffix := range []string{"id", "ids", "no", "nr", "num", "number", "idx", "index"} {
		if cut := strings.TrimSuffix(n, suffix); cut != n {
			n = cut
			break
		}
	}
	if strings.HasSuffix(n, "step") || strings.HasSuffix(n, "steps") {
		return AsStep, growing
	}
	switch n {
	case "episode", "episodes", "ep", "trajectory", "traj", "trial", "rollout":
		return AsEpisode, surely
	case "run", "session", "subject", "patient", "sequence", "seed":
		return AsEpisode, possibly
	case "":
		if strings.HasPrefix(plainName(name), "id") {
			return AsEpisode, possibly
		}
	}
	if lower := strings.ToLower(name); strings.HasSuffix(lower, "_id") || strings.HasSuffix(lower, " id") || strings.HasSuffix(lower, ".id") {
		return AsEpisode, together
	}
	return "", unnamed
}

// counting holds names of columns that count rows.
var counting = []string{"index", "id", "row", "rowid", "rowindex", "rownumber", "rowname", "rownames", "nr", "level0"}

// nextForms are how the name of a next value is made of that of its variable, further than by what package
// format writes.
var nextForms = []struct{ before, after string }{
	{"next_", ""}, {"next ", ""}, {"next.", ""}, {"next-", ""}, {"next", ""},
	{"", " next"}, {"", ".next"}, {"", "-next"}, {"", "_prime"}, {"", "_t+1"}, {"", "(t+1)"}, {"", "[t+1]"}, {"", "_"},
}

// basesOf returns the names that a variable may have if a column of that name holds its next value.
func basesOf(name string) (bases []string) {
	for _, suffix := range nexts {
		if base, is := strings.CutSuffix(name, suffix); is && base != "" {
			bases = append(bases, base)
		}
	}
	lower := strings.ToLower(name)
	if lower == "sp" {
		bases = append(bases, name[:1])
	}
	for _, form := range nextForms {
		if len(lower) != len(name) || len(name) <= len(form.before)+len(form.after) || !strings.HasPrefix(lower, form.before) || !strings.HasSuffix(lower, form.after) {
			continue
		}
		base := strings.TrimSpace(name[len(form.before) : len(name)-len(form.after)])
		if form.before == "next" && base[:1] == strings.ToLower(base[:1]) {
			continue // nextState, but not nextra
		}
		if bases = append(bases, base); strings.Contains(form.after, "t+1") {
			bases = append(bases, base+strings.Replace(form.after, "t+1", "t", 1))
		}
	}
	return bases
}

// byName finds columns, or variables, by their names: exactly, or else in another case, if only one is so.
type byName struct{ exact, folded map[string]int }

func newByName(n int, name func(int) string) byName {
	b := byName{map[string]int{}, map[string]int{}}
	for k := range n {
		b.exact[name(k)] = k
		folded := strings.ToLower(name(k))
		if _, has := b.folded[folded]; has {
			b.folded[folded] = -1
		} else {
			b.folded[folded] = k
		}
	}
	return b
}

// at returns the index of a name, or −1.
func (b byName) at(name string) int {
	if k, has := b.exact[name]; has {
		return k
	}
	if k, has := b.folded[strings.ToLower(name)]; has {
		return k
	}
	return -1
}

// take says what a column is taken for, and why it is left out.
func (c *logColumn) take(role, why string) {
	c.Role, c.Why = role, why
	if role != AsNext {
		c.Of = ""
	}
}

// all returns the columns of a role.
func (r *logReader) all(role string) (list []int) {
	for k := range r.columns {
		if r.columns[k].Role == role {
			list = append(list, k)
		}
	}
	return list
}

// told takes the columns for what the options say.
func (r *logReader) told(columns byName) error {
	say := func(name, role string) error {
		if !slices.Contains(Roles(), role) {
			return wholly("the column %q is taken for %q; it must be %s", param.Clip(name), param.Clip(role), param.OneOf(Roles()))
		}
		k, has := columns.exact[name]
		if !has {
			as := map[string]string{AsNothing: "leave out", AsAction: "be an action", AsState: "be a state", AsNext: "be a next value"}[role]
			return wholly("there is no column %q to %s", param.Clip(name), cmp.Or(as, "be the "+role))
		}
		c := &r.columns[k]
		if c.told && c.Role != role {
			return wholly("the column %q is said to be %q and %q", param.Clip(name), c.Role, role)
		}
		if k := slices.IndexFunc(r.columns, func(c logColumn) bool { return c.told && c.Role == AsStep }); role == AsStep && k >= 0 {
			return wholly("the columns %q and %q are both said to be the step", param.Clip(r.columns[k].Name), param.Clip(name))
		}
		c.told = true
		c.take(role, "")
		return nil
	}
	for _, name := range r.Actions {
		if err := say(name, AsAction); err != nil {
			return err
		}
	}
	names := make([]string, 0, len(r.Roles))
	for name := range r.Roles {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := say(name, r.Roles[name]); err != nil {
			return err
		}
	}
	return nil
}

// name says what each column is taken for because of its name, and which form the table has.
func (r *logReader) name() error {
	n := len(r.columns)
	columns := newByName(n, func(k int) string { return r.columns[k].Name })
	if err := r.told(columns); err != nil {
		return err
	}
	if r.Space != nil {
		return r.nameKnown()
	}
	for k := range r.columns {
		for _, base := range basesOf(r.columns[k].Name) {
			at := columns.at(base)
			if at < 0 || at == k || r.columns[at].next >= 0 || r.columns[k].told && r.columns[k].Role != AsNext {
				continue
			}
			r.columns[at].next, r.columns[k].base = k, at
			break
		}
	}
	var maybe []int // episodes and steps
	for k := range r.columns {
		c := &r.columns[k]
		role, sure := calledFor(c.Name)
		paired := c.next >= 0 || c.base >= 0
		switch {
		case c.told && c.Role == AsNext && c.base < 0:
			return c.at.fault("%q is called the next value of no column; the next value of x is called x'", param.Clip(c.Name))
		case c.told:
		case c.Name == "" || strings.HasPrefix(strings.ToLower(c.Name), "unnamed:"):
			c.take(AsNothing, "has no name")
		case c.base >= 0:
			c.Role, c.Of = AsNext, r.columns[c.base].Name
		case role == AsReward || role == AsEnd:
			c.take(role, "")
		case role == AsAction && r.Actions == nil && sure == surely:
			c.take(role, "")
		case (role == AsEpisode || role == AsStep) && !paired:
			maybe = append(maybe, k)
			fallthrough
		default:
			c.take(AsState, "")
		}
	}
	r.counters(maybe)
	for k := range r.columns { // what is no state has no next value
		c := &r.columns[k]
		if c.Role != AsNext {
			continue
		}
		if base := &r.columns[c.base]; base.Role != AsState {
			c.take(AsNothing, "the next value of "+quotedName(base.Name)+", which is no state")
			c.base, base.next = -1, -1
		}
	}
	return r.form()
}

// quotedName returns a name in quotes, for messages.
func quotedName(name string) string { return "“" + printable(param.Clip(name)) + "”" }

// counters takes those of these columns for episodes and steps that are likely to tell them.
func (r *logReader) counters(maybe []int) {
	called := func(role string, sure calling) (list []int) {
		for _, k := range maybe {
			if is, how := calledFor(r.columns[k].Name); is == role && how == sure {
				list = append(list, k)
			}
		}
		return list
	}
	for _, k := range called(AsEpisode, surely) {
		r.columns[k].take(AsEpisode, "")
	}
	r.segment()
	r.choose(slices.Concat(called(AsStep, surely), slices.DeleteFunc(called(AsStep, possibly), func(k int) bool { return !r.times(k) })))
	r.segment()
	told := len(r.all(AsEpisode)) > 0
	for _, k := range slices.Concat(called(AsEpisode, possibly), called(AsEpisode, together)) {
		_, how := calledFor(r.columns[k].Name)
		name := plainName(r.columns[k].Name)
		id, person := strings.HasSuffix(name, "id"), name == "subject" || name == "patient"
		switch {
		case len(r.columns[k].texts) == len(r.rows), told && r.varies(k), !told && r.step < 0 && !id && !person:
		case !told && (!id || how == together) && !r.together(k):
		default:
			r.columns[k].take(AsEpisode, "")
		}
	}
	r.segment()
	if r.step < 0 {
		r.choose(slices.DeleteFunc(called(AsStep, growing), func(k int) bool { return !r.climbs(k) }))
		r.segment()
	}
}

// choose takes one of these columns for the steps, and leaves the others out that could be it.
func (r *logReader) choose(list []int) {
	r.step = -1
	if told := r.all(AsStep); len(told) > 0 {
		r.step = told[0]
	}
	for _, grows := range []bool{true, false} {
		for _, k := range list {
			if r.step < 0 && (!grows || r.grows(k)) {
				r.step = k
			}
		}
	}
	for _, k := range list {
		c := &r.columns[k]
		_, sure := calledFor(c.Name)
		switch {
		case k == r.step:
			c.take(AsStep, "")
		case sure == possibly || r.grows(k):
			c.take(AsNothing, "the steps are in "+quotedName(r.columns[r.step].Name))
		}
	}
}

// time returns a cell of a column as a number, or as the seconds of a date, of a time of the day or of a span.
func (r *logReader) time(row, k int) (float64, bool) {
	c := &r.columns[k]
	id := r.rows[row][k]
	if c.is[id] {
		return c.number[id], true
	}
	if seconds, is := dateOf(c.texts[id].text); is {
		return seconds, true
	}
	return clockOf(c.texts[id].text)
}

// times reports whether all cells of a column that are not empty are times.
func (r *logReader) times(k int) bool {
	some := false
	for n, row := range r.rows {
		_, is := r.time(n, k)
		if text := r.columns[k].texts[row[k]].text; !is && !absent(text) {
			return false
		}
		some = some || is
	}
	return some
}

// grows reports whether a column is a time that grows within each episode, as far as episodes are told.
func (r *logReader) grows(k int) bool {
	return r.times(k) && (len(r.all(AsEpisode)) == 0 || r.climbs(k))
}

// climbs reports whether a column is a time that grows within each episode.
func (r *logReader) climbs(k int) bool {
	for n := 1; n < len(r.rows); n++ {
		before, was := r.time(n-1, k)
		now, is := r.time(n, k)
		if r.episode[n] == r.episode[n-1] && was && is && now <= before {
			return false
		}
	}
	return r.times(k)
}

// varies reports whether a column changes from a row to the next step of the same episode.
func (r *logReader) varies(k int) bool {
	for n := 1; n < len(r.rows); n++ {
		if r.episode[n] != r.episode[n-1] || r.rows[n][k] == r.rows[n-1][k] {
			continue
		}
		if r.step < 0 {
			return true
		}
		before, was := r.time(n-1, r.step)
		if now, is := r.time(n, r.step); was && is && now > before {
			return true
		}
	}
	return false
}

// together reports whether equal cells of a column stand together.
func (r *logReader) together(k int) bool {
	ended := map[int32]bool{}
	for n := 1; n < len(r.rows); n++ {
		if now, before := r.rows[n][k], r.rows[n-1][k]; now != before {
			if ended[before] = true; ended[now] {
				return false
			}
		}
	}
	return true
}

// segment numbers the episode of each row, −1 where it is not told. Without a column of episodes, one begins where
// the step falls, repeats or leaps, and behind the end of another.
func (r *logReader) segment() {
	r.episode = r.episode[:0]
	columns, ends := r.all(AsEpisode), r.all(AsEnd)
	if r.stride = 0; len(columns) == 0 && r.step >= 0 {
		r.stride = r.usual()
	}
	numbers, key := map[string]int32{}, []byte{}
	var number int32
	last, at, ended := 0.0, -1, false // the step before, and its row
	for n, row := range r.rows {
		if len(columns) == 0 {
			now, is := 0.0, false
			if r.step >= 0 {
				now, is = r.time(n, r.step)
			}
			if ended || is && at >= 0 && (now <= last || now-last >= r.stride*(float64(n-at)+0.5)) {
				number++
			}
			if is {
				last, at = now, n
			}
			ended = slices.ContainsFunc(ends, func(k int) bool { return truthOf(r.columns[k].words[row[k]]) == 1 })
			r.episode = append(r.episode, number)
			continue
		}
		key = key[:0]
		missing := false
		for _, k := range columns {
			missing = missing || absent(r.columns[k].texts[row[k]].text)
			key = binary.LittleEndian.AppendUint32(key, uint32(row[k]))
		}
		if missing {
			r.episode = append(r.episode, -1)
			continue
		}
		id, has := numbers[string(key)]
		if !has {
			id = int32(len(numbers))
			numbers[string(key)] = id
		}
		r.episode = append(r.episode, id)
	}
}

// usual returns by how much the step usually grows from a row to the next: the median, or 0 if it never grows.
func (r *logReader) usual() float64 {
	var all []float64
	last, at := 0.0, -1
	for n := range r.rows {
		now, is := r.time(n, r.step)
		if !is {
			continue
		}
		if at >= 0 && now > last {
			all = append(all, (now-last)/float64(n-at))
		}
		last, at = now, n
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[(len(all)-1)/2]
}

// tellsRows reports whether something tells which rows follow each other: a column, or that the options take from one
// the steps that its name says.
func (r *logReader) tellsRows() bool {
	return slices.ContainsFunc(r.columns, func(c logColumn) bool {
		named, _ := calledFor(c.Name)
		return c.Role == AsEpisode || c.Role == AsStep || c.Role == AsEnd || c.told && named == AsStep
	})
}

// form decides whether each row is a transition, and takes columns without a next value for actions then.
func (r *logReader) form() error {
	paired, acts := false, len(r.all(AsAction)) > 0
	var rest []int
	for k := range r.columns {
		if c := &r.columns[k]; c.Role == AsState {
			if paired = paired || c.next >= 0; c.next < 0 {
				rest = append(rest, k)
			}
		}
	}
	rows := r.tellsRows()
	r.episodic = !paired && rows || paired && rows && len(rest) > 0 && acts && len(r.all(AsEpisode))+len(r.all(AsStep)) > 0
	switch {
	case r.episodic:
		for k := range r.columns {
			if c := &r.columns[k]; c.Role == AsNext {
				c.take(AsNothing, "the next value is in the next row")
			}
		}
		return nil
	case !paired && len(rest) > 0:
		return wholly("the table has neither columns of next values, such as %s' beside %[1]s, nor columns of episodes or steps, such as episode and t", printable(param.Clip(r.columns[rest[0]].Name)))
	}
	for _, k := range rest {
		c := &r.columns[k]
		if r.Actions != nil || c.told {
			return c.at.fault("the column %q has no next value, such as %s', and is no action", param.Clip(c.Name), printable(param.Clip(c.Name)))
		}
		c.take(AsAction, "")
	}
	return nil
}

// nameKnown says what each column is taken for if the variables are known.
func (r *logReader) nameKnown() error {
	s := r.Space
	variables := newByName(s.X(), func(i int) string { return s.Var(i).Name })
	taken := make([]bool, s.X()+s.Y())
	take := func(k, of int) {
		c := &r.columns[k]
		if of < 0 || of >= len(taken) || taken[of] || c.of >= 0 || c.told && !slices.Contains([]string{AsState, AsAction, AsNext}, c.Role) {
			return
		}
		taken[of], c.of = true, of
		switch {
		case of >= s.X():
			c.Role, c.Of = AsNext, s.State[of-s.X()].Name
		case of >= s.Y():
			c.Role = AsAction
		default:
			c.Role = AsState
		}
	}
	for _, find := range []func(name string) int{
		func(name string) int {
			if i, has := variables.exact[name]; has {
				return i
			}
			return -1
		},
		variables.at,
	} {
		for k := range r.columns {
			take(k, find(r.columns[k].Name))
		}
		for k := range r.columns {
			for _, base := range basesOf(r.columns[k].Name) {
				if j := find(base); j >= 0 && j < s.Y() {
					take(k, s.X()+j)
				}
			}
		}
	}
	var maybe []int
	for k := range r.columns {
		c := &r.columns[k]
		role, _ := calledFor(c.Name)
		switch {
		case c.of >= 0:
		case c.told && slices.Contains([]string{AsState, AsAction, AsNext}, c.Role):
			return c.at.fault("there is no variable %q", param.Clip(c.Name))
		case c.told:
		case role == AsReward || role == AsEnd:
			c.take(role, "")
		default:
			if c.take(AsNothing, "is no variable"); role == AsEpisode || role == AsStep {
				maybe = append(maybe, k)
			}
		}
	}
	r.counters(maybe)
	for i, has := range taken[:s.X()] {
		if !has {
			return wholly("there is no column of the variable %q", s.Var(i).Name)
		}
	}
	if j := slices.Index(taken[s.X():], false); j >= 0 {
		if r.episodic = r.tellsRows(); !r.episodic {
			return wholly("there is no column %q; without columns of episodes or steps, such as episode and t, each row holds the next values, too", s.State[j].Name+fmdp.Prime)
		}
		for k := range r.columns {
			if c := &r.columns[k]; c.Role == AsNext {
				c.of = -1
				c.take(AsNothing, "the next value is in the next row")
			}
		}
	}
	return nil
}

// judge leaves out columns whose cells say that they are no variables, unless the options say otherwise.
func (r *logReader) judge() {
	for k := range r.columns {
		c := &r.columns[k]
		if c.Role != AsState && c.Role != AsAction || c.told || r.Cuts[c.Name] != nil {
			continue
		}
		why := r.noVariable(k)
		if why == "" {
			continue
		}
		c.take(AsNothing, why)
		if c.next >= 0 {
			r.columns[c.next].take(AsNothing, "the next value of "+quotedName(c.Name)+", which is no variable")
			r.columns[c.next].base, c.next = -1, -1
		}
	}
}

const (
	fewRows  = 8  // of so many rows, one that counts all of them counts them by no accident
	differAt = 10 // of so many cells, those that are all different are no values
)

// noVariable returns why a column holds no variable, or "".
func (r *logReader) noVariable(k int) string {
	c := &r.columns[k]
	seen, first, fractions, dates := map[string]bool{}, "", false, true
	for _, column := range []int{k, c.next} {
		if column < 0 {
			continue
		}
		of := &r.columns[column]
		for id, t := range of.texts {
			if of.missing[id] {
				continue
			}
			if word := of.words[id]; !seen[word] {
				seen[word], first = true, cmp.Or(first, word)
			}
			dates = dates && isDate(t.text)
			_, isWhole := whole(of.number[id])
			fractions = fractions || of.is[id] && !isWhole
		}
	}
	present, different, counts := 0, 0, len(r.rows) >= fewRows || len(r.rows) > 1 && slices.Contains(counting, plainName(c.Name))
	var begins float64
	for n, row := range r.rows {
		id := row[k]
		if c.missing[id] {
			counts = false
			continue
		}
		if present++; n == 0 {
			begins = c.number[id]
		}
		counts = counts && c.is[id] && c.number[id] == begins+float64(n)
	}
	for id := range c.texts {
		if !c.missing[id] {
			different++
		}
	}
	switch {
	case len(r.rows) == 0:
		return ""
	case len(seen) == 0:
		return "has no value"
	case len(seen) == 1:
		return "has one value, " + quotedName(first)
	case counts && c.next < 0:
		return "counts the rows"
	case dates:
		return "holds dates"
	case !fractions && present >= differAt && different == present:
		return "has another value in each row"
	}
	return ""
}

// propose gives a column cut points if it needs some.
func (r *logReader) propose(k int) {
	c := &r.columns[k]
	if c.Role != AsState && c.Role != AsAction || r.Space != nil || r.Cuts[c.Name] != nil || len(c.is) == 0 {
		return
	}
	fractions := false
	var list []float64
	for _, row := range r.rows {
		id := row[k]
		switch _, isWhole := whole(c.number[id]); {
		case c.missing[id]:
			continue
		case !c.is[id] || math.IsInf(c.number[id], 0):
			return
		case !isWhole:
			fractions = true
		}
		list = append(list, c.number[id])
	}
	if !fractions {
		return
	}
	slices.Sort(list)
	begins := 0 // where the present part begins
	for n := 1; n < parts; n++ {
		cut := list[n*len(list)/parts]
		if at, _ := slices.BinarySearch(list, cut); at > begins {
			c.Cuts, c.Rows, begins = append(c.Cuts, cut), append(c.Rows, at-begins), at
		}
	}
	if c.Cuts != nil {
		c.Rows = append(c.Rows, len(list)-begins)
	}
}

// Told returns sentences on what the columns of a table were taken for: those that were found, and not told by a name
// such as episode and t.
func (l *Log) Told() (list []string) {
	named := func(role, words string, common ...string) {
		var names []string
		for _, c := range l.Columns {
			if c.Role == role && !slices.Contains(common, strings.ToLower(c.Name)) {
				names = append(names, printable(param.Clip(c.Name)))
			}
		}
		if len(names) > 0 {
			list = append(list, words+": "+param.Cut(strings.Join(names, ", "), 200))
		}
	}
	named(AsEpisode, "taken for the episode", "episode")
	named(AsStep, "taken for the step", "t")
	if l.found {
		named(AsState, "taken for a state")
		named(AsAction, "taken for an action")
	}
	named(AsReward, "taken for a reward")
	named(AsEnd, "taken for an end")
	var left []string
	for _, c := range l.Columns {
		if c.Role != AsNothing {
			continue
		}
		name := printable(param.Clip(c.Name))
		if c.Name == "" {
			name = `""`
		}
		if c.Why != "" {
			name += " (" + c.Why + ")"
		}
		left = append(left, name)
	}
	if len(left) > 0 {
		list = append(list, "columns left out: "+param.Cut(strings.Join(left, ", "), 400))
	}
	return list
}

// Likely reports whether a table is likely to be one of transitions, by the names of its columns, whatever else is
// wrong with it.
func (l *Log) Likely() bool {
	return len(l.Columns) > 1 && slices.ContainsFunc(l.Columns, func(c Column) bool {
		return c.Role == AsEpisode || c.Role == AsStep || c.Role == AsNext
	})
}
