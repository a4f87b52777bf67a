// Package movepackage builds and tests Move packages with the compiler of the linked movevm module, so that compiler,
// standard library and virtual machine belong together.
package movepackage

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/initia-labs/movevm/types"
)

// InputError says that a package folder or an argument cannot be used. Nothing was compiled.
type InputError struct {
	Message string
}

func (e *InputError) Error() string { return e.Message }

// ExitStatus is the exit status of a command: 2, the input is wrong.
func (e *InputError) ExitStatus() int { return 2 }

// Package is a Move package on disk.
type Package struct {
	// Path is the absolute path of the folder with the Move.toml.
	Path string
	// Addresses are the caller's named addresses, in addition to those in the Move.toml.
	Addresses map[string]types.AccountAddress
}

var (
	addressName  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	addressValue = regexp.MustCompile(`^0x[0-9a-fA-F]{1,64}$`)
)

// Open finds the package in a folder. Each assignment is a named address, `name=0x…` with 1 to 64 hex digits.
// It fails with an *InputError.
func Open(folder string, assignments []string) (*Package, error) {
	path, err := filepath.Abs(folder)
	if err != nil {
		return nil, &InputError{fmt.Sprintf("%s is not a package folder: %v", folder, err)}
	}
	// The compiler would search the folders above.
	manifest := filepath.Join(path, "Move.toml")
	if info, err := os.Stat(manifest); err != nil || !info.Mode().IsRegular() {
		return nil, &InputError{fmt.Sprintf("%s is not a Move package: it has no Move.toml", path)}
	}

	addresses := make(map[string]types.AccountAddress, len(assignments))
	for _, assignment := range assignments {
		name, value, _ := strings.Cut(assignment, "=")
		if !addressName.MatchString(name) || !addressValue.MatchString(value) {
			return nil, &InputError{fmt.Sprintf("named address %q is not of the form name=0x1a2b", assignment)}
		}
		if _, taken := addresses[name]; taken {
			return nil, &InputError{fmt.Sprintf("named address %q is given twice", name)}
		}
		address, err := types.NewAccountAddress(value)
		if err != nil {
			return nil, &InputError{fmt.Sprintf("named address %q: %v", assignment, err)}
		}
		addresses[name] = address
	}
	return &Package{Path: path, Addresses: addresses}, nil
}
