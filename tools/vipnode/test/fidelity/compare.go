package fidelity

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// difference is one place in which an answer differs from the recording.
type difference struct {
	path, recorded, ours string
}

func (d difference) String() string {
	return fmt.Sprintf("%s: %s, recorded %s", d.path, shorten(d.ours), shorten(d.recorded))
}

func shorten(text string) string {
	const most = 300
	if len(text) <= most {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes)", text[:most], len(text))
}

// comparison compares answers of one kind of exchange.
type comparison struct {
	route   string
	aliases *Aliases
	masks   []Mask
	found   []difference
}

// compare walks two documents side by side. Every field of either one counts.
func (c *comparison) compare(path string, recorded, ours any) {
	if applies, covering := c.maskOf(path); applies != nil {
		if !applies.Rule.Compare(c.aliases, text(recorded), text(ours)) {
			c.add(path, recorded, ours)
		} else if text(recorded) != text(ours) {
			applies.used[covering] = true
		}
		return
	}
	switch recorded := recorded.(type) {
	case map[string]any:
		document, ok := ours.(map[string]any)
		if !ok {
			c.add(path, recorded, ours)
			return
		}
		names := maps.Clone(recorded)
		maps.Copy(names, document)
		for _, name := range slices.Sorted(maps.Keys(names)) {
			c.compare(join(path, name), field(recorded, name), field(document, name))
		}
	case []any:
		list, ok := ours.([]any)
		if !ok {
			c.add(path, recorded, ours)
			return
		}
		if len(recorded) != len(list) {
			c.add(path+".length", len(recorded), len(list))
		}
		for i := range min(len(recorded), len(list)) {
			c.compare(fmt.Sprintf("%s[%d]", path, i), recorded[i], list[i])
		}
	case string:
		if _, ok := ours.(string); !ok || c.expected(recorded) != ours {
			c.add(path, recorded, ours)
		}
	default:
		if recorded != ours {
			c.add(path, recorded, ours)
		}
	}
}

// missing represents a field that a document does not have.
type missing struct{}

func field(document map[string]any, name string) any {
	if value, found := document[name]; found {
		return value
	}
	return missing{}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// expected translates a recorded text to our names.
func (c *comparison) expected(recorded string) string {
	if translated := c.aliases.Translate(recorded); translated != recorded {
		return translated
	}
	return c.aliases.translateBytes(recorded)
}

func (c *comparison) maskOf(path string) (applies *Mask, covering string) {
	for i := range c.masks {
		if covering := c.masks[i].find(c.route, path); covering != "" {
			return &c.masks[i], covering
		}
	}
	return nil, ""
}

func (c *comparison) add(path string, recorded, ours any) {
	c.found = append(c.found, difference{path, text(recorded), text(ours)})
}

// text formats a value for comparing and printing.
func text(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case missing:
		return "(missing)"
	}
	content, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(content)
}
