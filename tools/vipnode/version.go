// Package vipnode holds what every program of this folder says about itself.
package vipnode

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

//go:embed package.json
var manifest []byte

// Version is the version of the programs, which is that of the package they are released with.
func Version() string {
	var fields struct {
		Version string `json:"version"`
	}
	if err := json.Unmarshal(manifest, &fields); err != nil {
		panic(fmt.Sprintf("package.json is embedded at build time and must be JSON: %v", err))
	}
	return fields.Version
}
