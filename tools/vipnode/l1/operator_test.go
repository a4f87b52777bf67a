package l1

import (
	"testing"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
)

func TestRatesAreChecked(t *testing.T) {
	client := startL1(t)
	operator := chain.Operator(chain.EthCoinType)
	for _, rates := range [][3]int64{{101, 10, 5}, {50, 101, 5}, {101, 10, 101}} {
		expect(t, "a rate above 1", client.govern("register", registration(operator, bridgeID, rates[0], rates[1], rates[2])...), "code=65542")
	}
	expect(t, "above the maximum", client.govern("register", registration(operator, bridgeID, 50, 10, 51)...), "code=65540")
	expect(t, "the bounds", client.govern("register", registration(operator, bridgeID, 100, 100, 100)...), "")
}

func TestOperatorChangesItsCommission(t *testing.T) {
	client := startL1(t)
	operator, other := chain.Operator(chain.EthCoinType), chain.Deployer(chain.EthCoinType)
	expect(t, "register", client.register(bridgeID), "")
	change := func(from chain.TestAccount, rate int64) string {
		return client.call(from, "update_operator_commission", u64(bridgeID), u64(1), percent(rate))
	}
	expect(t, "in the stage of registration", change(operator, 6), "code=65541")
	expect(t, "advance", client.call(other, "advance_stage"), "")
	expect(t, "not the operator", change(other, 6), "code=327687")
	expect(t, "above the maximum", change(operator, 51), "code=65540")
	expect(t, "too large a change", change(operator, 16), "code=65539")
	expect(t, "the largest change", change(operator, 15), "")
	expect(t, "twice in a stage", change(operator, 14), "code=65541")
	expect(t, "advance", client.call(other, "advance_stage"), "")
	expect(t, "down", change(operator, 5), "")
}

func TestOperatorHandsItsRoleOver(t *testing.T) {
	client := startL1(t)
	operator, other := chain.Operator(chain.EthCoinType), chain.Deployer(chain.EthCoinType)
	expect(t, "register", client.register(bridgeID), "")
	hand := func(from, to chain.TestAccount, bridge uint64) string {
		return client.call(from, "update_operator", u64(bridge), account(to.Address))
	}
	expect(t, "unknown bridge", hand(operator, other, 8), "code=851975")
	expect(t, "not the operator", hand(other, other, bridgeID), "code=327681")
	expect(t, "hand over", hand(operator, other, bridgeID), "")
	expect(t, "no longer the operator", hand(operator, operator, bridgeID), "code=327681")
	expect(t, "back", hand(other, operator, bridgeID), "")
}

// Governance changes who decides, which get_bridge_infos does not show.
func TestGovernanceReplacesTheOperator(t *testing.T) {
	client := startL1(t)
	operator, other := chain.Operator(chain.EthCoinType), chain.Deployer(chain.EthCoinType)
	expect(t, "register", client.register(bridgeID), "")
	client.setStage(2)
	change := func(from chain.TestAccount, rate int64) string {
		return client.call(from, "update_operator_commission", u64(bridgeID), u64(1), percent(rate))
	}
	before := client.bridges()[0].Operator
	update := func(address, max, step []byte) string {
		return client.govern("update_operator_info", u64(bridgeID), u64(1), address, max, step)
	}
	expect(t, "by another account", client.call(operator, "update_operator_info", u64(bridgeID), u64(1), none, none, none), "code=327681")
	expect(t, "below the rate", update(none, some(percent(4)), none), "code=65540")
	expect(t, "above 1", update(none, none, some(percent(101))), "code=65542")
	expect(t, "another operator", update(some(account(other.Address)), none, none), "")
	if after := client.bridges()[0].Operator; after != before {
		t.Errorf("get_bridge_infos names %s, not %s", after, before)
	}
	expect(t, "the old operator", change(operator, 6), "code=327687")
	expect(t, "the new operator", change(other, 6), "")
	// Each of the two records names another account, so nobody can hand the role over.
	hand := func(from chain.TestAccount) string {
		return client.call(from, "update_operator", u64(bridgeID), account(other.Address))
	}
	expect(t, "the old operator hands over", hand(operator), "code=327687")
	expect(t, "the new operator hands over", hand(other), "code=327681")
}
