package wasm

import (
	"slices"

	wasmkeeper "github.com/CosmWasm/wasmd/x/wasm/keeper"
)

// capabilities are what a contract may ask the chain for: all that this version of x/wasm has, less staking, which
// rollups do not have (github.com/initia-labs/miniwasm, app/keepers). A contract that asks for more cannot be stored.
func capabilities() []string {
	return slices.DeleteFunc(wasmkeeper.BuiltInCapabilities(), func(name string) bool { return name == "staking" })
}
