package chain

import (
	storetypes "cosmossdk.io/store/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
)

// RollupGas is what a rollup's node charges for checks that this chain does not have, so that a transaction costs the
// same gas as on the rollup. A virtual machine can set it with a method RollupGas() RollupGas.
type RollupGas struct {
	// Transaction is charged for every transaction except simulations.
	Transaction storetypes.Gas
	// Fee is charged for a transaction with a fee, even of 0.
	Fee storetypes.Gas
	// Simulation is charged for a simulation.
	Simulation storetypes.Gas
	// BareSimulation means that a simulation skips the fee, which then emits no event, and the account's next
	// sequence, as a rollup's mempool checks do.
	BareSimulation bool
}

// rollupGas is the virtual machine's value, or zero.
func rollupGas(vm VM) RollupGas {
	if known, ok := vm.(interface{ RollupGas() RollupGas }); ok {
		return known.RollupGas()
	}
	return RollupGas{}
}

// rollupGasDecorator charges RollupGas.
type rollupGasDecorator struct{ gas RollupGas }

func (d rollupGasDecorator) AnteHandle(ctx sdk.Context, tx sdk.Tx, simulate bool, next sdk.AnteHandler) (sdk.Context, error) {
	if simulate {
		ctx.GasMeter().ConsumeGas(d.gas.Simulation, "simulation")
	} else {
		ctx.GasMeter().ConsumeGas(d.gas.Transaction, "transaction")
	}
	if paid, ok := tx.(sdk.FeeTx); ok && len(paid.GetFee()) > 0 {
		ctx.GasMeter().ConsumeGas(d.gas.Fee, "fee")
	}
	return next(ctx, tx, simulate)
}

// unlessBare skips a check in simulations if the rollup does.
type unlessBare struct {
	sdk.AnteDecorator
	gas RollupGas
}

func (d unlessBare) AnteHandle(ctx sdk.Context, tx sdk.Tx, simulate bool, next sdk.AnteHandler) (sdk.Context, error) {
	if simulate && d.gas.BareSimulation {
		return next(ctx, tx, simulate)
	}
	return d.AnteDecorator.AnteHandle(ctx, tx, simulate, next)
}
