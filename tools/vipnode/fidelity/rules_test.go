package fidelity_test

import (
	"regexp"
	"strings"
)

// mask names places whose values cannot be the recorded ones on any second chain.
type mask struct {
	// routes name the kinds of exchange, with * for what varies.
	routes []string
	// paths name the fields, with [*] for any place in a list.
	paths  []string
	rule   rule
	reason string
	// used are the paths at which a value really differed.
	used map[string]bool
}

// find gives the path of a mask that covers a field, or nothing.
func (m *mask) find(route, path string) string {
	for _, one := range m.routes {
		if !wildcard(one, "*", ".*").MatchString(route) {
			continue
		}
		for _, covering := range m.paths {
			if wildcard(covering, "[*]", `\[\d+\]`).MatchString(path) {
				return covering
			}
		}
	}
	return ""
}

var wildcards = map[string]*regexp.Regexp{}

func wildcard(text, sign, pattern string) *regexp.Regexp {
	if wildcards[text] == nil {
		parts := strings.Split(text, sign)
		for i, part := range parts {
			parts[i] = regexp.QuoteMeta(part)
		}
		wildcards[text] = regexp.MustCompile("^" + strings.Join(parts, pattern) + "$")
	}
	return wildcards[text]
}

// rule says what has to hold of a masked value.
type rule interface {
	compare(names *aliases, recorded, ours string) bool
}

// shape lets two values differ that both match a pattern.
type shape struct{ *regexp.Regexp }

func (s shape) compare(_ *aliases, recorded, ours string) bool {
	return s.MatchString(recorded) && s.MatchString(ours)
}

// handles learns the handles of tables; the rest has to be equal.
type handles struct{}

func (handles) compare(names *aliases, recorded, ours string) bool {
	return names.learnHandles(recorded, ours) == nil && names.translate(recorded) == ours
}

// height learns which of our blocks stands for a recorded one.
type height struct{}

func (height) compare(names *aliases, recorded, ours string) bool {
	return decimal.compare(names, recorded, ours) && names.learnHeight(recorded, ours) == nil
}

var (
	decimal         = shape{regexp.MustCompile(`^[1-9][0-9]*$`)}
	hexNodeID       = shape{regexp.MustCompile(`^[0-9a-f]{40}$`)}
	hexHash         = shape{regexp.MustCompile(`^[0-9A-F]{64}$`)}
	hexAddress      = shape{regexp.MustCompile(`^[0-9A-F]{40}$`)}
	base64Hash      = shape{regexp.MustCompile(`^[A-Za-z0-9+/]{43}=$`)}
	base64Address   = shape{regexp.MustCompile(`^[A-Za-z0-9+/]{27}=$`)}
	base64Signature = shape{regexp.MustCompile(`^[A-Za-z0-9+/]{86}==$`)}
	second          = shape{regexp.MustCompile(`^2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`)}
	nanosecond      = shape{regexp.MustCompile(`^2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$`)}
	loopback        = shape{regexp.MustCompile(`^tcp://127\.0\.0\.1:\d+$`)}
	valcons         = shape{regexp.MustCompile(`^initvalcons1[0-9a-z]{38}$`)}
)
