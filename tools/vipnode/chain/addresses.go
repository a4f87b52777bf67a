package chain

import (
	sdk "github.com/cosmos/cosmos-sdk/types"
	sdkerrors "github.com/cosmos/cosmos-sdk/types/errors"
)

// Prefix is the human-readable part of an account address on every Initia chain.
const Prefix = "init"

// Account addresses have 20 bytes when a key stands behind them and 32 when a Move object does.
const (
	keyAddressSize    = 20
	objectAddressSize = 32
)

// The SDK formats and checks addresses by settings of the whole process, which has one chain at most.
func init() {
	config := sdk.GetConfig()
	config.SetBech32PrefixForAccount(Prefix, Prefix+"pub")
	config.SetBech32PrefixForValidator(Prefix+"valoper", Prefix+"valoperpub")
	config.SetBech32PrefixForConsensusNode(Prefix+"valcons", Prefix+"valconspub")
	config.SetCoinType(EthCoinType)
	config.SetAddressVerifier(func(address []byte) error {
		if len(address) != keyAddressSize && len(address) != objectAddressSize {
			return sdkerrors.ErrInvalidAddress.Wrapf(
				"an address has %d or %d bytes, got %d", keyAddressSize, objectAddressSize, len(address))
		}
		return nil
	})
}
