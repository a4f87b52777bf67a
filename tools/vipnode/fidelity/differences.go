package fidelity

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// KnownDifference is a place at which vipnode answers differently from the recorded node, and will go on doing so.
type KnownDifference struct {
	File      string
	Exchanges []int
	// Path is a field, with all that is in it.
	Path string
	// Only, if given, matches all that differs in the two texts.
	Only *regexp.Regexp
	// More, if given, is by how much the recorded number is larger than ours.
	More   int
	Reason string
}

// findKnown gives the entry that says that this difference is known, or nothing.
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
