package chain

import (
	"fmt"
	"maps"
	"path/filepath"

	"cosmossdk.io/log"
	pruningtypes "cosmossdk.io/store/pruning/types"
	storetypes "cosmossdk.io/store/types"
	abci "github.com/cometbft/cometbft/abci/types"
	cmtsync "github.com/cometbft/cometbft/libs/sync"
	dbm "github.com/cosmos/cosmos-db"
	"github.com/cosmos/cosmos-sdk/baseapp"
	addresscodec "github.com/cosmos/cosmos-sdk/codec/address"
	"github.com/cosmos/cosmos-sdk/runtime"
	sdk "github.com/cosmos/cosmos-sdk/types"
	authkeeper "github.com/cosmos/cosmos-sdk/x/auth/keeper"
	authtypes "github.com/cosmos/cosmos-sdk/x/auth/types"
	bankkeeper "github.com/cosmos/cosmos-sdk/x/bank/keeper"
	banktypes "github.com/cosmos/cosmos-sdk/x/bank/types"
	consensuskeeper "github.com/cosmos/cosmos-sdk/x/consensus/keeper"
	consensustypes "github.com/cosmos/cosmos-sdk/x/consensus/types"

	"github.com/vipscore/vipscore/tools/vipnode"
)

// application is the state machine: accounts, bank, and at most one virtual machine.
type application struct {
	*baseapp.BaseApp
	encoding Encoding
	accounts authkeeper.AccountKeeper
	bank     bankkeeper.BaseKeeper
	vm       VM
	// running is held by everything that reads or writes the state that the next block builds on: CometBFT's calls and
	// simulations. Without it a simulation reads trees that a block is writing.
	running *cmtsync.Mutex
}

// newApplication builds the state machine over a database and loads its last committed state. On an error it leaves
// nothing open.
func newApplication(program, chainID, home string, vm VM, pool Mempool, db dbm.DB, logger log.Logger) (_ *application, err error) {
	storeNames := []string{authtypes.StoreKey, banktypes.StoreKey, consensuskeeper.StoreKey}
	if vm != nil {
		storeNames = append(storeNames, vm.StoreNames()...)
	}
	keys := storetypes.NewKVStoreKeys(storeNames...)

	encoding, err := NewEncoding(vm)
	if err != nil {
		return nil, err
	}
	base := baseapp.NewBaseApp(program, logger, db, encoding.Tx.TxDecoder(),
		baseapp.SetChainID(chainID),
		// Every height stays readable, so that a client can read many pages at one height.
		baseapp.SetPruning(pruningtypes.NewPruningOptions(pruningtypes.PruningNothing)),
		baseapp.SetQueryGasLimit(maxSimulationGas),
	)
	base.SetVersion(vipnode.Version())
	base.SetTxEncoder(encoding.Tx.TxEncoder())
	base.SetInterfaceRegistry(encoding.Registry)
	base.MountKVStores(keys)

	// The parameters' authority is the account of governance, which has no key. Only a chain that plays L1 has governance.
	authority := authtypes.NewModuleAddress("gov").String()
	consensus := consensuskeeper.NewKeeper(encoding.Codec,
		runtime.NewKVStoreService(keys[consensuskeeper.StoreKey]), authority, runtime.EventService{})
	base.SetParamStore(consensus.ParamsStore)

	accounts := authkeeper.NewAccountKeeper(encoding.Codec, runtime.NewKVStoreService(keys[authtypes.StoreKey]),
		authtypes.ProtoBaseAccount, moduleAccounts(vm),
		addresscodec.NewBech32Codec(Prefix), Prefix, authority)
	bank := bankkeeper.NewBaseKeeper(encoding.Codec, runtime.NewKVStoreService(keys[banktypes.StoreKey]), accounts,
		map[string]bool{authtypes.NewModuleAddress(authtypes.FeeCollectorName).String(): true}, authority, logger)

	app := &application{
		BaseApp: base, encoding: encoding, accounts: accounts, bank: bank, vm: vm, running: new(cmtsync.Mutex),
	}
	authtypes.RegisterMsgServer(base.MsgServiceRouter(), authkeeper.NewMsgServerImpl(accounts))
	authtypes.RegisterQueryServer(base.GRPCQueryRouter(), authkeeper.NewQueryServer(accounts))
	banktypes.RegisterMsgServer(base.MsgServiceRouter(), bankkeeper.NewMsgServerImpl(bank))
	banktypes.RegisterQueryServer(base.GRPCQueryRouter(), bank)
	consensustypes.RegisterQueryServer(base.GRPCQueryRouter(), consensus)

	base.SetInitChainer(app.initChain)
	if ending, ok := vm.(interface{ EndBlock(sdk.Context) error }); ok {
		base.SetEndBlocker(func(ctx sdk.Context) (sdk.EndBlock, error) { return sdk.EndBlock{}, ending.EndBlock(ctx) })
	}

	if vm != nil {
		lent := Base{
			Codec: encoding.Codec, Keys: keys, Accounts: accounts, Bank: bank,
			Messages: base.MsgServiceRouter(), Authority: authority, Home: filepath.Join(home, vmFolder),
		}
		if err := vm.Open(lent); err != nil {
			return nil, fmt.Errorf("the %s VM cannot be opened: %w", vm.Name(), err)
		}
		defer func() {
			if err != nil {
				_ = vm.Close()
			}
		}()
		vm.RegisterServices(base.MsgServiceRouter(), base.GRPCQueryRouter())
	}
	base.SetAnteHandler(newAnteHandler(accounts, bank, encoding.Tx.SignModeHandler(), vm, pool, base.LastBlockHeight))
	if paysInBlocks(vm) && pool == MempoolInitia {
		base.SetPrepareProposal(proposeValid(base, encoding.Tx.TxDecoder()))
	}
	if err := base.LoadLatestVersion(); err != nil {
		return nil, fmt.Errorf("the chain's state cannot be read: %w", err)
	}
	return app, nil
}

// moduleAccounts are the accounts without keys and their permissions, with those that the virtual machine returns from a
// method ModuleAccounts() map[string][]string.
func moduleAccounts(vm VM) map[string][]string {
	all := map[string][]string{authtypes.FeeCollectorName: nil}
	if known, ok := vm.(interface{ ModuleAccounts() map[string][]string }); ok {
		maps.Copy(all, known.ModuleAccounts())
	}
	return all
}

// initChain writes the state of height 0.
func (app *application) initChain(ctx sdk.Context, request *abci.RequestInitChain) (*abci.ResponseInitChain, error) {
	if err := writeGenesis(ctx, app.accounts, app.bank); err != nil {
		return nil, err
	}
	if app.vm != nil {
		if err := app.vm.InitGenesis(ctx); err != nil {
			return nil, fmt.Errorf("the %s VM's first state cannot be written: %w", app.vm.Name(), err)
		}
	}
	return &abci.ResponseInitChain{Validators: request.Validators}, nil
}
