package mempool

import (
	"context"
	"sync"

	abci "github.com/cometbft/cometbft/abci/types"
	cmttypes "github.com/cometbft/cometbft/types"
)

// Watch stands between CometBFT and the state machine. It records which transactions leave CometBFT's mempool, which
// CometBFT does not report, and completes proposals.
//
// Its methods run under the locks of CometBFT's mempool and of the state machine, so it never waits for the pool's.
type Watch struct {
	abci.Application
	// committed has an element after a block.
	committed chan struct{}

	mutex sync.Mutex
	hold  hold
	// executed are the transactions of a block that is not committed yet.
	executed []cmttypes.TxKey
	left     []cmttypes.TxKey
	// followers are the transactions that waited for the one with the key, in order of sequence.
	followers map[cmttypes.TxKey]cmttypes.Tx
}

// hold states whether transactions are kept out of blocks.
type hold int

const (
	open hold = iota
	held
	// released ends with the next proposal. CometBFT may have selected that proposal's transactions before the release, and
	// so without the last ones that came before it.
	released
)

// NewWatch watches a state machine.
func NewWatch(app abci.Application) *Watch {
	return &Watch{Application: app, committed: make(chan struct{}, 1), followers: map[cmttypes.TxKey]cmttypes.Tx{}}
}

// Hold keeps all transactions out of blocks until release is called. Blocks are still made, without transactions. Whatever
// is in the mempool at the release can get into one block.
func (w *Watch) Hold() (release func()) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.hold = held
	return func() {
		w.mutex.Lock()
		defer w.mutex.Unlock()
		if w.hold == held {
			w.hold = released
		}
	}
}

// keepsOut reports whether the next proposal must be empty, and ends a hold that was released.
func (w *Watch) keepsOut() bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	before := w.hold
	if before == released {
		w.hold = open
	}
	return before != open
}

// PrepareProposal adds the transactions that a new one unblocks: CometBFT may propose as soon as it has the new one.
func (w *Watch) PrepareProposal(
	ctx context.Context, request *abci.RequestPrepareProposal,
) (*abci.ResponsePrepareProposal, error) {
	response, err := w.Application.PrepareProposal(ctx, request)
	if err != nil {
		return nil, err
	}
	if w.keepsOut() {
		response.Txs = nil
		return response, nil
	}
	response.Txs = w.complete(response.Txs, request.MaxTxBytes)
	return response, nil
}

// complete adds followers after the transactions that they follow, as long as the block has room.
func (w *Watch) complete(proposed [][]byte, maxBytes int64) [][]byte {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if len(w.followers) == 0 {
		return proposed
	}
	known := make(map[cmttypes.TxKey]bool, len(proposed))
	for _, tx := range proposed {
		known[cmttypes.Tx(tx).Key()] = true
		maxBytes -= cmttypes.ComputeProtoSizeForTxs([]cmttypes.Tx{tx})
	}
	completed := make([][]byte, 0, len(proposed))
	for _, tx := range proposed {
		completed = append(completed, tx)
		for follower := w.followers[cmttypes.Tx(tx).Key()]; follower != nil; follower = w.followers[follower.Key()] {
			size := cmttypes.ComputeProtoSizeForTxs([]cmttypes.Tx{follower})
			if known[follower.Key()] || size > maxBytes {
				break
			}
			known[follower.Key()] = true
			maxBytes -= size
			completed = append(completed, follower)
		}
	}
	return completed
}

// CheckTx records the transactions that are no longer valid after a block. CometBFT drops them.
func (w *Watch) CheckTx(ctx context.Context, request *abci.RequestCheckTx) (*abci.ResponseCheckTx, error) {
	response, err := w.Application.CheckTx(ctx, request)
	if err == nil && request.Type == abci.CheckTxType_Recheck && response.Code != abci.CodeTypeOK {
		w.mutex.Lock()
		defer w.mutex.Unlock()
		w.leave(cmttypes.Tx(request.Tx).Key())
	}
	return response, err
}

// FinalizeBlock records the transactions of a block.
func (w *Watch) FinalizeBlock(
	ctx context.Context, request *abci.RequestFinalizeBlock,
) (*abci.ResponseFinalizeBlock, error) {
	w.mutex.Lock()
	w.executed = w.executed[:0]
	for _, tx := range request.Txs {
		w.executed = append(w.executed, cmttypes.Tx(tx).Key())
	}
	w.mutex.Unlock()
	return w.Application.FinalizeBlock(ctx, request)
}

// Commit releases the block's transactions and wakes the pool.
func (w *Watch) Commit(ctx context.Context, request *abci.RequestCommit) (*abci.ResponseCommit, error) {
	response, err := w.Application.Commit(ctx, request)
	w.mutex.Lock()
	for _, key := range w.executed {
		w.leave(key)
	}
	w.executed = w.executed[:0]
	w.mutex.Unlock()
	select {
	case w.committed <- struct{}{}:
	default:
	}
	return response, err
}

func (w *Watch) leave(key cmttypes.TxKey) {
	w.left = append(w.left, key)
	delete(w.followers, key)
}

// takeLeft returns the transactions that left since the last call.
func (w *Watch) takeLeft() []cmttypes.TxKey {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	left := w.left
	w.left = nil
	return left
}

// follow allows a chain of transactions into the first one's block.
func (w *Watch) follow(chain []cmttypes.Tx) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for i, tx := range chain[1:] {
		w.followers[chain[i].Key()] = tx
	}
}

// forget undoes follow.
func (w *Watch) forget(chain []cmttypes.Tx) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for _, tx := range chain {
		delete(w.followers, tx.Key())
	}
}
