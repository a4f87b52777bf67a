package l1

import (
	"encoding/binary"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
	movetypes "github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

const bridgeID = 7

func u64(value uint64) []byte { return binary.LittleEndian.AppendUint64(nil, value) }

// percent is a BigDecimal: the length and the bytes, in little-endian order, of the number times 10^18.
func percent(value int64) []byte {
	scaled := new(big.Int).Mul(big.NewInt(value), big.NewInt(10_000_000_000_000_000)).Bytes()
	slices.Reverse(scaled)
	return append([]byte{byte(len(scaled))}, scaled...)
}

func account(address []byte) []byte { return append(make([]byte, 32-len(address)), address...) }

// call sends one call of the module vip and returns the chain's error, or "".
func call(client *chaintest.Client, from chain.TestAccount, function string, arguments ...[]byte) string {
	return client.Send(from, &movetypes.MsgExecute{
		Sender: from.Address.String(), ModuleAddress: Address(), ModuleName: "vip", FunctionName: function, Args: arguments,
	}).Log
}

func registration(operator chain.TestAccount, bridge uint64, max, change, rate int64) [][]byte {
	contract := append([]byte{3}, "0x1"...)
	return [][]byte{
		account(operator.Address), u64(bridge), account(operator.Address), contract,
		percent(max), percent(change), percent(rate), u64(2),
	}
}

func expect(t *testing.T, what, log, want string) {
	t.Helper()
	if want == "" && log != "" || !strings.Contains(log, want) {
		t.Errorf("%s: %q; want %q", what, log, want)
	}
}

func TestRatesAreChecked(t *testing.T) {
	_, client := chaintest.Start(t, chain.Options{VM: New()})
	operator := chain.Operator(chain.EthCoinType)
	for _, rates := range [][3]int64{{101, 10, 5}, {50, 101, 5}, {101, 10, 101}} {
		expect(t, "a rate above 1", call(client, operator, "register", registration(operator, bridgeID, rates[0], rates[1], rates[2])...), "code=65542")
	}
	expect(t, "above the maximum", call(client, operator, "register", registration(operator, bridgeID, 50, 10, 51)...), "code=65540")
	expect(t, "the bounds", call(client, operator, "register", registration(operator, bridgeID, 100, 100, 100)...), "")
}

func TestOperatorChangesItsCommission(t *testing.T) {
	_, client := chaintest.Start(t, chain.Options{VM: New()})
	operator, other := chain.Operator(chain.EthCoinType), chain.Deployer(chain.EthCoinType)
	expect(t, "register", call(client, operator, "register", registration(operator, bridgeID, 50, 10, 5)...), "")
	change := func(from chain.TestAccount, rate int64) string {
		return call(client, from, "update_operator_commission", u64(bridgeID), u64(1), percent(rate))
	}
	expect(t, "in the stage of registration", change(operator, 6), "code=65541")
	expect(t, "advance", call(client, other, "advance_stage"), "")
	expect(t, "not the operator", change(other, 6), "code=327687")
	expect(t, "above the maximum", change(operator, 51), "code=65540")
	expect(t, "too large a change", change(operator, 16), "code=65539")
	expect(t, "the largest change", change(operator, 15), "")
	expect(t, "twice in a stage", change(operator, 14), "code=65541")
	expect(t, "advance", call(client, other, "advance_stage"), "")
	expect(t, "down", change(operator, 5), "")
}

func TestOperatorHandsItsRoleOver(t *testing.T) {
	_, client := chaintest.Start(t, chain.Options{VM: New()})
	operator, other := chain.Operator(chain.EthCoinType), chain.Deployer(chain.EthCoinType)
	expect(t, "register", call(client, operator, "register", registration(operator, bridgeID, 50, 10, 5)...), "")
	hand := func(from, to chain.TestAccount, bridge uint64) string {
		return call(client, from, "update_operator", u64(bridge), account(to.Address))
	}
	expect(t, "unknown bridge", hand(operator, other, 8), "code=851972")
	expect(t, "not the operator", hand(other, other, bridgeID), "code=327687")
	expect(t, "hand over", hand(operator, other, bridgeID), "")
	expect(t, "no longer the operator", hand(operator, operator, bridgeID), "code=327687")
	expect(t, "back", hand(other, operator, bridgeID), "")
}
