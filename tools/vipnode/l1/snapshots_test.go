package l1

import (
	"slices"
	"testing"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
)

var root = slices.Repeat([]byte{0xab}, 32)

func (c l1Client) submit(from chain.TestAccount, bridge, version, stage uint64) string {
	return c.call(from, "submit_snapshot", u64(bridge), u64(version), u64(stage), text(string(root)), u64(10))
}

func TestSnapshotsAreSubmittedOnceAndInOrder(t *testing.T) {
	client := startL1(t)
	client.setStage(2)
	expect(t, "register", client.register(bridgeID), "")
	for range 3 {
		expect(t, "advance", client.call(agent(), "advance_stage"), "")
	}
	submit := func(version, stage uint64) string { return client.submit(agent(), bridgeID, version, stage) }
	expect(t, "by another account", client.submit(chain.Deployer(chain.EthCoinType), bridgeID, 1, 3), "code=327681")
	expect(t, "the current stage", submit(1, 5), "code=65561")
	expect(t, "before all stages", submit(1, 0), "code=393220")
	expect(t, "before the first stage", submit(1, 2), "code=393224")
	expect(t, "with a gap", submit(1, 4), "code=393224")
	expect(t, "another version", submit(2, 3), "code=393221")
	expect(t, "another bridge", client.submit(agent(), 8, 1, 3), "code=393221")
	expect(t, "the first stage", submit(1, 3), "")
	expect(t, "twice", submit(1, 3), "code=524291")
	expect(t, "the next stage", submit(1, 4), "")
}

// An old version ends with the stage of its deregistration, and the new one starts without the snapshots of the old.
func TestSnapshotsOfVersions(t *testing.T) {
	client := startL1(t)
	expect(t, "register", client.register(bridgeID), "")
	client.setStage(2)
	client.setStage(3)
	expect(t, "deregister", client.govern("deregister", u64(bridgeID)), "")
	expect(t, "register again", client.register(bridgeID), "")
	client.setStage(4)
	client.setStage(5)
	submit := func(version, stage uint64) string { return client.submit(agent(), bridgeID, version, stage) }
	expect(t, "the new version's first stage", submit(2, 4), "")
	for stage := uint64(2); stage <= 3; stage++ {
		expect(t, "the old version", submit(1, stage), "")
	}
	expect(t, "after the old version's last stage", submit(1, 4), "code=851975")
}

func TestChallenge(t *testing.T) {
	client := startL1(t)
	challenge := func(bridge, stage, id uint64, newRoot string) string {
		return client.govern("execute_challenge", u64(bridge), u64(stage), u64(id), text("Title"), text("Summary"),
			text("https://new.example"), account(chain.Deployer(chain.EthCoinType).Address), text(newRoot), u64(99))
	}
	expect(t, "register", client.register(bridgeID), "")
	client.setStage(2)
	expect(t, "advance", client.call(agent(), "advance_stage"), "")
	expect(t, "of another account", client.call(agent(), "execute_challenge", u64(bridgeID), u64(2), u64(1), text(""), text(""),
		text(""), account(agent().Address), text(string(root)), u64(99)), "code=327681")
	expect(t, "before the snapshot", challenge(bridgeID, 2, 1, string(root)), "code=393222")
	expect(t, "submit", client.submit(agent(), bridgeID, 1, 2), "")
	expect(t, "the current stage", challenge(bridgeID, 3, 1, string(root)), "code=327703")
	expect(t, "another bridge", challenge(8, 2, 1, string(root)), "code=851975")
	expect(t, "challenge", challenge(bridgeID, 2, 1, "another root"), "")
	// The challenge replaces the agent as well.
	expect(t, "the old agent", client.submit(agent(), bridgeID, 1, 2), "code=327681")
	expect(t, "the new agent", client.submit(chain.Deployer(chain.EthCoinType), bridgeID, 1, 2), "code=524291")
	if length := len(client.table("challenges")); length != 1 {
		t.Errorf("%d challenges", length)
	}
	remove := func(stage uint64) string { return client.govern("execute_rollup_challenge", u64(bridgeID), u64(stage)) }
	expect(t, "remove the current stage's", remove(3), "code=327703")
	expect(t, "end the challenge period", client.call(agent(), "set_parameters", u64(1), u64(26), u64(0), u64(0)), "")
	expect(t, "too late", challenge(bridgeID, 2, 2, string(root)), "code=327702")
	expect(t, "too late to remove", remove(2), "code=327702")
}

// A challenge removes a snapshot and leaves later ones; every claim that crosses its stage aborts until it is there again.
func TestRemovedSnapshot(t *testing.T) {
	client := startFunded(t, 5)
	parameters := client.call(agent(), "set_parameters", u64(1), u64(vestingPeriod), u64(86_400), u64(0))
	expect(t, "a challenge period", parameters, "")
	for stage := uint64(2); stage <= 4; stage++ {
		expect(t, "submit", client.submit(agent(), bridgeID, 1, stage), "")
	}
	remove := func() string { return client.govern("execute_rollup_challenge", u64(bridgeID), u64(3)) }
	byAgent := client.call(agent(), "execute_rollup_challenge", u64(bridgeID), u64(3))
	expect(t, "of another account", byAgent, "code=327681")
	expect(t, "remove", remove(), "")
	expect(t, "twice", remove(), "code=393222")
	expect(t, "the operator's claim", client.claimOperator(agent(), 1), "code=393222")
	expect(t, "the next stage", client.submit(agent(), bridgeID, 1, 5), "")
	expect(t, "submit again", client.submit(agent(), bridgeID, 1, 3), "")
	expect(t, "the operator's claim", client.claimOperator(agent(), 1), "")
}
