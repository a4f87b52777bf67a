package move

import (
	"bytes"
	"testing"
	"time"

	"cosmossdk.io/log"
	"cosmossdk.io/store/metrics"
	"cosmossdk.io/store/rootmulti"
	storetypes "cosmossdk.io/store/types"
	cmtproto "github.com/cometbft/cometbft/proto/tendermint/types"
	dbm "github.com/cosmos/cosmos-db"
	"github.com/cosmos/cosmos-sdk/codec"
	addresscodec "github.com/cosmos/cosmos-sdk/codec/address"
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	"github.com/cosmos/cosmos-sdk/runtime"
	sdk "github.com/cosmos/cosmos-sdk/types"
	authkeeper "github.com/cosmos/cosmos-sdk/x/auth/keeper"
	authtypes "github.com/cosmos/cosmos-sdk/x/auth/types"
	bankkeeper "github.com/cosmos/cosmos-sdk/x/bank/keeper"
	banktypes "github.com/cosmos/cosmos-sdk/x/bank/types"
	vmtypes "github.com/initia-labs/movevm/types"

	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

const (
	// The two public test accounts of VIP's integration guide.
	deployer    = "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6"
	deployerHex = "0xc5ea55d90ae84e307622f1b8b13535ec3eff0475"
	operator    = "init13jkjtmyq5yzj9sjcut6e40cqqmy5ghgmwz3rlq"
	operatorHex = "0x8cad25ec80a10522c258e2f59abf0006c9445d1b"

	plenty uint64 = 10_000_000
)

var genesisTime = time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC)

// fixture is a keeper over real stores and keepers, after genesis.
type fixture struct {
	keeper   *Keeper
	accounts authkeeper.AccountKeeper
	messages types.MsgServer
	queries  types.QueryServer
	ctx      sdk.Context
	store    *rootmulti.Store
}

func newFixture(t testing.TB, genesis ...GenesisModules) *fixture {
	t.Helper()
	keys := storetypes.NewKVStoreKeys(storeName, authtypes.StoreKey, banktypes.StoreKey)
	store := rootmulti.NewStore(dbm.NewMemDB(), log.NewNopLogger(), metrics.NewNoOpMetrics())
	for _, key := range keys {
		store.MountStoreWithDB(key, storetypes.StoreTypeIAVL, nil)
	}
	must(t, store.LoadLatestVersion())

	registry := codectypes.NewInterfaceRegistry()
	authtypes.RegisterInterfaces(registry)
	types.RegisterInterfaces(registry)
	protoCodec := codec.NewProtoCodec(registry)
	addresses := addresscodec.NewBech32Codec("init")
	authority := authtypes.NewModuleAddress("authority").String()
	accounts := authkeeper.NewAccountKeeper(protoCodec, runtime.NewKVStoreService(keys[authtypes.StoreKey]),
		authtypes.ProtoBaseAccount, map[string][]string{authtypes.FeeCollectorName: nil}, addresses, "init", bech32(t, addresses, authority))
	blocked := map[string]bool{authtypes.NewModuleAddress(authtypes.FeeCollectorName).String(): true}
	bank := bankkeeper.NewBaseKeeper(protoCodec, runtime.NewKVStoreService(keys[banktypes.StoreKey]), accounts, blocked,
		bech32(t, addresses, authority), log.NewNopLogger())
	keeper, err := NewKeeper(keys[storeName], accounts, bank, authority)
	must(t, err)
	t.Cleanup(keeper.Close)

	f := &fixture{
		keeper: keeper, accounts: accounts, messages: NewMsgServer(keeper), queries: NewQueryServer(keeper), store: store,
		ctx: sdk.NewContext(store.CacheMultiStore(), cmtproto.Header{ChainID: "test-1", Height: 1, Time: genesisTime}, false, log.NewNopLogger()),
	}
	must(t, accounts.Params.Set(f.ctx, authtypes.DefaultParams()))
	for _, text := range []string{deployer, operator} {
		address, err := addresses.StringToBytes(text)
		must(t, err)
		accounts.SetAccount(f.ctx, accounts.NewAccountWithAddress(f.ctx, address))
	}
	must(t, keeper.InitGenesis(f.ctx, genesis))
	return f
}

// commit ends a block.
func (f *fixture) commit() {
	f.ctx.MultiStore().(storetypes.CacheMultiStore).Write()
	f.store.Commit()
	f.ctx = f.ctx.WithMultiStore(f.store.CacheMultiStore()).WithBlockHeight(f.ctx.BlockHeight() + 1)
}

func bech32(t testing.TB, addresses interface{ BytesToString([]byte) (string, error) }, global string) string {
	t.Helper()
	address, err := sdk.AccAddressFromBech32(global)
	must(t, err)
	text, err := addresses.BytesToString(address)
	must(t, err)
	return text
}

// deliver executes one message like a transaction: all of its state or none, with a gas limit and its own events.
func (f *fixture) deliver(gas uint64, message func(sdk.Context) error) (sdk.Events, uint64, error) {
	return f.deliverIn(sdk.ExecModeFinalize, gas, message)
}

func (f *fixture) deliverIn(mode sdk.ExecMode, gas uint64, message func(sdk.Context) error) (sdk.Events, uint64, error) {
	ctx, write := f.ctx.CacheContext()
	meter := storetypes.NewGasMeter(gas)
	if mode == sdk.ExecModeSimulate {
		meter = storetypes.NewInfiniteGasMeter()
	}
	ctx = ctx.WithGasMeter(meter).WithExecMode(mode).WithEventManager(sdk.NewEventManager())
	err := message(ctx)
	if err == nil && mode == sdk.ExecModeFinalize {
		write()
	}
	return ctx.EventManager().Events(), meter.GasConsumed(), err
}

func (f *fixture) publish(sender string, policy types.UpgradePolicy, codes ...[]byte) (sdk.Events, uint64, error) {
	return f.deliver(plenty, func(ctx sdk.Context) error {
		_, err := f.messages.Publish(ctx, &types.MsgPublish{Sender: sender, CodeBytes: codes, UpgradePolicy: policy})
		return err
	})
}

func (f *fixture) execute(message *types.MsgExecute) (sdk.Events, uint64, error) {
	return f.deliver(plenty, func(ctx sdk.Context) error {
		_, err := f.messages.Execute(ctx, message)
		return err
	})
}

func (f *fixture) executeJSON(message *types.MsgExecuteJSON) (sdk.Events, uint64, error) {
	return f.deliver(plenty, func(ctx sdk.Context) error {
		_, err := f.messages.ExecuteJSON(ctx, message)
		return err
	})
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantError requires the exact text.
func wantError(t testing.TB, err error, text string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %q", text)
	}
	if err.Error() != text {
		t.Fatalf("error %q, want %q", err, text)
	}
}

func wantEqual[T comparable](t testing.TB, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("got %v, want %v", got, want)
	}
}

func address(t testing.TB, hex string) vmtypes.AccountAddress {
	t.Helper()
	parsed, err := vmtypes.NewAccountAddress(hex)
	must(t, err)
	return parsed
}

func wantBytes(t testing.TB, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Fatalf("got %x, want %x", got, want)
	}
}
