package agent

// MeanModel returns the posterior mean of the model given the most probable graph: each row
// of each table, and each learned mean payoff, has its mean. It draws nothing. As with
// Model, the caller must not change the result, and the next call of either overwrites it.
func (c *Causal) MeanModel() *Model {
	t, m := c.task, c.begin()
	for j, local := range c.locals {
		if told := t.told(j); told != nil {
			m.Graph, m.Transition = append(m.Graph, told.Scope()), append(m.Transition, *told)
			continue
		}
		set := local.Best()
		m.Graph = append(m.Graph, local.Sets()[set])
		factor := local.MeanFactor(set, c.tables[j])
		c.tables[j] = factor.P
		m.Transition = append(m.Transition, factor)
		for k, f := range t.Learned(j) {
			given, means := local.MeanReward(k, set)
			m.Reward = append(m.Reward, t.paid(f, given, means))
		}
	}
	for k, local := range c.scopes {
		set := local.Best()
		m.Payoffs = append(m.Payoffs, local.Sets()[set])
		law := local.MeanFactor(set, nil)
		m.Reward = append(m.Reward, c.scope(k, &law))
	}
	m.Reward = append(m.Reward, c.untied.mean()...)
	if m.Joint != nil {
		c.joiner.Joint(m.Joint, m.Transition)
	}
	return m
}
