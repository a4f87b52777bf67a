//go:build long

package movepackage

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

const coverageOf = "VIPNODE_TEST_COVERAGE_OF"

// The compiler writes to the process's stdout, and once it has measured coverage the VM traces into the working folder
// until the process ends. So tests of coverage run this program again.
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

var totalCoverage = regexp.MustCompile(`% Move Coverage: ([0-9.]+)`)

// coverage runs the tests of a copy of a package and returns the last reported total, in percent.
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

func TestTestPassesAndLeavesNothing(t *testing.T) {
	p := copyOf(t, "testdata/counter")
	if err := Test(p); err != nil {
		t.Fatal(err)
	}
	isUntouched(t, p)
}

func TestBuildTwiceGivesTheSameBytes(t *testing.T) {
	first := built(t, "testdata/counter", "counter", "counter", "counter=0x7")
	if !bytes.Equal(first, built(t, "testdata/counter", "counter", "counter", "counter=0x7")) {
		t.Error("the bytes differ")
	}
}

func TestCoverageFailsWithATest(t *testing.T) {
	p := withFailingTest(t)
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), coverageOf+"="+p.Path)
	command.Dir = t.TempDir()
	if err := command.Run(); err == nil {
		t.Fatal("the coverage run succeeded")
	}
	isUntouched(t, p)
}

func TestCoverageReportsWhatTestsRan(t *testing.T) {
	// The only path that the counter's tests miss is the abort.
	if percent := coverage(t, "testdata/counter"); percent < 70 || percent >= 100 {
		t.Errorf("coverage of the counter is %v %%", percent)
	}
}
