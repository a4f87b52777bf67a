package movepackage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/initia-labs/movevm/types"
)

// example returns the package of contracts/move/example in a copy of the folder that it imports the contract from.
func example(t *testing.T, author types.AccountAddress) *Package {
	t.Helper()
	contracts := copyOf(t, contractFolder, "vip_score="+publisherHex)
	p, err := Open(filepath.Join(contracts.Path, "example"), []string{"quest_scores=" + author.String(), "vip_score=" + publisherHex})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAnotherPackageScoresByItsOwnRule(t *testing.T) {
	author, player := accountOf(40_000), accountOf(1)
	p := example(t, author)
	if err := Build(p); err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile(filepath.Join(p.Path, "build", "quest_scores", "bytecode_modules", "quest_scores.mv"))
	if err != nil {
		t.Fatal(err)
	}
	m := deployed(t, contractCode(t))
	if err := m.publish(author, code, compatible); err != nil {
		t.Fatal(err)
	}
	quests := types.ModuleId{Address: author, Name: "quest_scores"}
	reward := func(sender types.AccountAddress, stage, count uint64) int {
		_, _, err := m.execute(sender, quests, "reward", player[:], inBCS(stage), inBCS(count))
		code, known := abortCode(err)
		if !known {
			t.Fatal(err)
		}
		return code
	}
	for _, call := range []struct {
		name         string
		sender       types.AccountAddress
		stage, count uint64
		code         int
		score        string
	}{
		{"a deployer", deployer, 1, 7, 0, `"70"`},
		{"a deployer, up to the rule's limit", deployer, 1, 1 << 63, 0, `"1000"`},
		{"the package's author", author, 1, 1, 0x10001, `"1000"`},
		{"a deployer, in a stage that does not exist", deployer, 2, 1, 0x10003, `"1000"`},
	} {
		if code := reward(call.sender, call.stage, call.count); code != call.code {
			t.Errorf("%s: the code is %#x, not %#x", call.name, code, call.code)
		}
		m.answers(call.score, "get_score", player.String(), "1")
	}
	// Each call counts as a write, like any other.
	m.must(deployer, "finalize_checked_script", inBCS(1), inBCS(1_000), inBCS(1), inBCS(2))
	if code := reward(deployer, 1, 1); code != 0x10008 {
		t.Errorf("in a finalized stage: the code is %#x", code)
	}
}

// A second release keeps the scores that the first one wrote, and adds to them.
func TestAnotherPackageIsUpgraded(t *testing.T) {
	author, player := accountOf(40_000), accountOf(1)
	p := example(t, author)
	m := deployed(t, contractCode(t))
	quests := types.ModuleId{Address: author, Name: "quest_scores"}
	reward := func(count uint64) {
		t.Helper()
		if _, _, err := m.execute(deployer, quests, "reward", player[:], inBCS(1), inBCS(count)); err != nil {
			t.Fatal(err)
		}
	}
	publish := func() {
		t.Helper()
		if err := Build(p); err != nil {
			t.Fatal(err)
		}
		code, err := os.ReadFile(filepath.Join(p.Path, "build", "quest_scores", "bytecode_modules", "quest_scores.mv"))
		if err != nil {
			t.Fatal(err)
		}
		if err := m.publish(author, code, compatible); err != nil {
			t.Fatal(err)
		}
	}
	publish()
	reward(7)
	source, err := os.ReadFile(filepath.Join(p.Path, "sources/quest_scores.move"))
	if err != nil {
		t.Fatal(err)
	}
	second := strings.Replace(string(source), "POINTS_OF_A_QUEST: u64 = 10;", "POINTS_OF_A_QUEST: u64 = 20;", 1)
	if second == string(source) {
		t.Fatal("the example has another rule than this test expects")
	}
	write(t, p, "sources/quest_scores.move", second)
	publish()
	m.answers(`"70"`, "get_score", player.String(), "1")
	reward(1)
	m.answers(`"90"`, "get_score", player.String(), "1")
	m.answers(`{"stage":"1","exists":true,"total_score":"90","is_finalized":false,"score_count":"1","revision":"2"}`, "get_stage", "1")
}

// The checks of the module cannot be passed by: only it can open its structs.
func TestAnotherPackageCannotOpenTheStore(t *testing.T) {
	p := example(t, accountOf(40_000))
	write(t, p, "sources/quest_scores.move", `module quest_scores::quest_scores {
    public fun forge(): u64 { vip_score::vip_score::ModuleStore[@vip_score].init_stage }
}
`)
	if err := Build(p); err == nil {
		t.Error("a package that opens the store of the contract compiles")
	}
}
