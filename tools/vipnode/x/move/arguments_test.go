package move

import (
	"strings"
	"testing"

	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

func TestJSONArguments(t *testing.T) {
	f := withBoard(t)
	events, _, err := f.executeJSON(boardCallJSON("take", "1",
		`"115792089237316195423570985008687907853269984665640564039457584007913129639935"`, `"ünï \u0001 \"x\""`, "null", `"00ff"`))
	must(t, err)
	wantEqual(t, eventText(events[1:]), `move
  type_tag: `+deployerHex+`::board::Taken
  data: {"small":1,"large":"115792089237316195423570985008687907853269984665640564039457584007913129639935","text":"ünï \u0001 \"x\"","maybe":null,"bytes":"00ff","who":"`+operatorHex+`"}
  bytes: 00ff
  large: 115792089237316195423570985008687907853269984665640564039457584007913129639935
  maybe: <nil>
  small: 1
  text: ünï `+"\u0001"+` "x"
  who: `+operatorHex+`
`)
}

func TestJSONArgumentsRefused(t *testing.T) {
	f := withBoard(t)
	const refused = "VM error: status FAILED_TO_DESERIALIZE_ARGUMENT of type Verification with message "
	take := func(small, text, bytes string) *types.MsgExecuteJSON {
		return boardCallJSON("take", small, `"2"`, text, "null", bytes)
	}
	for name, one := range map[string]struct {
		message *types.MsgExecuteJSON
		text    string
	}{
		"number too large":  {take("256", `"a"`, `[]`), refused + "invalid number\nBacktrace: [...]"},
		"not hex":           {take("1", `"a"`, `"zz"`), refused + "Invalid character 'z' at position 0\nBacktrace: [...]"},
		"not JSON":          {take("{", `"a"`, `[]`), refused + "EOF while parsing an object at line 1 column 1\nBacktrace: [...]"},
		"deeply nested":     {take(strings.Repeat("[", 100_000), `"a"`, `[]`), refused + "recursion limit exceeded at line 1 column 128\nBacktrace: [...]"},
		"over a million":    {take("1", `"`+strings.Repeat("a", 1_000_001)+`"`, `[]`), refused + "maximum limit of 1000000 bytes exceeded\nBacktrace: [...]"},
		"too few arguments": {boardCallJSON("take"), "VM error: status NUMBER_OF_ARGUMENTS_MISMATCH of type Verification"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := f.executeJSON(one.message)
			wantError(t, err, one.text)
		})
	}
}

func TestTypes(t *testing.T) {
	nested := func(levels int) string {
		return strings.Repeat("vector<", levels-1) + "u8" + strings.Repeat(">", levels-1)
	}
	for _, text := range []string{
		"bool", "u8", "u16", "u32", "u64", "u128", "u256", "address", "signer", "vector<u8>", "vector<vector<address>>",
		"0x1::option::Option<u8>", "vector<0x1::option::Option<vector<u8>>>", "0x1::simple_map::SimpleMap<address, bool>", nested(8),
	} {
		if _, err := parseType(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{
		"", "vector", "vector<", "vector<>", "vector<u8", "vectorvector", "u7", "0x1::option", "0x1::option::Option<", "\xff", "1::a::b",
		nested(9), nested(100_000), "0x1::option::Option<" + nested(8) + ">", strings.Repeat("a", 100_000),
	} {
		if _, err := parseType(text); err == nil {
			t.Errorf("%.40q is a type", text)
		}
	}
}

// The VM can read the deepest type that is allowed.
func TestDeepestTypeReachesTheVM(t *testing.T) {
	f := withBoard(t)
	deepest := strings.Repeat("vector<", typeDepth-1) + "u8" + strings.Repeat(">", typeDepth-1)
	_, _, err := f.execute(boardCall("note", []string{deepest}, []byte{1, 'a'}))
	must(t, err)
	structs := strings.Repeat("0x1::option::Option<", typeDepth-1) + "u8" + strings.Repeat(">", typeDepth-1)
	_, _, err = f.execute(boardCall("note", []string{structs}, []byte{1, 'a'}))
	must(t, err)
	response, err := f.queries.Resources(f.ctx, &types.QueryResourcesRequest{Address: operatorHex})
	must(t, err)
	wantEqual(t, len(response.Resources), 2)
}
