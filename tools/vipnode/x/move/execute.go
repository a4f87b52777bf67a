package move

import (
	"encoding/hex"
	"encoding/json"
	"strconv"

	sdk "github.com/cosmos/cosmos-sdk/types"
	vmtypes "github.com/initia-labs/movevm/types"

	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

// Execute runs an entry function as sender. It charges gas even on failure; a failure changes nothing.
func (k *Keeper) Execute(ctx sdk.Context, sender vmtypes.AccountAddress, call functionCall) error {
	event := sdk.NewEvent("execute",
		sdk.NewAttribute("sender", sender.String()),
		sdk.NewAttribute("module_addr", call.module.Address.String()),
		sdk.NewAttribute("module_name", string(call.module.Name)),
		sdk.NewAttribute("function_name", string(call.function)),
	)
	return k.execute(ctx, event, func(e execution) (vmtypes.ExecutionResult, error) {
		return e.machine.ExecuteEntryFunction(e.gas, e.store, e.goAPI, e.env, []vmtypes.AccountAddress{sender}, vmtypes.EntryFunction{
			Module: call.module, Function: call.function, TyArgs: call.types, Args: call.arguments, IsJson: call.asJSON,
		})
	})
}

// ExecuteScript runs a compiled script as sender.
func (k *Keeper) ExecuteScript(ctx sdk.Context, sender vmtypes.AccountAddress, script vmtypes.Script) error {
	event := sdk.NewEvent("script", sdk.NewAttribute("sender", sender.String()))
	return k.execute(ctx, event, func(e execution) (vmtypes.ExecutionResult, error) {
		return e.machine.ExecuteScript(e.gas, e.store, e.goAPI, e.env, []vmtypes.AccountAddress{sender}, script)
	})
}

// Publish publishes compiled modules at publisher's address, with the standard library's own function and its events.
func (k *Keeper) Publish(ctx sdk.Context, publisher vmtypes.AccountAddress, modules [][]byte, policy types.UpgradePolicy) error {
	// A real node also passes them as JSON, which affects the gas.
	codes := make([]string, len(modules))
	for i, module := range modules {
		codes[i] = hex.EncodeToString(module)
	}
	list, err := json.Marshal(codes)
	if err != nil {
		return err
	}
	return k.Execute(ctx, publisher, functionCall{
		module:    vmtypes.ModuleId{Address: vmtypes.StdAddress, Name: "code"},
		function:  "publish_v2",
		types:     []vmtypes.TypeTag{},
		arguments: [][]byte{list, []byte(strconv.Itoa(int(policy)))},
		asJSON:    true,
	})
}

func (k *Keeper) execute(ctx sdk.Context, event sdk.Event, call func(execution) (vmtypes.ExecutionResult, error)) error {
	env := k.transactionEnvironment(ctx)
	result, used, err := run(k, ctx, env, gasLimit(ctx), call)
	ctx.GasMeter().ConsumeGas(used, "move runtime")
	if err != nil {
		return err
	}
	ctx.EventManager().EmitEvent(event)
	return k.apply(ctx, result)
}
