package move_test

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/vipscore/vipscore/tools/vipnode/movepackage"
)

// pitfalls is the compiled module of testdata.
func pitfalls(t *testing.T) []byte {
	t.Helper()
	code, err := compileOnce()
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Clone(code)
}

var compileOnce = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "pitfalls")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	if err := os.CopyFS(folder, os.DirFS("testdata/pitfalls")); err != nil {
		return nil, err
	}
	source, err := movepackage.Open(folder, nil)
	if err != nil {
		return nil, err
	}
	if err := movepackage.Build(source); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(folder, "build", "Pitfalls", "bytecode_modules", "pitfalls.mv"))
})
