package move

import (
	"fmt"
	"time"

	sdk "github.com/cosmos/cosmos-sdk/types"
	"github.com/initia-labs/movevm/precompile"
	vmtypes "github.com/initia-labs/movevm/types"

	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

// GenesisModules are published when a chain starts, after the standard library.
type GenesisModules struct {
	Publisher [32]byte
	// Code holds compiled modules.
	Code [][]byte
	// Calls returns what is then executed as Publisher, in order. It may be nil.
	Calls func(genesisTime time.Time) []EntryCall
}

// EntryCall is a call of an entry function of the publisher's module, with arguments in BCS.
type EntryCall struct {
	Module, Function string
	Arguments        [][]byte
}

// InitGenesis publishes a rollup's standard library, with the upgrade policy "compatible" and publishing open to
// everybody, and then the given modules.
func (k *Keeper) InitGenesis(ctx sdk.Context, modules []GenesisModules) error {
	if err := k.publishStandardLibrary(ctx); err != nil {
		return fmt.Errorf("the standard library: %w", err)
	}
	for _, one := range modules {
		if err := k.publishGenesisModules(ctx, one); err != nil {
			return fmt.Errorf("the genesis modules of %x: %w", one.Publisher, err)
		}
	}
	return nil
}

func (k *Keeper) publishStandardLibrary(ctx sdk.Context) error {
	codes, err := precompile.ReadMinlib()
	if err != nil {
		return err
	}
	bundle := vmtypes.ModuleBundle{Codes: make([]vmtypes.Module, len(codes))}
	for i, code := range codes {
		bundle.Codes[i] = vmtypes.NewModule(code)
	}
	env := k.transactionEnvironment(ctx)
	result, _, err := run(k, ctx, env, largestGas, func(e execution) (vmtypes.ExecutionResult, error) {
		return e.machine.Initialize(e.store, e.goAPI, e.env, bundle, []vmtypes.AccountAddress{})
	})
	if err != nil {
		return err
	}
	return k.apply(ctx, result)
}

func (k *Keeper) publishGenesisModules(ctx sdk.Context, modules GenesisModules) error {
	publisher := vmtypes.AccountAddress(modules.Publisher)
	if err := k.Publish(ctx, publisher, modules.Code, types.UpgradePolicyCompatible); err != nil {
		return err
	}
	if modules.Calls == nil {
		return nil
	}
	for _, one := range modules.Calls(ctx.BlockTime()) {
		call, err := k.newCall(publisher.String(), one.Module, one.Function, nil, one.Arguments, false)
		if err != nil {
			return err
		}
		if err := k.Execute(ctx, publisher, call); err != nil {
			return fmt.Errorf("%s::%s: %w", one.Module, one.Function, err)
		}
	}
	return nil
}
