package l1

import (
	"encoding/json"
	"slices"
	"testing"

	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
)

// rewards returns what a stage was funded with, by bridge.
func (c l1Client) rewards(stage int) (operators, users map[string]string) {
	c.t.Helper()
	var data struct {
		Operators struct{ Handle string } `json:"operator_funded_rewards"`
		Users     struct{ Handle string } `json:"user_funded_rewards"`
	}
	c.table("stage_data")[stage-1].decode(c.t, &data)
	byBridge := func(handle string) map[string]string {
		found := map[string]string{}
		for _, one := range c.entries(handle) {
			var bridge, reward string
			if err := json.Unmarshal([]byte(one.Key), &bridge); err != nil {
				c.t.Fatal(err)
			}
			one.decode(c.t, &reward)
			found[bridge] = reward
		}
		return found
	}
	return byBridge(data.Operators.Handle), byBridge(data.Users.Handle)
}

func bridgeAccount(id byte) sdk.AccAddress { return slices.Repeat([]byte{id}, 32) }

// registerWithBalance registers a bridge with 5 % of commission, whose account holds an amount.
func (c l1Client) registerWithBalance(id byte, balance int64) {
	c.t.Helper()
	c.send(bridgeAccount(id), balance)
	arguments := registration(agent(), uint64(id), 50, 10, 5)
	arguments[2] = account(bridgeAccount(id))
	expect(c.t, "register", c.govern("register", arguments...), "")
}

// Balances divide 40 % of a stage's 1,000,000,000, and weights 60 %. The account of a bridge with less than the minimum counts
// among the balances, but its bridge gets nothing.
func TestRewardsGoByBalanceAndWeight(t *testing.T) {
	client := startL1(t)
	client.registerWithBalance(1, 3000)
	client.registerWithBalance(2, 1000)
	weight := func(bridge uint64, weight int64) string {
		return client.govern("update_vip_weight", u64(bridge), percent(weight))
	}
	expect(t, "weight", weight(2, 50), "")
	expect(t, "more than 1", weight(1, 51), "code=65555")
	expect(t, "of none", weight(3, 10), "code=851975")
	expect(t, "by another account", client.call(agent(), "update_vip_weight", u64(1), percent(1)), "code=327681")
	expect(t, "advance", client.call(agent(), "advance_stage"), "")
	operators, users := client.rewards(2)
	wantRewards(t, operators, map[string]string{"1": "15000000", "2": "20000000"})
	wantRewards(t, users, map[string]string{"1": "285000000", "2": "380000000"})

	expect(t, "set a minimum", client.call(agent(), "set_parameters", u64(1), u64(26), u64(1), u64(1001)), "")
	expect(t, "advance", client.call(agent(), "advance_stage"), "")
	_, users = client.rewards(3)
	wantRewards(t, users, map[string]string{"1": "285000000", "2": "0"})

	expect(t, "deregister", client.govern("deregister", u64(2)), "")
	expect(t, "advance", client.call(agent(), "advance_stage"), "")
	_, users = client.rewards(4)
	wantRewards(t, users, map[string]string{"1": "380000000"})
}

// The average of the stage before decides, not the balance on the day.
func TestRewardsGoByTheAverage(t *testing.T) {
	client := startL1(t)
	client.registerWithBalance(1, 500)
	expect(t, "set a minimum", client.call(agent(), "set_parameters", u64(1), u64(26), u64(1), u64(600)), "")
	client.send(bridgeAccount(1), 110)
	average := func(stage string) (found string) {
		client.view(&found, "tvl_manager", "get_average_tvl", stage, `"1"`)
		return found
	}
	expect(t, "advance", client.call(agent(), "advance_stage"), "")
	_, users := client.rewards(2)
	wantRewards(t, users, map[string]string{"1": "0"})
	// Counted at the registration and at the end of the stage.
	if found := average(`"1"`); found != "555" {
		t.Errorf("average %s", found)
	}
	expect(t, "advance", client.call(agent(), "advance_stage"), "")
	_, users = client.rewards(3)
	wantRewards(t, users, map[string]string{"1": "380000000"})
	// Another count in the same stage needs four hours.
	client.send(bridgeAccount(1), 390)
	expect(t, "count", client.call(agent(), "add_tvl_snapshot"), "")
	if found := average(`"3"`); found != "610" {
		t.Errorf("average %s", found)
	}
}

func wantRewards(t *testing.T, found, want map[string]string) {
	t.Helper()
	if len(found) != len(want) {
		t.Errorf("%v; want %v", found, want)
	}
	for bridge, reward := range want {
		if found[bridge] != reward {
			t.Errorf("bridge %s: %s; want %s", bridge, found[bridge], reward)
		}
	}
}

func TestStageEndsAtItsTime(t *testing.T) {
	client := startL1(t)
	expect(t, "another account", client.call(chain.Deployer(chain.EthCoinType), "fund_reward_script"), "code=327681")
	expect(t, "too early", client.call(agent(), "fund_reward_script"), "code=196635")
	expect(t, "end it now", client.call(agent(), "set_stage", u64(1), u64(0), u64(1)), "")
	expect(t, "in time", client.call(agent(), "fund_reward_script"), "")
	if number := stage(t, client.Client); number != "2" {
		t.Errorf("stage %s", number)
	}
}
