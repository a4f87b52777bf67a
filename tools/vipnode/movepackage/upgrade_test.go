package movepackage

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/initia-labs/movevm/types"
)

// scored is a reference contract with data: stage 1 has 10,000 scores and is finalized, stage 2 has 100, and both the
// deployer and the publisher are deployers.
func scored(t *testing.T) *machine {
	t.Helper()
	m := deployed(t, referenceCode(t))
	m.must(publisher, "add_deployer_script", publisher[:])
	for from := 0; from < 10_000; from += 1_000 {
		accounts, scores := batchOf(from, 1_000, uint64(from))
		m.must(deployer, "update_score_script", inBCS(1), accounts, scores)
	}
	m.must(deployer, "finalize_script", inBCS(1))
	accounts, scores := batchOf(0, 100, 7)
	m.must(deployer, "update_score_script", inBCS(2), accounts, scores)
	return m
}

// changes returns the keys of all entries that differ between two states.
func changes(before, after map[string]string) []string {
	var keys []string
	for key, value := range after {
		if old, there := before[key]; !there || old != value {
			keys = append(keys, key)
		}
	}
	for key := range before {
		if _, there := after[key]; !there {
			keys = append(keys, key)
		}
	}
	return keys
}

// Between the two steps of an upgrade nothing can be written, finalized or managed: a write would not be in the revision.
func TestAnIncompleteUpgradeIsReadOnly(t *testing.T) {
	m := scored(t)
	if err := m.publish(publisher, contractCode(t), compatible); err != nil {
		t.Fatal(err)
	}
	before := m.state()
	accounts, scores := batchOf(0, 100, 8)
	noScores, noAccounts := []byte{0}, []byte{0}
	for _, call := range []struct {
		function  string
		arguments [][]byte
	}{
		{"update_score_script", [][]byte{inBCS(2), accounts, scores}},
		{"update_score_script", [][]byte{inBCS(2), noAccounts, noScores}},
		{"update_scores_script", [][]byte{inBCS(2), accounts, scores}},
		{"set_init_stage", [][]byte{inBCS(1)}},
		{"finalize_script", [][]byte{inBCS(2)}},
		{"finalize_checked_script", [][]byte{inBCS(2), inBCS(5650), inBCS(100), inBCS(0)}},
		{"add_deployer_script", [][]byte{accountOf(1).Bytes()}},
		{"remove_deployer_script", [][]byte{deployer[:]}},
		{"owner_add_deployer_script", [][]byte{accountOf(1).Bytes()}},
		{"owner_remove_deployer_script", [][]byte{deployer[:]}},
		{"set_deployers_script", [][]byte{append([]byte{1}, deployer[:]...)}},
		{"set_finalizer_script", [][]byte{someAddress(deployer)}},
		{"set_publisher_manages_script", [][]byte{inBCSBool(false)}},
		{"transfer_ownership_script", [][]byte{deployer[:]}},
		{"accept_ownership_script", nil},
	} {
		// The publisher is a deployer too, and will be the owner.
		for _, sender := range []types.AccountAddress{publisher, deployer, accountOf(20_000)} {
			m.aborts(0x3000f, sender, call.function, call.arguments...)
		}
	}
	scripts := scoreScripts(t)
	for name, script := range scripts {
		_, err := m.runScript(deployer, script, accountOf(1).Bytes(), inBCS(2), inBCS(0))
		if err == nil || !strings.HasSuffix(err.Error(), "::vip_score, code=196623") {
			t.Errorf("%s: %v, not code 0x3000f", name, err)
		}
	}
	for _, view := range []string{"get_owner", "get_pending_owner", "get_finalizer", "publisher_manages", "get_stage"} {
		arguments := map[string][]any{"get_stage": {"2"}}[view]
		_, err := m.view(scoring, view, arguments...)
		if err == nil || !strings.HasSuffix(err.Error(), "::vip_score, code=196623") {
			t.Errorf("%s: %v, not code 0x3000f", view, err)
		}
	}
	if !maps.Equal(before, m.state()) {
		t.Error("a call changed the state")
	}
	m.answers(`"49995000"`, "get_total_score", "1")
	m.answers(`"7"`, "get_score", accountOf(0).String(), "2")
	m.answers(fmt.Sprintf(`{"stage":"2","scores":[{"addr":"%s","score":"%d"}]}`, highest(100), 7+number(100)), "get_scores", "2", 1, nil)
}

func TestContractUpgradesTheReferenceInPlace(t *testing.T) {
	m := scored(t)
	reference := m.state()
	if err := m.publish(publisher, contractCode(t), compatible); err != nil {
		t.Fatal(err)
	}
	// The module, its metadata and its entry in 0x1::code.
	if changed := changes(reference, m.state()); len(changed) > 3 || len(m.state()) != len(reference) {
		t.Errorf("publishing changed %q", changed)
	}

	m.aborts(0x50001, deployer, "complete_upgrade_script")
	published := m.state()
	m.must(publisher, "complete_upgrade_script")
	completed := m.state()
	for _, key := range changes(published, completed) {
		// The new resource, and what the VM keeps about its empty table.
		if _, there := published[key]; there && bytes.Contains([]byte(key), publisher[:]) {
			t.Errorf("completing the upgrade changed %q", key)
		}
	}
	m.must(publisher, "complete_upgrade_script")
	if !maps.Equal(completed, m.state()) {
		t.Error("completing the upgrade again changed the state")
	}
	keepsTheData(m)
	worksAfterTheUpgrade(m)
}

// contractVersion is the version in the module's source, as a view answers it.
func contractVersion(t *testing.T) string {
	t.Helper()
	source, err := os.ReadFile(contractFolder + "/sources/vip_score.move")
	if err != nil {
		t.Fatal(err)
	}
	return string(regexp.MustCompile(`VERSION: vector<u8> = b("[^"]+")`).FindSubmatch(source)[1])
}

// keepsTheData fails unless the views of our module show the data of `scored`.
func keepsTheData(m *machine) {
	m.t.Helper()
	m.answers(contractVersion(m.t), "contract_version")
	m.answers(fmt.Sprintf(
		`{"stage":"1","exists":true,"total_score":"%d","is_finalized":true,"score_count":"10000","revision":"0"}`,
		9_999*10_000/2,
	), "get_stage", "1")
	m.answers(
		`{"stage":"2","exists":true,"total_score":"5650","is_finalized":false,"score_count":"100","revision":"0"}`,
		"get_stage", "2",
	)
	m.answers(`"1"`, "get_init_stage")
	m.answers(fmt.Sprintf(`["%s","%s"]`, deployer, publisher), "get_deployers", "0", "1000")
	m.answers(fmt.Sprintf(`"%s"`, publisher), "get_owner")
	m.answers("null", "get_pending_owner")
	m.answers("null", "get_finalizer")
	m.answers("true", "publisher_manages")
	accounts, want := make([]string, 10_001), make([]any, 10_001)
	for i := range accounts {
		accounts[i] = accountOf(i).String()
		want[i] = inText(uint64(i))
	}
	want[10_000] = nil
	m.answers(string(inJSON(want)), "get_scores_of", "1", accounts)
}

// worksAfterTheUpgrade writes to the upgraded contract, finalizes a stage and transfers ownership.
func worksAfterTheUpgrade(m *machine) {
	m.t.Helper()
	accounts, scores := batchOf(0, 100, 7)
	m.aborts(0x10008, deployer, "update_scores_script", inBCS(1), accounts, scores)
	m.aborts(0x10008, deployer, "finalize_script", inBCS(1))
	m.must(deployer, "update_scores_script", inBCS(2), accounts, scores)
	m.must(publisher, "set_finalizer_script", someAddress(publisher))
	expected := [][]byte{inBCS(2), inBCS(5650), inBCS(100)}
	m.aborts(0x50010, deployer, "finalize_checked_script", append(expected, inBCS(1))...)
	m.aborts(0x3000c, publisher, "finalize_checked_script", append(expected, inBCS(0))...)
	m.must(publisher, "finalize_checked_script", append(expected, inBCS(1))...)
	m.answers(
		`{"stage":"2","exists":true,"total_score":"5650","is_finalized":true,"score_count":"100","revision":"1"}`,
		"get_stage", "2",
	)
	m.answers(
		`{"stage":"3","exists":true,"total_score":"0","is_finalized":false,"score_count":"0","revision":"0"}`,
		"get_stage", "3",
	)
	m.must(publisher, "transfer_ownership_script", deployer[:])
	m.must(deployer, "accept_ownership_script")
	m.answers(fmt.Sprintf(`"%s"`, deployer), "get_owner")
}

// number returns which of the first accounts has the highest address, and highest that address.
func number(of int) int {
	best := 0
	for i := range of {
		if account, most := accountOf(i), accountOf(best); bytes.Compare(account[:], most[:]) > 0 {
			best = i
		}
	}
	return best
}

func highest(of int) types.AccountAddress { return accountOf(number(of)) }

func inBCSBool(value bool) []byte {
	if value {
		return []byte{1}
	}
	return []byte{0}
}

// someAddress returns an option with an address in BCS.
func someAddress(account types.AccountAddress) []byte { return append([]byte{1}, account[:]...) }
