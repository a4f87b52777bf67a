package wasm_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/vipscore/vipscore/tools/vipnode/test/fidelity"
)

// contractPath is the contract that replaces the recorded one, whose bytes the recordings do not contain: it has
// the same interface and stores the same state.
const contractPath = "../../../../../contracts/wasm/reference_shape/artifacts/reference_shape.wasm"

const (
	// recordedChecksum is the SHA-256 of the recorded contract.
	recordedChecksum = "25a293c2b99d2256581960bcc51830b7b1af8f26506f4d73327019b89f0328bb"
	// recordedOtherChecksum is the SHA-256 of code 4 on the recorded chain, which is otherwise unknown.
	recordedOtherChecksum = "f4b2993e7f754d99f19c2c88e945b1844e5ec412c4d67d0be846cbb96a76e995"
)

func loadContract(t *testing.T) []byte {
	t.Helper()
	// Go caches the results of these tests by files of this module and by the variables they read. This one, which
	// package.json sets, changes with the contract, which is outside.
	_ = os.Getenv("VIPNODE_CONTRACTS")
	content, err := os.ReadFile(contractPath)
	if err != nil {
		t.Fatalf("build the contract with `npm run build:wasm`: %v", err)
	}
	return content
}

// learnChecksum pairs the recorded SHA-256 of a code with ours, in every form.
func learnChecksum(t *testing.T, aliases *fidelity.Aliases, recorded string, code []byte) {
	t.Helper()
	theirs, err := hex.DecodeString(recorded)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(code)
	for _, form := range []func([]byte) string{
		hex.EncodeToString,
		func(content []byte) string { return strings.ToUpper(hex.EncodeToString(content)) },
		base64.StdEncoding.EncodeToString,
	} {
		if err := aliases.Learn(form(theirs), form(sum[:])); err != nil {
			t.Fatal(err)
		}
	}
	aliases.LearnBytes(theirs, sum[:])
}

// moduleBytes matches the bytes of a WebAssembly module in base64. Recorded bytes are cut.
var moduleBytes = fidelity.Shape{Regexp: regexp.MustCompile(`^AGFzbQEAAA[A-Za-z0-9+/]+(={0,2}|\.\.\.<\d+ characters>)$`)}
