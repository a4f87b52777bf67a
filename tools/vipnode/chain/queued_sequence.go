package chain

import (
	storetypes "cosmossdk.io/store/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	sdkerrors "github.com/cosmos/cosmos-sdk/types/errors"
	"github.com/cosmos/cosmos-sdk/x/auth/ante"
	authkeeper "github.com/cosmos/cosmos-sdk/x/auth/keeper"

	"github.com/vipscore/vipscore/tools/vipnode/mempool/types"
)

// queuedSequenceDecorator verifies a transaction as initia's mempool does: it expects the sequence of committed state, and
// accepts a later one that may wait. In a block it does what the SDK does.
type queuedSequenceDecorator struct {
	accounts authkeeper.AccountKeeper
	// verify is the SDK's check of sequences and signatures.
	verify    sdk.AnteDecorator
	rechecked *recheckedSequences
}

func newQueuedSequenceDecorator(accounts authkeeper.AccountKeeper, verify sdk.AnteDecorator) queuedSequenceDecorator {
	return queuedSequenceDecorator{accounts, verify, &recheckedSequences{}}
}

func (d queuedSequenceDecorator) AnteHandle(ctx sdk.Context, tx sdk.Tx, simulate bool, next sdk.AnteHandler) (sdk.Context, error) {
	if !ctx.IsCheckTx() && !simulate {
		return d.verify.AnteHandle(ctx, tx, simulate, next)
	}
	claimed, err := d.claim(ctx, tx)
	if err != nil {
		return ctx, err
	}
	if _, err := d.verify.AnteHandle(claimed, tx, simulate, endOfChain); err != nil {
		return ctx, err
	}
	return next(ctx, tx, simulate)
}

// claim returns a branch of the state in which each signer has the sequence that the transaction is signed with. It fails
// if the mempool does not accept that sequence.
func (d queuedSequenceDecorator) claim(ctx sdk.Context, tx sdk.Tx) (sdk.Context, error) {
	branch, _ := ctx.CacheContext()
	// Extra work that a block does not do costs no gas.
	unmetered := branch.WithGasMeter(storetypes.NewInfiniteGasMeter())
	claims, err := claimsOf(tx)
	if err != nil {
		return ctx, err
	}
	for _, claimed := range claims {
		account, err := ante.GetSignerAcc(unmetered, d.accounts, claimed.signer)
		if err != nil {
			return ctx, err
		}
		sequence := claimed.sequence
		if err := d.accept(ctx, account, sequence, tx); err != nil {
			return ctx, err
		}
		if sequence <= account.GetSequence() {
			continue
		}
		if err := account.SetSequence(sequence); err != nil {
			return ctx, err
		}
		d.accounts.SetAccount(unmetered, account)
	}
	return branch, nil
}

// accept fails if the mempool does not accept this sequence of an account. The SDK handles used sequences.
func (d queuedSequenceDecorator) accept(ctx sdk.Context, account sdk.AccountI, sequence uint64, tx sdk.Tx) error {
	expected := account.GetSequence()
	if ctx.IsReCheckTx() {
		return d.rechecked.take(ctx.BlockHeight(), account, sequence)
	}
	if sequence > expected && !isQueued(tx) {
		// The text is recorded from minimove and miniwasm.
		return sdkerrors.ErrWrongSequence.Wrapf("account sequence mismatch, expected %d, got %d; use extension option %s for queued tx",
			expected, sequence, types.QueuedTxTypeURL)
	}
	return nil
}

func isQueued(tx sdk.Tx) bool {
	extended, ok := tx.(ante.HasExtensionOptionsTx)
	return ok && types.IsQueued(extended.GetExtensionOptions())
}

// recheckedSequences counts the transactions left in CometBFT's mempool after a block, in order, so that those
// behind an invalid one are dropped with it.
type recheckedSequences struct {
	height int64
	next   map[string]uint64
}

func (r *recheckedSequences) take(height int64, account sdk.AccountI, sequence uint64) error {
	if r.next == nil || r.height != height {
		r.height, r.next = height, map[string]uint64{}
	}
	address := string(account.GetAddress())
	expected, counted := r.next[address]
	if !counted {
		expected = account.GetSequence()
	}
	if sequence != expected {
		return sdkerrors.ErrWrongSequence.Wrapf("account sequence mismatch, expected %d, got %d", expected, sequence)
	}
	r.next[address] = sequence + 1
	return nil
}

// leavesNoTrace runs a check of the mempool on a branch of the state, so that the next check sees committed state.
type leavesNoTrace struct{ sdk.AnteDecorator }

func (d leavesNoTrace) AnteHandle(ctx sdk.Context, tx sdk.Tx, simulate bool, next sdk.AnteHandler) (sdk.Context, error) {
	if !ctx.IsCheckTx() || simulate {
		return d.AnteDecorator.AnteHandle(ctx, tx, simulate, next)
	}
	branch, _ := ctx.CacheContext()
	if _, err := d.AnteDecorator.AnteHandle(branch, tx, simulate, endOfChain); err != nil {
		return ctx, err
	}
	return next(ctx, tx, simulate)
}

// endOfChain is the handler after a single check.
func endOfChain(ctx sdk.Context, _ sdk.Tx, _ bool) (sdk.Context, error) { return ctx, nil }
