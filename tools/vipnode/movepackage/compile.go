package movepackage

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/initia-labs/movevm/api"
	"github.com/initia-labs/movevm/types"
	"github.com/initia-labs/movevm/types/compiler"
	"github.com/initia-labs/movevm/types/compiler/build"
	"github.com/initia-labs/movevm/types/compiler/test"
)

// coverageMap is the file that the compiler's coverage run leaves in the package.
const coverageMap = ".coverage_map.mvcov"

// Build compiles a package into build/<name>/bytecode_modules in its folder, as the official tool does. The compiler writes
// its progress to stdout and its errors to stderr.
func Build(p *Package) error {
	return compile(p, nil, api.BuildContract)
}

// Test runs the tests of a package and fails if any fails. Results go to stdout. The package's build folder stays unchanged,
// because code compiled for tests must not be published.
func Test(p *Package) error {
	return inTemporaryFolder(func(install string) error {
		return runTests(p, install, false)
	})
}

// Coverage runs the tests of a package and writes to stdout how much of each function they covered.
func Coverage(p *Package) error {
	defer os.Remove(filepath.Join(p.Path, coverageMap))
	return inTemporaryFolder(func(install string) error {
		if err := runTests(p, install, true); err != nil {
			return err
		}
		// Without test mode: functions for tests do not count.
		options := []func(*types.CompilerBuildConfig){build.WithInstallDir(install), build.WithDevMode()}
		return compile(p, options, func(arguments types.CompilerArguments) ([]byte, error) {
			return api.CoverageSummary(arguments, types.CompilerCoverageSummaryOptions{Functions: true})
		})
	})
}

func runTests(p *Package, install string, coverage bool) error {
	options := []func(*types.CompilerBuildConfig){
		build.WithInstallDir(install), build.WithDevMode(), build.WithTestMode(),
	}
	var testOptions []func(*types.CompilerTestOptions)
	if coverage {
		testOptions = append(testOptions, test.WithComputeCoverage())
	}
	err := compile(p, options, func(arguments types.CompilerArguments) ([]byte, error) {
		// Verbose would print the storage after each test.
		arguments.Verbose = false
		return api.TestContract(arguments, test.NewTestOptions(testOptions...))
	})
	if err == nil || !strings.Contains(err.Error(), "Unable to ") {
		return err
	}
	// The manifest or a dependency is wrong, and without the verbose option the compiler has not said how. A build stops at the
	// same place and reports it.
	buildOptions := []func(*types.CompilerBuildConfig){build.WithInstallDir(install), build.WithDevMode()}
	if cause := compile(p, buildOptions, api.BuildContract); cause != nil {
		return cause
	}
	return err
}

// compile calls the compiler. It changes the process's working directory, so only one call may run at a time.
func compile(
	p *Package,
	options []func(*types.CompilerBuildConfig),
	call func(types.CompilerArguments) ([]byte, error),
) error {
	if err := prepareCache(); err != nil {
		return err
	}
	if before, err := os.Getwd(); err == nil {
		defer os.Chdir(before)
	}
	options = append([]func(*types.CompilerBuildConfig){
		build.WithNamedAddresses(p.Addresses),
		// Without this the compiler would use git to check for updates of the release in the module cache.
		build.WithSkipFetchLatestGitDeps(),
	}, options...)
	// Only with Verbose does the compiler report the causes of a failure.
	if _, err := call(compiler.NewCompilerArgumentWithBuildOption(p.Path, true, options...)); err != nil {
		return explain(err)
	}
	return nil
}

// explain keeps the causes in the compiler's message and drops its stack trace.
func explain(err error) error {
	message, _, _ := strings.Cut(err.Error(), "\n\nStack backtrace:")
	message = strings.TrimPrefix(message, "failure occurred from compiler: ")
	return errors.New(strings.TrimSpace(message))
}

func inTemporaryFolder(run func(folder string) error) error {
	folder, err := os.MkdirTemp("", "vipnode-move-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	return run(folder)
}
