package movepackage

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const coverageOf = "VIPNODE_TEST_COVERAGE_OF"

// The compiler writes to the process's own stdout, and once it has measured coverage the VM traces into the working folder
// for as long as the process lives. So tests of coverage run this program again.
func TestMain(m *testing.M) {
	if folder := os.Getenv(coverageOf); folder != "" {
		p, err := Open(folder, os.Args[1:])
		if err == nil {
			err = Coverage(p)
		}
		if err != nil {
			os.Stderr.WriteString(err.Error())
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// copyOf is a copy of a package, because the compiler writes into the folder.
func copyOf(t *testing.T, folder string, assignments ...string) *Package {
	t.Helper()
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

// isUntouched fails if the package has more entries than it came with.
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

func TestBuildTwiceGivesTheSameBytes(t *testing.T) {
	first := built(t, "testdata/counter", "counter", "counter", "counter=0x7")
	if !bytes.Equal(first, built(t, "testdata/counter", "counter", "counter", "counter=0x7")) {
		t.Error("the bytes differ")
	}
}

func TestTestPassesAndLeavesNothing(t *testing.T) {
	p := copyOf(t, "testdata/counter")
	if err := Test(p); err != nil {
		t.Fatal(err)
	}
	isUntouched(t, p)
}

func TestTestFailsWithATest(t *testing.T) {
	p := copyOf(t, "testdata/counter")
	write(t, p, "tests/wrong.move", `#[test_only]
module counter::wrong {
    #[test]
    fun it_fails() { assert!(1 == 2, 1); }
}`)
	if err := Test(p); err == nil {
		t.Fatal("the test run succeeded")
	}
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), coverageOf+"="+p.Path)
	command.Dir = t.TempDir()
	if err := command.Run(); err == nil {
		t.Fatal("the coverage run succeeded")
	}
	isUntouched(t, p)
}

func TestFaultsOfAPackageAreToldWithTheirCause(t *testing.T) {
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

// The compiler wants an address for tests to differ from every other, also from the same name's.
func TestANamedAddressBesideTheOneForTestsIsRefused(t *testing.T) {
	err := Test(copyOf(t, "testdata/counter", "counter=0x43"))
	if err == nil || !strings.Contains(err.Error(), "0x43") {
		t.Errorf("got %v", err)
	}
}

var totalCoverage = regexp.MustCompile(`% Move Coverage: ([0-9.]+)`)

// coverage runs the tests of a copy of a package and returns the last total that is reported, in percent.
func coverage(t *testing.T, folder string, assignments ...string) float64 {
	t.Helper()
	p := copyOf(t, folder)
	command := exec.Command(os.Args[0], assignments...)
	command.Env = append(os.Environ(), coverageOf+"="+p.Path)
	command.Stderr = os.Stderr
	report, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(p.Path, coverageMap)); err == nil {
		t.Error("the coverage map was left in the package")
	}
	totals := totalCoverage.FindAllSubmatch(report, -1)
	if len(totals) == 0 {
		t.Fatalf("no total in the report:\n%s", report)
	}
	percent, err := strconv.ParseFloat(string(totals[len(totals)-1][1]), 64)
	if err != nil {
		t.Fatal(err)
	}
	return percent
}

func TestCoverageTellsWhatTestsRan(t *testing.T) {
	// The one path that the counter's tests leave out is the abort.
	if percent := coverage(t, "testdata/counter"); percent < 70 || percent >= 100 {
		t.Errorf("coverage of the counter is %v %%", percent)
	}
}
