package main

import (
	"github.com/spf13/cobra"

	"github.com/vipscore/vipscore/tools/vipnode/movepackage"
)

// newBuildCommand is `vipnode-move build`: exit status 1 if the package does not compile, 2 if there is none.
func newBuildCommand() *cobra.Command {
	return newPackageCommand("build", "Compile a Move package into its build folder", movepackage.Build)
}

// newPackageCommand returns a command that does one thing to the Move package in a folder.
func newPackageCommand(name, short string, run func(*movepackage.Package) error) *cobra.Command {
	var addresses []string
	command := &cobra.Command{
		Use:           name + " PACKAGE",
		Short:         short,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(command *cobra.Command, args []string) error {
			if err := cobra.ExactArgs(1)(command, args); err != nil {
				return &movepackage.InputError{Message: err.Error()}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			pkg, err := movepackage.Open(args[0], addresses)
			if err != nil {
				return err
			}
			return run(pkg)
		},
	}
	command.Flags().StringArrayVar(&addresses, "named-address", nil, "value of a named address, as `name=0x…`; may be repeated")
	command.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return &movepackage.InputError{Message: err.Error()}
	})
	return command
}
