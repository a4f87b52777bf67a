package move

import (
	"sync"

	storetypes "cosmossdk.io/store/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	authkeeper "github.com/cosmos/cosmos-sdk/x/auth/keeper"
	"github.com/initia-labs/movevm"
	"github.com/initia-labs/movevm/api"
	vmtypes "github.com/initia-labs/movevm/types"
)

// How many compiled modules and scripts the VM caches: a real node's defaults (initia-labs/initia, x/move/config).
const (
	moduleCacheCapacity = 5_000
	scriptCacheCapacity = 1_000
)

// BankKeeper is what the VM needs from the bank.
type BankKeeper interface {
	BlockedAddr(sdk.AccAddress) bool
}

// Keeper runs Move code against the chain's state.
type Keeper struct {
	key      *storetypes.KVStoreKey
	accounts authkeeper.AccountKeeper
	bank     BankKeeper
	// coin is what Move code can use of the bank, or nil.
	coin *coin
	// authority is the only account that may execute as another.
	authority string

	// The VM's caches do not support concurrent callers.
	lock    sync.Mutex
	machine movevm.VM
	closed  bool
}

// NewKeeper starts a VM with its state in the store of key. Like a real node, it refuses bytecode of unstable language
// versions.
func NewKeeper(key *storetypes.KVStoreKey, accounts authkeeper.AccountKeeper, bank BankKeeper, authority string) (*Keeper, error) {
	if err := recordBacktraces(); err != nil {
		return nil, err
	}
	machine, err := movevm.NewVM(vmtypes.InitiaVMConfig{
		AllowUnstable:       false,
		ScriptCacheCapacity: scriptCacheCapacity,
		ModuleCacheCapacity: moduleCacheCapacity,
	})
	if err != nil {
		return nil, err
	}
	return &Keeper{key: key, accounts: accounts, bank: bank, authority: authority, machine: machine}, nil
}

// Close closes the VM. Later calls are refused.
func (k *Keeper) Close() {
	k.lock.Lock()
	defer k.lock.Unlock()
	if !k.closed {
		k.closed = true
		k.machine.Destroy()
	}
}

// store is the VM's state without the SDK's gas: the VM charges for its reads and writes.
func (k *Keeper) store(ctx sdk.Context) storetypes.KVStore {
	return ctx.MultiStore().GetKVStore(k.key)
}

// execution is the data of one run of the VM.
type execution struct {
	// gas is the run's limit, and afterwards what is left of it.
	gas     *uint64
	machine *movevm.VM
	store   api.KVStore
	goAPI   api.GoAPI
	env     vmtypes.Env
}

// run calls a function with the VM and at most gas, and returns the gas used even if the call fails.
func run[T any](k *Keeper, ctx sdk.Context, env vmtypes.Env, gas uint64, call func(execution) (T, error)) (result T, used uint64, err error) {
	unmetered := ctx.WithGasMeter(storetypes.NewInfiniteGasMeter())
	left := gas
	err = guard(func() (err error) {
		k.lock.Lock()
		defer k.lock.Unlock()
		if k.closed {
			return errClosed
		}
		result, err = call(execution{
			gas:     &left,
			machine: &k.machine,
			store:   k.store(ctx),
			goAPI:   backend{keeper: k, ctx: unmetered},
			env:     env,
		})
		return err
	})
	return result, gas - left, shorten(err)
}
