// Command vipnode-wasm is a development chain with CosmWasm as Initia's rollups run it.
package main

import (
	"os"

	"github.com/vipscore/vipscore/tools/vipnode/program"
	"github.com/vipscore/vipscore/tools/vipnode/x/wasm"
)

const (
	name           = "vipnode-wasm"
	defaultChainID = "vipnode-wasm-1"
)

func main() {
	os.Exit(newProgram().Run(os.Args[1:]))
}

func newProgram() program.Program {
	return program.Program{
		Name:  name,
		Short: "A development chain with CosmWasm as Initia's rollups run it",
		Modules: []program.Module{
			{Name: "cosmos-sdk", Path: "github.com/cosmos/cosmos-sdk"},
			{Name: "cometbft", Path: "github.com/cometbft/cometbft"},
			{Name: "wasmd", Path: "github.com/CosmWasm/wasmd"},
			{Name: "wasmvm", Path: "github.com/CosmWasm/wasmvm/v2"},
		},
		Start: program.Start{
			DefaultChainIDs: defaultChainID,
			ReadyLine:       "ready rest=URL rpc=URL chain-id=ID",
			Chain:           func() program.Chain { return program.Chain{VM: wasm.New(), ID: defaultChainID} },
		},
	}
}
