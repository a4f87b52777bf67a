package chain

import (
	sdk "github.com/cosmos/cosmos-sdk/types"
	sdkerrors "github.com/cosmos/cosmos-sdk/types/errors"
	"github.com/cosmos/cosmos-sdk/x/auth/ante"
	authkeeper "github.com/cosmos/cosmos-sdk/x/auth/keeper"
)

// staleSequenceDecorator refuses a used sequence with the text of a rollup's mempool, as recorded from
// minimove. The SDK's own check comes after it, with the same code and another text.
type staleSequenceDecorator struct {
	accounts authkeeper.AccountKeeper
}

func (d staleSequenceDecorator) AnteHandle(ctx sdk.Context, tx sdk.Tx, simulate bool, next sdk.AnteHandler) (sdk.Context, error) {
	if !ctx.IsCheckTx() || simulate {
		return next(ctx, tx, simulate)
	}
	claims, err := claimsOf(tx)
	if err != nil {
		return ctx, err
	}
	for _, claimed := range claims {
		account, err := ante.GetSignerAcc(ctx, d.accounts, claimed.signer)
		if err != nil {
			return ctx, err
		}
		if claimed.sequence < account.GetSequence() {
			return ctx, sdkerrors.ErrWrongSequence.Wrapf("tx nonce %d is stale for sender %s (expected >= %d)",
				claimed.sequence, account.GetAddress(), account.GetSequence())
		}
	}
	return next(ctx, tx, simulate)
}
