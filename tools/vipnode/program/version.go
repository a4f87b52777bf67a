package program

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/vipscore/vipscore/tools/vipnode"
)

// Module is a Go module with its name in `version`.
type Module struct{ Name, Path string }

func (p Program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of the program and its modules",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			out := command.OutOrStdout()
			fmt.Fprintf(out, "%s %s\n", p.Name, vipnode.Version())
			for _, module := range p.Modules {
				fmt.Fprintf(out, "%s %s\n", module.Name, moduleVersion(module.Path))
			}
			if p.Notice != "" {
				fmt.Fprintln(out, p.Notice)
			}
			return nil
		},
	}
}

// moduleVersion returns the version of a module in this program.
func moduleVersion(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, dependency := range info.Deps {
		if dependency.Path == path {
			if dependency.Replace != nil {
				dependency = dependency.Replace
			}
			return dependency.Version
		}
	}
	return "not part of this build"
}
