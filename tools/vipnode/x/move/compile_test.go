package move

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/initia-labs/movevm/api"
	"github.com/initia-labs/movevm/types/compiler"
	"github.com/initia-labs/movevm/types/compiler/build"
)

// build of testdata/board by the VM's own compiler.
type boardBuild struct{ module, script []byte }

// Each version is compiled once for all tests, as a compilation takes seconds.
var (
	compileBoard    = sync.OnceValues(func() (boardBuild, error) { return compileVersion() })
	compileExtended = sync.OnceValues(func() (boardBuild, error) { return compileVersion(extension) })
	compileChanged  = sync.OnceValues(func() (boardBuild, error) { return compileVersion(extension, otherLayout) })
)

var (
	// extension adds a struct and a function.
	extension = strings.NewReplacer("// more", "struct More has key { amount: u64 }\n#[view]\npublic fun more(): u64 { 42 }")
	// otherLayout adds a field to the struct Board.
	otherLayout = strings.NewReplacer(
		"total: u64,\n        rows", "total: u64, extra: u8,\n        rows", "total: 0, rows", "total: 0, extra: 0, rows",
		"total: i, rows", "total: i, extra: 0, rows")
)

func compiled(t testing.TB, version func() (boardBuild, error)) boardBuild {
	t.Helper()
	built, err := version()
	must(t, err)
	return built
}

func compileVersion(edits ...*strings.Replacer) (built boardBuild, err error) {
	library, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/initia-labs/movevm").Output()
	if err != nil {
		return built, err
	}
	folder, err := os.MkdirTemp("", "board")
	if err != nil {
		return built, err
	}
	defer os.RemoveAll(folder)
	if err := os.CopyFS(folder, os.DirFS("testdata/board")); err != nil {
		return built, err
	}
	const section = "[dependencies.MinitiaStdlib]"
	dependency := fmt.Sprintf("%s\nlocal = %q", section, strings.TrimSpace(string(library))+"/precompile/modules/minitia_stdlib")
	if err := edit(filepath.Join(folder, "Move.toml"), strings.NewReplacer(section, dependency)); err != nil {
		return built, err
	}
	for _, one := range edits {
		if err := edit(filepath.Join(folder, "sources", "board.move"), one); err != nil {
			return built, err
		}
	}

	// The compiler changes the process's working folder.
	here, err := os.Getwd()
	if err != nil {
		return built, err
	}
	_, err = api.BuildContract(compiler.NewCompilerArgument(folder, false, build.NewBuildConfig(build.WithSkipFetchLatestGitDeps())))
	if back := os.Chdir(here); err == nil {
		err = back
	}
	if err != nil {
		return built, err
	}
	output := filepath.Join(folder, "build", "Board")
	if built.module, err = os.ReadFile(filepath.Join(output, "bytecode_modules", "board.mv")); err != nil {
		return built, err
	}
	built.script, err = os.ReadFile(filepath.Join(output, "bytecode_scripts", "note_in_script.mv"))
	return built, err
}

func edit(file string, replacer *strings.Replacer) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(replacer.Replace(string(text))), 0o644)
}
