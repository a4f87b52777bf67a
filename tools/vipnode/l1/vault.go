package l1

import (
	sdkmath "cosmossdk.io/math"
	sdk "github.com/cosmos/cosmos-sdk/types"
	"golang.org/x/crypto/sha3"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
)

const (
	// vipAccount is the name of the account that makes the rewards of a new chain.
	vipAccount = "vip"
	// vaultBalance lasts for a million stages.
	vaultBalance = 1_000_000_000_000_000
)

// vaultAddress is the account of a Move object: the hash of its creator, its name and the scheme for named objects.
func vaultAddress() sdk.AccAddress {
	hash := sha3.Sum256(append(append(address[:], "vault"...), 0xfe))
	return hash[:]
}

// fillVault gives the module vault what it pays out.
func (m *machine) fillVault(ctx sdk.Context) error {
	coins := sdk.NewCoins(sdk.NewCoin(chain.FeeDenom, sdkmath.NewInt(vaultBalance)))
	if err := m.bank.MintCoins(ctx, vipAccount, coins); err != nil {
		return err
	}
	return m.bank.SendCoinsFromModuleToAccount(ctx, vipAccount, vaultAddress(), coins)
}
