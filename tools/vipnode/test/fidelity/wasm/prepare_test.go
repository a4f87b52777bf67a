package wasm_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"testing"

	sdkmath "cosmossdk.io/math"
	wasmtypes "github.com/CosmWasm/wasmd/x/wasm/types"
	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
	"github.com/vipscore/vipscore/tools/vipnode/test/fidelity"
)

// Before the first exchange the recorded chain had nine transactions of the deployer, which stored two codes, created one
// contract, and wrote scores; between the recordings it had eight, which stored a code and created a contract.
const (
	deployerSequenceAtStart = 9
	deployerSequenceLater   = 23
	// operatorSequenceOfMempool is the operator's sequence when the mempool was recorded, on another node.
	operatorSequenceOfMempool = 21
	// firstContract is the address of the first contract of the first code.
	firstContract = "init14hj2tavq8fpesdwxxcu44rty3hh90vhujrvcmstl4zr3txmfvw9sx58pds"
)

// Gas of the transactions before the first exchange on the recorded chain, measured on 2026-11-21.
const (
	storeGas       = 3_169_790
	instantiateGas = 151_473
)

// newScoreGas is the gas per score by batch size.
var newScoreGas = map[int]int64{1: 115_903, 10: 26_040, 100: 17_093, 500: 16_329, 1000: 16_262, 2000: 16_221}

var batches = []int{1, 10, 100, 500, 1000, 2000}

// otherCode replaces the code that was stored between the recordings: the contract with an empty section named "o".
func otherCode(contract []byte) []byte {
	return append(slices.Clone(contract), 0, 2, 1, 'o')
}

// account returns number i of the accounts with scores.
func account(i int) sdk.AccAddress {
	start, _ := new(big.Int).SetString("abcdef0123456789000000000000000000000000", 16)
	step, _ := new(big.Int).SetString("9e3779b97f4a7c15f39cc0605cedc835", 16)
	var address [20]byte
	modulus := new(big.Int).Lsh(big.NewInt(1), 160)
	start.Add(start, step.Mul(step, big.NewInt(int64(i+1)))).Mod(start, modulus).FillBytes(address[:])
	return address[:]
}

// prepare creates the state before the first exchange.
func prepare(t *testing.T, client *chaintest.Client, contract []byte, gas *fidelity.GasTable) {
	t.Helper()
	deployer := chain.Deployer(chain.EthCoinType)
	store := &wasmtypes.MsgStoreCode{Sender: deployer.Address.String(), WASMByteCode: contract}
	send(t, client, deployer, storeGas, store)
	send(t, client, deployer, storeGas, store)
	gas.Baseline("instantiate, first time", instantiateGas, 1,
		send(t, client, deployer, instantiateGas, instantiate(deployer, 1, 1)))
	written := 0
	for _, count := range batches {
		scores := make([][2]any, count)
		for i := range scores {
			scores[i] = [2]any{account(written + i).String(), 1000 + i}
		}
		written += count
		content, err := json.Marshal(map[string]any{"update_scores": map[string]any{"stage": 1, "scores": scores}})
		if err != nil {
			t.Fatal(err)
		}
		used := send(t, client, deployer, newScoreGas[count]*int64(count), &wasmtypes.MsgExecuteContract{
			Sender: deployer.Address.String(), Contract: firstContract, Msg: content,
		})
		gas.Baseline(fmt.Sprintf("%d new scores, per score", count), newScoreGas[count], int64(count), used)
	}
	expectSequence(t, client, deployerSequenceAtStart)
}

// storeInBetween repeats what is known about the time between the recordings.
func storeInBetween(t *testing.T, client *chaintest.Client, contract []byte) {
	t.Helper()
	deployer := chain.Deployer(chain.EthCoinType)
	send(t, client, deployer, storeGas, &wasmtypes.MsgStoreCode{Sender: deployer.Address.String(), WASMByteCode: otherCode(contract)})
	send(t, client, deployer, instantiateGas, instantiate(deployer, 1, 1))
	for _, now := client.Account(deployer.Address); now < deployerSequenceLater; now++ {
		send(t, client, deployer, instantiateGas, chaintest.Payment(deployer.Address, deployer.Address, 1))
	}
	expectSequence(t, client, deployerSequenceLater)
}

func instantiate(creator chain.TestAccount, codeID, initStage uint64) sdk.Msg {
	content := fmt.Sprintf(`{"allow_list":["%s"],"init_stage":%d}`, creator.Address, initStage)
	return &wasmtypes.MsgInstantiateContract{
		Sender: creator.Address.String(), Admin: creator.Address.String(), CodeID: codeID, Label: "vip", Msg: []byte(content),
	}
}

// send returns the gas of a transaction that used about as much on the recorded chain. It has the same length as there: it
// names a fee of 0, and its limit is 1.5 times the gas of a simulation.
func send(t *testing.T, client *chaintest.Client, from chain.TestAccount, recorded int64, message sdk.Msg) int64 {
	t.Helper()
	number, sequence := client.Account(from.Address)
	checked := client.Broadcast(client.Sign(chaintest.Signed{
		ChainID: recordedChainID, Key: from.Key, AccountNumber: number, Sequence: sequence,
		Gas: uint64(recorded+30_000) * 3 / 2, Fee: zeroFee(), Messages: []sdk.Msg{message},
	}))
	if checked.Code != 0 {
		t.Fatalf("preparation: %s", checked.Log)
	}
	result := client.Wait(checked.Hash)
	if result.Code != 0 {
		t.Fatalf("preparation: %s", result.Log)
	}
	return result.GasUsed
}

// zeroFee is a fee of 0.
func zeroFee() sdk.Coins { return sdk.Coins{{Denom: chain.FeeDenom, Amount: sdkmath.ZeroInt()}} }

func expectSequence(t *testing.T, client *chaintest.Client, expected uint64) {
	t.Helper()
	if _, sequence := client.Account(chain.Deployer(chain.EthCoinType).Address); sequence != expected {
		t.Fatalf("the preparation ends at sequence %d, recorded %d", sequence, expected)
	}
}
