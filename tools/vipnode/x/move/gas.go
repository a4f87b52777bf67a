package move

import (
	"math"

	sdk "github.com/cosmos/cosmos-sdk/types"
)

const (
	// simulationGas is the gas limit of a simulated call, queryGas that of a view: a real node's defaults
	// (initia-labs/initia, x/move/config).
	simulationGas uint64 = 3_000_000
	queryGas      uint64 = 3_000_000

	// largestGas is the VM's maximum gas, because it counts in hundredths (movevm, crates/gas).
	largestGas uint64 = math.MaxUint64 / 100
)

// gasLimit is the gas limit of a call: the rest of the transaction's gas, or of a simulation's, which has no limit itself.
func gasLimit(ctx sdk.Context) uint64 {
	if ctx.ExecMode() == sdk.ExecModeSimulate {
		return simulationGas
	}
	return min(ctx.GasMeter().GasRemaining(), largestGas)
}
