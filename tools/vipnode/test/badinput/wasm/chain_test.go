// Package wasm_test sends invalid input to a running vipnode-wasm.
package wasm_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"testing"

	wasmtypes "github.com/CosmWasm/wasmd/x/wasm/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/test/badinput"
	"github.com/vipscore/vipscore/tools/vipnode/x/wasm"
	"github.com/vipscore/vipscore/tools/vipnode/x/wasm/wasmtest"
)

// contract is the address of the first contract of the first code.
const contract = "init14hj2tavq8fpesdwxxcu44rty3hh90vhujrvcmstl4zr3txmfvw9sx58pds"

// tested is a chain with the contract pitfalls.
type tested struct {
	*badinput.Chain
	counts byte
}

func start(t *testing.T) *tested {
	t.Helper()
	tt := &tested{Chain: badinput.Start(t, wasm.New(), chain.Deployer(chain.CosmosCoinType))}
	tt.StillWorks = tt.stillWorks
	tt.Succeed(tt.store(wasmtest.Module("pitfalls")))
	tt.Succeed(&wasmtypes.MsgInstantiateContract{
		Sender: tt.Sender.Address.String(), Admin: tt.Sender.Address.String(), CodeID: 1, Label: "pitfalls", Msg: []byte("{}"),
	})
	t.Cleanup(tt.stillWorks)
	return tt
}

// stillWorks asserts that a valid transaction still changes the state, and that the contract still answers.
func (t *tested) stillWorks() {
	t.Helper()
	t.counts++
	t.Succeed(t.execute(`{"count":{}}`))
	if answer := t.get("/raw/" + base64.StdEncoding.EncodeToString([]byte(wasmtest.CountKey))); answer.Status != http.StatusOK ||
		string(answer.Body) != fmt.Sprintf(`{"data":"%s"}`, base64.StdEncoding.EncodeToString([]byte{t.counts})) {
		t.Fatalf("after %d good transactions: %d %s", t.counts, answer.Status, answer.Body)
	}
	if answer := t.query(`{"answer":{}}`); answer.Status != http.StatusOK || string(answer.Body) != `{"data":{}}` {
		t.Fatalf("a good query: %d %s", answer.Status, answer.Body)
	}
}

func (t *tested) store(code []byte) *wasmtypes.MsgStoreCode {
	return &wasmtypes.MsgStoreCode{Sender: t.Sender.Address.String(), WASMByteCode: code}
}

func (t *tested) execute(message string) *wasmtypes.MsgExecuteContract {
	return &wasmtypes.MsgExecuteContract{Sender: t.Sender.Address.String(), Contract: contract, Msg: []byte(message)}
}

// query queries the contract.
func (t *tested) query(message string) badinput.Answer {
	t.Helper()
	return t.get("/smart/" + url.PathEscape(base64.StdEncoding.EncodeToString([]byte(message))))
}

func (t *tested) get(path string) badinput.Answer {
	t.Helper()
	return t.Request(t, http.MethodGet, "/cosmwasm/wasm/v1/contract/"+contract+path, "")
}
