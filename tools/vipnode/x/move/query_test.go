package move

import (
	"strings"
	"testing"

	"github.com/initia-labs/movevm/precompile"

	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

func (f *fixture) view(function string, typeArguments []string, arguments ...string) (*types.QueryViewJSONResponse, error) {
	return f.queries.ViewJSON(f.ctx, &types.QueryViewJSONRequest{
		Address: deployerHex, ModuleName: "board", FunctionName: function, TypeArgs: typeArguments, Args: arguments,
	})
}

func (f *fixture) viewData(t testing.TB, function string, arguments ...string) string {
	t.Helper()
	response, err := f.view(function, nil, arguments...)
	must(t, err)
	return response.Data
}

func TestViews(t *testing.T) {
	f := withBoard(t)
	must(t, f.stillWorks())
	wantEqual(t, f.viewData(t, "two"), `["1",true]`)
	wantEqual(t, f.viewData(t, "to_sdk", `"`+operatorHex+`"`), `"`+operator+`"`)
	wantEqual(t, f.viewData(t, "from_sdk", `"`+operator+`"`), `"`+operatorHex+`"`)
	wantEqual(t, f.viewData(t, "page", `"1"`, "null"), `[{"member":"0xab00000000000000000000000000000000000001","points":"1000"}]`)
	wantEqual(t, f.viewData(t, "page", `"9"`, `"0xab00000000000000000000000000000000000002"`),
		`[{"member":"0xab00000000000000000000000000000000000002","points":"1001"}]`)

	typed, err := f.view("type_name", []string{"0x1::option::Option<u8>"})
	must(t, err)
	wantEqual(t, typed.Data, `"0x1::option::Option<u8>"`)

	emitted, err := f.view("emit_and_tell", nil)
	must(t, err)
	wantEqual(t, len(emitted.Events), 1)
	wantEqual(t, emitted.Events[0], types.VMEvent{TypeTag: deployerHex + "::board::Row_seen", Data: `{"member":"` + deployerHex + `"}`})
	if emitted.GasUsed == 0 {
		t.Fatal("no gas")
	}

	inBCS, err := f.queries.View(f.ctx, &types.QueryViewRequest{
		Address: deployerHex, ModuleName: "board", FunctionName: "get", Args: [][]byte{member(2)},
	})
	must(t, err)
	wantEqual(t, inBCS.Data, `"1001"`)
}

func TestViewsRefused(t *testing.T) {
	f := withBoard(t)
	for name, one := range map[string]struct {
		function  string
		arguments []string
		text      string
	}{
		"entry function":    {"put", nil, "VM error: status INVALID_MAIN_FUNCTION_SIGNATURE of type Verification with message function not marked as view function"},
		"missing argument":  {"page", []string{`"1"`}, "VM error: status INVALID_MAIN_FUNCTION_SIGNATURE of type Verification"},
		"bad address":       {"get", []string{`"zz"`}, "VM error: status FAILED_TO_DESERIALIZE_ARGUMENT of type Verification with message Hex characters are invalid: Invalid character 'z' at position 62\nBacktrace: [...]"},
		"not an identifier": {"a b", nil, `invalid function name "a b": invalid request`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := f.view(one.function, nil, one.arguments...)
			wantError(t, err, one.text)
		})
	}
	_, err := f.view("price", nil)
	if err == nil || !strings.Contains(err.Error(), "the oracle: not available on this development node") {
		t.Fatalf("error %v", err)
	}
}

func TestViewBatch(t *testing.T) {
	f := withBoard(t)
	must(t, f.stillWorks())
	one := types.QueryViewRequest{Address: deployerHex, ModuleName: "board", FunctionName: "get", Args: [][]byte{member(1)}}
	response, err := f.queries.ViewBatch(f.ctx, &types.QueryViewBatchRequest{Requests: []types.QueryViewRequest{one, one}})
	must(t, err)
	wantEqual(t, len(response.Responses), 2)
	wantEqual(t, response.Responses[1].Data, `"1000"`)
	_, err = f.queries.ViewBatch(f.ctx, &types.QueryViewBatchRequest{Requests: make([]types.QueryViewRequest, 11)})
	wantError(t, err, "11 views in one batch: at most 10 are allowed")
}

// A view does not change the state, including the counters that transactions advance.
func TestViewChangesNothing(t *testing.T) {
	f := withBoard(t)
	before := f.keeper.store(f.ctx).Get(callCountKey)
	f.viewData(t, "two")
	wantBytes(t, f.keeper.store(f.ctx).Get(callCountKey), before)
}

func TestModules(t *testing.T) {
	f := withBoard(t)
	response, err := f.queries.Module(f.ctx, &types.QueryModuleRequest{Address: deployer, ModuleName: "board"})
	must(t, err)
	module := response.Module
	wantEqual(t, module.Address, deployerHex)
	wantEqual(t, module.UpgradePolicy, types.UpgradePolicyCompatible)
	wantBytes(t, module.RawBytes, compiled(t, compileBoard).module)
	if !strings.HasPrefix(module.Abi, `{"address":"`+deployerHex+`","name":"board",`) {
		t.Fatalf("ABI %.100s", module.Abi)
	}
	_, err = f.queries.Module(f.ctx, &types.QueryModuleRequest{Address: operatorHex, ModuleName: "board"})
	wantError(t, err, "collections: not found: key 'hexBytes:0000000000000000000000008cad25ec80a10522c258e2f59abf0006c9445d1b0005626f617264' of type bytes")
}

func TestStandardLibraryIsPublishedAndUpgradable(t *testing.T) {
	f := newFixture(t)
	library, err := precompile.ReadMinlib()
	must(t, err)
	response, err := f.queries.Modules(f.ctx, &types.QueryModulesRequest{Address: "0x1"})
	must(t, err)
	wantEqual(t, len(response.Modules), len(library))
	wantEqual(t, response.Pagination.Total, uint64(len(library)))
	for _, module := range response.Modules {
		if module.UpgradePolicy != types.UpgradePolicyCompatible {
			t.Errorf("%s has policy %s", module.ModuleName, module.UpgradePolicy)
		}
	}
}

func TestScriptABI(t *testing.T) {
	f := newFixture(t)
	response, err := f.queries.ScriptABI(f.ctx, &types.QueryScriptABIRequest{CodeBytes: compiled(t, compileBoard).script})
	must(t, err)
	if !strings.HasPrefix(string(response.Abi), `{"name":"main","visibility":"public","is_entry":true,`) {
		t.Fatalf("ABI %s", response.Abi)
	}
	if _, err := f.queries.ScriptABI(f.ctx, &types.QueryScriptABIRequest{CodeBytes: []byte("junk")}); err == nil {
		t.Fatal("junk has an ABI")
	}
}

func TestResourceRefused(t *testing.T) {
	f := newFixture(t)
	_, err := f.queries.Resource(f.ctx, &types.QueryResourceRequest{Address: deployerHex, StructTag: ""})
	wantError(t, err, "cannot parse empty struct tag")
	_, err = f.queries.Resource(f.ctx, &types.QueryResourceRequest{Address: deployerHex, StructTag: "0x1::coin"})
	wantError(t, err, "failure occurred from backend: invalid struct tag: 0x1::coin, expected token ColonColon, got EOF")
	_, err = f.queries.Resource(f.ctx, &types.QueryResourceRequest{Address: "0xzz", StructTag: "0x1::coin::Coin"})
	wantError(t, err, "invalid hex address")
	_, err = f.queries.TableInfo(f.ctx, &types.QueryTableInfoRequest{Address: "0x5"})
	wantError(t, err, "collections: not found: key 'hexBytes:000000000000000000000000000000000000000000000000000000000000000504' of type bytes")
}
