package main

import (
	"github.com/spf13/cobra"

	"github.com/vipscore/vipscore/tools/vipnode/movepackage"
)

// newTestCommand is `vipnode-move test`: exit status 1 if a test fails.
func newTestCommand() *cobra.Command {
	return newPackageCommand("test", "Run the tests of a Move package", movepackage.Test)
}
