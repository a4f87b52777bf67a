package wasm_test

import (
	"bytes"
	"compress/gzip"
	"slices"
	"testing"

	wasmtypes "github.com/CosmWasm/wasmd/x/wasm/types"

	"github.com/vipscore/vipscore/tools/vipnode/x/wasm/wasmtest"
)

// header starts every WebAssembly module.
var header = []byte{0, 'a', 's', 'm', 1, 0, 0, 0}

// Codes that cannot be stored, with the reason.
func TestCodesThatAreRefused(t *testing.T) {
	tt := start(t)
	good := wasmtest.Module("pitfalls")
	for name, code := range map[string][]byte{
		"nothing but a header": header,
		"cut in the middle":    good[:len(good)/2],
		"cut at its end":       good[:len(good)-1],
		"another version":      append([]byte{0, 'a', 's', 'm', 2, 0, 0, 0}, good[8:]...),
		"damaged":              damaged(good),
		"zeros after a header": append(slices.Clone(header), make([]byte, 100_000)...),
	} {
		tt.Fails(name, tt.store(code), "Error calling the VM", "create wasm contract failed")
	}
	tt.Fails("not WebAssembly", tt.store([]byte("not a module at all")), "could not be deserialized")
	tt.Fails("bulk memory operations", tt.store(wasmtest.Module("bulk_memory")), "bulk memory")
	// A start function may be stored but gets no gas to run.
	tt.Succeed(tt.store(wasmtest.Module("start")))
	tt.Fails("a start function that never ends", &wasmtypes.MsgInstantiateContract{
		Sender: tt.Sender.Address.String(), CodeID: 2, Label: "start", Msg: []byte("{}"),
	}, "Error calling the VM")
	tt.Fails("needs staking", tt.store(wasmtest.Module("staking")), "staking")
	tt.Fails("a missing import", tt.store(wasmtest.Module("imports")), "nothing")
	tt.Fails("no memory", tt.store(wasmtest.Module("no_memory")), "memory")
	tt.Fails("too much initial memory", tt.store(wasmtest.Module("large_memory")), "memory")
	tt.Fails("a zip bomb", tt.store(zipped(t, make([]byte, 64<<20))), "exceeds limit")
	tt.Refuses("819,201 bytes", tt.store(append(slices.Clone(header), make([]byte, 819_193)...)), "819200")
	tt.Refuses("empty", tt.store(nil), "empty")
}

// damaged has a byte changed in the middle of a function.
func damaged(code []byte) []byte {
	changed := slices.Clone(code)
	at := bytes.Index(changed, []byte{0x0c, 0x00}) // br 0
	changed[at+1] = 0x7f
	return changed
}

func zipped(t *testing.T, content []byte) []byte {
	t.Helper()
	var into bytes.Buffer
	writer := gzip.NewWriter(&into)
	if _, err := writer.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return into.Bytes()
}
