package movepackage

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/initia-labs/movevm/types"
)

func TestOpenTakesNamedAddresses(t *testing.T) {
	p, err := Open("testdata/counter", []string{"counter=0x7", "a_1=0x" + strings.Repeat("f", 64)})
	if err != nil {
		t.Fatal(err)
	}
	if !filepath.IsAbs(p.Path) {
		t.Errorf("path %s is not absolute", p.Path)
	}
	want, _ := types.NewAccountAddress("0x7")
	if p.Addresses["counter"] != want || len(p.Addresses) != 2 {
		t.Errorf("addresses are %v", p.Addresses)
	}
}

func TestOpenRefusesInvalidInput(t *testing.T) {
	withFolder := t.TempDir()
	if err := os.Mkdir(filepath.Join(withFolder, "Move.toml"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		folder      string
		assignments []string
	}{
		"missing folder":         {"testdata/nowhere", nil},
		"folder without package": {"testdata", nil},
		"folder inside package":  {"testdata/counter/sources", nil},
		"file":                   {"package.go", nil},
		"manifest is a folder":   {withFolder, nil},
		"NUL in the path":        {"a\x00b", nil},
		"no value":               {"testdata/counter", []string{"counter"}},
		"empty value":            {"testdata/counter", []string{"counter="}},
		"empty name":             {"testdata/counter", []string{"=0x1"}},
		"no prefix":              {"testdata/counter", []string{"counter=42"}},
		"no hex":                 {"testdata/counter", []string{"counter=0xinit"}},
		"too long":               {"testdata/counter", []string{"counter=0x" + strings.Repeat("0", 65)}},
		"name with a hyphen":     {"testdata/counter", []string{"coun-ter=0x1"}},
		"given twice":            {"testdata/counter", []string{"counter=0x1", "counter=0x1"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Open(c.folder, c.assignments)
			var input *InputError
			if !errors.As(err, &input) || input.ExitStatus() != 2 {
				t.Fatalf("got %v", err)
			}
		})
	}
}
