package move

import (
	"context"
	"math"

	sdk "github.com/cosmos/cosmos-sdk/types"
)

// coin lets Move code read the bank's balances in one denomination, as a rollup's and L1's Move code reads its own coins.
type coin struct {
	denom string
	bank  interface {
		GetBalance(context.Context, sdk.AccAddress, string) sdk.Coin
	}
}

// amountText is the answer to the custom query "balance".
type amountText struct {
	Amount uint64 `json:"amount,string"`
}

// balance returns what an account holds; a Move coin has at most 2^64 - 1 units.
func (c *coin) balance(ctx sdk.Context, holder sdk.AccAddress) amountText {
	held := c.bank.GetBalance(ctx, holder, c.denom).Amount
	if !held.IsUint64() {
		return amountText{math.MaxUint64}
	}
	return amountText{held.Uint64()}
}
