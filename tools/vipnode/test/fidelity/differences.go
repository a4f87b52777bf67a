package fidelity

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// KnownDifference is a place at which vipnode permanently answers differently from the recorded node.
type KnownDifference struct {
	File      string
	Exchanges []int
	// Path is a field, with everything inside it.
	Path string
	// Only, if set, matches everything that differs in the two texts.
	Only *regexp.Regexp
	// More, if set, is how much larger the recorded number is than ours.
	More   int
	Reason string
}

// findKnown returns the entry for a known difference, or nil.
func (r *Replayer) findKnown(file string, index int, found difference) *KnownDifference {
	for i := range r.Differences {
		known := &r.Differences[i]
		if known.File == file && slices.Contains(known.Exchanges, index) && known.covers(found) {
			return known
		}
	}
	return nil
}

func (k *KnownDifference) covers(found difference) bool {
	rest, inside := strings.CutPrefix(found.path, k.Path)
	if !inside || rest != "" && rest[0] != '.' && rest[0] != '[' {
		return false
	}
	if k.More != 0 {
		recorded, err := strconv.Atoi(found.recorded)
		ours, otherErr := strconv.Atoi(found.ours)
		return err == nil && otherErr == nil && recorded-ours == k.More
	}
	return k.Only == nil ||
		k.Only.ReplaceAllLiteralString(found.recorded, "") == k.Only.ReplaceAllLiteralString(found.ours, "")
}
