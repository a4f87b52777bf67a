package movepackage

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/initia-labs/movevm/api"
)

// abi has the parts of a module that the compatible policy and readers depend on.
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

// declarations returns every function and struct of a module, one per line.
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

// The interface of vip-score-move as a node's module query returns it.
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

// hasAll fails for each missing declaration.
func hasAll(t *testing.T, module, declarations []string) {
	t.Helper()
	for _, declaration := range declarations {
		if !slices.Contains(module, declaration) {
			t.Errorf("missing: %s", declaration)
		}
	}
}

func TestContractHasThePublishedInterface(t *testing.T) {
	ours := declarations(t, contractCode(t))
	hasAll(t, ours, published)
	shape := declarations(t, referenceCode(t))
	slices.Sort(shape)
	want := slices.Sorted(slices.Values(published))
	if !slices.Equal(shape, want) {
		t.Errorf("the reference shape is\n%s", strings.Join(shape, "\n"))
	}
}

// Declarations that version 2.0.0 adds to those of 1.0.0. Entry functions are private: no module builds on them.
var added = []string{
	"private entry create_settings_script(&signer):",
	"private entry finalize_checked_revision_script(&signer, u64, u64, u64, u64):",
	"private entry set_finalizer_script(&signer, 0x1::option::Option<address>):",
	"private entry set_publisher_manages_script(&signer, bool):",
	"public view get_finalizer(): 0x1::option::Option<address>",
	"public view get_revision(u64): 0x1::option::Option<u64>",
	"public view get_stage_info(u64): GetStageInfoResponse",
	"public view publisher_manages(): bool",
	"event FinalizerSetEvent {finalizer: 0x1::option::Option<address>} drop, store",
	"event PublisherManagesSetEvent {allowed: bool} drop, store",
	"struct GetStageInfoResponse {stage: u64, exists: bool, total_score: u64, is_finalized: bool, score_count: u64, revision: 0x1::option::Option<u64>} copy, drop",
	"struct Settings {finalizer: 0x1::option::Option<address>, publisher_manages: bool, revisions: 0x1::table::Table<u64, u64>} key",
}

func TestContractHasTheInterfaceOfVersion1(t *testing.T) {
	before := declarations(t, version1Code(t))
	hasAll(t, before, published)
	want := slices.Concat(before, added)
	slices.Sort(want)
	ours := declarations(t, contractCode(t))
	slices.Sort(ours)
	if !slices.Equal(ours, want) {
		t.Errorf("the interface is\n%s\nnot\n%s", strings.Join(ours, "\n"), strings.Join(want, "\n"))
	}
}
