package l1

import (
	"context"
	"errors"
	"time"

	"cosmossdk.io/collections"
	addresscodec "cosmossdk.io/core/address"
	sdkmath "cosmossdk.io/math"
	"github.com/cosmos/cosmos-sdk/client"
	bech32codec "github.com/cosmos/cosmos-sdk/codec/address"
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	storeservice "github.com/cosmos/cosmos-sdk/runtime"
	sdk "github.com/cosmos/cosmos-sdk/types"
	authtypes "github.com/cosmos/cosmos-sdk/x/auth/types"
	"github.com/cosmos/cosmos-sdk/x/gov/keeper"
	govtypes "github.com/cosmos/cosmos-sdk/x/gov/types"
	govv1 "github.com/cosmos/cosmos-sdk/x/gov/types/v1"
	"github.com/cosmos/cosmos-sdk/x/gov/types/v1beta1"
	stakingtypes "github.com/cosmos/cosmos-sdk/x/staking/types"
	"github.com/grpc-ecosystem/grpc-gateway/runtime"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
)

// votingPeriod ends in the block after the one in which it starts: blocks are milliseconds apart.
const votingPeriod = 2 * time.Nanosecond

// voter holds all voting power and votes yes.
var voter = sdk.AccAddress(authtypes.NewModuleAddress("voter"))

func registerGovernance(registry codectypes.InterfaceRegistry) {
	govv1.RegisterInterfaces(registry)
	v1beta1.RegisterInterfaces(registry)
}

// newGovernance returns the SDK's governance with its limits: 255 bytes of metadata and title, 10,200 of a summary.
func newGovernance(base chain.Base) *keeper.Keeper {
	store := storeservice.NewKVStoreService(base.Keys[govtypes.StoreKey])
	governance := keeper.NewKeeper(base.Codec, store, base.Accounts, base.Bank, oneVoter{}, noCommunityPool{},
		base.Messages, govtypes.DefaultConfig(), base.Authority)
	governance.SetLegacyRouter(v1beta1.NewRouter())
	return governance
}

// governanceGenesis has the SDK's parameters, with deposits in chain.FeeDenom and a voting period of one block.
func governanceGenesis() *govv1.GenesisState {
	genesis := govv1.DefaultGenesisState()
	params := genesis.Params
	for _, deposit := range [][]sdk.Coin{params.MinDeposit, params.ExpeditedMinDeposit} {
		for i := range deposit {
			deposit[i].Denom = chain.FeeDenom
		}
	}
	period, expedited := votingPeriod, votingPeriod/2
	params.VotingPeriod, params.ExpeditedVotingPeriod = &period, &expedited
	return genesis
}

func registerGovernanceRoutes(clientContext client.Context, mux *runtime.ServeMux) error {
	return govv1.RegisterQueryHandlerClient(context.Background(), mux, govv1.NewQueryClient(clientContext))
}

func voteYes(ctx context.Context, governance *keeper.Keeper, proposal uint64) error {
	vote := govv1.NewVote(proposal, voter, govv1.NewNonSplitVoteOption(govv1.OptionYes), "")
	return governance.Votes.Set(ctx, collections.Join(proposal, voter), vote)
}

// oneVoter stands in for staking: one validator holds all voting power.
type oneVoter struct{}

func (oneVoter) ValidatorAddressCodec() addresscodec.Codec {
	return bech32codec.NewBech32Codec(chain.Prefix + "valoper")
}

func (oneVoter) IterateBondedValidatorsByPower(_ context.Context, each func(int64, stakingtypes.ValidatorI) bool) error {
	each(0, stakingtypes.Validator{
		OperatorAddress: sdk.ValAddress(voter).String(),
		Status:          stakingtypes.Bonded,
		Tokens:          sdkmath.OneInt(),
		DelegatorShares: sdkmath.LegacyOneDec(),
	})
	return nil
}

func (oneVoter) TotalBondedTokens(context.Context) (sdkmath.Int, error) { return sdkmath.OneInt(), nil }

func (oneVoter) IterateDelegations(context.Context, sdk.AccAddress, func(int64, stakingtypes.DelegationI) bool) error {
	return nil
}

// noCommunityPool refuses what a canceled proposal burns.
type noCommunityPool struct{}

func (noCommunityPool) FundCommunityPool(context.Context, sdk.Coins, sdk.AccAddress) error {
	return errors.New("the community pool: not available on this development node")
}
