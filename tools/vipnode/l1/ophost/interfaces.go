// Package ophost holds the account of a bridge on L1, generated from proto/opinit/ophost/v1.
package ophost

import (
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	authtypes "github.com/cosmos/cosmos-sdk/x/auth/types"
)

// RegisterInterfaces registers the account with a codec.
func RegisterInterfaces(registry codectypes.InterfaceRegistry) {
	registry.RegisterImplementations((*sdk.AccountI)(nil), &BridgeAccount{})
	registry.RegisterImplementations((*authtypes.GenesisAccount)(nil), &BridgeAccount{})
}
