package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/vipscore/vipscore/tools/vipnode"
)

// licenceSentence is what the licence of movevm asks its users to know.
const licenceSentence = "This is a development node. It contains movevm, which is under the Business Source License 1.1: " +
	"for non-production use only."

// versionModules are the modules that decide how the chain behaves.
var versionModules = []struct{ name, path string }{
	{"cosmos-sdk", "github.com/cosmos/cosmos-sdk"},
	{"cometbft", "github.com/cometbft/cometbft"},
	{"movevm", "github.com/initia-labs/movevm"},
}

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of the program and of what it is made of",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			out := command.OutOrStdout()
			fmt.Fprintf(out, "%s %s\n", program, vipnode.Version())
			for _, module := range versionModules {
				fmt.Fprintf(out, "%s %s\n", module.name, moduleVersion(module.path))
			}
			fmt.Fprintln(out, licenceSentence)
			return nil
		},
	}
}

// moduleVersion is the version of a module that this program was built with.
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
