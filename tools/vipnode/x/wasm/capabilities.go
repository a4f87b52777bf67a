package wasm

import (
	"slices"

	wasmkeeper "github.com/CosmWasm/wasmd/x/wasm/keeper"
)

// capabilities are what contracts may require: all that this version of x/wasm has, except staking, which
// rollups do not have (github.com/initia-labs/miniwasm, app/keepers). A contract that requires more cannot be stored.
func capabilities() []string {
	return slices.DeleteFunc(wasmkeeper.BuiltInCapabilities(), func(name string) bool { return name == "staking" })
}
