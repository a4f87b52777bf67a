package move

import (
	"context"
	"fmt"
	"strings"
	"testing"

	sdk "github.com/cosmos/cosmos-sdk/types"
	"github.com/cosmos/gogoproto/proto"

	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

// fuzzGas keeps an endless loop short.
const fuzzGas = 200_000

// FuzzMsgServer sends messages as they arrive from the network: whatever they contain, the result is an answer or an error.
func FuzzMsgServer(f *testing.F) {
	chain := withBoard(f)
	board := compiled(f, compileBoard)
	members, points := table(1, 2)
	for kind, message := range []proto.Message{
		&types.MsgPublish{Sender: deployer, CodeBytes: [][]byte{board.module}, UpgradePolicy: types.UpgradePolicyCompatible},
		boardCall("put", nil, members, points),
		boardCallJSON("take", "1", `"2"`, `"a"`, "null", `"00ff"`),
		&types.MsgScript{Sender: operator, CodeBytes: board.script, TypeArgs: []string{"u8"}, Args: [][]byte{{1, 'a'}}},
		&types.MsgScriptJSON{Sender: operator, CodeBytes: board.script, TypeArgs: []string{"u8"}, Args: []string{`"a"`}},
	} {
		wire, err := proto.Marshal(message)
		must(f, err)
		f.Add(uint8(kind), wire)
	}
	f.Fuzz(func(t *testing.T, kind uint8, wire []byte) {
		messages := []proto.Message{&types.MsgPublish{}, &types.MsgExecute{}, &types.MsgExecuteJSON{}, &types.MsgScript{}, &types.MsgScriptJSON{}}
		message := messages[int(kind)%len(messages)]
		if proto.Unmarshal(wire, message) != nil {
			return
		}
		chain.deliverFuzzed(t, message)
	})
}

// FuzzMsgServerExecute calls functions of the board and of the standard library.
func FuzzMsgServerExecute(f *testing.F) {
	chain := withBoard(f)
	members, points := table(1, 2)
	f.Add(deployerHex, "board", "put", "", members, points)
	f.Add(deployer, "board", "note", "vector<0x1::option::Option<u8>>", []byte{1, 'a'}, []byte{})
	f.Add("0x1", "simple_nft", "mint", "u8", []byte{}, []byte{1})
	f.Add("0x1", "code", "publish_v2", "", append([]byte{1}, append(length(300), make([]byte, 300)...)...), []byte{1})
	f.Fuzz(func(t *testing.T, address, module, function, typeText string, first, second []byte) {
		call := &types.MsgExecute{
			Sender: operator, ModuleAddress: address, ModuleName: module, FunctionName: function, Args: [][]byte{first, second},
		}
		if typeText != "" {
			call.TypeArgs = []string{typeText}
		}
		chain.deliverFuzzed(t, call)
	})
}

// FuzzMsgServerPublish publishes broken modules and executes broken scripts.
func FuzzMsgServerPublish(f *testing.F) {
	chain := withBoard(f)
	board := compiled(f, compileBoard)
	f.Add(board.module, board.script)
	f.Fuzz(func(t *testing.T, module, script []byte) {
		chain.deliverFuzzed(t, &types.MsgPublish{Sender: deployer, CodeBytes: [][]byte{module}, UpgradePolicy: types.UpgradePolicyCompatible})
		chain.deliverFuzzed(t, &types.MsgScript{Sender: operator, CodeBytes: script, TypeArgs: []string{"u8"}, Args: [][]byte{{1, 'a'}}})
	})
}

// deliverFuzzed drops the message's writes. It fails if something broke instead of being refused.
func (f *fixture) deliverFuzzed(t *testing.T, message proto.Message) {
	_, _, err := f.deliverIn(sdk.ExecModeCheck, fuzzGas, func(ctx sdk.Context) error { return f.handle(ctx, message) })
	notBroken(t, err)
}

// handle calls the server's method for a message.
func (f *fixture) handle(ctx context.Context, message proto.Message) (err error) {
	switch message := message.(type) {
	case *types.MsgPublish:
		_, err = f.messages.Publish(ctx, message)
	case *types.MsgExecute:
		_, err = f.messages.Execute(ctx, message)
	case *types.MsgExecuteJSON:
		_, err = f.messages.ExecuteJSON(ctx, message)
	case *types.MsgScript:
		_, err = f.messages.Script(ctx, message)
	case *types.MsgScriptJSON:
		_, err = f.messages.ScriptJSON(ctx, message)
	default:
		err = fmt.Errorf("unknown message %T", message)
	}
	return err
}

// notBroken fails for a caught panic, ours or the VM's.
func notBroken(t *testing.T, err error) {
	t.Helper()
	if err != nil && (strings.HasPrefix(err.Error(), "panic: ") || strings.Contains(err.Error(), "Caught panic")) {
		t.Fatal(err)
	}
}

// FuzzArguments passes arguments that no client would send to a function with parameters of many types.
func FuzzArguments(f *testing.F) {
	chain := withBoard(f)
	text := []byte{5, 'h', 'e', 'l', 'l', 'o'}
	f.Add(false, []byte{1}, make([]byte, 32), text, append([]byte{1}, text...), []byte{2, 0, 1})
	f.Add(true, []byte("1"), []byte(`"2"`), []byte(`"a"`), []byte("null"), []byte(`[1,2]`))
	f.Add(true, []byte("255"), []byte(`"115792089237316195423570985008687907853269984665640564039457584007913129639935"`),
		[]byte(`"é"`), []byte(`"b"`), []byte(`"0x00"`))
	f.Fuzz(func(t *testing.T, asJSON bool, small, large, text, maybe, bytes []byte) {
		arguments := [][]byte{small, large, text, maybe, bytes}
		if asJSON {
			texts := make([]string, len(arguments))
			for i, argument := range arguments {
				texts[i] = string(argument)
			}
			chain.deliverFuzzed(t, boardCallJSON("take", texts...))
			return
		}
		chain.deliverFuzzed(t, boardCall("take", nil, arguments...))
	})
}

// FuzzArgumentsOfQueries queries views, resources and tables with texts of any kind.
func FuzzArgumentsOfQueries(f *testing.F) {
	chain := withBoard(f)
	handle := chain.boardTable(f, 3)
	f.Add(deployerHex, "0x1::code::MetadataStore", "get", `"0x1"`, []byte{})
	f.Add(operator, "vector<vector<u8>>", "page", `"1"`, []byte("null"))
	f.Add(handle, "0x1::option::Option<vector<0x1::string::String>>", "type_name", `[[]]`, member(1))
	f.Fuzz(func(t *testing.T, address, typeText, function, text string, bytes []byte) {
		ctx := chain.ctx
		_, err := chain.queries.Module(ctx, &types.QueryModuleRequest{Address: address, ModuleName: function})
		notBroken(t, err)
		_, err = chain.queries.Resource(ctx, &types.QueryResourceRequest{Address: address, StructTag: typeText})
		notBroken(t, err)
		_, err = chain.queries.TableInfo(ctx, &types.QueryTableInfoRequest{Address: address})
		notBroken(t, err)
		_, err = chain.queries.TableEntry(ctx, &types.QueryTableEntryRequest{Address: address, KeyBytes: bytes})
		notBroken(t, err)
		_, err = chain.queries.ScriptABI(ctx, &types.QueryScriptABIRequest{CodeBytes: bytes})
		notBroken(t, err)
		_, err = chain.queries.View(ctx, &types.QueryViewRequest{
			Address: deployerHex, ModuleName: "board", FunctionName: function, TypeArgs: []string{typeText}, Args: [][]byte{bytes},
		})
		notBroken(t, err)
		_, err = chain.queries.ViewJSON(ctx, &types.QueryViewJSONRequest{
			Address: deployerHex, ModuleName: "board", FunctionName: function, Args: []string{text, string(bytes)},
		})
		notBroken(t, err)
	})
}
