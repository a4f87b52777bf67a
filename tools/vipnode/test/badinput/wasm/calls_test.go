package wasm_test

import (
	"strings"
	"testing"

	sdkmath "cosmossdk.io/math"
	wasmtypes "github.com/CosmWasm/wasmd/x/wasm/types"
	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
)

func TestCallsThatFail(t *testing.T) {
	tt := start(t)
	for _, one := range []struct{ message, part string }{
		{`{"grow":{}}`, "unreachable"},
		{`{"trap":{}}`, "unreachable"},
		{`{"recurse":{}}`, "call stack exhausted"},
		{`{"json":{}}`, "unexpected end of JSON input"},
		{`{"outside":{}}`, "Got an invalid region"},
		{`{"pointer":{}}`, "could not be dereferenced"},
	} {
		tt.Fails(one.message, tt.execute(one.message), one.part)
	}
	coins := tt.execute(`{"count":{}}`)
	coins.Funds = sdk.Coins{{Denom: "nothing", Amount: sdkmath.NewInt(1)}}
	tt.Fails("coins that the sender does not have", coins, "insufficient funds")

	admin := chain.Operator(chain.CosmosCoinType).Address.String()
	tt.Fails("a migration by an account that is not an admin", &wasmtypes.MsgMigrateContract{
		Sender: tt.Sender.Address.String(), Contract: "init1qg5ega6dykkxc307y25pecuufrjkxkaggkkxh7nad0vhyhtuhw3sfl43fx", CodeID: 1, Msg: []byte("{}"),
	}, "unknown contract")
	tt.Fails("a migration to a missing code", &wasmtypes.MsgMigrateContract{
		Sender: tt.Sender.Address.String(), Contract: contract, CodeID: 77, Msg: []byte("{}"),
	}, "unknown code")
	tt.Fails("a contract of a missing code", &wasmtypes.MsgInstantiateContract{
		Sender: tt.Sender.Address.String(), CodeID: 77, Label: "none", Msg: []byte("{}"),
	}, "no such code")
	tt.Succeed(&wasmtypes.MsgUpdateAdmin{Sender: tt.Sender.Address.String(), NewAdmin: admin, Contract: contract})
	tt.Fails("a migration by a former admin", &wasmtypes.MsgMigrateContract{
		Sender: tt.Sender.Address.String(), Contract: contract, CodeID: 1, Msg: []byte("{}"),
	}, "can not migrate")

	for _, one := range []struct{ name, message string }{
		{"not JSON", "count"},
		{"cut", `{"count":`},
		{"empty", ""},
		{"zero bytes", "\x00\x00"},
		{"a list that nests too deeply", strings.Repeat("[", 100_000)},
	} {
		tt.Refuses(one.name, tt.execute(one.message), "")
	}
}

// Large but valid input must not harm the node.
func TestLargeCalls(t *testing.T) {
	tt := start(t)
	for _, message := range []string{
		`{"count":{"text":"` + strings.Repeat("x", 1_000_000) + `"}}`,
		`{"count":` + strings.Repeat("[", 5_000) + strings.Repeat("]", 5_000) + `}`,
		`{"count":` + strings.Repeat(`{"a":`, 5_000) + "1" + strings.Repeat("}", 5_000) + `}`,
	} {
		tt.counts++
		result := tt.Client.Wait(tt.Client.Broadcast(tt.Sign(tt.execute(message))).Hash)
		if result.Code != 0 {
			t.Fatalf("%.80s: %d %s", message, result.Code, result.Log)
		}
		tt.stillWorks()
	}
}
