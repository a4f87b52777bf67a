package move

import (
	"bytes"
	"strings"

	sdk "github.com/cosmos/cosmos-sdk/types"
	vmtypes "github.com/initia-labs/movevm/types"
)

// An account's address has 20 bytes in the SDK and 32 in Move, the first 12 of them zero. Objects, tables and other
// addresses that Move code creates have 32 bytes in both.
const padding = 32 - 20

func sdkAddress(address vmtypes.AccountAddress) sdk.AccAddress {
	var zeros [padding]byte
	if bytes.HasPrefix(address[:], zeros[:]) {
		return address[padding:]
	}
	return address[:]
}

// parseAddress reads 0x and hex digits, or bech32.
func (k *Keeper) parseAddress(text string) (vmtypes.AccountAddress, error) {
	if strings.HasPrefix(text, "0x") {
		return vmtypes.NewAccountAddress(text)
	}
	decoded, err := k.accounts.AddressCodec().StringToBytes(text)
	if err != nil {
		return vmtypes.AccountAddress{}, err
	}
	return vmtypes.NewAccountAddressFromBytes(decoded)
}

// parseSender reads bech32 only, as the SDK does for signers.
func (k *Keeper) parseSender(text string) (vmtypes.AccountAddress, error) {
	decoded, err := k.accounts.AddressCodec().StringToBytes(text)
	if err != nil {
		return vmtypes.AccountAddress{}, err
	}
	return vmtypes.NewAccountAddressFromBytes(decoded)
}
