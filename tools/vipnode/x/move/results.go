package move

import (
	"cmp"
	"fmt"
	"slices"

	storetypes "cosmossdk.io/store/types"

	errorsmod "cosmossdk.io/errors"
	sdk "github.com/cosmos/cosmos-sdk/types"
	authtypes "github.com/cosmos/cosmos-sdk/x/auth/types"
	vmtypes "github.com/initia-labs/movevm/types"

	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

// apply does what the VM leaves to the chain: events and new accounts. The state is already written.
func (k *Keeper) apply(ctx sdk.Context, result vmtypes.ExecutionResult) error {
	for _, event := range result.Events {
		ctx.EventManager().EmitEvent(moveEvent(event))
	}
	if err := k.createAccounts(ctx, result.NewAccounts); err != nil {
		return err
	}
	if len(result.StakingDeltas) > 0 {
		return notAvailable("staking")
	}
	for _, message := range result.CosmosMessages {
		if k.coin == nil {
			return errorsmod.Wrap(errNoMessages, notAvailable("messages sent from Move code").Error())
		}
		if err := k.coin.execute(ctx, message); err != nil {
			return err
		}
	}
	return nil
}

// createAccounts gives every account the number that Move code has already seen. They come unordered, and numbers must be
// assigned in order.
func (k *Keeper) createAccounts(ctx sdk.Context, created []vmtypes.Account) error {
	// The VM has charged for them.
	ctx = ctx.WithGasMeter(storetypes.NewInfiniteGasMeter())
	slices.SortFunc(created, func(a, b vmtypes.Account) int { return cmp.Compare(a.AccountNumber, b.AccountNumber) })
	for _, one := range created {
		base := authtypes.NewBaseAccountWithAddress(sdkAddress(one.Address))
		base.AccountNumber = one.AccountNumber
		// An existing account changes its kind and keeps its number.
		if !k.accounts.HasAccount(ctx, base.GetAddress()) {
			if next := k.accounts.NextAccountNumber(ctx); next != one.AccountNumber {
				return fmt.Errorf("account number %d was expected, got %d", next, one.AccountNumber)
			}
		}
		account, err := accountOfKind(one.AccountType, base)
		if err != nil {
			return err
		}
		k.accounts.SetAccount(ctx, account)
	}
	return nil
}

func accountOfKind(kind uint8, base *authtypes.BaseAccount) (sdk.AccountI, error) {
	switch kind {
	case vmtypes.AccountType_Base:
		return base, nil
	case vmtypes.AccountType_Object:
		return &types.ObjectAccount{BaseAccount: base}, nil
	case vmtypes.AccountType_Table:
		return &types.TableAccount{BaseAccount: base}, nil
	default:
		return nil, fmt.Errorf("unsupported account type %d", kind)
	}
}
