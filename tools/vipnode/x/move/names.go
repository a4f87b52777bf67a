package move

import (
	errorsmod "cosmossdk.io/errors"
	sdkerrors "github.com/cosmos/cosmos-sdk/types/errors"
	vmtypes "github.com/initia-labs/movevm/types"
)

// A real node's limits (initia-labs/initia, x/move/types/params.go).
const (
	longestName       = 128
	largestModule     = 1 << 20
	mostTypeArguments = 16
)

// identifier checks a name before the VM sees it, because the VM ends the process over bytes that are not text.
func identifier(name, what string) (vmtypes.Identifier, error) {
	if len(name) == 0 {
		return "", errorsmod.Wrapf(sdkerrors.ErrInvalidRequest, "empty %s name", what)
	}
	if len(name) > longestName {
		return "", errorsmod.Wrapf(sdkerrors.ErrInvalidRequest, "%s name length over hard limit %d", what, longestName)
	}
	for i := range len(name) {
		letter := name[i]|0x20 >= 'a' && name[i]|0x20 <= 'z' || name[i] == '_'
		digit := name[i] >= '0' && name[i] <= '9'
		if !letter && !(digit && i > 0) {
			return "", errorsmod.Wrapf(sdkerrors.ErrInvalidRequest, "invalid %s name %q", what, name)
		}
	}
	return vmtypes.Identifier(name), nil
}
