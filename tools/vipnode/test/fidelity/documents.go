package fidelity

import (
	"regexp"
	"strconv"
	"strings"
)

var listPlace = regexp.MustCompile(`^(.*)\[(\d+)\]$`)

// ValueAt returns the text at a path of a document, such as result.txs[0].hash, or "".
func ValueAt(document any, path string) string {
	for _, name := range strings.Split(path, ".") {
		place := -1
		if parts := listPlace.FindStringSubmatch(name); parts != nil {
			name = parts[1]
			place, _ = strconv.Atoi(parts[2])
		}
		fields, ok := document.(map[string]any)
		if !ok || fields[name] == nil {
			return ""
		}
		document = fields[name]
		if place >= 0 {
			list, ok := document.([]any)
			if !ok || place >= len(list) {
				return ""
			}
			document = list[place]
		}
	}
	return text(document)
}
