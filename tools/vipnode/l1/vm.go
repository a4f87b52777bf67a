package l1

import (
	"time"

	"cosmossdk.io/collections"
	"github.com/cosmos/cosmos-sdk/client"
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	authkeeper "github.com/cosmos/cosmos-sdk/x/auth/keeper"
	authtypes "github.com/cosmos/cosmos-sdk/x/auth/types"
	bankkeeper "github.com/cosmos/cosmos-sdk/x/bank/keeper"
	"github.com/cosmos/cosmos-sdk/x/gov"
	"github.com/cosmos/cosmos-sdk/x/gov/keeper"
	govtypes "github.com/cosmos/cosmos-sdk/x/gov/types"
	govv1 "github.com/cosmos/cosmos-sdk/x/gov/types/v1"
	gogogrpc "github.com/cosmos/gogoproto/grpc"
	"github.com/grpc-ecosystem/grpc-gateway/runtime"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/l1/ophost"
	"github.com/vipscore/vipscore/tools/vipnode/x/move"
)

// machine is Move with governance: the module of the Cosmos SDK, so that it refuses what L1 refuses.
type machine struct {
	chain.VM
	accounts   authkeeper.AccountKeeper
	bank       bankkeeper.Keeper
	governance *keeper.Keeper
}

// New returns the virtual machine of a chain that plays L1: Move with the module vip, and governance.
func New() chain.VM { return &machine{VM: move.NewWithCoin(chain.FeeDenom, genesis())} }

// RollupGas is Move's, without what only a rollup's node adds to a simulation.
func (m *machine) RollupGas() chain.RollupGas {
	gas := m.VM.(interface{ RollupGas() chain.RollupGas }).RollupGas()
	gas.Simulation = 0
	return gas
}

// PaysInBlocks: L1's mempool does not look at balances, and its proposals leave out what cannot pay its fee.
func (m *machine) PaysInBlocks() bool { return true }

// ModuleAccounts are the account that holds deposits and executes proposals, and the one that makes the rewards.
func (m *machine) ModuleAccounts() map[string][]string {
	return map[string][]string{govtypes.ModuleName: {authtypes.Burner}, vipAccount: {authtypes.Minter}}
}

func (m *machine) StoreNames() []string { return append(m.VM.StoreNames(), govtypes.StoreKey) }

func (m *machine) RegisterInterfaces(registry codectypes.InterfaceRegistry) {
	m.VM.RegisterInterfaces(registry)
	registerGovernance(registry)
	ophost.RegisterInterfaces(registry)
}

func (m *machine) Open(base chain.Base) error {
	if err := m.VM.Open(base); err != nil {
		return err
	}
	m.accounts, m.bank, m.governance = base.Accounts, base.Bank, newGovernance(base)
	return nil
}

func (m *machine) RegisterServices(messages, queries gogogrpc.Server) {
	m.VM.RegisterServices(messages, queries)
	govv1.RegisterMsgServer(messages, keeper.NewMsgServerImpl(m.governance))
	govv1.RegisterQueryServer(queries, keeper.NewQueryServer(m.governance))
}

func (m *machine) RegisterGatewayRoutes(clientContext client.Context, mux *runtime.ServeMux) error {
	if err := m.VM.RegisterGatewayRoutes(clientContext, mux); err != nil {
		return err
	}
	if err := registerGasPrices(clientContext, mux); err != nil {
		return err
	}
	return registerGovernanceRoutes(clientContext, mux)
}

func (m *machine) InitGenesis(ctx sdk.Context) error {
	if err := m.VM.InitGenesis(ctx); err != nil {
		return err
	}
	if err := m.fillVault(ctx); err != nil {
		return err
	}
	for id := uint64(1); id <= chain.L1Bridges; id++ {
		// It takes the next account number.
		numbered := m.accounts.NewAccountWithAddress(ctx, chain.BridgeAddress(id))
		m.accounts.SetAccount(ctx, &ophost.BridgeAccount{BaseAccount: numbered.(*authtypes.BaseAccount)})
	}
	gov.InitGenesis(ctx, m.accounts, m.bank, m.governance, governanceGenesis())
	return nil
}

// EndBlock moves the price of gas, votes for every proposal whose voting period ends, and executes it.
func (m *machine) EndBlock(ctx sdk.Context) error {
	if err := m.changePrice(ctx, gasPrice.afterBlock); err != nil {
		return err
	}
	ending := collections.NewPrefixUntilPairRange[time.Time, uint64](ctx.BlockTime())
	var proposals []uint64
	err := m.governance.ActiveProposalsQueue.Walk(ctx, ending, func(_ collections.Pair[time.Time, uint64], proposal uint64) (bool, error) {
		proposals = append(proposals, proposal)
		return false, nil
	})
	if err != nil {
		return err
	}
	for _, proposal := range proposals {
		if err := voteYes(ctx, m.governance, proposal); err != nil {
			return err
		}
	}
	return gov.EndBlocker(ctx, m.governance)
}
