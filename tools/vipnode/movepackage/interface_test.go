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

// What this contract adds to the published interface. A later version can add more, but change none of this.
var added = []string{
	"private entry accept_ownership_script(&signer):",
	"private entry complete_upgrade_script(&signer):",
	"public entry finalize_checked_script(&signer, u64, u64, u64, u64):",
	"private entry owner_add_deployer_script(&signer, address):",
	"private entry owner_remove_deployer_script(&signer, address):",
	"private entry set_deployers_script(&signer, vector<address>):",
	"private entry set_finalizer_script(&signer, 0x1::option::Option<address>):",
	"private entry set_publisher_manages_script(&signer, bool):",
	"private entry transfer_ownership_script(&signer, address):",
	"public entry update_scores_script(&signer, u64, vector<address>, vector<u64>):",
	"public view contract_version(): 0x1::string::String",
	"public view get_deployer_count(): u64",
	"public view get_deployers(u64, u64): vector<address>",
	"public view get_finalizer(): 0x1::option::Option<address>",
	"public view get_init_stage(): u64",
	"public view get_owner(): address",
	"public view get_pending_owner(): 0x1::option::Option<address>",
	"public view get_scores_of(u64, vector<address>): vector<0x1::option::Option<u64>>",
	"public view get_stage(u64): GetStageResponse",
	"public view is_deployer(address): bool",
	"public view is_open(u64): bool",
	"public view is_upgraded(): bool",
	"public view publisher_manages(): bool",
	"event DeployersClearedEvent {count: u64} drop, store",
	"event FinalizerSetEvent {finalizer: 0x1::option::Option<address>} drop, store",
	"event OwnershipTransferStartedEvent {previous_owner: address, new_owner: address} drop, store",
	"event OwnershipTransferredEvent {previous_owner: address, new_owner: address} drop, store",
	"event PublisherManagesSetEvent {allowed: bool} drop, store",
	"event UpdateScoresEvent {stage: u64, count: u64, total_score: u64} drop, store",
	"struct Extension {owner: address, pending_owner: 0x1::option::Option<address>, finalizer: 0x1::option::Option<address>, publisher_manages: bool, revisions: 0x1::table::Table<u64, u64>} key",
	"struct GetStageResponse {stage: u64, exists: bool, total_score: u64, is_finalized: bool, score_count: u64, revision: u64} copy, drop",
}

// P1 of packages/conformance tests the published interface.
func TestContractHasItsInterface(t *testing.T) {
	want := slices.Sorted(slices.Values(slices.Concat(declarations(t, referenceCode(t)), added)))
	if found := slices.Sorted(slices.Values(declarations(t, contractCode(t)))); !slices.Equal(found, want) {
		t.Errorf("the interface is\n%s\nnot\n%s", strings.Join(found, "\n"), strings.Join(want, "\n"))
	}
}
