package l1

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/vipscore/vipscore/tools/vipnode/movepackage"
)

var write = flag.Bool("write", false, "regenerate vip.mv from vip/sources")

// The embedded module equals, byte for byte, the output of this VM's compiler for the sources beside it.
func TestModuleIsCompiledFromItsSources(t *testing.T) {
	built := compileVip(t)
	if *write {
		if err := os.WriteFile("vip.mv", built, 0o644); err != nil {
			t.Fatal(err)
		}
		vipModule = built
	}
	if !bytes.Equal(built, vipModule) {
		t.Fatal("vip.mv is not what its sources compile to; regenerate it with go test ./l1 -write")
	}
	if !bytes.Contains(vipModule, address[:]) {
		t.Fatal("the module is not compiled for its address")
	}
}

// compileVip builds a copy of the package, because the compiler writes into the folder.
func compileVip(t *testing.T) []byte {
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
	built, err := os.ReadFile(filepath.Join(folder, "build", "VipOfDevelopmentL1", "bytecode_modules", "vip.mv"))
	if err != nil {
		t.Fatal(err)
	}
	return built
}
