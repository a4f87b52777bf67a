package chain

import (
	"time"

	sdk "github.com/cosmos/cosmos-sdk/types"
)

// restartDecorator gives checks and simulations a height and a time while a restarted chain has not made a block yet. The
// SDK starts with neither, as for its genesis: it would accept only account number 0, and code that reads the
// time would find none.
type restartDecorator struct{ lastHeight func() int64 }

func (d restartDecorator) AnteHandle(ctx sdk.Context, tx sdk.Tx, simulate bool, next sdk.AnteHandler) (sdk.Context, error) {
	if (ctx.IsCheckTx() || simulate) && ctx.BlockHeight() == 0 && d.lastHeight() > 0 {
		ctx = ctx.WithBlockHeight(d.lastHeight()).WithBlockTime(time.Now())
	}
	return next(ctx, tx, simulate)
}
