package move_test

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"testing"

	sdkmath "cosmossdk.io/math"
	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
	"github.com/vipscore/vipscore/tools/vipnode/test/fidelity"
	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

// Before the first exchange the recorded chain had 12 transactions of the deployer and none of the operator. Their
// contents follow from the recorded tables, totals and sequences: stage 1 has 3,611 scores with a total of 6,283,534.
const (
	deployerSequenceAtStart = 12
	// What happened between the recordings is unknown, except for the sequences.
	deployerSequenceLater = 24
	operatorSequenceLater = 10
	// The mempool was recorded on another node, after more transactions.
	operatorSequenceOfMempool = 42
)

// Gas of the transactions before the first exchange on the recorded chain, measured on 2026-11-21.
const (
	publishGas  = 307_220
	finalizeGas = 68_039
	// Per score, in batches of 500.
	overwriteGas = 4_009
	nextStageGas = 4_346
	// smallGas is assumed for calls that were not measured.
	smallGas = 60_000
)

// newScoreGas is the gas per score by batch size.
var newScoreGas = map[int]int64{1: 56_254, 10: 9_437, 100: 4_761, 500: 4_346, 1000: 4_294, 2000: 4_268}

// firstStageBatches are the sizes of the batches that wrote stage 1, in order, each with scores from 1,000 on.
var firstStageBatches = []int{1, 10, 100, 500, 1000, 2000}

// secondBatch is the size of the batches that then wrote the first accounts again, in stage 1 and in stage 2.
const secondBatch = 500

// account returns number i of the accounts on the recorded pages: they are a fixed step apart.
func account(i int) [32]byte {
	start, _ := new(big.Int).SetString("abcdef0123456789000000000000000000000000", 16)
	step, _ := new(big.Int).SetString("9e3779b97f4a7c15f39cc0605cedc835", 16)
	var bytes [32]byte
	start.Add(start, step.Mul(step, big.NewInt(int64(i+1)))).FillBytes(bytes[:])
	return bytes
}

// prepare creates the state before the first exchange. The module is the one that the recorded transaction
// publishes again.
func prepare(t *testing.T, client *chaintest.Client, module *types.MsgPublish, gas *fidelity.GasTable) {
	t.Helper()
	deployer := chain.Deployer(chain.EthCoinType)
	// send returns the gas of a transaction that used about as much on the recorded chain. It has the same length as there: it
	// names a fee of 0, and its limit is initia.js's, 1.5 times the gas of a simulation.
	send := func(message sdk.Msg, recorded int64) int64 {
		t.Helper()
		number, sequence := client.Account(deployer.Address)
		checked := client.Broadcast(client.Sign(chaintest.Signed{
			ChainID: recordedChainID, Key: deployer.Key, AccountNumber: number, Sequence: sequence,
			Gas: uint64(recorded+180_000) * 3 / 2, Fee: sdk.Coins{{Denom: chain.FeeDenom, Amount: sdkmath.ZeroInt()}},
			Messages: []sdk.Msg{message},
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
	call := func(recorded int64, function string, arguments ...[]byte) int64 {
		t.Helper()
		return send(&types.MsgExecute{
			Sender: module.Sender, ModuleAddress: module.Sender, ModuleName: "vip_score", FunctionName: function, Args: arguments,
		}, recorded)
	}
	write := func(kind string, recorded int64, stage uint64, from, count int) {
		t.Helper()
		used := call(recorded*int64(count), "update_score_script", number(stage), accounts(from, count), scores(count))
		gas.Baseline(fmt.Sprintf("%d %s, per score", count, kind), recorded, int64(count), used)
	}

	gas.Baseline("publish, first time", publishGas, 1, send(module, publishGas))
	call(smallGas, "add_deployer_script", append(make([]byte, 12), deployer.Address...))
	call(smallGas, "set_init_stage", number(1))
	written := 0
	for _, count := range firstStageBatches {
		write("new scores", newScoreGas[count], 1, written, count)
		written += count
	}
	write("scores overwritten", overwriteGas, 1, 0, secondBatch)
	gas.Baseline("finalize 3,611 scores", finalizeGas, 1, call(finalizeGas, "finalize_script", number(1)))
	write("scores in the next stage", nextStageGas, 2, 0, secondBatch)
	if _, sequence := client.Account(deployer.Address); sequence != deployerSequenceAtStart {
		t.Fatalf("the preparation ends at sequence %d, recorded %d", sequence, deployerSequenceAtStart)
	}
}

// advance sends payments from an account to itself until it has this sequence.
func advance(t *testing.T, client *chaintest.Client, account chain.TestAccount, sequence uint64) {
	t.Helper()
	_, now := client.Account(account.Address)
	if now > sequence {
		t.Fatalf("sequence %d of %s is past %d", now, account.Address, sequence)
	}
	for range sequence - now {
		if result := client.Send(account, chaintest.Payment(account.Address, account.Address, 1)); result.Code != 0 {
			t.Fatalf("payment: %s", result.Log)
		}
	}
}

// number, accounts and scores are arguments of entry functions in BCS.
func number(value uint64) []byte { return binary.LittleEndian.AppendUint64(nil, value) }

func accounts(from, count int) []byte {
	content := binary.AppendUvarint(nil, uint64(count))
	for i := range count {
		one := account(from + i)
		content = append(content, one[:]...)
	}
	return content
}

func scores(count int) []byte {
	content := binary.AppendUvarint(nil, uint64(count))
	for i := range uint64(count) {
		content = append(content, number(1000+i)...)
	}
	return content
}
