package chain

import (
	"context"
	"time"

	abci "github.com/cometbft/cometbft/abci/types"
	"github.com/cometbft/cometbft/rpc/client/local"
	"github.com/cometbft/cometbft/rpc/core"
	coretypes "github.com/cometbft/cometbft/rpc/core/types"
	rpctypes "github.com/cometbft/cometbft/rpc/jsonrpc/types"
	cmttypes "github.com/cometbft/cometbft/types"
	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/mempool"
)

// newPool is initia's mempool in front of CometBFT's.
func newPool(app *application, watch *mempool.Watch, environment *core.Environment, now func() time.Time) *mempool.Pool {
	if now == nil {
		now = time.Now
	}
	return mempool.NewPool(environment.Mempool, watch, mempool.Chain{
		Order: app.orderOf,
		Check: func(tx cmttypes.Tx) (*abci.ResponseCheckTx, error) {
			return environment.ProxyAppMempool.CheckTx(context.Background(), &abci.RequestCheckTx{Tx: tx})
		},
		Sequence:   app.committedSequence,
		MaxTxBytes: maxTxBytes,
		Now:        now,
	})
}

// orderOf returns a transaction's first signer and its sequence; false if it has no signer. The SDK can only read the
// signers of one transaction at a time.
func (app *application) orderOf(tx cmttypes.Tx) (sender sdk.AccAddress, sequence uint64, ok bool) {
	if len(tx) > maxTxBytes {
		return nil, 0, false
	}
	app.running.Lock()
	defer app.running.Unlock()
	// The SDK panics when it reads the signers of an incomplete transaction. Its checks recover too and refuse the transaction.
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	decoded, err := app.encoding.Tx.TxDecoder()(tx)
	if err != nil {
		return nil, 0, false
	}
	claims, err := claimsOf(decoded)
	if err != nil || len(claims) == 0 {
		return nil, 0, false
	}
	return claims[0].signer, claims[0].sequence, true
}

// committedSequence is the next sequence of an account after the last block; false if the account does not exist.
func (app *application) committedSequence(address sdk.AccAddress) (uint64, bool) {
	app.running.Lock()
	defer app.running.Unlock()
	account := app.accounts.GetAccount(app.NewContext(true), address)
	if account == nil {
		return 0, false
	}
	return account.GetSequence(), true
}

// localClient calls CometBFT in this process and broadcasts through the environment's mempool.
type localClient struct {
	*local.Local
	environment *core.Environment
}

func (c localClient) BroadcastTxSync(_ context.Context, tx cmttypes.Tx) (*coretypes.ResultBroadcastTx, error) {
	return c.environment.BroadcastTxSync(&rpctypes.Context{}, tx)
}

func (c localClient) BroadcastTxAsync(_ context.Context, tx cmttypes.Tx) (*coretypes.ResultBroadcastTx, error) {
	return c.environment.BroadcastTxAsync(&rpctypes.Context{}, tx)
}

func (c localClient) BroadcastTxCommit(_ context.Context, tx cmttypes.Tx) (*coretypes.ResultBroadcastTxCommit, error) {
	return c.environment.BroadcastTxCommit(&rpctypes.Context{}, tx)
}
