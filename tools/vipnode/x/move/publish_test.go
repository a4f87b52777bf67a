package move

import (
	"bytes"
	"testing"

	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

func TestPublishEmitsTheLibrarysEvents(t *testing.T) {
	f := newFixture(t)
	events, _, err := f.publish(deployer, types.UpgradePolicyCompatible, compiled(t, compileBoard).module)
	must(t, err)
	wantEqual(t, eventText(events), `execute
  sender: `+deployerHex+`
  module_addr: 0x1
  module_name: code
  function_name: publish_v2
move
  type_tag: 0x1::code::ModulePublishedEvent
  data: {"module_id":"`+deployerHex+`::board","upgrade_policy":1}
  module_id: `+deployerHex+`::board
  upgrade_policy: 1
`)
}

func TestUpgrade(t *testing.T) {
	f, board, extended := withBoard(t), compiled(t, compileBoard).module, compiled(t, compileExtended).module
	must(t, f.stillWorks())

	_, _, err := f.publish(deployer, types.UpgradePolicyCompatible, extended)
	must(t, err)
	wantEqual(t, f.viewData(t, "more"), `"42"`)
	wantEqual(t, f.viewData(t, "get", `"0xab00000000000000000000000000000000000002"`), `"1001"`)

	const incompatible = "VM error: status BACKWARD_INCOMPATIBLE_MODULE_UPDATE of type Verification with message Module update failure: " +
		"new module not compatible with existing module in `000000000000000000000000c5ea55d90ae84e307622f1b8b13535ec3eff0475::board`: "
	_, _, err = f.publish(deployer, types.UpgradePolicyCompatible, compiled(t, compileChanged).module)
	wantError(t, err, incompatible+"changed layout of struct `Board`\nBacktrace: [...]")
	_, _, err = f.publish(deployer, types.UpgradePolicyCompatible, board)
	wantError(t, err, incompatible+"removed struct `More`, removed function `more`\nBacktrace: [...]")

	_, _, err = f.publish(deployer, types.UpgradePolicyImmutable, extended)
	must(t, err)
	response, err := f.queries.Module(f.ctx, &types.QueryModuleRequest{Address: deployerHex, ModuleName: "board"})
	must(t, err)
	wantEqual(t, response.Module.UpgradePolicy, types.UpgradePolicyImmutable)
	_, _, err = f.publish(deployer, types.UpgradePolicyImmutable, extended)
	wantError(t, err, "VM aborted: location=0000000000000000000000000000000000000000000000000000000000000001::code, code=65537")
}

func TestPublishRefuses(t *testing.T) {
	f, board, extended := withBoard(t), compiled(t, compileBoard).module, compiled(t, compileExtended).module
	for name, one := range map[string]struct {
		sender string
		policy types.UpgradePolicy
		codes  [][]byte
		text   string
	}{
		"bytes, not a module": {deployer, 1, [][]byte{[]byte("junk")}, "VM error: status BAD_MAGIC of type Deserialization with message Backtrace: [...]"},
		"half a module":       {deployer, 1, [][]byte{board[:500]}, "VM error: status BAD_HEADER_TABLE of type Deserialization with message Backtrace: [...]"},
		"another's module": {operator, 1, [][]byte{board}, "VM error: status MODULE_ADDRESS_DOES_NOT_MATCH_SENDER of type Verification with message " +
			"Compiled modules address 0x000000000000000000000000c5ea55d90ae84e307622f1b8b13535ec3eff0475 does not match the sender " +
			"0x0000000000000000000000008cad25ec80a10522c258e2f59abf0006c9445d1b\nBacktrace: [...]"},
		"twice the same": {deployer, 1, [][]byte{extended, extended},
			"VM error: status DUPLICATE_MODULE_NAME of type Verification with message Duplicate module name found: board\nBacktrace: [...]"},
		"no policy":      {deployer, 0, [][]byte{board}, "upgrade policy not specified: invalid request"},
		"unknown policy": {deployer, 5, [][]byte{board}, "VM aborted: location=0000000000000000000000000000000000000000000000000000000000000001::code, code=65637"},
		"empty module":   {deployer, 1, [][]byte{{}}, "empty module bytes: invalid request"},
		"3 MB module":    {deployer, 1, [][]byte{make([]byte, 3<<20)}, "module size over hard limit 1048576: invalid request"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := f.publish(one.sender, one.policy, one.codes...)
			wantError(t, err, one.text)
		})
	}
	must(t, f.stillWorks())
}

// The compiler marks the output of unstable language versions, in the first byte of its metadata.
func TestPublishRefusesUnstableBytecode(t *testing.T) {
	f := newFixture(t)
	const name = "compilation_metadata"
	unstable := bytes.Clone(compiled(t, compileBoard).module)
	// The name is followed by the length of its value.
	mark := bytes.Index(unstable, []byte(name)) + len(name) + 1
	wantEqual(t, unstable[mark], 0)
	unstable[mark] = 1
	_, _, err := f.publish(deployer, types.UpgradePolicyCompatible, unstable)
	wantError(t, err, "VM error: status UNSTABLE_BYTECODE_REJECTED of type Verification with message code marked unstable\nBacktrace: [...]")
}

func TestPublishRefusesUnknownVersion(t *testing.T) {
	f := newFixture(t)
	// The version follows the four bytes of magic.
	unknown := bytes.Clone(compiled(t, compileBoard).module)
	unknown[4] = 99
	_, _, err := f.publish(deployer, types.UpgradePolicyCompatible, unknown)
	wantError(t, err, "VM error: status UNKNOWN_VERSION of type Deserialization with message bytecode version 99 unsupported\nBacktrace: [...]")
}
