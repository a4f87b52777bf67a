// Package wasm adds CosmWasm to a chain: the x/wasm module and the virtual machine of CosmWasm itself
// (github.com/CosmWasm/wasmd and wasmvm), over the chain's own stores, accounts and gas, as rollups with CosmWasm run it.
//
// Left out, each with an explicit error where a contract can reach it: staking, distribution and IBC, which this chain
// does not have. Everybody may store and instantiate code. Nobody holds the module's authority, so codes cannot be pinned and
// parameters cannot change.
package wasm

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	storetypes "cosmossdk.io/store/types"
	wasmkeeper "github.com/CosmWasm/wasmd/x/wasm/keeper"
	wasmtypes "github.com/CosmWasm/wasmd/x/wasm/types"
	wasmvm "github.com/CosmWasm/wasmvm/v2"
	vmtypes "github.com/CosmWasm/wasmvm/v2/types"
	"github.com/cosmos/cosmos-sdk/client"
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	"github.com/cosmos/cosmos-sdk/runtime"
	sdk "github.com/cosmos/cosmos-sdk/types"
	authtypes "github.com/cosmos/cosmos-sdk/x/auth/types"
	gogogrpc "github.com/cosmos/gogoproto/grpc"
	gatewayruntime "github.com/grpc-ecosystem/grpc-gateway/runtime"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
)

const (
	// codeFolder is where the VM stores code and its compiled form.
	codeFolder = "wasm"
	// instanceMemory is the memory limit of one running contract, in MiB: x/wasm's own limit, which it does not export.
	instanceMemory = 32
)

type module struct {
	machine *wasmvm.VM
	keeper  wasmkeeper.Keeper
	base    chain.Base
}

// New returns the CosmWasm of a chain.
func New() chain.VM { return &module{} }

func (m *module) Name() string { return "wasm" }

// RollupGas is the exact extra gas of transactions and simulations recorded on miniwasm, compared with this chain.
func (m *module) RollupGas() chain.RollupGas {
	return chain.RollupGas{Transaction: 1_303, Simulation: 50_000, BareSimulation: true}
}

// SimulationGas ends an endless loop after some five seconds, during which the chain stands still. The reference contract
// uses 16,300 gas per score: 3,000 scores fit.
func (m *module) SimulationGas() storetypes.Gas { return 50_000_000 }

func (m *module) StoreNames() []string { return []string{wasmtypes.StoreKey} }

func (m *module) RegisterInterfaces(registry codectypes.InterfaceRegistry) {
	wasmtypes.RegisterInterfaces(registry)
}

// ModuleAccounts returns the account through which burned coins of contracts pass.
func (m *module) ModuleAccounts() map[string][]string {
	return map[string][]string{wasmtypes.ModuleName: {authtypes.Burner}}
}

func (m *module) Open(base chain.Base) error {
	key, found := base.Keys[wasmtypes.StoreKey]
	if !found {
		return errors.New("the chain has no store " + wasmtypes.StoreKey)
	}
	config := wasmtypes.DefaultNodeConfig()
	machine, err := wasmvm.NewVMWithConfig(vmtypes.VMConfig{
		Cache: vmtypes.CacheOptions{
			BaseDir:                  filepath.Join(base.Home, codeFolder),
			AvailableCapabilities:    capabilities(),
			MemoryCacheSizeBytes:     vmtypes.NewSizeMebi(config.MemoryCacheSize),
			InstanceMemoryLimitBytes: vmtypes.NewSizeMebi(instanceMemory),
		},
	}, config.ContractDebugMode)
	if err != nil {
		return fmt.Errorf("its folder %s: %w", base.Home, err)
	}
	m.machine, m.base = machine, base
	m.keeper = wasmkeeper.NewKeeper(
		base.Codec, runtime.NewKVStoreService(key), base.Accounts, base.Bank,
		noStaking{}, noDistribution{}, noIBC{}, noIBC{}, noIBC{},
		base.Messages, nil, base.Home, config, wasmtypes.VMConfig{}, capabilities(),
		base.Authority, wasmkeeper.WithWasmEngine(machine),
	)
	return nil
}

// AnteDecorators are those of x/wasm that rollups run: they number the transactions of a block, which contracts can read,
// and pass gas prices to the messages. x/wasm's discount for a contract that a transaction calls again is not
// included.
func (m *module) AnteDecorators() []sdk.AnteDecorator {
	return []sdk.AnteDecorator{
		wasmkeeper.NewCountTXDecorator(runtime.NewKVStoreService(m.base.Keys[wasmtypes.StoreKey])),
		wasmkeeper.NewGasRegisterDecorator(m.keeper.GetGasRegister()),
	}
}

func (m *module) RegisterServices(messages, queries gogogrpc.Server) {
	wasmtypes.RegisterMsgServer(messages, msgServer{wasmkeeper.NewMsgServerImpl(&m.keeper)})
	wasmtypes.RegisterQueryServer(queries, queryServer{wasmkeeper.Querier(&m.keeper)})
}

func (m *module) RegisterGatewayRoutes(clientContext client.Context, mux *gatewayruntime.ServeMux) error {
	return wasmtypes.RegisterQueryHandlerClient(context.Background(), mux, wasmtypes.NewQueryClient(clientContext))
}

func (m *module) InitGenesis(ctx sdk.Context) error {
	_, err := wasmkeeper.InitGenesis(ctx, &m.keeper, wasmtypes.GenesisState{Params: wasmtypes.DefaultParams()})
	return err
}

func (m *module) Close() error {
	if m.machine != nil {
		m.machine.Cleanup()
		m.machine = nil
	}
	return nil
}
