package mempool

import (
	"context"
	"errors"
	"slices"

	abci "github.com/cometbft/cometbft/abci/types"
	txtypes "github.com/cosmos/cosmos-sdk/types/tx"

	"github.com/vipscore/vipscore/tools/vipnode/mempool/types"
)

// Classic wraps the state machine as on a node with initia v1.2, which does not know queued transactions.
type Classic struct{ abci.Application }

// errQueued is the panic of minimove v1.1.11.
var errQueued = errors.New("runtime error: index out of range [0] with length 0")

// CheckTx panics for a queued transaction, as minimove v1.1.11 does. The REST and RPC servers report the panic;
// CometBFT keeps the transaction in its cache.
func (c Classic) CheckTx(ctx context.Context, request *abci.RequestCheckTx) (*abci.ResponseCheckTx, error) {
	var raw txtypes.TxRaw
	var body txtypes.TxBody
	if raw.Unmarshal(request.Tx) == nil && body.Unmarshal(raw.BodyBytes) == nil &&
		slices.ContainsFunc(body.ExtensionOptions, types.IsQueuedTx) {
		panic(errQueued)
	}
	return c.Application.CheckTx(ctx, request)
}
