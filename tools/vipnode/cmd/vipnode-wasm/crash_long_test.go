//go:build long

package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"

	wasmtypes "github.com/CosmWasm/wasmd/x/wasm/types"
	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
	"github.com/vipscore/vipscore/tools/vipnode/program/programtest"
	"github.com/vipscore/vipscore/tools/vipnode/x/wasm"
	"github.com/vipscore/vipscore/tools/vipnode/x/wasm/wasmtest"
)

// contract is the address of the first contract of the first code.
const contract = "init14hj2tavq8fpesdwxxcu44rty3hh90vhujrvcmstl4zr3txmfvw9sx58pds"

var sender = chain.Deployer(chain.CosmosCoinType)

// code returns the contract pitfalls with an extra empty section, so that every sequence stores another code.
func code(sequence uint64) []byte {
	section := fmt.Appendf(nil, "%08d", sequence)
	return append(slices.Clone(wasmtest.Module("pitfalls")), append([]byte{0, byte(len(section)) + 1, byte(len(section))}, section...)...)
}

// A node killed at any moment keeps every transaction that anybody has seen in a block, with the codes and
// contracts that it created, and its chain continues.
func TestKilledNodeLosesNoBlock(t *testing.T) {
	encoding, err := chain.NewEncoding(wasm.New())
	if err != nil {
		t.Fatal(err)
	}
	address := sender.Address.String()
	programtest.Crash{
		ChainID: defaultChainID, Encoding: encoding, Crashes: 6, Sender: sender,
		// Every third transaction stores a code, every third creates a contract of the newest, every third calls the first.
		Message: func(sequence uint64) sdk.Msg {
			switch sequence % 3 {
			case 0:
				return &wasmtypes.MsgStoreCode{Sender: address, WASMByteCode: code(sequence)}
			case 1:
				return &wasmtypes.MsgInstantiateContract{Sender: address, CodeID: sequence/3 + 1, Label: "counts", Msg: []byte("{}")}
			}
			return &wasmtypes.MsgExecuteContract{Sender: address, Contract: contract, Msg: []byte(`{"count":{}}`)}
		},
		Check: func(client *chaintest.Client, sequences []uint64) {
			if len(sequences) > 0 {
				checkCodes(t, client, sequences)
			}
		},
	}.Run(t)
}

// If the first start is killed at any moment, the next start makes a chain of the home that it leaves.
func TestRestartsAfterKilledFirstStart(t *testing.T) { programtest.KillFirstStarts(t, 8) }

// checkCodes reads every code and every contract that these transactions have created, and checks that the first contract
// has counted every call.
func checkCodes(t *testing.T, client *chaintest.Client, sequences []uint64) {
	t.Helper()
	for _, sequence := range sequences {
		codeID := sequence/3 + 1
		switch sequence % 3 {
		case 0:
			expectHolds(t, client, fmt.Sprintf("/cosmwasm/wasm/v1/code/%d", codeID), base64.StdEncoding.EncodeToString(code(sequence)))
		case 1:
			expectHolds(t, client, fmt.Sprintf("/cosmwasm/wasm/v1/code/%d/contracts", codeID), `"init1`)
		}
	}
	if !slices.Contains(sequences, 1) {
		return
	}
	expectHolds(t, client, "/cosmwasm/wasm/v1/contract/"+contract+"/smart/e30=", "data")
	// The chain may still be finishing the block in which it was killed: the count belongs to a stable sequence.
	for range 100 {
		_, before := client.Account(sender.Address)
		counted := count(t, client)
		if _, after := client.Account(sender.Address); after == before {
			if calls := byte(before / 3); counted != calls {
				t.Fatalf("%d calls, modulo 256; the contract counts %d", calls, counted)
			}
			return
		}
	}
	t.Fatal("the account's sequence does not become stable")
}

// count returns the count of the first contract, in one byte.
func count(t *testing.T, client *chaintest.Client) byte {
	t.Helper()
	_, body := client.Get("/cosmwasm/wasm/v1/contract/" + contract + "/raw/" + base64.StdEncoding.EncodeToString([]byte(wasmtest.CountKey)))
	var answer struct{ Data []byte }
	if err := json.Unmarshal(body, &answer); err != nil || len(answer.Data) > 1 {
		t.Fatalf("the count: %s %v", body, err)
	}
	if len(answer.Data) == 0 {
		return 0
	}
	return answer.Data[0]
}

func expectHolds(t *testing.T, client *chaintest.Client, path, part string) {
	t.Helper()
	if status, body := client.Get(path); status != http.StatusOK || !bytes.Contains(body, []byte(part)) {
		t.Fatalf("%s: %d %.200s", path, status, body)
	}
}
