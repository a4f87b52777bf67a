package movepackage

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"testing"

	"github.com/initia-labs/movevm/types"
)

// version1Code is our version 1.0.0 for the publisher's address: the released artifact, whose placeholder is text.
func version1Code(t *testing.T) []byte {
	t.Helper()
	code, err := os.ReadFile("testdata/vip_score-1.0.0.mv")
	if err != nil {
		t.Fatal(err)
	}
	return bytes.ReplaceAll(code, []byte("vip_score::publisher_placeholder"), publisher[:])
}

// scored is a contract of an earlier version with data: stage 1 has 10,000 scores and is finalized, stage 2 has 100, and
// both the deployer and the publisher are deployers.
func scored(t *testing.T, code []byte) *machine {
	t.Helper()
	m := deployed(t, code)
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

// upgraded replaces the module with ours, and fails if anything but the module and its entry in 0x1::code differs
// afterwards: no row, total, flag, deployer or owner may change.
func upgraded(t *testing.T, m *machine) {
	t.Helper()
	before := m.state()
	if err := m.publish(publisher, contractCode(t), compatible); err != nil {
		t.Fatal(err)
	}
	after := m.state()
	changed := 0
	for key, value := range before {
		if after[key] != value {
			changed++
		}
		if _, there := after[key]; !there {
			t.Errorf("key %x is missing", key)
		}
	}
	if len(after) != len(before) || changed > 3 {
		t.Errorf("%d of %d entries changed, %d afterwards", changed, len(before), len(after))
	}
}

// keepsTheData fails unless the views of our module show the data of `scored`.
func keepsTheData(m *machine, revision string) {
	m.t.Helper()
	m.answers(`"2.0.0"`, "contract_version")
	m.answers(fmt.Sprintf(
		`{"stage":"1","exists":true,"total_score":"%d","is_finalized":true,"score_count":"10000","revision":%s}`,
		9_999*10_000/2, revision,
	), "get_stage_info", "1")
	m.answers(fmt.Sprintf(
		`{"stage":"2","exists":true,"total_score":"5650","is_finalized":false,"score_count":"100","revision":%s}`, revision,
	), "get_stage_info", "2")
	m.answers(`"1"`, "get_init_stage")
	m.answers(fmt.Sprintf(`["%s","%s"]`, deployer, publisher), "get_deployers")
	m.answers(`["9999",null]`, "get_scores_of", "1", []string{accountOf(9_999).String(), accountOf(10_000).String()})
}

// worksWithoutSettings writes to an upgraded contract that has no settings yet, and checks totals and counts.
func worksWithoutSettings(m *machine) {
	m.t.Helper()
	accounts, scores := batchOf(0, 100, 7)
	m.must(deployer, "update_scores_script", inBCS(2), accounts, scores)
	m.aborts(0x10008, deployer, "update_scores_script", inBCS(1), accounts, scores)
	m.aborts(0x10008, deployer, "finalize_script", inBCS(1))
	m.aborts(0x3000c, deployer, "finalize_checked_script", inBCS(2), inBCS(5650), inBCS(99))
	m.aborts(0x3000f, deployer, "finalize_checked_revision_script", inBCS(2), inBCS(5650), inBCS(100), inBCS(0))
	m.answers("null", "get_revision", "2")
	m.answers("null", "get_finalizer")
	m.answers("true", "publisher_manages")
}

// worksWithSettings creates the settings as the publisher and uses everything that needs them as the owner.
func worksWithSettings(m *machine, owner types.AccountAddress) {
	m.t.Helper()
	m.aborts(0x3000f, owner, "set_finalizer_script", someAddress(deployer))
	m.aborts(0x3000f, owner, "set_publisher_manages_script", inBCSBool(false))
	m.aborts(0x50001, deployer, "create_settings_script")
	m.must(publisher, "create_settings_script")
	created := m.state()
	m.must(publisher, "create_settings_script")
	if !maps.Equal(created, m.state()) {
		m.t.Error("creating the settings again changed the state")
	}
	keepsTheData(m, `"0"`)

	accounts, scores := batchOf(0, 100, 7)
	m.must(deployer, "update_score_script", inBCS(2), accounts, scores)
	m.answers(`"1"`, "get_revision", "2")
	m.answers(`"0"`, "get_revision", "1")
	m.must(owner, "set_finalizer_script", someAddress(publisher))
	expected := [][]byte{inBCS(2), inBCS(5650), inBCS(100)}
	m.aborts(0x50010, deployer, "finalize_checked_revision_script", append(expected, inBCS(1))...)
	m.aborts(0x3000c, publisher, "finalize_checked_revision_script", append(expected, inBCS(0))...)
	m.must(publisher, "finalize_checked_revision_script", append(expected, inBCS(1))...)
	m.answers(`{"stage":"3","exists":true,"total_score":"0","is_finalized":false,"score_count":"0","revision":"0"}`, "get_stage_info", "3")
}

func TestContractUpgradesTheReferenceInPlace(t *testing.T) {
	m := scored(t, referenceCode(t))
	upgradesInPlace(t, m)

	m.must(publisher, "transfer_ownership_script", deployer[:])
	m.must(deployer, "accept_ownership_script")
	m.answers(fmt.Sprintf(`"%s"`, deployer), "get_owner")
}

func TestContractUpgradesVersion1InPlace(t *testing.T) {
	upgradesInPlace(t, scored(t, version1Code(t)))
}

// upgradesInPlace upgrades a contract that its publisher owns, and uses all of it without and with settings.
func upgradesInPlace(t *testing.T, m *machine) {
	t.Helper()
	upgraded(t, m)
	keepsTheData(m, "null")
	m.answers(fmt.Sprintf(`"%s"`, publisher), "get_owner")
	worksWithoutSettings(m)
	worksWithSettings(m, publisher)
}

func TestContractUpgradesVersion1WithAnotherOwner(t *testing.T) {
	m := scored(t, version1Code(t))
	owner, next := accountOf(20_000), accountOf(20_001)
	m.must(publisher, "transfer_ownership_script", owner[:])
	m.must(owner, "accept_ownership_script")
	m.must(owner, "transfer_ownership_script", next[:])
	upgraded(t, m)
	keepsTheData(m, "null")
	m.answers(fmt.Sprintf(`"%s"`, owner), "get_owner")
	m.answers(fmt.Sprintf(`"%s"`, next), "get_pending_owner")
	worksWithoutSettings(m)
	m.aborts(0x5000d, publisher, "set_finalizer_script", someAddress(publisher))
	worksWithSettings(m, owner)

	m.must(owner, "set_publisher_manages_script", inBCSBool(false))
	m.aborts(0x5000d, publisher, "remove_deployer_script", deployer[:])
	m.must(owner, "owner_remove_deployer_script", deployer[:])
	m.must(next, "accept_ownership_script")
	m.answers(fmt.Sprintf(`"%s"`, next), "get_owner")
}

func inBCSBool(value bool) []byte {
	if value {
		return []byte{1}
	}
	return []byte{0}
}

// someAddress returns an option with an address in BCS.
func someAddress(account types.AccountAddress) []byte { return append([]byte{1}, account[:]...) }
