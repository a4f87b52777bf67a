//go:build long

package movepackage

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/initia-labs/movevm/types"
)

const flood = 2_000

// A thief with the publisher's key adds thousands of deployers. The owner ends that in one call, the deployers can be read in
// pages meanwhile, and nothing else of the contract changes.
func TestTheOwnerEndsAFloodOfDeployers(t *testing.T) {
	m := deployed(t, contractCode(t))
	owner, thief := accountOf(30_001), publisher
	m.must(publisher, "transfer_ownership_script", owner[:])
	m.must(owner, "accept_ownership_script")
	accounts, scores := batchOf(0, 1, 1_000)
	m.must(deployer, "update_score_script", inBCS(1), accounts, scores)
	writeBefore := m.must(deployer, "update_score_script", inBCS(1), accounts, scores)
	list := inBCSList([]types.AccountAddress{deployer})
	replaceBefore := m.must(owner, "set_deployers_script", list)

	var addLast uint64
	for i := range flood {
		account := accountOf(i)
		addLast = m.must(thief, "add_deployer_script", account[:])
	}
	m.answers(fmt.Sprintf(`"%d"`, flood+1), "get_deployer_count")
	seen := map[string]bool{}
	for _, want := range []int{1_000, 1_000, 1, 0} {
		page := deployersFrom(m, len(seen))
		if len(page) != want {
			t.Errorf("the page from %d has %d deployers, not %d", len(seen), len(page), want)
		}
		for _, account := range page {
			seen[account] = true
		}
	}
	writeWithin := m.must(deployer, "update_score_script", inBCS(1), accounts, scores)

	m.must(owner, "set_publisher_manages_script", inBCSBool(false))
	m.aborts(0x5000d, thief, "add_deployer_script", thief[:])
	m.aborts(0x5000d, thief, "set_deployers_script", list)
	replaceWithin := m.must(owner, "set_deployers_script", list)
	m.answers(fmt.Sprintf(`["%s"]`, deployer), "get_deployers", "0", "1000")
	m.aborts(0x10001, accountOf(0), "update_score_script", inBCS(1), accounts, scores)
	writeAfter := m.must(deployer, "update_score_script", inBCS(1), accounts, scores)
	t.Logf("one row: %d gas, with %d deployers %d, after the replacement %d", writeBefore, flood+1, writeWithin, writeAfter)
	t.Logf("to add one more: %d gas; to replace all: %d gas, with %d deployers %d", addLast, replaceBefore, flood+1, replaceWithin)
	if writeAfter != writeBefore {
		t.Errorf("one row costs %d gas after the flood, %d before", writeAfter, writeBefore)
	}
	// The list is in the published `ModuleStore`, so every call reads it; the replacement does no more than that.
	if reading := writeWithin - writeBefore; replaceWithin-replaceBefore != reading {
		t.Errorf("the old deployers cost the replacement %d gas, reading them costs %d", replaceWithin-replaceBefore, reading)
	}
}

// deployersFrom returns a page of the largest size.
func deployersFrom(m *machine, offset int) []string {
	m.t.Helper()
	answer, err := m.view(scoring, "get_deployers", inText(uint64(offset)), "5000")
	if err != nil {
		m.t.Fatal(err)
	}
	var page []string
	if err := json.Unmarshal([]byte(answer), &page); err != nil {
		m.t.Fatal(err)
	}
	return page
}
