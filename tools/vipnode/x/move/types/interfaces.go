// Package types holds the messages, the queries and the accounts of x/move, generated from proto/initia/move/v1.
package types

import (
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	"github.com/cosmos/cosmos-sdk/types/msgservice"
	authtypes "github.com/cosmos/cosmos-sdk/x/auth/types"
)

// RegisterInterfaces registers the messages and the accounts with a codec.
func RegisterInterfaces(registry codectypes.InterfaceRegistry) {
	registry.RegisterImplementations((*sdk.Msg)(nil),
		&MsgPublish{}, &MsgExecute{}, &MsgExecuteJSON{}, &MsgScript{}, &MsgScriptJSON{}, &MsgGovExecute{})
	registry.RegisterImplementations((*sdk.AccountI)(nil), &ObjectAccount{}, &TableAccount{})
	registry.RegisterImplementations((*authtypes.GenesisAccount)(nil), &ObjectAccount{}, &TableAccount{})
	msgservice.RegisterMsgServiceDesc(registry, &_Msg_serviceDesc)
}
