//go:build long

package wasm_test

import "testing"

// A simulation runs the loop up to its own limit, which takes more than ten seconds.
func TestACallThatLoopsRunsOutOfGas(t *testing.T) {
	tt := start(t)
	tt.Fails("loop", tt.execute(`{"loop":{}}`), "out of gas")
}
