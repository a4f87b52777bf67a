// Package move_test replays the requests recorded from a real minimove on a running vipnode-move.
package move_test

import (
	"strings"
	"testing"

	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
	"github.com/vipscore/vipscore/tools/vipnode/test/fidelity"
	"github.com/vipscore/vipscore/tools/vipnode/x/move"
	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

// recordedChainID is the recorded chain's name. With this name and the same accounts and sequences, the recorded
// transactions are valid here byte for byte.
const recordedChainID = "local-move-1"

// program is vipnode-move's name for itself.
const program = "vipnode-move"

func TestFidelity(t *testing.T) {
	node, client := chaintest.Start(t, chain.Options{Program: program, VM: move.New(), ChainID: recordedChainID})
	r := (&fidelity.Replayer{
		T: t, Node: node, Client: client, Masks: masks, Differences: knownDifferences,
		Gas: fidelity.GasTable{Node: "minimove"}, Describe: describe, DescribeRead: describeRead, Height: unrecordedHeight,
	}).Start()

	first := fidelity.LoadRecording(t, restFile)
	prepare(t, client, publishedModule(t, node, first), &r.Gas)
	r.Replay(restFile, first)
	r.Replay(rpcFile, fidelity.LoadRecording(t, rpcFile))

	advance(t, client, chain.Deployer(chain.EthCoinType), deployerSequenceLater)
	advance(t, client, chain.Operator(chain.EthCoinType), operatorSequenceLater)
	r.Replay(nftTablesFile, fidelity.LoadRecording(t, nftTablesFile))
	r.Replay(secondRPCFile, fidelity.LoadRecording(t, secondRPCFile))

	advance(t, client, chain.Operator(chain.EthCoinType), operatorSequenceOfMempool)
	r.ReplayMempool(mempoolFile, fidelity.LoadRecording(t, mempoolFile))
	r.Finish()
}

// publishedModule returns the first message of the first recorded transaction.
func publishedModule(t *testing.T, node *chain.Node, exchanges []fidelity.Exchange) *types.MsgPublish {
	t.Helper()
	for _, one := range exchanges {
		if route := one.Route(); route != fidelity.BroadcastRoute && route != fidelity.SimulateRoute {
			continue
		}
		content, err := one.Transaction()
		if err != nil {
			t.Fatalf("recorded transaction: %v", err)
		}
		tx, err := node.Encoding().Tx.TxDecoder()(content)
		if err != nil {
			t.Fatalf("recorded transaction: %v", err)
		}
		return tx.GetMsgs()[0].(*types.MsgPublish)
	}
	t.Fatal("no transaction is recorded")
	return nil
}

// unrecordedHeight is the height that a request named in a header.
func unrecordedHeight(file string, index int) string {
	if file == nftTablesFile && index == 50 {
		return "1000000"
	}
	return ""
}

func describe(message sdk.Msg) string {
	switch message := message.(type) {
	case *types.MsgPublish:
		return "publish"
	case *types.MsgExecute:
		return message.FunctionName
	case *types.MsgExecuteJSON:
		return message.ModuleName + "::" + message.FunctionName
	}
	return ""
}

func describeRead(one fidelity.Exchange) string {
	if function := fidelity.ValueAt(one.Request.Body, "function_name"); function != "" {
		return "view " + function
	}
	return "view " + one.Request.Path[strings.LastIndex(one.Request.Path, "/")+1:]
}
