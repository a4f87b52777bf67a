// Package wasm_test sends invalid input to a running vipnode-wasm and checks that it refuses it and keeps running.
package wasm_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	wasmtypes "github.com/CosmWasm/wasmd/x/wasm/types"
	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
	"github.com/vipscore/vipscore/tools/vipnode/x/wasm"
	"github.com/vipscore/vipscore/tools/vipnode/x/wasm/wasmtest"
)

const (
	chainID = "vipnode-test-1"
	// contract is the address of the first contract of the first code.
	contract = "init14hj2tavq8fpesdwxxcu44rty3hh90vhujrvcmstl4zr3txmfvw9sx58pds"
	// gas is a limit that is enough for any transaction here: each byte of a transaction costs 10.
	gas = 15_000_000
)

// tested is a chain with the contract pitfalls.
type tested struct {
	*testing.T
	node   *chain.Node
	client *chaintest.Client
	sender chain.TestAccount
	counts byte
}

func start(t *testing.T) *tested {
	t.Helper()
	node, client := chaintest.Start(t, chain.Options{VM: wasm.New(), ChainID: chainID})
	tt := &tested{T: t, node: node, client: client, sender: chain.Deployer(chain.CosmosCoinType)}
	tt.succeed(tt.store(wasmtest.Module("pitfalls")))
	tt.succeed(&wasmtypes.MsgInstantiateContract{
		Sender: tt.sender.Address.String(), Admin: tt.sender.Address.String(), CodeID: 1, Label: "pitfalls", Msg: []byte("{}"),
	})
	t.Cleanup(tt.stillWorks)
	return tt
}

// stillWorks asserts that a valid transaction still changes the state, and that the contract still answers.
func (t *tested) stillWorks() {
	t.Helper()
	t.counts++
	t.succeed(t.execute(`{"count":{}}`))
	if status, body := t.get("/raw/" + base64.StdEncoding.EncodeToString([]byte(wasmtest.CountKey))); status != http.StatusOK ||
		body != fmt.Sprintf(`{"data":"%s"}`, base64.StdEncoding.EncodeToString([]byte{t.counts})) {
		t.Fatalf("after %d good transactions: %d %s", t.counts, status, body)
	}
	if status, body := t.query(`{"answer":{}}`); status != http.StatusOK || body != `{"data":{}}` {
		t.Fatalf("a good query: %d %s", status, body)
	}
}

func (t *tested) store(code []byte) *wasmtypes.MsgStoreCode {
	return &wasmtypes.MsgStoreCode{Sender: t.sender.Address.String(), WASMByteCode: code}
}

func (t *tested) execute(message string) *wasmtypes.MsgExecuteContract {
	return &wasmtypes.MsgExecuteContract{Sender: t.sender.Address.String(), Contract: contract, Msg: []byte(message)}
}

func (t *tested) succeed(message sdk.Msg) {
	t.Helper()
	if result := t.client.Send(t.sender, message); result.Code != 0 {
		t.Fatalf("%d %s", result.Code, result.Log)
	}
}

func (t *tested) sign(message sdk.Msg) []byte {
	t.Helper()
	number, sequence := t.client.Account(t.sender.Address)
	return t.client.Sign(chaintest.Signed{
		ChainID: chainID, Key: t.sender.Key, AccountNumber: number, Sequence: sequence, Gas: gas, Messages: []sdk.Msg{message},
	})
}

// fail asserts that a message fails in the same way in a simulation and in a block, with these parts in the answer, that it
// pays for its gas, and that the chain keeps running.
func (t *tested) fail(name string, message sdk.Msg, parts ...string) {
	t.Run(name, func(inner *testing.T) {
		tx := t.sign(message)
		status, body := t.client.Post("/cosmos/tx/v1beta1/simulate", map[string]any{"tx_bytes": tx})
		refused(inner, status, string(body), parts...)
		checked := t.client.Broadcast(tx)
		if checked.Code != 0 {
			inner.Fatalf("the mempool: %s %d %s", checked.Codespace, checked.Code, checked.Log)
		}
		result := t.client.Wait(checked.Hash)
		if result.Code == 0 || result.GasUsed == 0 || result.GasUsed > 2*gas {
			inner.Fatalf("in a block: code %d, %d gas, %s", result.Code, result.GasUsed, result.Log)
		}
		for _, part := range parts {
			if !strings.Contains(result.Log, part) {
				inner.Errorf("in a block: %.500s, which does not contain %q", result.Log, part)
			}
		}
		t.stillWorks()
	})
}

// refuse asserts that the mempool and a simulation refuse a message, with these parts in the answer.
func (t *tested) refuse(name string, message sdk.Msg, parts ...string) {
	t.Run(name, func(inner *testing.T) {
		tx := t.sign(message)
		if status, _ := t.client.Post("/cosmos/tx/v1beta1/simulate", map[string]any{"tx_bytes": tx}); status == http.StatusOK {
			inner.Errorf("a simulation passes")
		}
		checked := t.client.Broadcast(tx)
		if checked.Code == 0 {
			inner.Fatalf("the mempool accepts it")
		}
		for _, part := range parts {
			if !strings.Contains(checked.Log, part) {
				inner.Errorf("%.500s, which does not contain %q", checked.Log, part)
			}
		}
		t.stillWorks()
	})
}

// refused asserts an error and parts of its text.
func refused(t *testing.T, status int, body string, parts ...string) {
	t.Helper()
	var answer struct {
		Code    int
		Message string
	}
	if err := json.Unmarshal([]byte(body), &answer); err != nil || status == http.StatusOK || answer.Code == 0 {
		t.Fatalf("status %d: %.500s", status, body)
	}
	for _, part := range parts {
		if !strings.Contains(answer.Message, part) {
			t.Errorf("%.500q does not contain %q", answer.Message, part)
		}
	}
}

// query queries the contract.
func (t *tested) query(message string) (int, string) {
	t.Helper()
	return t.get("/smart/" + url.PathEscape(base64.StdEncoding.EncodeToString([]byte(message))))
}

func (t *tested) get(path string) (int, string) {
	t.Helper()
	status, body := t.client.Get("/cosmwasm/wasm/v1/contract/" + contract + path)
	return status, string(body)
}

// send sends any body to any path.
func (t *tested) send(method, path, body string) (int, string) {
	t.Helper()
	request, err := http.NewRequest(method, t.node.RestURL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return response.StatusCode, string(content)
}
