package chain

import (
	sdk "github.com/cosmos/cosmos-sdk/types"
	sdkerrors "github.com/cosmos/cosmos-sdk/types/errors"
)

// Prefix is the human-readable part of an account address on every Initia chain.
const Prefix = "init"

// An account address has 20 bytes if it belongs to a key and 32 if it belongs to a Move object.
const (
	keyAddressSize    = 20
	objectAddressSize = 32
)

// The SDK formats and checks addresses with process-wide settings; a process has at most one chain.
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
