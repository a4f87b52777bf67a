package fidelity_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// aliases are the names that the recorded chain and ours give to the same thing: the handle of a table, which depends on
// everything that happened before, and the height of a transaction. The same recorded name always has the same name here.
type aliases struct {
	handles map[string]string
	heights map[string]string
}

func newAliases() *aliases {
	return &aliases{handles: map[string]string{}, heights: map[string]string{}}
}

// handlePattern finds handles where Move writes a table as JSON, leading zeros left out.
var handlePattern = regexp.MustCompile(`"handle":"0x([0-9a-f]{1,64})"`)

// learnHandles pairs the handles of two texts in the order in which they come. It fails when a handle has another partner
// already.
func (a *aliases) learnHandles(recorded, ours string) error {
	theirHandles := handlePattern.FindAllStringSubmatch(recorded, -1)
	ourHandles := handlePattern.FindAllStringSubmatch(ours, -1)
	if len(theirHandles) != len(ourHandles) {
		return fmt.Errorf("%d handles, recorded %d", len(ourHandles), len(theirHandles))
	}
	for i := range theirHandles {
		if err := learn(a.handles, fullHandle(theirHandles[i][1]), fullHandle(ourHandles[i][1])); err != nil {
			return err
		}
	}
	return nil
}

func fullHandle(digits string) string { return strings.Repeat("0", 64-len(digits)) + digits }

func (a *aliases) learnHeight(recorded, ours string) error { return learn(a.heights, recorded, ours) }

func learn(names map[string]string, recorded, ours string) error {
	if known, found := names[recorded]; found && known != ours {
		return fmt.Errorf("%s stands for recorded %s, which was %s before", ours, recorded, known)
	}
	for theirs, known := range names {
		if known == ours && theirs != recorded {
			return fmt.Errorf("%s stands for recorded %s, and for %s before", ours, recorded, theirs)
		}
	}
	names[recorded] = ours
	return nil
}

// translate writes our handles into a recorded text, in each form that handles have.
func (a *aliases) translate(recorded string) string {
	for _, theirs := range slices.Sorted(maps.Keys(a.handles)) {
		ours := a.handles[theirs]
		recorded = strings.ReplaceAll(recorded, "0x"+strings.TrimLeft(theirs, "0"), "0x"+strings.TrimLeft(ours, "0"))
		recorded = strings.ReplaceAll(recorded, theirs, ours)
	}
	return recorded
}

// translateBytes writes our handles into recorded bytes, given and returned in base64. What is no base64 stays.
func (a *aliases) translateBytes(recorded string) string {
	content, err := base64.StdEncoding.DecodeString(recorded)
	if err != nil {
		return recorded
	}
	for theirs, ours := range a.handles {
		content = bytes.ReplaceAll(content, handleBytes(theirs), handleBytes(ours))
	}
	return base64.StdEncoding.EncodeToString(content)
}

func handleBytes(digits string) []byte {
	content, err := hex.DecodeString(digits)
	if err != nil {
		panic(err) // The pattern lets hexadecimal digits through only.
	}
	return content
}
