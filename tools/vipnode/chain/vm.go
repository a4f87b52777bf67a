// Package chain is the base of every vipnode program: a one-validator development chain on the Cosmos SDK and CometBFT,
// with accounts, bank, transactions, gas, simulation, the REST gateway and the RPC. A program adds one virtual machine.
package chain

import (
	storetypes "cosmossdk.io/store/types"
	"github.com/cosmos/cosmos-sdk/baseapp"
	"github.com/cosmos/cosmos-sdk/client"
	"github.com/cosmos/cosmos-sdk/codec"
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	authkeeper "github.com/cosmos/cosmos-sdk/x/auth/keeper"
	bankkeeper "github.com/cosmos/cosmos-sdk/x/bank/keeper"
	gogogrpc "github.com/cosmos/gogoproto/grpc"
	"github.com/grpc-ecosystem/grpc-gateway/runtime"
)

// Base is what the chain offers to a virtual machine.
type Base struct {
	Codec    codec.Codec
	Keys     map[string]*storetypes.KVStoreKey
	Accounts authkeeper.AccountKeeper
	Bank     bankkeeper.Keeper
	// Messages executes the messages that the machine's code sends to other parts of the chain.
	Messages *baseapp.MsgServiceRouter
	// Authority is the only address that could change parameters. It has no key.
	Authority string
	// Home is a folder that exists as long as the chain.
	Home string
}

// VM is one virtual machine with its store, its messages and its queries. Each method is called once, in the order
// of declaration. A machine with a method EndBlock(sdk.Context) error is also called at the end of every block.
type VM interface {
	// Name is the name of the program's VM: "move" or "wasm".
	Name() string
	// StoreNames are the names of its stores. None may be a prefix of another.
	StoreNames() []string
	// RegisterInterfaces registers its messages with the codec.
	RegisterInterfaces(codectypes.InterfaceRegistry)
	// Open starts the machine over the chain's stores and keepers.
	Open(Base) error
	// RegisterServices adds its message and query servers.
	RegisterServices(messages, queries gogogrpc.Server)
	// RegisterGatewayRoutes adds its REST routes.
	RegisterGatewayRoutes(client.Context, *runtime.ServeMux) error
	// InitGenesis writes its initial state. It is only called for a new chain.
	InitGenesis(sdk.Context) error
	// Close ends the machine once the chain has stopped.
	Close() error
}
