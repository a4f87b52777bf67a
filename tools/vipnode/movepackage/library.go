package movepackage

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"

	"github.com/initia-labs/movevm/precompile"
)

// The compiler's name for a git dependency in its cache: the URL with `/`, `:`, `.` and `@` replaced, and the revision.
// A package may write the repository with or without `.git`.
var libraryCacheNames = []string{
	"https___github_com_initia-labs_movevm_git_",
	"https___github_com_initia-labs_movevm_",
}

// libraryFolder returns the folder of the movevm module that this program was built from, which contains the sources of the
// standard library. The Go linker knows the path, or with -trimpath the part below the module cache.
func libraryFolder() (string, error) {
	entry := reflect.ValueOf(precompile.ReadMinlib).Pointer()
	file, _ := runtime.FuncForPC(entry).FileLine(entry)
	folder := filepath.Dir(filepath.Dir(filepath.FromSlash(file)))
	if !filepath.IsAbs(folder) {
		// A prebuilt program has the sources beside it, so that a build needs no Go.
		if program, err := os.Executable(); err == nil {
			beside := filepath.Join(filepath.Dir(program), folder)
			if _, err := os.Stat(beside); err == nil {
				return beside, nil
			}
		}
		cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
		if err != nil {
			return "", fmt.Errorf("a build needs Go, in whose module cache the Move standard library is: %w", err)
		}
		folder = filepath.Join(strings.TrimSpace(string(cache)), folder)
	}
	if _, err := os.Stat(filepath.Join(folder, "precompile", "modules")); err != nil {
		return "", fmt.Errorf("the Move standard library is not at %s: run `go mod download github.com/initia-labs/movevm`", folder)
	}
	return folder, nil
}

// prepareCache creates a cache for git dependencies that already contains the linked release of movevm, and makes the
// compiler use it. So a package whose library is pinned to that release needs no network; git fetches others once.
func prepareCache() error {
	folder, err := libraryFolder()
	if err != nil {
		return err
	}
	_, version, found := strings.Cut(filepath.Base(folder), "@")
	if !found {
		return fmt.Errorf("the folder %s does not contain movevm's version", folder)
	}
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir()
	}
	cache := filepath.Join(base, "vipnode", "move")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	for _, name := range libraryCacheNames {
		if err := link(folder, filepath.Join(cache, name+version)); err != nil {
			return err
		}
	}
	return os.Setenv("MOVE_HOME", cache)
}

// link makes path a link to target. Several programs may do so at the same time: the link is created elsewhere and renamed.
func link(target, path string) error {
	if current, err := os.Readlink(path); err == nil && current == target {
		return nil
	}
	aside := fmt.Sprintf("%s.%d", path, os.Getpid())
	if err := os.Remove(aside); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.Symlink(target, aside); err != nil {
		return err
	}
	return os.Rename(aside, path)
}
