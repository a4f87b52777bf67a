// Package move adds Move to a chain: it runs the VM and the standard library of Initia's Move rollups
// (github.com/initia-labs/movevm) over the chain's own stores, accounts and gas, and serves initia.move.v1.
//
// Left out, each with an explicit error where Move code can reach it: coins with balances in Move (the bank's own
// are not Move's, except with NewWithCoin), messages from Move code to other modules, staking, the oracle, and governance messages other than MsgGovExecute.
package move

import (
	"context"
	"errors"

	"github.com/cosmos/cosmos-sdk/client"
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	gogogrpc "github.com/cosmos/gogoproto/grpc"
	"github.com/grpc-ecosystem/grpc-gateway/runtime"
	vmtypes "github.com/initia-labs/movevm/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

// storeName is the store for everything in the VM: modules, resources and tables.
const storeName = "move"

type module struct {
	genesis []GenesisModules
	// coin is the denomination that Move code can use, or empty.
	coin   string
	keeper *Keeper
}

// New returns the Move VM of a rollup. A new chain starts with the standard library.
func New() chain.VM { return &module{} }

// NewWithCoin returns a Move VM whose new chain also has the given modules, and whose Move code can read and send the bank's
// coins of a denomination.
func NewWithCoin(denom string, genesis ...GenesisModules) chain.VM {
	return &module{genesis: genesis, coin: denom}
}

func (m *module) Name() string { return "move" }

// RollupGas is the exact extra gas of transactions and simulations recorded on minimove, compared with this chain.
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
	keeper, err := NewKeeper(key, base.Accounts, base.Bank, base.Authority)
	m.keeper = keeper
	if err == nil && m.coin != "" {
		keeper.coin = &coin{denom: m.coin, bank: base.Bank, codec: base.Codec}
	}
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

// Resource returns the BCS of a resource of a genesis module.
func (m *module) Resource(ctx sdk.Context, publisher [32]byte, module, name string) ([]byte, error) {
	tag := vmtypes.StructTag{Address: publisher, Module: vmtypes.Identifier(module), Name: vmtypes.Identifier(name)}
	found, err := m.keeper.Resource(ctx, publisher, tag)
	return found.RawBytes, err
}

// SetResource replaces the data of a resource.
func (m *module) SetResource(ctx sdk.Context, publisher [32]byte, module, name string, data []byte) error {
	tag := vmtypes.StructTag{Address: publisher, Module: vmtypes.Identifier(module), Name: vmtypes.Identifier(name)}
	key, err := resourceKey(publisher, tag)
	if err == nil {
		m.keeper.store(ctx).Set(key, data)
	}
	return err
}

func (m *module) Close() error {
	if m.keeper != nil {
		m.keeper.Close()
	}
	return nil
}
