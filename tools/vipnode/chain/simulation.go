package chain

import (
	"math"

	storetypes "cosmossdk.io/store/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
)

// maxSimulationGas ends a simulation or a query that would never end by itself. The largest transaction that the mempool
// takes holds about 50,000 scores at some 4,300 gas each with the reference contract; this is twice as much.
// A virtual machine may have a lower limit of its own.
const maxSimulationGas = 500_000_000

// simulationLimitDecorator gives a simulation a meter with an end. The SDK's has none.
type simulationLimitDecorator struct{}

func (simulationLimitDecorator) AnteHandle(ctx sdk.Context, tx sdk.Tx, simulate bool, next sdk.AnteHandler) (sdk.Context, error) {
	if simulate {
		ctx = ctx.WithGasMeter(&simulationMeter{GasMeter: storetypes.NewGasMeter(maxSimulationGas)})
	}
	return next(ctx, tx, simulate)
}

// simulationMeter ends at maxSimulationGas and says, as the SDK's meter of a simulation does, that it has no limit:
// clients read that in gas_wanted.
type simulationMeter struct {
	storetypes.GasMeter
}

func (*simulationMeter) Limit() storetypes.Gas { return math.MaxUint64 }
