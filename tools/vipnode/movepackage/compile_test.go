package movepackage

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// copyOf returns a copy of a package, because the compiler writes into the folder.
func copyOf(t *testing.T, folder string, assignments ...string) *Package {
	t.Helper()
	// Go caches the results of these tests by files of this module and by the variables they read. This one, which
	// package.json sets, changes with the contracts, which are outside.
	_ = os.Getenv("VIPNODE_CONTRACTS")
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	p, err := Open(to, assignments)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func write(t *testing.T, p *Package, file, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(p.Path, file), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// built compiles a copy of a package and returns one of its modules.
func built(t *testing.T, folder, packageName, module string, assignments ...string) []byte {
	t.Helper()
	p := copyOf(t, folder, assignments...)
	if err := Build(p); err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile(filepath.Join(p.Path, "build", packageName, "bytecode_modules", module+".mv"))
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// isUntouched fails if the package has new entries.
func isUntouched(t *testing.T, p *Package) {
	t.Helper()
	entries, err := os.ReadDir(p.Path)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if name := entry.Name(); name != "Move.toml" && name != "sources" && name != "tests" {
			t.Errorf("%s was left in the package", name)
		}
	}
}

func TestBuildWritesBytecodeForTheAddress(t *testing.T) {
	before, _ := os.Getwd()
	code := built(t, "testdata/counter", "counter", "counter", "counter=0xabcdef0123456789")
	if !bytes.HasPrefix(code, []byte{0xa1, 0x1c, 0xeb, 0x0b}) {
		t.Errorf("starts with % x", code[:4])
	}
	if !bytes.Contains(code, []byte{0, 0, 0xab, 0xcd, 0xef, 0x01, 0x23, 0x45, 0x67, 0x89}) {
		t.Error("the address is not in the module")
	}
	if after, _ := os.Getwd(); after != before {
		t.Errorf("the working directory became %s", after)
	}
}

// withFailingTest returns a copy of a package with a test that fails.
func withFailingTest(t *testing.T) *Package {
	t.Helper()
	p := copyOf(t, "testdata/counter")
	write(t, p, "tests/wrong.move", `#[test_only]
module counter::wrong {
    #[test]
    fun it_fails() { assert!(1 == 2, 1); }
}`)
	return p
}

func TestTestFailsWithATest(t *testing.T) {
	p := withFailingTest(t)
	if err := Test(p); err == nil {
		t.Fatal("the test run succeeded")
	}
	isUntouched(t, p)
}

func TestPackageFaultsAreReportedWithTheirCause(t *testing.T) {
	for name, c := range map[string]struct {
		file, content, want string
	}{
		"empty manifest":     {"Move.toml", "", "package"},
		"broken manifest":    {"Move.toml", "[package\n", "TOML parse error"},
		"binary manifest":    {"Move.toml", "\x00\xff\xfe", "UTF-8"},
		"unknown dependency": {"Move.toml", "[package]\nname = \"counter\"\nversion = \"0.1.0\"\n[addresses]\ncounter = \"0x1\"\n[dependencies]\nNowhere = { local = \"../nowhere\" }\n", "nowhere"},
		"missing address":    {"Move.toml", "[package]\nname = \"counter\"\nversion = \"0.1.0\"\n[addresses]\ncounter = \"_\"\n", "counter"},
		"syntax":             {"sources/counter.move", "module counter::counter { fun }", ""},
		"binary source":      {"sources/counter.move", "\x00\xff\xfe", ""},
		"type":               {"sources/counter.move", "module counter::counter { fun f(): u64 { true } }", ""},
	} {
		t.Run(name, func(t *testing.T) {
			for command, run := range map[string]func(*Package) error{"build": Build, "test": Test} {
				p := copyOf(t, "testdata/counter")
				write(t, p, c.file, c.content)
				err := run(p)
				if err == nil {
					t.Fatalf("%s succeeded", command)
				}
				if !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "backtrace") {
					t.Errorf("%s: %v", command, err)
				}
			}
		})
	}
}

// In tests, the compiler requires every address to differ from all others, even from an address with the same name.
func TestANamedAddressBesideTheOneForTestsIsRefused(t *testing.T) {
	err := Test(copyOf(t, "testdata/counter", "counter=0x43"))
	if err == nil || !strings.Contains(err.Error(), "0x43") {
		t.Errorf("got %v", err)
	}
}
