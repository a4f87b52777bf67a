// Package wasmtest has small handwritten WebAssembly modules for tests: a contract that counts and misbehaves on
// request (pitfalls), and modules that every chain must refuse.
package wasmtest

import (
	"embed"
	"fmt"
)

//go:embed *.wasm
var modules embed.FS

// Module returns the module with this name. A test assembles each from its source and compares.
func Module(name string) []byte {
	content, err := modules.ReadFile(name + ".wasm")
	if err != nil {
		panic(fmt.Sprintf("a missing module: %v", err))
	}
	return content
}

// CountKey is the key under which the contract pitfalls stores, in one byte, how often it received {"count":{}}.
const CountKey = "n"
