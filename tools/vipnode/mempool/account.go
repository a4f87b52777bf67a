package mempool

import (
	"bytes"
	"maps"
	"slices"
	"time"

	cmttypes "github.com/cometbft/cometbft/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
)

// account is what the pool holds of one account.
type account struct {
	address sdk.AccAddress
	// committed is the next sequence by committed state.
	committed uint64
	// active are the transactions that CometBFT's mempool holds, by sequence, without a gap.
	active map[uint64]cmttypes.TxKey
	// waiting are the transactions behind a gap, by sequence.
	waiting map[uint64]cmttypes.Tx
	// gapSince is since when waiting transactions miss the one that comes next and none is active, or zero.
	gapSince time.Time
}

func newAccount(address sdk.AccAddress) *account {
	return &account{address: address, active: map[uint64]cmttypes.TxKey{}, waiting: map[uint64]cmttypes.Tx{}}
}

// next is the sequence that comes after those in the state and those that are active.
func (a *account) next() uint64 {
	next := a.committed
	for {
		if _, found := a.active[next]; !found {
			return next
		}
		next++
	}
}

// follow notes the sequence of the committed state and forgets what is behind it.
func (a *account) follow(committed uint64) {
	a.committed = committed
	maps.DeleteFunc(a.active, func(sequence uint64, _ cmttypes.TxKey) bool { return sequence < committed })
	maps.DeleteFunc(a.waiting, func(sequence uint64, _ cmttypes.Tx) bool { return sequence < committed })
}

// expire forgets the waiting transactions when their gap is too old.
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

// chain is a transaction with the waiting ones that go on once it is there.
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

// lastWaiting is the latest sequence that waits.
func (a *account) lastWaiting() uint64 { return slices.Max(slices.Collect(maps.Keys(a.waiting))) }
