package mempool

import (
	"bytes"
	"maps"
	"slices"
	"time"

	cmttypes "github.com/cometbft/cometbft/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
)

// account is the pool's data about one account.
type account struct {
	address sdk.AccAddress
	// committed is the next sequence in committed state.
	committed uint64
	// active are the transactions in CometBFT's mempool, by sequence, without a gap.
	active map[uint64]cmttypes.TxKey
	// waiting are the transactions behind a gap, by sequence.
	waiting map[uint64]cmttypes.Tx
	// gapSince is the time since which waiting transactions have missed the next one and none is active, or zero.
	gapSince time.Time
}

func newAccount(address sdk.AccAddress) *account {
	return &account{address: address, active: map[uint64]cmttypes.TxKey{}, waiting: map[uint64]cmttypes.Tx{}}
}

// next returns the sequence after those in the state and those that are active.
func (a *account) next() uint64 {
	next := a.committed
	for {
		if _, found := a.active[next]; !found {
			return next
		}
		next++
	}
}

// follow records the sequence of the committed state and forgets earlier transactions.
func (a *account) follow(committed uint64) {
	a.committed = committed
	maps.DeleteFunc(a.active, func(sequence uint64, _ cmttypes.TxKey) bool { return sequence < committed })
	maps.DeleteFunc(a.waiting, func(sequence uint64, _ cmttypes.Tx) bool { return sequence < committed })
}

// expire forgets the waiting transactions if their gap is too old.
func (a *account) expire(now time.Time) {
	switch {
	case len(a.waiting) == 0 || len(a.active) > 0 || a.waiting[a.committed] != nil:
		a.gapSince = time.Time{}
	case a.gapSince.IsZero():
		a.gapSince = now
	case now.Sub(a.gapSince) >= gapLifetime:
		clear(a.waiting)
		a.gapSince = time.Time{}
	}
}

// chain returns a transaction and the waiting transactions that it unblocks.
func (a *account) chain(sequence uint64, tx cmttypes.Tx) []cmttypes.Tx {
	chain := []cmttypes.Tx{tx}
	for {
		sequence++
		tx, found := a.waiting[sequence]
		if !found {
			return chain
		}
		chain = append(chain, tx)
	}
}

func (a *account) isWaiting(sequence uint64, tx cmttypes.Tx) bool {
	return bytes.Equal(a.waiting[sequence], tx)
}

// lastWaiting returns the highest waiting sequence.
func (a *account) lastWaiting() uint64 { return slices.Max(slices.Collect(maps.Keys(a.waiting))) }
