// Package wasmtest holds small WebAssembly modules, written by hand, for tests: a contract that counts and misbehaves on
// request (pitfalls), and modules that no chain may take.
package wasmtest

import (
	"embed"
	"fmt"
)

//go:embed *.wasm
var modules embed.FS

// Module is the module with this name. A test assembles each again from its source and compares.
func Module(name string) []byte {
	content, err := modules.ReadFile(name + ".wasm")
	if err != nil {
		panic(fmt.Sprintf("a module that is not there: %v", err))
	}
	return content
}

// CountKey is where the contract pitfalls keeps, in one byte, how often it was told {"count":{}}.
const CountKey = "n"
