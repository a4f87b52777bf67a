package move

import (
	"fmt"
	"strings"
	"testing"

	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

const abortedInBoard = "VM aborted: location=000000000000000000000000c5ea55d90ae84e307622f1b8b13535ec3eff0475::board, code="

// withBoard returns a chain on which the deployer has published testdata/board.
func withBoard(t testing.TB) *fixture {
	t.Helper()
	f := newFixture(t)
	_, _, err := f.publish(deployer, types.UpgradePolicyCompatible, compiled(t, compileBoard).module)
	must(t, err)
	return f
}

func boardCall(function string, typeArguments []string, arguments ...[]byte) *types.MsgExecute {
	return &types.MsgExecute{
		Sender: operator, ModuleAddress: deployerHex, ModuleName: "board", FunctionName: function,
		TypeArgs: typeArguments, Args: arguments,
	}
}

func boardCallJSON(function string, arguments ...string) *types.MsgExecuteJSON {
	return &types.MsgExecuteJSON{
		// An address may be bech32 too.
		Sender: operator, ModuleAddress: deployer, ModuleName: "board", FunctionName: function, Args: arguments,
	}
}

func TestExecuteEmitsTheCallAndThenItsEvents(t *testing.T) {
	f := withBoard(t)
	members, points := table(1, 2)
	events, gas, err := f.execute(boardCall("put", nil, members, points))
	must(t, err)
	wantEqual(t, eventText(events), `execute
  sender: `+operatorHex+`
  module_addr: `+deployerHex+`
  module_name: board
  function_name: put
move
  type_tag: `+deployerHex+`::board::RowsPut
  data: {"zeta":"2001","count":2,"done":true,"next":null,"last":{"member":"0xab00000000000000000000000000000000000002","points":"1001"},"members":["0xab00000000000000000000000000000000000001","0xab00000000000000000000000000000000000002"]}
  count: 2
  done: true
  next: <nil>
  zeta: 2001
`)
	if gas < 10_000 || gas > 40_000 {
		t.Fatalf("gas %d for two rows", gas)
	}
}

func eventText(events sdk.Events) string {
	var text strings.Builder
	for _, event := range events {
		fmt.Fprintln(&text, event.Type)
		for _, attribute := range event.Attributes {
			fmt.Fprintf(&text, "  %s: %s\n", attribute.Key, attribute.Value)
		}
	}
	return text.String()
}

// Calls that Move code refuses, with the VM's text. Backtraces are left out on every machine.
func TestExecuteRefuses(t *testing.T) {
	f := withBoard(t)
	members, points := table(1, 2)
	const mismatch = "VM error: status NUMBER_OF_ARGUMENTS_MISMATCH of type Verification"
	const deserialize = "VM error: status FAILED_TO_DESERIALIZE_ARGUMENT of type Verification"
	for name, one := range map[string]struct {
		message *types.MsgExecute
		text    string
	}{
		"abort":              {boardCall("fail", nil, u64(7)), abortedInBoard + "393223"},
		"too few arguments":  {boardCall("put", nil, members), mismatch},
		"too many arguments": {boardCall("put", nil, members, points, points), mismatch},
		"short argument":     {boardCall("put", nil, members, points[:5]), deserialize + " with message Couldn't read bytes"},
		"empty argument":     {boardCall("put", nil, nil, nil), deserialize},
		"unknown function": {boardCall("nope", nil), "VM error: status FUNCTION_RESOLUTION_FAILURE of type Verification with message " +
			"Function 0x000000000000000000000000c5ea55d90ae84e307622f1b8b13535ec3eff0475::board::nope does not exist\nBacktrace: [...]"},
		"not an entry function": {boardCall("init_module", nil), "VM error: status EXECUTE_ENTRY_FUNCTION_CALLED_ON_NON_ENTRY_FUNCTION " +
			"of type Verification with message Backtrace: [...]"},
		"a view function":      {boardCall("get", nil, member(1)), "VM error: status INVALID_MAIN_FUNCTION_SIGNATURE of type Verification"},
		"type without a place": {boardCall("put", []string{"u8"}, members, points), "VM error: status NUMBER_OF_TYPE_ARGUMENTS_MISMATCH of type Verification with message Backtrace: [...]"},
		"invalid text": {boardCall("note", []string{"u8"}, []byte{1, 0xff}),
			"VM aborted: location=0000000000000000000000000000000000000000000000000000000000000001::string, code=1"},
		"invalid type": {boardCall("note", []string{"zz"}, []byte{1, 'a'}),
			`failure occurred from backend: invalid struct tag: zz, unexpected token Name("zz"), expected type tag`},
		"message to another module": {boardCall("send_message", nil),
			"messages sent from Move code: not available on this development node: malformed cosmos message"},
		"no module":        {&types.MsgExecute{Sender: operator, ModuleAddress: deployerHex, FunctionName: "put"}, "empty module name: invalid request"},
		"no function":      {&types.MsgExecute{Sender: operator, ModuleAddress: deployerHex, ModuleName: "board"}, "empty function name: invalid request"},
		"long name":        {boardCall(strings.Repeat("a", 129), nil), "function name length over hard limit 128: invalid request"},
		"invalid name":     {boardCall("no name\xff", nil), `invalid function name "no name\xff": invalid request`},
		"types over limit": {boardCall("put", make([]string, 17)), "number of type argument over hard limit 16: invalid request"},
		"bad sender":       {&types.MsgExecute{Sender: "nobody"}, "decoding bech32 failed: invalid bech32 string length 6"},
		"bad address": {&types.MsgExecute{Sender: operator, ModuleAddress: "notanaddress"},
			"decoding bech32 failed: invalid separator index -1"},
		"long address": {&types.MsgExecute{Sender: operator, ModuleAddress: "0x" + strings.Repeat("1", 66)}, "invalid length of address"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := f.execute(one.message)
			wantError(t, err, one.text)
		})
	}
	must(t, f.stillWorks())
}

// stillWorks checks that the VM still executes calls.
func (f *fixture) stillWorks() error {
	members, points := table(1, 2)
	_, _, err := f.execute(boardCall("put", nil, members, points))
	return err
}

func TestMissingModuleIsALinkerError(t *testing.T) {
	f := withBoard(t)
	_, _, err := f.execute(&types.MsgExecute{Sender: operator, ModuleAddress: operatorHex, ModuleName: "board", FunctionName: "put"})
	if err == nil || !strings.HasPrefix(err.Error(), "VM error: status LINKER_ERROR of type Verification") {
		t.Fatalf("error %v", err)
	}
}

func TestFailedCallChangesNothing(t *testing.T) {
	f := withBoard(t)
	members, points := table(1, 2)
	_, _, err := f.deliver(plenty, func(ctx sdk.Context) error {
		if _, err := f.messages.Execute(ctx, boardCall("put", nil, members, points)); err != nil {
			return err
		}
		_, err := f.messages.Execute(ctx, boardCall("fail", nil, u64(1)))
		return err
	})
	wantError(t, err, abortedInBoard+"393217")
	wantEqual(t, f.viewData(t, "get", `"0xab00000000000000000000000000000000000001"`), `"0"`)
}

func TestScript(t *testing.T) {
	f := withBoard(t)
	run := func(code []byte, typeArguments ...string) (sdk.Events, error) {
		events, _, err := f.deliver(plenty, func(ctx sdk.Context) error {
			_, err := f.messages.Script(ctx, &types.MsgScript{Sender: operator, CodeBytes: code, TypeArgs: typeArguments, Args: [][]byte{{1, 'a'}}})
			return err
		})
		return events, err
	}
	script := compiled(t, compileBoard).script
	events, err := run(script, "bool")
	must(t, err)
	wantEqual(t, eventText(events), "script\n  sender: "+operatorHex+"\n")

	_, err = run(script)
	wantError(t, err, "VM error: status NUMBER_OF_TYPE_ARGUMENTS_MISMATCH of type Verification with message Backtrace: [...]")
	_, err = run([]byte("junk"), "bool")
	if err == nil || !strings.Contains(err.Error(), "CODE_DESERIALIZATION_ERROR") || strings.Contains(err.Error(), "libmovevm") {
		t.Fatalf("error %v", err)
	}
	_, err = run(nil, "bool")
	wantError(t, err, "empty code bytes: invalid request")

	_, _, err = f.deliver(plenty, func(ctx sdk.Context) error {
		_, err := f.messages.ScriptJSON(ctx, &types.MsgScriptJSON{Sender: operator, CodeBytes: script, TypeArgs: []string{"u8"}, Args: []string{`"b"`}})
		return err
	})
	must(t, err)
	response, err := f.queries.Resource(f.ctx, &types.QueryResourceRequest{Address: operator, StructTag: deployerHex + "::board::Note<u8>"})
	must(t, err)
	wantEqual(t, response.Resource.MoveResource, `{"type":"`+deployerHex+`::board::Note<u8>","data":{"text":"b"}}`)
}
