package move_test

import (
	"bytes"
	"fmt"
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

// unstable returns the module with the mark of an unstable language version: a flag in its metadata.
func unstable(code []byte) ([]byte, error) {
	key := []byte("compilation_metadata")
	at := bytes.Index(code, key)
	if at < 0 || code[at+len(key)+1] != 0 {
		return nil, fmt.Errorf("the module has no mark of its compiler")
	}
	marked := bytes.Clone(code)
	// The key is followed by the length of the value, whose first byte is the flag.
	marked[at+len(key)+1] = 1
	return marked, nil
}
