package wasm

import (
	"context"

	sdk "github.com/cosmos/cosmos-sdk/types"
	sdkerrors "github.com/cosmos/cosmos-sdk/types/errors"
	distrtypes "github.com/cosmos/cosmos-sdk/x/distribution/types"
	stakingtypes "github.com/cosmos/cosmos-sdk/x/staking/types"
	clienttypes "github.com/cosmos/ibc-go/v10/modules/core/02-client/types"
	channeltypes "github.com/cosmos/ibc-go/v10/modules/core/04-channel/types"
	ibcexported "github.com/cosmos/ibc-go/v10/modules/core/exported"
)

// notAvailable is the error for a contract that uses a part that this chain does not have.
func notAvailable(what string) error {
	return sdkerrors.ErrNotSupported.Wrap(what + " is not available on this chain")
}

// noStaking replaces the staking module.
type noStaking struct{}

func (noStaking) BondDenom(context.Context) (string, error) { return "", notAvailable("staking") }

func (noStaking) GetValidator(context.Context, sdk.ValAddress) (stakingtypes.Validator, error) {
	return stakingtypes.Validator{}, notAvailable("staking")
}

func (noStaking) GetBondedValidatorsByPower(context.Context) ([]stakingtypes.Validator, error) {
	return nil, notAvailable("staking")
}

func (noStaking) GetAllDelegatorDelegations(context.Context, sdk.AccAddress) ([]stakingtypes.Delegation, error) {
	return nil, notAvailable("staking")
}

func (noStaking) GetDelegation(context.Context, sdk.AccAddress, sdk.ValAddress) (stakingtypes.Delegation, error) {
	return stakingtypes.Delegation{}, notAvailable("staking")
}

func (noStaking) HasReceivingRedelegation(context.Context, sdk.AccAddress, sdk.ValAddress) (bool, error) {
	return false, notAvailable("staking")
}

// noDistribution replaces the distribution module.
type noDistribution struct{}

func (noDistribution) DelegatorWithdrawAddress(
	context.Context, *distrtypes.QueryDelegatorWithdrawAddressRequest,
) (*distrtypes.QueryDelegatorWithdrawAddressResponse, error) {
	return nil, notAvailable("distribution")
}

func (noDistribution) DelegationRewards(
	context.Context, *distrtypes.QueryDelegationRewardsRequest,
) (*distrtypes.QueryDelegationRewardsResponse, error) {
	return nil, notAvailable("distribution")
}

func (noDistribution) DelegationTotalRewards(
	context.Context, *distrtypes.QueryDelegationTotalRewardsRequest,
) (*distrtypes.QueryDelegationTotalRewardsResponse, error) {
	return nil, notAvailable("distribution")
}

func (noDistribution) DelegatorValidators(
	context.Context, *distrtypes.QueryDelegatorValidatorsRequest,
) (*distrtypes.QueryDelegatorValidatorsResponse, error) {
	return nil, notAvailable("distribution")
}

// noIBC replaces IBC's channels, packets and transfers: there is no channel, and none can be opened.
type noIBC struct{}

func (noIBC) SendPacket(sdk.Context, string, string, clienttypes.Height, uint64, []byte) (uint64, error) {
	return 0, notAvailable("IBC")
}

func (noIBC) WriteAcknowledgement(sdk.Context, ibcexported.PacketI, ibcexported.Acknowledgement) error {
	return notAvailable("IBC")
}

func (noIBC) GetChannel(sdk.Context, string, string) (channeltypes.Channel, bool) {
	return channeltypes.Channel{}, false
}

func (noIBC) GetNextSequenceSend(sdk.Context, string, string) (uint64, bool) { return 0, false }

func (noIBC) ChanCloseInit(sdk.Context, string, string) error { return notAvailable("IBC") }

func (noIBC) GetAllChannels(sdk.Context) []channeltypes.IdentifiedChannel { return nil }

func (noIBC) SetChannel(sdk.Context, string, string, channeltypes.Channel) {}

func (noIBC) GetAllChannelsWithPortPrefix(sdk.Context, string) []channeltypes.IdentifiedChannel {
	return nil
}

// GetPort returns the usual port of transfers; no transfer leaves this chain.
func (noIBC) GetPort(sdk.Context) string { return "transfer" }
