package fidelity

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Aliases map names on the recorded chain to ours for the same thing, such as the hash of a transaction or the
// height of its block. A recorded name always has the same name here.
type Aliases struct {
	texts   map[string]string
	heights map[string]string
	bytes   map[string][]byte
}

func newAliases() *Aliases {
	return &Aliases{texts: map[string]string{}, heights: map[string]string{}, bytes: map[string][]byte{}}
}

// Learn pairs two names, which are then treated as equal in every text. It fails if one of them already has another
// partner.
func (a *Aliases) Learn(recorded, ours string) error { return learn(a.texts, recorded, ours) }

// LearnBytes pairs two names in bytes.
func (a *Aliases) LearnBytes(recorded, ours []byte) { a.bytes[string(recorded)] = ours }

// Known reports whether a recorded name has a partner.
func (a *Aliases) Known(recorded string) bool { return a.texts[recorded] != "" }

func (a *Aliases) learnHeight(recorded, ours string) error { return learn(a.heights, recorded, ours) }

func learn(names map[string]string, recorded, ours string) error {
	if known, found := names[recorded]; found && known != ours {
		return fmt.Errorf("%s is paired with recorded %s, which was paired with %s before", ours, recorded, known)
	}
	for theirs, known := range names {
		if known == ours && theirs != recorded {
			return fmt.Errorf("%s is paired with recorded %s, and was paired with %s before", ours, recorded, theirs)
		}
	}
	names[recorded] = ours
	return nil
}

// Translate replaces recorded names in a text with ours.
func (a *Aliases) Translate(recorded string) string {
	// A name that contains another comes first.
	longestFirst := func(one, other string) int {
		return cmp.Or(cmp.Compare(len(other), len(one)), strings.Compare(one, other))
	}
	for _, theirs := range slices.SortedFunc(maps.Keys(a.texts), longestFirst) {
		recorded = strings.ReplaceAll(recorded, theirs, a.texts[theirs])
	}
	return recorded
}

// translateBytes replaces recorded names in bytes, given and returned in base64. Text that is not base64, or has no name,
// is unchanged.
func (a *Aliases) translateBytes(recorded string) string {
	content, err := base64.StdEncoding.DecodeString(recorded)
	if err != nil {
		return recorded
	}
	translated := content
	for theirs, ours := range a.bytes {
		translated = bytes.ReplaceAll(translated, []byte(theirs), ours)
	}
	if bytes.Equal(translated, content) {
		return recorded
	}
	return base64.StdEncoding.EncodeToString(translated)
}
