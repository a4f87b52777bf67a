package chain

import (
	storetypes "cosmossdk.io/store/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
)

// RollupGas is what a rollup's node charges for checks that this chain has no part for, so that the gas of a transaction
// is the rollup's. A virtual machine that knows it has a method RollupGas() RollupGas.
type RollupGas struct {
	// Transaction is charged for every transaction that is no simulation.
	Transaction storetypes.Gas
	// Fee is charged for a transaction that names a fee, be it of 0.
	Fee storetypes.Gas
	// Simulation is charged for a simulation.
	Simulation storetypes.Gas
	// BareSimulation means that a simulation leaves out the fee, of which no event tells then, and the account's next
	// sequence, as the checks of a rollup's mempool do.
	BareSimulation bool
}

// rollupGas is what the virtual machine says, or nothing.
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

// unlessBare leaves a check out of simulations where the rollup does.
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
