package program

import (
	sdk "github.com/cosmos/cosmos-sdk/types"
	"github.com/spf13/pflag"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
)

// DefaultL1ChainID is the chain ID of a chain that plays L1.
const DefaultL1ChainID = "vipnode-l1-1"

// bridgeFlags name the rollup's bridge on L1.
type bridgeFlags struct {
	id        uint64
	address   string
	l1ChainID string
}

func (f *bridgeFlags) add(set *pflag.FlagSet) {
	set.Uint64Var(&f.id, "bridge-id", 0, "ID of the rollup's bridge on L1, for /opinit/opchild/v1/bridge_info")
	set.StringVar(&f.address, "bridge-addr", "", "account of that bridge on L1, in bech32; by default the one that L1 derives from its ID")
	set.StringVar(&f.l1ChainID, "l1-chain-id", DefaultL1ChainID, "chain ID of that L1")
}

// bridge returns the rollup's bridge, or nil if the flags name none.
func (f *bridgeFlags) bridge(isL1 bool) (*chain.Bridge, error) {
	if f.id == 0 && f.address == "" {
		return nil, nil
	}
	if isL1 {
		return nil, usageErrorf("--bridge-id and --bridge-addr describe a rollup, not an L1")
	}
	if f.id == 0 {
		return nil, usageErrorf("--bridge-addr describes a bridge: give its --bridge-id")
	}
	if f.address == "" {
		f.address = chain.BridgeAddress(f.id).String()
	}
	if _, err := sdk.AccAddressFromBech32(f.address); err != nil {
		return nil, usageErrorf("--bridge-addr %s: %s", f.address, err)
	}
	return &chain.Bridge{ID: f.id, Address: f.address, L1ChainID: f.l1ChainID}, nil
}
