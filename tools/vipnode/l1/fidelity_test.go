package l1

import (
	"encoding/hex"
	"regexp"
	"testing"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
	"github.com/vipscore/vipscore/tools/vipnode/test/fidelity"
)

const (
	recordedFile  = "initia-vip-rest.json"
	recordedChain = "l1-test-1"
	recordedVIP   = "0x41bf87e64c03cf5686fad99658c66ecf03523525"
	recordedAgent = "2bfa700914b768534c719cc1d62f4938474f1c8e"
	recordedRoot  = "2ee9a1de39c0fe9236f327188853848ea617bb7a241c93a76dbddca37555b0e0"
	// The time of the first stage on the recorded chain, and the parameters of its stages.
	recordedStart    = 1_795_453_932
	recordedInterval = 20
	recordedMinimum  = 1_000_000

	otherCode     = "the modules have other code"
	otherModules  = "L1 has other modules, and their code is left out"
	noBridges     = "no bridge was created there: coins were sent to the address of one"
	ownGovernance = "the SDK's parameters, with a voting period of one block; there a test chain's"
	snapshotTime  = "the time of the snapshot"
)

var recordedMasks = []fidelity.Mask{
	fidelity.NewMask([]string{"GET /initia/move/v1/accounts/*"}, []string{"resource.move_resource"}, fidelity.Handles{}, "names of tables"),
	fidelity.NewMask([]string{"GET /initia/move/v1/tables/*"}, []string{"table_entry.value"}, fidelity.Handles{}, "names of tables"),
}

var recordedDifferences = []fidelity.KnownDifference{
	{File: recordedFile, Exchanges: []int{2, 16, 17, 19}, Path: "gas_used", Reason: otherCode},
	{File: recordedFile, Exchanges: []int{6}, Path: "table_entry.value", Only: regexp.MustCompile(`"(create|upsert)_time":"\d+"`), Reason: snapshotTime},
	{File: recordedFile, Exchanges: []int{6}, Path: "table_entry.value_bytes", Reason: snapshotTime},
	{File: recordedFile, Exchanges: []int{9}, Path: "account", Reason: noBridges},
	{File: recordedFile, Exchanges: []int{10}, Path: "modules", Reason: otherModules},
	{File: recordedFile, Exchanges: []int{10}, Path: "pagination.total", Reason: otherModules},
	{File: recordedFile, Exchanges: []int{11}, Path: "module.abi", Reason: otherModules},
	{File: recordedFile, Exchanges: []int{11}, Path: "module.raw_bytes", Reason: otherModules},
	{File: recordedFile, Exchanges: []int{13, 14}, Path: "status", Reason: noBridges},
	{File: recordedFile, Exchanges: []int{13, 14}, Path: "code", Reason: noBridges},
	{File: recordedFile, Exchanges: []int{13, 14}, Path: "message", Reason: noBridges},
	{File: recordedFile, Exchanges: []int{13, 14}, Path: "details", Reason: noBridges},
	{File: recordedFile, Exchanges: []int{13, 14}, Path: "bridge_id", Reason: noBridges},
	{File: recordedFile, Exchanges: []int{13, 14}, Path: "bridge_addr", Reason: noBridges},
	{File: recordedFile, Exchanges: []int{13, 14}, Path: "bridge_config", Reason: noBridges},
	{File: recordedFile, Exchanges: []int{15}, Path: "voting_params", Reason: ownGovernance},
	{File: recordedFile, Exchanges: []int{15}, Path: "params", Reason: ownGovernance},
}

// TestFidelity replays the requests recorded from a real L1, except the first, for the newest block.
func TestFidelity(t *testing.T) {
	node, started := chaintest.Start(t, chain.Options{VM: New(), ChainID: recordedChain, IsL1: true})
	started.Fee = coins(feePaid)
	client := l1Client{started, t}
	r := (&fidelity.Replayer{
		T: t, Node: node, Client: started, Masks: recordedMasks, Differences: recordedDifferences,
		Gas: fidelity.GasTable{Node: "initiad"}, DescribeRead: func(fidelity.Exchange) string { return "view get_bridge_infos" },
		Rewrite: rewrite,
	}).Start()
	for recorded, ours := range map[string]string{recordedVIP: Address(), "0x" + recordedAgent: "0x" + hex.EncodeToString(agent().Address)} {
		if err := r.Aliases.Learn(recorded, ours); err != nil {
			t.Fatal(err)
		}
	}
	r.Aliases.LearnBytes(fromHex(t, recordedAgent), agent().Address)
	exchanges := fidelity.LoadRecording(t, recordedFile)

	expect(t, "parameters", client.call(agent(), "set_parameters", u64(recordedInterval), u64(vestingPeriod), u64(5), u64(recordedMinimum)), "")
	first := client.call(agent(), "set_stage", u64(1), u64(recordedStart), u64(recordedStart+recordedInterval))
	expect(t, "the first stage", first, "")
	client.send(chain.BridgeAddress(1), recordedMinimum)
	registration := registration(agent(), 1, 50, 10, 5)
	registration[2], registration[3], registration[7] = account(chain.BridgeAddress(1)), text("0xc5ea55d90ae84e307622f1b8b13535ec3eff0475"), u64(0)
	expect(t, "register", client.govern("register", registration...), "")
	for range 3 {
		expect(t, "advance", client.call(agent(), "advance_stage"), "")
	}
	r.ReplayFrom(recordedFile, exchanges[:5], 1)
	submitted := client.call(agent(), "submit_snapshot", u64(1), u64(1), u64(2), text(string(fromHex(t, recordedRoot))), u64(26_211_682))
	expect(t, "submit", submitted, "")
	r.ReplayFrom(recordedFile, exchanges[:17], 5)
	expect(t, "deregister", client.govern("deregister", u64(1)), "")
	r.ReplayFrom(recordedFile, exchanges[:18], 17)
	expect(t, "register again", client.govern("register", registration...), "")
	r.ReplayFrom(recordedFile, exchanges, 18)
	r.Finish()
}

// rewrite names our module in the body of a view.
func rewrite(_ string, _ int, one fidelity.Exchange) any {
	if body, ok := one.Request.Body.(map[string]any); ok && body["address"] == recordedVIP {
		body["address"] = Address()
	}
	return one.Request.Body
}

func fromHex(t *testing.T, text string) []byte {
	t.Helper()
	content, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
