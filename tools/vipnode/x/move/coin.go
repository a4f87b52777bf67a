package move

import (
	"context"
	"fmt"
	"math"

	errorsmod "cosmossdk.io/errors"
	"github.com/cosmos/cosmos-sdk/codec"
	sdk "github.com/cosmos/cosmos-sdk/types"
	banktypes "github.com/cosmos/cosmos-sdk/x/bank/types"
	vmtypes "github.com/initia-labs/movevm/types"
)

// coin lets Move code read and send the bank's coins of one denomination, as a rollup's and L1's Move code does with its own coins.
type coin struct {
	denom string
	bank  interface {
		GetBalance(context.Context, sdk.AccAddress, string) sdk.Coin
		SendCoins(context.Context, sdk.AccAddress, sdk.AccAddress, sdk.Coins) error
	}
	codec codec.Codec
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

// execute executes a message of Move code. It only knows those that send coins of the sender.
func (c *coin) execute(ctx sdk.Context, message vmtypes.CosmosMessage) error {
	var decoded sdk.Msg
	if err := c.codec.UnmarshalInterfaceJSON(message.Data, &decoded); err != nil {
		return errorsmod.Wrap(errNoMessages, err.Error())
	}
	send, ok := decoded.(*banktypes.MsgSend)
	if !ok || message.AllowFailure || message.Callback != nil {
		return errorsmod.Wrap(errNoMessages, notAvailable(fmt.Sprintf("%T sent from Move code", decoded)).Error())
	}
	from, err := sdk.AccAddressFromBech32(send.FromAddress)
	if err != nil {
		return err
	}
	if sender := sdkAddress(message.Sender); !from.Equals(sender) {
		return errorsmod.Wrapf(errNoMessages, "%s sends coins of %s", sender, from)
	}
	to, err := sdk.AccAddressFromBech32(send.ToAddress)
	if err != nil {
		return err
	}
	return c.bank.SendCoins(ctx, from, to, send.Amount)
}
