package fidelity

import (
	"regexp"
	"strings"
)

// Mask names places whose values cannot be the recorded ones on any second chain.
type Mask struct {
	// Routes name the kinds of exchange, with * for what varies.
	Routes []string
	// Paths name the fields, with [*] for any place in a list.
	Paths  []string
	Rule   Rule
	Reason string
	// used are the paths at which a value really differed.
	used map[string]bool
}

// NewMask is a mask that has hidden nothing yet.
func NewMask(routes, paths []string, rule Rule, reason string) Mask {
	return Mask{Routes: routes, Paths: paths, Rule: rule, Reason: reason, used: map[string]bool{}}
}

// find gives the path of a mask that covers a field, or nothing.
func (m *Mask) find(route, path string) string {
	for _, one := range m.Routes {
		if !wildcard(one, "*", ".*").MatchString(route) {
			continue
		}
		for _, covering := range m.Paths {
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

// Rule says what has to hold of a masked value.
type Rule interface {
	Compare(names *Aliases, recorded, ours string) bool
}

// Shape lets two values differ that both match a pattern.
type Shape struct{ *regexp.Regexp }

func (s Shape) Compare(_ *Aliases, recorded, ours string) bool {
	return s.MatchString(recorded) && s.MatchString(ours)
}

// Height learns which of our blocks stands for a recorded one.
type Height struct{}

func (Height) Compare(names *Aliases, recorded, ours string) bool {
	return Decimal.Compare(names, recorded, ours) && names.learnHeight(recorded, ours) == nil
}

// The forms of values that no two chains agree on.
var (
	Decimal         = Shape{regexp.MustCompile(`^[1-9][0-9]*$`)}
	HexNodeID       = Shape{regexp.MustCompile(`^[0-9a-f]{40}$`)}
	HexHash         = Shape{regexp.MustCompile(`^[0-9A-F]{64}$`)}
	HexAddress      = Shape{regexp.MustCompile(`^[0-9A-F]{40}$`)}
	Base64Hash      = Shape{regexp.MustCompile(`^[A-Za-z0-9+/]{43}=$`)}
	Base64Address   = Shape{regexp.MustCompile(`^[A-Za-z0-9+/]{27}=$`)}
	Base64Signature = Shape{regexp.MustCompile(`^[A-Za-z0-9+/]{86}==$`)}
	Second          = Shape{regexp.MustCompile(`^2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`)}
	Nanosecond      = Shape{regexp.MustCompile(`^2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$`)}
	Loopback        = Shape{regexp.MustCompile(`^tcp://127\.0\.0\.1:\d+$`)}
	Valcons         = Shape{regexp.MustCompile(`^initvalcons1[0-9a-z]{38}$`)}
)
