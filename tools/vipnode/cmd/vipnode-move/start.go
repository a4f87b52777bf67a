package main

import (
	"github.com/spf13/pflag"

	"github.com/vipscore/vipscore/tools/vipnode/l1"
	"github.com/vipscore/vipscore/tools/vipnode/program"
	"github.com/vipscore/vipscore/tools/vipnode/x/move"
)

const defaultChainID = "vipnode-move-1"

// newStart returns a chain with Move that plays L1 with --l1.
func newStart() program.Start {
	var playsL1 bool
	return program.Start{
		AddFlags: func(set *pflag.FlagSet) {
			set.BoolVar(&playsL1, "l1", false, "play L1: publish the module vip, which holds the stages; every proposal to governance passes after one block")
		},
		DefaultChainIDs: defaultChainID + ", with --l1 " + program.DefaultL1ChainID,
		ReadyLine:       "ready rest=URL rpc=URL chain-id=ID, with --l1 also vip=ADDRESS",
		Chain: func() program.Chain {
			if playsL1 {
				return program.Chain{VM: l1.New(), ID: program.DefaultL1ChainID, IsL1: true, ReadyNote: " vip=" + l1.Address()}
			}
			return program.Chain{VM: move.New(), ID: defaultChainID}
		},
	}
}
