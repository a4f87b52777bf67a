// Package move is a chain's Move: it runs the VM and the standard library of Initia's Move rollups
// (github.com/initia-labs/movevm) over the chain's own stores, accounts and gas, and speaks initia.move.v1.
//
// Left out, each with an error that says so where Move code can reach it: coins whose balances Move keeps (the bank's own
// are not Move's), messages that Move code sends to other modules, staking, the oracle, and the messages of governance.
package move

import (
	"context"
	"errors"

	"github.com/cosmos/cosmos-sdk/client"
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	gogogrpc "github.com/cosmos/gogoproto/grpc"
	"github.com/grpc-ecosystem/grpc-gateway/runtime"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

// storeName is where the VM keeps everything: modules, resources and tables.
const storeName = "move"

type module struct {
	genesis []GenesisModules
	keeper  *Keeper
}

// New gives the Move VM of a chain. A new chain starts with the standard library and the modules given.
func New(genesis ...GenesisModules) chain.VM {
	return &module{genesis: genesis}
}

func (m *module) Name() string { return "move" }

// RollupGas is what transactions and simulations recorded on minimove cost beyond what they cost here, each to the unit.
func (m *module) RollupGas() chain.RollupGas {
	return chain.RollupGas{Fee: 1_303, Simulation: 180_000}
}

func (m *module) StoreNames() []string { return []string{storeName} }

func (m *module) RegisterInterfaces(registry codectypes.InterfaceRegistry) {
	types.RegisterInterfaces(registry)
}

func (m *module) Open(base chain.Base) error {
	key, found := base.Keys[storeName]
	if !found {
		return errors.New("the chain has no store " + storeName)
	}
	keeper, err := NewKeeper(key, base.Accounts, base.Bank)
	m.keeper = keeper
	return err
}

func (m *module) RegisterServices(messages, queries gogogrpc.Server) {
	types.RegisterMsgServer(messages, NewMsgServer(m.keeper))
	types.RegisterQueryServer(queries, NewQueryServer(m.keeper))
}

func (m *module) RegisterGatewayRoutes(clientContext client.Context, mux *runtime.ServeMux) error {
	return types.RegisterQueryHandlerClient(context.Background(), mux, types.NewQueryClient(clientContext))
}

func (m *module) InitGenesis(ctx sdk.Context) error {
	return m.keeper.InitGenesis(ctx, m.genesis)
}

func (m *module) Close() error {
	if m.keeper != nil {
		m.keeper.Close()
	}
	return nil
}
