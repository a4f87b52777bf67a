// Package mempool is the mempool of Initia's nodes: transactions with the next sequence go to CometBFT's mempool, and
// those behind a gap wait until the gap is filled.
//
// Waiting transactions never reach CometBFT's mempool, because CometBFT makes blocks as long as it is not empty.
package mempool

import (
	"context"
	"errors"
	"sync"
	"time"

	abci "github.com/cometbft/cometbft/abci/types"
	cometmempool "github.com/cometbft/cometbft/mempool"
	cmttypes "github.com/cometbft/cometbft/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
)

// The defaults of initia v1.4: abcipp.max-queued-per-sender, abcipp.max-queued-total and abcipp.queued-gap-ttl.
const (
	maxWaitingOfAccount = 64
	maxWaiting          = 1024
	gapLifetime         = 60 * time.Second
)

// Chain is what the pool needs from the chain.
type Chain struct {
	// Order returns a transaction's first signer and its sequence; false if it has no signer.
	Order func(cmttypes.Tx) (sender sdk.AccAddress, sequence uint64, ok bool)
	// Check asks the state machine about a transaction that does not go to CometBFT's mempool yet.
	Check func(cmttypes.Tx) (*abci.ResponseCheckTx, error)
	// Sequence returns the next sequence of an account in committed state; false if the account does not exist.
	Sequence func(sdk.AccAddress) (uint64, bool)
	// MaxTxBytes is the maximum size of an accepted transaction.
	MaxTxBytes int
	// Now returns the time, which determines the age of gaps.
	Now func() time.Time
}

// Pool accepts transactions in place of CometBFT's mempool.
type Pool struct {
	// Mempool is CometBFT's. It holds the transactions that the next blocks can include.
	cometmempool.Mempool
	chain Chain
	watch *Watch
	// ctx ends with Close.
	ctx   context.Context
	end   context.CancelFunc
	ended sync.WaitGroup

	// mutex comes before the locks of CometBFT's mempool, of the state machine and of the watch.
	mutex    sync.Mutex
	accounts map[string]*account
	// active maps the transactions in CometBFT's mempool to their accounts.
	active map[cmttypes.TxKey]place
}

// place is a transaction's position in the order of its first signer's transactions.
type place struct {
	sender   string
	sequence uint64
}

// NewPool starts a pool in front of CometBFT's mempool. Close stops it.
func NewPool(comet cometmempool.Mempool, watch *Watch, chain Chain) *Pool {
	p := &Pool{
		Mempool: comet, chain: chain, watch: watch,
		accounts: map[string]*account{}, active: map[cmttypes.TxKey]place{},
	}
	p.ctx, p.end = context.WithCancel(context.Background())
	p.ended.Add(1)
	go p.followBlocks()
	return p
}

// Close stops the pool. It is safe to call twice.
func (p *Pool) Close() {
	p.end()
	p.ended.Wait()
}

// CheckTx accepts or refuses a transaction. It implements CometBFT's interface. A transaction without an order or an account
// goes to CometBFT's mempool, which refuses it.
func (p *Pool) CheckTx(tx cmttypes.Tx, answer func(*abci.ResponseCheckTx), info cometmempool.TxInfo) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if answer == nil {
		answer = func(*abci.ResponseCheckTx) {}
	}
	p.dropLeft()
	sender, sequence, ok := p.chain.Order(tx)
	if !ok {
		return p.Mempool.CheckTx(tx, answer, info)
	}
	account := p.accounts[string(sender)]
	if account == nil {
		account = newAccount(sender)
	}
	if !p.refresh(account) {
		return p.Mempool.CheckTx(tx, answer, info)
	}
	response, err := p.route(account, place{string(sender), sequence}, tx, info)
	p.keep(account)
	if err == nil {
		answer(response)
	}
	return err
}

// route sends a transaction to CometBFT's mempool, lets it wait, or refuses it.
func (p *Pool) route(
	account *account, at place, tx cmttypes.Tx, info cometmempool.TxInfo,
) (*abci.ResponseCheckTx, error) {
	if account.isWaiting(at.sequence, tx) {
		return nil, cometmempool.ErrTxInCache
	}
	active, isTaken := account.active[at.sequence]
	switch {
	case isTaken && active != tx.Key():
		return p.checkThen(tx, func() *abci.ResponseCheckTx { return activeTaken(account.address, at.sequence) })
	case account.waiting[at.sequence] != nil:
		return p.checkThen(tx, func() *abci.ResponseCheckTx { return waitingTaken(account.address, at.sequence) })
	case at.sequence > account.next():
		return p.checkThen(tx, func() *abci.ResponseCheckTx { return p.wait(account, at.sequence, tx) })
	}
	chain := account.chain(at.sequence, tx)
	p.watch.follow(chain)
	response, err := p.activate(account, at, tx, info)
	if err != nil || response.Code != abci.CodeTypeOK {
		p.watch.forget(chain)
		return response, err
	}
	p.promote(account)
	return response, nil
}

// checkThen refuses a transaction if the state machine does; otherwise it returns the other answer, if any.
func (p *Pool) checkThen(tx cmttypes.Tx, otherwise func() *abci.ResponseCheckTx) (*abci.ResponseCheckTx, error) {
	if len(tx) > p.chain.MaxTxBytes {
		return nil, cometmempool.ErrTxTooLarge{Max: p.chain.MaxTxBytes, Actual: len(tx)}
	}
	response, err := p.chain.Check(tx)
	if err != nil || response.Code != abci.CodeTypeOK {
		return response, err
	}
	if refused := otherwise(); refused != nil {
		return refused, nil
	}
	return response, nil
}

// wait lets a transaction wait. If an account has too many, the one with the highest sequence is dropped.
func (p *Pool) wait(account *account, sequence uint64, tx cmttypes.Tx) *abci.ResponseCheckTx {
	if len(account.waiting) >= maxWaitingOfAccount {
		last := account.lastWaiting()
		if sequence > last {
			return accountFull(account.address)
		}
		delete(account.waiting, last)
	} else if p.countWaiting() >= maxWaiting {
		return allFull()
	}
	account.waiting[sequence] = tx
	account.expire(p.chain.Now())
	return nil
}

// activate sends a transaction to CometBFT's mempool.
func (p *Pool) activate(
	account *account, at place, tx cmttypes.Tx, info cometmempool.TxInfo,
) (response *abci.ResponseCheckTx, err error) {
	// The state machine runs in this process, so its answer is available when the call returns.
	err = p.Mempool.CheckTx(tx, func(answer *abci.ResponseCheckTx) { response = answer }, info)
	if err == nil && response.Code == abci.CodeTypeOK {
		account.active[at.sequence] = tx.Key()
		p.active[tx.Key()] = at
	}
	return response, err
}

// promote sends transactions that no longer wait behind a gap to CometBFT's mempool.
func (p *Pool) promote(account *account) {
	for {
		next := account.next()
		tx, found := account.waiting[next]
		if !found {
			return
		}
		at := place{string(account.address), next}
		response, err := p.activate(account, at, tx, cometmempool.TxInfo{})
		if isFull(err) {
			// It is retried after the next block.
			return
		}
		delete(account.waiting, next)
		if err != nil || response.Code != abci.CodeTypeOK {
			return
		}
	}
}

func isFull(err error) bool {
	return errors.Is(err, cometmempool.ErrRecheckFull) || errors.As(err, new(cometmempool.ErrMempoolIsFull))
}
