package chain

import (
	"time"

	sdk "github.com/cosmos/cosmos-sdk/types"
)

// restartDecorator gives checks and simulations a height and a time while a chain that goes on has not made a block yet. The
// SDK starts with neither, as if for its genesis: it would take no account's number but 0, and code that asks for the
// time would find none.
type restartDecorator struct{ lastHeight func() int64 }

func (d restartDecorator) AnteHandle(ctx sdk.Context, tx sdk.Tx, simulate bool, next sdk.AnteHandler) (sdk.Context, error) {
	if (ctx.IsCheckTx() || simulate) && ctx.BlockHeight() == 0 && d.lastHeight() > 0 {
		ctx = ctx.WithBlockHeight(d.lastHeight()).WithBlockTime(time.Now())
	}
	return next(ctx, tx, simulate)
}
