// Command vipnode-move is a development chain with the Move virtual machine of Initia's rollups.
package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/vipscore/vipscore/tools/vipnode/program"
)

// name is the program's name, also on the chain.
const name = "vipnode-move"

// licenseSentence is what the license of movevm requires its users to know.
const licenseSentence = "This is a development node. It contains movevm, which is under the Business Source License 1.1: " +
	"for non-production use only."

func main() {
	os.Exit(newProgram().Run(os.Args[1:]))
}

func newProgram() program.Program {
	return program.Program{
		Name:   name,
		Short:  "A development chain with the Move virtual machine of Initia's rollups",
		Notice: licenseSentence,
		Modules: []program.Module{
			{Name: "cosmos-sdk", Path: "github.com/cosmos/cosmos-sdk"},
			{Name: "cometbft", Path: "github.com/cometbft/cometbft"},
			{Name: "movevm", Path: "github.com/initia-labs/movevm"},
		},
		Start:    newStart(),
		Commands: []*cobra.Command{newBuildCommand(), newTestCommand(), newCoverageCommand()},
	}
}
