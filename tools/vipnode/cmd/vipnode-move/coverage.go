package main

import (
	"github.com/spf13/cobra"

	"github.com/vipscore/vipscore/tools/vipnode/movepackage"
)

// newCoverageCommand is `vipnode-move coverage`: exit status 1 if a test fails.
func newCoverageCommand() *cobra.Command {
	return newPackageCommand("coverage", "Run the tests of a Move package and report what they cover", movepackage.Coverage)
}
