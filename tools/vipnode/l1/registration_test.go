package l1

import (
	"fmt"
	"slices"
	"testing"

	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
)

func TestOnlyGovernanceRegisters(t *testing.T) {
	client := startL1(t)
	operator := chain.Operator(chain.EthCoinType)
	expect(t, "register", client.call(operator, "register", registration(operator, bridgeID, 50, 10, 5)...), "code=327681")
	expect(t, "deregister", client.call(operator, "deregister", u64(bridgeID)), "code=327681")
	expect(t, "another contract", client.call(operator, "update_l2_score_contract", u64(bridgeID), text("0x2")), "code=327681")
	expect(t, "initialize again", client.call(operator, "initialize", u64(0), account(operator.Address), text("")), "code=327681")
	if found := client.bridges(); len(found) != 0 {
		t.Errorf("%+v", found)
	}
}

func TestRegistrationIsRefused(t *testing.T) {
	client := startL1(t)
	expect(t, "register", client.register(bridgeID), "")
	expect(t, "twice", client.register(bridgeID), "code=851970")
	unknownVM := registration(agent(), 8, 50, 10, 5)
	unknownVM[7] = u64(3)
	expect(t, "an unknown VM", client.govern("register", unknownVM...), "code=851994")
	expect(t, "another contract", client.govern("update_l2_score_contract", u64(bridgeID), text("0x2")), "")
	expect(t, "another contract of none", client.govern("update_l2_score_contract", u64(8), text("0x2")), "code=851975")
	if found := client.bridges(); len(found) != 1 || found[0].Contract != "0x2" {
		t.Errorf("%+v", found)
	}
}

// The balance counts when the proposal is executed, not when it is submitted.
func TestMinimumEligibleTVL(t *testing.T) {
	client := startL1(t)
	operator := chain.Operator(chain.EthCoinType)
	bridgeAddress := sdk.AccAddress(slices.Repeat([]byte{7}, 32))
	const minimum = 1_000_000
	expect(t, "set the minimum", client.call(operator, "set_parameters", u64(1), u64(26), u64(86_400), u64(minimum)), "")
	register := func() string {
		arguments := registration(operator, bridgeID, 50, 10, 5)
		arguments[2] = account(bridgeAddress)
		return client.govern("register", arguments...)
	}
	refusal := fmt.Sprintf("VM aborted: location=%s::vip, code=852002", Address()[2:])
	expect(t, "nothing", register(), refusal)
	client.send(bridgeAddress, minimum-1)
	expect(t, "one less", register(), refusal)
	client.send(bridgeAddress, 1)
	expect(t, "the minimum", register(), "")
}

func TestVersions(t *testing.T) {
	client := startL1(t)
	expect(t, "deregister none", client.govern("deregister", u64(bridgeID)), "code=851975")
	expect(t, "register", client.register(bridgeID), "")
	// Neighbors do not count as versions of the bridge.
	expect(t, "register", client.register(bridgeID-1), "")
	expect(t, "register", client.register(1<<64-1), "")
	client.setStage(4)
	expect(t, "deregister", client.govern("deregister", u64(bridgeID)), "")
	expect(t, "deregister twice", client.govern("deregister", u64(bridgeID)), "code=851975")
	if found := client.bridges(); len(found) != 2 || found[0].ID != bridgeID-1 || found[1].ID != 1<<64-1 {
		t.Errorf("%+v", found)
	}
	expect(t, "register again", client.register(bridgeID), "")
	found := client.bridges()[1]
	if found.ID != bridgeID || found.Version != 2 || found.InitStage != 5 {
		t.Errorf("%+v", found)
	}
	entries := client.table("bridges")
	if ended := entries[0]; ended.Key != `{"bridge_id":"0x0000000000000007","is_registered":false,"version":"0x0000000000000001"}` {
		t.Errorf("%+v", entries)
	}
	var ended struct {
		EndStage uint64 `json:"end_stage,string"`
	}
	entries[0].decode(t, &ended)
	if ended.EndStage != 4 {
		t.Errorf("%s", entries[0].Value)
	}
	expect(t, "deregister again", client.govern("deregister", u64(bridgeID)), "")
	expect(t, "a third time", client.register(bridgeID), "")
	if version := client.bridges()[1].Version; version != 3 {
		t.Errorf("version %d", version)
	}
}
