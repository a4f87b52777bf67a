// Package wasm_test replays the requests recorded from a real miniwasm on a running vipnode-wasm.
package wasm_test

import (
	"strings"
	"testing"

	wasmtypes "github.com/CosmWasm/wasmd/x/wasm/types"
	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
	"github.com/vipscore/vipscore/tools/vipnode/test/fidelity"
	"github.com/vipscore/vipscore/tools/vipnode/x/wasm"
)

// recordedChainID is the recorded chain's name. With this name and the same accounts and sequences, most of the
// recorded transactions are valid here byte for byte; rewrite_test.go handles the others.
const recordedChainID = "local-wasm-1"

// program is vipnode-wasm's name for itself.
const program = "vipnode-wasm"

func TestFidelity(t *testing.T) {
	node, client := chaintest.Start(t, chain.Options{Program: program, VM: wasm.New(), ChainID: recordedChainID})
	contract := loadContract(t)
	operator := chain.Operator(chain.EthCoinType)
	r := (&fidelity.Replayer{
		T: t, Node: node, Client: client, Masks: masks, Differences: knownDifferences(len(contract)),
		Gas: fidelity.GasTable{Node: "miniwasm"}, Describe: describe, DescribeRead: describeRead, Decode: decoder{node}.decode,
	}).Start()
	r.Rewrite = (&rewriter{t: t, client: client, aliases: r.Aliases, contract: contract}).rewrite
	learnChecksum(t, r.Aliases, recordedChecksum, contract)
	learnChecksum(t, r.Aliases, recordedOtherChecksum, otherCode(contract))

	prepare(t, client, contract, &r.Gas)
	r.Replay(restFile, fidelity.LoadRecording(t, restFile))
	r.Replay(rpcFile, fidelity.LoadRecording(t, rpcFile))

	storeInBetween(t, client, contract)
	r.Replay(cosmjsRestFile, fidelity.LoadRecording(t, cosmjsRestFile)[:cosmjsRestBefore])
	r.Replay(cosmjsRPCFile, fidelity.LoadRecording(t, cosmjsRPCFile))
	r.ReplayFrom(cosmjsRestFile, fidelity.LoadRecording(t, cosmjsRestFile), cosmjsRestBefore)

	for _, now := client.Account(operator.Address); now < operatorSequenceOfMempool; now++ {
		client.Send(operator, chaintest.Payment(operator.Address, operator.Address, 1))
	}
	r.ReplayMempool(mempoolRPCFile, fidelity.LoadRecording(t, mempoolRPCFile))
	r.Finish()
}

func describe(message sdk.Msg) string {
	switch message := message.(type) {
	case *wasmtypes.MsgStoreCode:
		return "store"
	case *wasmtypes.MsgInstantiateContract:
		return "instantiate"
	case *wasmtypes.MsgExecuteContract:
		return strings.SplitN(string(message.Msg), `"`, 3)[1]
	}
	return ""
}

func describeRead(one fidelity.Exchange) string { return one.Route() }
