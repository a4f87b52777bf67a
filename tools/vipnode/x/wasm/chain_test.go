package wasm_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"testing"

	wasmtypes "github.com/CosmWasm/wasmd/x/wasm/types"
	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
	"github.com/vipscore/vipscore/tools/vipnode/x/wasm"
	"github.com/vipscore/vipscore/tools/vipnode/x/wasm/wasmtest"
)

// first is the address of the first contract of the first code.
const first = "init14hj2tavq8fpesdwxxcu44rty3hh90vhujrvcmstl4zr3txmfvw9sx58pds"

var sender = chain.Deployer(chain.CosmosCoinType)

// start starts a chain with the contract pitfalls.
func start(t *testing.T, options chain.Options) (*chain.Node, *chaintest.Client) {
	t.Helper()
	options.VM = wasm.New()
	node, client := chaintest.Start(t, options)
	succeed(t, client, sender, &wasmtypes.MsgStoreCode{Sender: sender.Address.String(), WASMByteCode: wasmtest.Module("pitfalls")})
	succeed(t, client, sender, &wasmtypes.MsgInstantiateContract{
		Sender: sender.Address.String(), Admin: sender.Address.String(), CodeID: 1, Label: "counts", Msg: []byte("{}"),
	})
	return node, client
}

func succeed(t *testing.T, client *chaintest.Client, from chain.TestAccount, message sdk.Msg) {
	t.Helper()
	if result := client.Send(from, message); result.Code != 0 {
		t.Fatalf("%s %d %s", result.Codespace, result.Code, result.Log)
	}
}

func count(from chain.TestAccount) *wasmtypes.MsgExecuteContract {
	return &wasmtypes.MsgExecuteContract{Sender: from.Address.String(), Contract: first, Msg: []byte(`{"count":{}}`)}
}

// counted returns how often the contract has received {"count":{}}.
func counted(t *testing.T, client *chaintest.Client) int {
	t.Helper()
	var answer struct{ Data []byte }
	get(t, client, "/contract/"+first+"/raw/"+base64.StdEncoding.EncodeToString([]byte(wasmtest.CountKey)), &answer)
	if len(answer.Data) == 0 {
		return 0
	}
	return int(answer.Data[0])
}

func get(t *testing.T, client *chaintest.Client, path string, into any) {
	t.Helper()
	status, body := client.Get("/cosmwasm/wasm/v1" + path)
	if status != http.StatusOK {
		t.Fatalf("%s: %d %s", path, status, body)
	}
	if err := json.Unmarshal(body, into); err != nil {
		t.Fatalf("%s: %s: %v", path, body, err)
	}
}
