package chain

import (
	"fmt"
	"time"

	sdkmath "cosmossdk.io/math"
	cmtcrypto "github.com/cometbft/cometbft/crypto"
	cmttypes "github.com/cometbft/cometbft/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	authkeeper "github.com/cosmos/cosmos-sdk/x/auth/keeper"
	authtypes "github.com/cosmos/cosmos-sdk/x/auth/types"
	bankkeeper "github.com/cosmos/cosmos-sdk/x/bank/keeper"
	banktypes "github.com/cosmos/cosmos-sdk/x/bank/types"
)

// newGenesis returns the document from which CometBFT starts a new chain, with one validator of power 1. Block size
// (22,020,096 bytes) and block gas (no limit) are CometBFT's defaults, which the recorded minimove also uses: both have the
// same consensus hash.
func newGenesis(chainID string, validator cmtcrypto.PubKey, appState []byte) *cmttypes.GenesisDoc {
	return &cmttypes.GenesisDoc{
		ChainID:         chainID,
		GenesisTime:     time.Now().UTC(),
		InitialHeight:   1,
		ConsensusParams: cmttypes.DefaultConsensusParams(),
		Validators:      []cmttypes.GenesisValidator{{PubKey: validator, Power: 1, Name: moniker}},
		AppState:        appState,
	}
}

// writeGenesis writes parameters, test accounts and balances. It calls the modules' keepers directly: there is no
// genesis file to edit.
func writeGenesis(ctx sdk.Context, accounts authkeeper.AccountKeeper, bank bankkeeper.BaseKeeper) error {
	if err := accounts.Params.Set(ctx, authtypes.DefaultParams()); err != nil {
		return fmt.Errorf("the account parameters cannot be written: %w", err)
	}
	genesis := banktypes.DefaultGenesisState()
	for _, test := range TestAccounts() {
		accounts.SetAccount(ctx, accounts.NewAccountWithAddress(ctx, test.Address))
		coins := sdk.NewCoins(sdk.NewCoin(FeeDenom, sdkmath.NewInt(testBalance)))
		genesis.Balances = append(genesis.Balances, banktypes.Balance{Address: test.Address.String(), Coins: coins})
		genesis.Supply = genesis.Supply.Add(coins...)
	}
	accounts.GetModuleAccount(ctx, authtypes.FeeCollectorName)
	bank.InitGenesis(ctx, genesis)
	return nil
}
