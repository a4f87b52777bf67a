package move

import (
	"encoding/json"

	sdk "github.com/cosmos/cosmos-sdk/types"
	vmtypes "github.com/initia-labs/movevm/types"

	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

// backend answers Move code's queries about the chain.
type backend struct {
	keeper *Keeper
	// Without a gas limit: the VM charges for its queries.
	ctx sdk.Context
}

// GetAccountInfo returns number, sequence and kind of an account, and whether the bank refuses to send to it.
func (b backend) GetAccountInfo(address vmtypes.AccountAddress) (found bool, number, sequence uint64, kind uint8, blocked bool) {
	holder := sdkAddress(address)
	blocked = b.keeper.bank.BlockedAddr(holder)
	account := b.keeper.accounts.GetAccount(b.ctx, holder)
	if account == nil {
		return false, 0, 0, vmtypes.AccountType_Base, blocked
	}
	switch account.(type) {
	case *types.ObjectAccount:
		kind = vmtypes.AccountType_Object
	case *types.TableAccount:
		kind = vmtypes.AccountType_Table
	case sdk.ModuleAccountI:
		kind = vmtypes.AccountType_Module
	default:
		kind = vmtypes.AccountType_Base
	}
	return true, account.GetAccountNumber(), account.GetSequence(), kind, blocked
}

// The request and response of 0x1::address.
type (
	vmAddressText struct {
		VMAddress string `json:"vm_addr"`
	}
	sdkAddressText struct {
		SDKAddress string `json:"sdk_addr"`
	}
)

// Query answers 0x1::address::to_sdk and from_sdk, and on a chain whose Move code has a coin its balances.
func (b backend) Query(request vmtypes.QueryRequest, _ uint64) ([]byte, uint64, error) {
	if request.Custom == nil {
		return nil, 0, notAvailable("queries of other modules")
	}
	var answer any
	switch request.Custom.Name {
	case "to_sdk_address":
		var question vmAddressText
		if err := json.Unmarshal(request.Custom.Data, &question); err != nil {
			return nil, 0, err
		}
		address, err := vmtypes.NewAccountAddress(question.VMAddress)
		if err != nil {
			return nil, 0, err
		}
		text, err := b.keeper.accounts.AddressCodec().BytesToString(sdkAddress(address))
		if err != nil {
			return nil, 0, err
		}
		answer = sdkAddressText{text}
	case "from_sdk_address":
		var question sdkAddressText
		if err := json.Unmarshal(request.Custom.Data, &question); err != nil {
			return nil, 0, err
		}
		address, err := b.keeper.parseAddress(question.SDKAddress)
		if err != nil {
			return nil, 0, err
		}
		answer = vmAddressText{address.String()}
	case "balance":
		if b.keeper.coin == nil {
			return nil, 0, notAvailable("the query balance")
		}
		var question vmAddressText
		if err := json.Unmarshal(request.Custom.Data, &question); err != nil {
			return nil, 0, err
		}
		holder, err := vmtypes.NewAccountAddress(question.VMAddress)
		if err != nil {
			return nil, 0, err
		}
		answer = b.keeper.coin.balance(b.ctx, sdkAddress(holder))
	default:
		return nil, 0, notAvailable("the query " + request.Custom.Name)
	}
	data, err := json.Marshal(answer)
	return data, 0, err
}

// AmountToShare is used for staking.
func (b backend) AmountToShare([]byte, vmtypes.AccountAddress, uint64) (string, error) {
	return "", notAvailable("staking")
}

// ShareToAmount is used for staking.
func (b backend) ShareToAmount([]byte, vmtypes.AccountAddress, string) (uint64, error) {
	return 0, notAvailable("staking")
}

// UnbondTimestamp is used for staking and cannot fail: 0 seconds.
func (b backend) UnbondTimestamp() uint64 { return 0 }

// GetPrice is used for the oracle.
func (b backend) GetPrice(string) ([]byte, uint64, uint64, error) {
	return nil, 0, 0, notAvailable("the oracle")
}
