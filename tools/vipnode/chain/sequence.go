package chain

import (
	sdk "github.com/cosmos/cosmos-sdk/types"
	sdkerrors "github.com/cosmos/cosmos-sdk/types/errors"
	"github.com/cosmos/cosmos-sdk/x/auth/ante"
	authkeeper "github.com/cosmos/cosmos-sdk/x/auth/keeper"
	authsigning "github.com/cosmos/cosmos-sdk/x/auth/signing"
)

// staleSequenceDecorator refuses a sequence that is used already with the words of a rollup's mempool, as recorded from
// minimove. The SDK's own check comes after it; it has the same code and other words.
type staleSequenceDecorator struct {
	accounts authkeeper.AccountKeeper
}

func (d staleSequenceDecorator) AnteHandle(ctx sdk.Context, tx sdk.Tx, simulate bool, next sdk.AnteHandler) (sdk.Context, error) {
	if !ctx.IsCheckTx() || simulate {
		return next(ctx, tx, simulate)
	}
	signed, ok := tx.(authsigning.SigVerifiableTx)
	if !ok {
		return ctx, sdkerrors.ErrTxDecode.Wrap("invalid transaction type")
	}
	signatures, err := signed.GetSignaturesV2()
	if err != nil {
		return ctx, err
	}
	signers, err := signed.GetSigners()
	if err != nil {
		return ctx, err
	}
	for i, signature := range signatures {
		if i == len(signers) {
			break
		}
		account, err := ante.GetSignerAcc(ctx, d.accounts, signers[i])
		if err != nil {
			return ctx, err
		}
		if signature.Sequence < account.GetSequence() {
			return ctx, sdkerrors.ErrWrongSequence.Wrapf("tx nonce %d is stale for sender %s (expected >= %d)",
				signature.Sequence, account.GetAddress(), account.GetSequence())
		}
	}
	return next(ctx, tx, simulate)
}
