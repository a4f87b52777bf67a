//go:build long

package wasmtest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// assembler is binaryen's, which `npm ci` installs.
const assembler = "../../../../../node_modules/.bin/wasm-as"

func TestModulesAreBuiltFromTheirSources(t *testing.T) {
	sources, err := filepath.Glob("*.wat")
	if err != nil || len(sources) == 0 {
		t.Fatalf("%v %v", sources, err)
	}
	for _, source := range sources {
		name := strings.TrimSuffix(source, ".wat")
		t.Run(name, func(t *testing.T) {
			features := "-all"
			if name == "pitfalls" {
				features = "--mvp-features"
			}
			built := filepath.Join(t.TempDir(), "built.wasm")
			if output, err := exec.Command(assembler, source, "-o", built, features).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, output)
			}
			content, err := os.ReadFile(built)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(content, Module(name)) {
				t.Errorf("the module differs from its source; assemble it with: wasm-as %s -o %s.wasm %s", source, name, features)
			}
		})
	}
}
