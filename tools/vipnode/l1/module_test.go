package l1

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/vipscore/vipscore/tools/vipnode/movepackage"
)

var write = flag.Bool("write", false, "regenerate the modules from vip/sources")

// The embedded modules equal, byte for byte, the output of this VM's compiler for the sources beside them.
func TestModulesAreCompiledFromTheirSources(t *testing.T) {
	built := compileVip(t)
	for _, name := range moduleNames {
		module, err := os.ReadFile(filepath.Join(built, name+".mv"))
		if err != nil {
			t.Fatal(err)
		}
		if *write {
			if err := os.WriteFile(moduleFile(name), module, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		embedded, err := modules.ReadFile(moduleFile(name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(module, embedded) {
			t.Errorf("%s.mv is not what its sources compile to; regenerate it with go test ./l1 -write", name)
		}
		if !bytes.Contains(embedded, address[:]) {
			t.Errorf("%s.mv is not compiled for its address", name)
		}
	}
}

// compileVip builds a copy of the package, because the compiler writes into the folder, and returns the folder of the modules.
func compileVip(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS("vip")); err != nil {
		t.Fatal(err)
	}
	vip, err := movepackage.Open(folder, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := movepackage.Build(vip); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(folder, "build", "VipOfDevelopmentL1", "bytecode_modules")
}
