package fidelity

import (
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
)

// Handles learns the handles of Move tables, which depend on the whole history of a chain; the rest must be equal.
type Handles struct{}

func (Handles) Compare(names *Aliases, recorded, ours string) bool {
	return learnHandles(names, recorded, ours) == nil && names.Translate(recorded) == ours
}

// handlePattern finds handles where Move writes a table as JSON, without leading zeros.
var handlePattern = regexp.MustCompile(`"handle":"0x([0-9a-f]{1,64})"`)

// learnHandles pairs the handles of two texts in order, in each form that handles have. It fails
// if a handle already has another partner.
func learnHandles(names *Aliases, recorded, ours string) error {
	theirHandles := handlePattern.FindAllStringSubmatch(recorded, -1)
	ourHandles := handlePattern.FindAllStringSubmatch(ours, -1)
	if len(theirHandles) != len(ourHandles) {
		return fmt.Errorf("%d handles, recorded %d", len(ourHandles), len(theirHandles))
	}
	for i := range theirHandles {
		theirs, own := fullHandle(theirHandles[i][1]), fullHandle(ourHandles[i][1])
		if err := names.Learn(theirs, own); err != nil {
			return err
		}
		if err := names.Learn("0x"+strings.TrimLeft(theirs, "0"), "0x"+strings.TrimLeft(own, "0")); err != nil {
			return err
		}
		names.LearnBytes(handleBytes(theirs), handleBytes(own))
	}
	return nil
}

func fullHandle(digits string) string { return strings.Repeat("0", 64-len(digits)) + digits }

func handleBytes(digits string) []byte {
	content, err := hex.DecodeString(digits)
	if err != nil {
		panic(err) // The pattern only matches hexadecimal digits.
	}
	return content
}
