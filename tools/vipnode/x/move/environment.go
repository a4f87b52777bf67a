package move

import (
	"crypto/sha256"
	"encoding/binary"

	sdk "github.com/cosmos/cosmos-sdk/types"
	vmtypes "github.com/initia-labs/movevm/types"
)

// callCountKey counts the executed calls. It is shorter than any key of the VM, all of which start with an address.
var callCountKey = []byte{0xff}

// transactionEnvironment is the block and the transaction as Move code sees them. It uses the next call number, so that
// two calls of one transaction create different tables and objects. It costs gas: a real node also reads and writes the
// two counters at the transaction's expense.
func (k *Keeper) transactionEnvironment(ctx sdk.Context) vmtypes.Env {
	// Read only: an account gets its number once the VM has created it.
	draft, _ := ctx.CacheContext()
	nextAccount := k.accounts.NextAccountNumber(draft)

	store := ctx.KVStore(k.key)
	count := callCount(store.Get(callCountKey))
	store.Set(callCountKey, binary.BigEndian.AppendUint64(nil, count+1))
	return environment(ctx, nextAccount, count)
}

// queryEnvironment is the same for a view, which changes nothing.
func (k *Keeper) queryEnvironment(ctx sdk.Context) (vmtypes.Env, error) {
	nextAccount, err := k.accounts.AccountNumber.Peek(ctx)
	if err != nil {
		return vmtypes.Env{}, err
	}
	return environment(ctx, nextAccount, callCount(k.store(ctx).Get(callCountKey))), nil
}

func callCount(stored []byte) uint64 {
	if len(stored) != 8 {
		return 0
	}
	return binary.BigEndian.Uint64(stored)
}

func environment(ctx sdk.Context, nextAccount, count uint64) vmtypes.Env {
	transaction := sha256.Sum256(ctx.TxBytes())
	return vmtypes.Env{
		ChainId:             ctx.ChainID(),
		BlockHeight:         uint64(max(ctx.BlockHeight(), 0)),
		BlockTimestampNanos: uint64(max(ctx.BlockTime().UnixNano(), 0)),
		NextAccountNumber:   nextAccount,
		TxHash:              transaction,
		SessionId:           sha256.Sum256(binary.BigEndian.AppendUint64(transaction[:], count)),
	}
}
