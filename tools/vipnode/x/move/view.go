package move

import (
	sdk "github.com/cosmos/cosmos-sdk/types"
	vmtypes "github.com/initia-labs/movevm/types"
)

// View calls a view function with at most queryGas. It changes nothing and returns the gas used.
func (k *Keeper) View(ctx sdk.Context, call functionCall) (vmtypes.ViewOutput, uint64, error) {
	env, err := k.queryEnvironment(ctx)
	if err != nil {
		return vmtypes.ViewOutput{}, 0, err
	}
	return run(k, ctx, env, queryGas, func(e execution) (vmtypes.ViewOutput, error) {
		return e.machine.ExecuteViewFunction(e.gas, e.store, e.goAPI, e.env, vmtypes.ViewFunction{
			Module: call.module, Function: call.function, TyArgs: call.types, Args: call.arguments, IsJson: call.asJSON,
		})
	})
}
