package movepackage

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/initia-labs/movevm/api"
	"github.com/initia-labs/movevm/types"
)

const (
	contractFolder  = "../../../contracts/move"
	referenceFolder = contractFolder + "/reference_shape"
	publisherHex    = "0xc5ea55d90ae84e307622f1b8b13535ec3eff0475"
)

var (
	publisher, _ = types.NewAccountAddress(publisherHex)
	deployer, _  = types.NewAccountAddress("0x8cad25ec80a10522c258e2f59abf0006c9445d1b")
	scoring      = types.ModuleId{Address: publisher, Name: "vip_score"}
)

// codes keeps what was compiled: a build takes seconds.
var codes = map[string][]byte{}

func codeOf(t *testing.T, folder, packageName, address string) []byte {
	t.Helper()
	key := folder + address
	if codes[key] == nil {
		codes[key] = built(t, folder, packageName, "vip_score", "vip_score="+address)
	}
	return codes[key]
}

func contractCode(t *testing.T) []byte {
	return codeOf(t, contractFolder, "vip_score", publisherHex)
}

func referenceCode(t *testing.T) []byte {
	return codeOf(t, referenceFolder, "reference_shape", publisherHex)
}

// deployed has a scoring contract published, with the deployer added and stage 1 open.
func deployed(t *testing.T, code []byte) *machine {
	t.Helper()
	m := newMachine(t)
	if err := m.publish(publisher, code, compatible); err != nil {
		t.Fatal(err)
	}
	m.must(publisher, "add_deployer_script", deployer[:])
	m.must(deployer, "set_init_stage", inBCS(1))
	return m
}

// must executes a function of the scoring contract and returns the gas that it took.
func (m *machine) must(sender types.AccountAddress, function string, arguments ...[]byte) uint64 {
	m.t.Helper()
	_, gas, err := m.execute(sender, scoring, function, arguments...)
	if err != nil {
		m.t.Fatalf("%s: %v", function, err)
	}
	return gas
}

// answers fails unless a view gives this JSON.
func (m *machine) answers(want, function string, arguments ...any) {
	m.t.Helper()
	if found, err := m.view(scoring, function, arguments...); err != nil || found != want {
		m.t.Errorf("%s%v = %s (%v), not %s", function, arguments, found, err, want)
	}
}

// aborts fails unless a function of the scoring contract aborts with this code.
func (m *machine) aborts(code int, sender types.AccountAddress, function string, arguments ...[]byte) {
	m.t.Helper()
	_, _, err := m.execute(sender, scoring, function, arguments...)
	if err == nil || !strings.HasSuffix(err.Error(), fmt.Sprintf("::vip_score, code=%d", code)) {
		m.t.Errorf("%s: %v, not code %d", function, err, code)
	}
}

// abi has of a module what the compatible policy and readers depend on.
type abi struct {
	Functions []struct {
		Name       string   `json:"name"`
		Visibility string   `json:"visibility"`
		IsEntry    bool     `json:"is_entry"`
		IsView     bool     `json:"is_view"`
		Params     []string `json:"params"`
		Return     []string `json:"return"`
	} `json:"exposed_functions"`
	Structs []struct {
		Name      string   `json:"name"`
		IsEvent   bool     `json:"is_event"`
		Abilities []string `json:"abilities"`
		Fields    []struct {
			Name string `json:"name"`
			Type string `json:"type"`
		} `json:"fields"`
	} `json:"structs"`
}

// declarations gives every function and struct of a module on a line of its own.
func declarations(t *testing.T, code []byte) []string {
	t.Helper()
	decoded, err := api.DecodeModuleBytes(code)
	if err != nil {
		t.Fatal(err)
	}
	var module abi
	if err := json.Unmarshal(decoded, &module); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, f := range module.Functions {
		kind := map[bool]string{true: "entry "}[f.IsEntry] + map[bool]string{true: "view "}[f.IsView]
		lines = append(lines, f.Visibility+" "+kind+f.Name+"("+strings.Join(f.Params, ", ")+"): "+strings.Join(f.Return, ", "))
	}
	for _, s := range module.Structs {
		var fields []string
		for _, field := range s.Fields {
			fields = append(fields, field.Name+": "+field.Type)
		}
		kind := map[bool]string{true: "event ", false: "struct "}[s.IsEvent]
		lines = append(lines, kind+s.Name+" {"+strings.Join(fields, ", ")+"} "+strings.Join(s.Abilities, ", "))
	}
	for i, line := range lines {
		lines[i] = strings.ReplaceAll(strings.TrimSpace(line), publisherHex+"::vip_score::", "")
	}
	return lines
}

// The interface of vip-score-move as a node's module query answers it.
var published = []string{
	"public entry add_deployer_script(&signer, address):",
	"public decrease_score(&signer, address, u64, u64):",
	"public entry finalize_script(&signer, u64):",
	"public view get_score(address, u64): u64",
	"public view get_scores(u64, u16, 0x1::option::Option<address>): GetScoresResponse",
	"public view get_total_score(u64): u64",
	"public increase_score(&signer, address, u64, u64):",
	"public entry remove_deployer_script(&signer, address):",
	"public entry set_init_stage(&signer, u64):",
	"public update_score(&signer, address, u64, u64):",
	"public entry update_score_script(&signer, u64, vector<address>, vector<u64>):",
	"event DeployerAddedEvent {deployer: address} drop, store",
	"event DeployerRemovedEvent {deployer: address} drop, store",
	"event FinalizedScoreEvent {stage: u64} drop, store",
	"struct GetScoresResponse {stage: u64, scores: vector<Score>}",
	"struct ModuleStore {init_stage: u64, deployers: 0x1::simple_map::SimpleMap<address, bool>, scores: 0x1::table::Table<u64, Scores>} key",
	"struct Score {addr: address, score: u64}",
	"struct Scores {total_score: u64, is_finalized: bool, score: 0x1::table::Table<address, u64>} store",
	"event UpdateScoreEvent {account: address, stage: u64, score: u64, total_score: u64} drop, store",
}

func TestContractHasThePublishedInterface(t *testing.T) {
	ours := declarations(t, contractCode(t))
	for _, declaration := range published {
		if !slices.Contains(ours, declaration) {
			t.Errorf("missing: %s", declaration)
		}
	}
	shape := declarations(t, referenceCode(t))
	slices.Sort(shape)
	want := slices.Sorted(slices.Values(published))
	if !slices.Equal(shape, want) {
		t.Errorf("the reference shape is\n%s", strings.Join(shape, "\n"))
	}
}

// Deployment takes the module compiled for a placeholder and puts the publisher's address in its place.
func TestContractCanBeCompiledForAnotherAddress(t *testing.T) {
	placeholder, _ := types.NewAccountAddress("0x" + strings.Repeat("e1", 32))
	code := codeOf(t, contractFolder, "vip_score", placeholder.String())
	if places := bytes.Count(code, placeholder[:]); places != 2 {
		t.Errorf("the address is in %d places", places)
	}
	replaced := bytes.ReplaceAll(code, placeholder[:], publisher[:])
	if !bytes.Equal(replaced, contractCode(t)) {
		t.Error("the bytes are not those of a build for the address")
	}
	m := deployed(t, replaced)
	m.answers(fmt.Sprintf(`"%s"`, publisher), "get_owner")
}

func TestContractUpgradesTheReferenceInPlace(t *testing.T) {
	m := deployed(t, referenceCode(t))
	m.must(publisher, "add_deployer_script", publisher[:])
	total := uint64(0)
	for from := 0; from < 10_000; from += 1_000 {
		accounts, scores := batchOf(from, 1_000, uint64(from))
		m.must(deployer, "update_score_script", inBCS(1), accounts, scores)
	}
	for score := range uint64(10_000) {
		total += score
	}
	m.must(deployer, "finalize_script", inBCS(1))
	accounts, scores := batchOf(0, 100, 7)
	m.must(deployer, "update_score_script", inBCS(2), accounts, scores)
	before := m.state()

	if err := m.publish(publisher, contractCode(t), compatible); err != nil {
		t.Fatal(err)
	}

	// Nothing but the module and what 0x1::code notes of it may differ: no row, total, flag or deployer.
	after := m.state()
	changed := 0
	for key, value := range before {
		if after[key] != value {
			changed++
		}
		if _, there := after[key]; !there {
			t.Errorf("key %x is gone", key)
		}
	}
	if len(after) != len(before) || changed > 3 {
		t.Errorf("%d of %d entries changed, %d afterwards", changed, len(before), len(after))
	}

	m.answers(`"1.0.0"`, "contract_version")
	m.answers(fmt.Sprintf(`{"stage":"1","exists":true,"total_score":"%d","is_finalized":true,"score_count":"10000"}`, total), "get_stage", "1")
	m.answers(`{"stage":"2","exists":true,"total_score":"5650","is_finalized":false,"score_count":"100"}`, "get_stage", "2")
	m.answers(`"1"`, "get_init_stage")
	m.answers(fmt.Sprintf(`["%s","%s"]`, deployer, publisher), "get_deployers")
	m.answers(fmt.Sprintf(`"%s"`, publisher), "get_owner")
	m.answers(`["9999",null]`, "get_scores_of", "1", []string{accountOf(9_999).String(), accountOf(10_000).String()})

	m.aborts(0x10008, deployer, "update_scores_script", inBCS(1), accounts, scores)
	m.aborts(0x10008, deployer, "finalize_script", inBCS(1))
	m.aborts(0x3000c, deployer, "finalize_checked_script", inBCS(2), inBCS(5650), inBCS(99))
	m.must(deployer, "update_scores_script", inBCS(2), accounts, scores)
	m.must(deployer, "finalize_checked_script", inBCS(2), inBCS(5650), inBCS(100))
	m.must(publisher, "transfer_ownership_script", deployer[:])
	m.must(deployer, "accept_ownership_script")
	m.answers(fmt.Sprintf(`"%s"`, deployer), "get_owner")
}

func TestContractCanBePublishedForGood(t *testing.T) {
	m := newMachine(t)
	if err := m.publish(publisher, contractCode(t), immutable); err != nil {
		t.Fatal(err)
	}
	if err := m.publish(publisher, contractCode(t), compatible); err == nil {
		t.Error("an immutable module was upgraded")
	}
}

func TestACallThatAbortsWritesNothing(t *testing.T) {
	m := deployed(t, contractCode(t))
	accounts, scores := batchOf(0, 10, 1)
	m.must(deployer, "update_scores_script", inBCS(1), accounts, scores)
	before := m.state()

	// The last row overflows the total after the others were written.
	accounts, scores = batchOf(5, 10, 1<<63)
	m.aborts(0x2000b, deployer, "update_score_script", inBCS(1), accounts, scores)
	m.aborts(0x2000b, deployer, "update_scores_script", inBCS(1), accounts, scores)
	m.aborts(0x3000c, deployer, "finalize_checked_script", inBCS(1), inBCS(0), inBCS(10))
	if !maps.Equal(before, m.state()) {
		t.Error("the state changed")
	}
}

// The reference contract's VM gas per score, new scores, 1,000 rows a batch.
const referenceGas = 3856

func TestGasPerScore(t *testing.T) {
	code := contractCode(t)
	for function, most := range map[string]float64{"update_score_script": 0.90, "update_scores_script": 0.75} {
		for _, rows := range []int{500, 1_000} {
			m := deployed(t, code)
			accounts, scores := batchOf(0, rows, 1_000)
			_, others := batchOf(0, rows, 5_000)
			first := m.must(deployer, function, inBCS(1), accounts, scores)
			overwrite := m.must(deployer, function, inBCS(1), accounts, others)
			m.must(deployer, "finalize_script", inBCS(1))
			next := m.must(deployer, function, inBCS(2), accounts, scores)
			for name, gas := range map[string]uint64{"first sight": first, "overwrite": overwrite, "next stage": next} {
				perRow := float64(gas) / float64(rows)
				t.Logf("%s, %d rows, %s: %.1f gas per score, %.3f of the reference", function, rows, name, perRow, perRow/referenceGas)
				if perRow > most*referenceGas {
					t.Errorf("%s, %d rows, %s: above %v of the reference", function, rows, name, most)
				}
			}
		}
	}
}
