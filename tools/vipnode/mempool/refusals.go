package mempool

import (
	errorsmod "cosmossdk.io/errors"
	abci "github.com/cometbft/cometbft/abci/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	sdkerrors "github.com/cosmos/cosmos-sdk/types/errors"
)

// refusal is the answer to a transaction that the mempool does not accept.
func refusal(err error) *abci.ResponseCheckTx {
	codespace, code, log := errorsmod.ABCIInfo(err, false)
	return &abci.ResponseCheckTx{Codespace: codespace, Code: code, Log: log}
}

// activeTaken is recorded from minimove and miniwasm. There, a fee gives a transaction its priority, and the highest priority
// wins; here all priorities are equal.
func activeTaken(sender sdk.AccAddress, sequence uint64) *abci.ResponseCheckTx {
	return refusal(sdkerrors.ErrTxInMempoolCache.Wrapf(
		"active tx with nonce %d for sender %s has priority 1 >= replacement priority 1", sequence, sender))
}

// The following are not recorded: the texts are ours, the codes are the SDK's for the same reasons.

func waitingTaken(sender sdk.AccAddress, sequence uint64) *abci.ResponseCheckTx {
	return refusal(sdkerrors.ErrTxInMempoolCache.Wrapf(
		"queued tx with nonce %d for sender %s has priority 1 >= replacement priority 1", sequence, sender))
}

func accountFull(sender sdk.AccAddress) *abci.ResponseCheckTx {
	return refusal(sdkerrors.ErrMempoolIsFull.Wrapf("sender %s has %d queued txs, the limit", sender, maxWaitingOfAccount))
}

func allFull() *abci.ResponseCheckTx {
	return refusal(sdkerrors.ErrMempoolIsFull.Wrapf("%d txs are queued, the limit", maxWaiting))
}
