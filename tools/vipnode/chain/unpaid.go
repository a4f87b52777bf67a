package chain

import (
	abci "github.com/cometbft/cometbft/abci/types"
	"github.com/cosmos/cosmos-sdk/baseapp"
	sdk "github.com/cosmos/cosmos-sdk/types"
)

// paysInBlocks reports whether the mempool accepts a transaction whose sender cannot pay its fee, as on L1. A virtual machine
// says so with a method PaysInBlocks() bool.
func paysInBlocks(vm VM) bool {
	known, ok := vm.(interface{ PaysInBlocks() bool })
	return ok && known.PaysInBlocks()
}

// exceptAtFirst skips a check when a transaction comes into the mempool, not when it stays there after a block.
type exceptAtFirst struct{ sdk.AnteDecorator }

func (d exceptAtFirst) AnteHandle(ctx sdk.Context, tx sdk.Tx, simulate bool, next sdk.AnteHandler) (sdk.Context, error) {
	if ctx.IsCheckTx() && !ctx.IsReCheckTx() && !simulate {
		return next(ctx, tx, simulate)
	}
	return d.AnteDecorator.AnteHandle(ctx, tx, simulate, next)
}

// proposeValid keeps transactions out of a block that the checks of a block refuse, so that nothing ever shows them.
func proposeValid(app *baseapp.BaseApp, decode sdk.TxDecoder) sdk.PrepareProposalHandler {
	return func(_ sdk.Context, request *abci.RequestPrepareProposal) (*abci.ResponsePrepareProposal, error) {
		response := &abci.ResponsePrepareProposal{}
		for _, tx := range request.Txs {
			decoded, err := decode(tx)
			if err == nil {
				_, err = app.PrepareProposalVerifyTx(decoded)
			}
			if err == nil {
				response.Txs = append(response.Txs, tx)
			}
		}
		return response, nil
	}
}
