package fidelity

import (
	"regexp"
	"strings"
)

// Mask names places whose recorded values no second chain can repeat.
type Mask struct {
	// Routes name the kinds of exchange, with * for variable parts.
	Routes []string
	// Paths name the fields, with [*] for any position in a list.
	Paths  []string
	Rule   Rule
	Reason string
	// used are the paths at which a value differed.
	used map[string]bool
}

// NewMask returns a mask that has hidden nothing yet.
func NewMask(routes, paths []string, rule Rule, reason string) Mask {
	return Mask{Routes: routes, Paths: paths, Rule: rule, Reason: reason, used: map[string]bool{}}
}

// find returns the path of a mask that covers a field, or "".
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

// Rule states what must hold for a masked value.
type Rule interface {
	Compare(names *Aliases, recorded, ours string) bool
}

// Shape allows two values to differ if both match a pattern.
type Shape struct{ *regexp.Regexp }

func (s Shape) Compare(_ *Aliases, recorded, ours string) bool {
	return s.MatchString(recorded) && s.MatchString(ours)
}

// Height learns which of our blocks corresponds to a recorded block.
type Height struct{}

func (Height) Compare(names *Aliases, recorded, ours string) bool {
	return Decimal.Compare(names, recorded, ours) && names.learnHeight(recorded, ours) == nil
}

// Forms of values on which no two chains agree.
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
