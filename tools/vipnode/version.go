// Package vipnode has what all programs of this folder share about themselves.
package vipnode

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

//go:embed package.json
var manifest []byte

// Version is the version of the programs, which is that of their package.
func Version() string {
	var fields struct {
		Version string `json:"version"`
	}
	if err := json.Unmarshal(manifest, &fields); err != nil {
		panic(fmt.Sprintf("package.json is embedded at build time and must be JSON: %v", err))
	}
	return fields.Version
}
