package fidelity_test

import (
	"fmt"
	"slices"
	"strings"

	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

// What the transactions before the first exchange used on the recorded chain, measured on 2026-11-21.
const (
	publishGas  = 307_220
	finalizeGas = 68_039
	// Per score, in batches of 500.
	overwriteGas = 4_009
	nextStageGas = 4_346
	// smallGas stands for calls that were not measured.
	smallGas = 60_000
)

// newScoreGas is the gas per score by the size of the batch.
var newScoreGas = map[int]int64{1: 56_254, 10: 9_437, 100: 4_761, 500: 4_346, 1000: 4_294, 2000: 4_268}

// gasTable holds recorded gas beside ours, one row for each kind of request.
type gasTable struct{ rows []string }

// baseline adds a figure that was measured as gas per unit, rounded.
func (g *gasTable) baseline(kind string, recorded, units, used int64) {
	g.add(kind, fmt.Sprint(recorded), fmt.Sprint((used+units/2)/units))
}

// noteGas adds the gas that an answer tells of.
func (r *replayer) noteGas(one exchange, body any) {
	for _, part := range []struct{ path, kind string }{
		{"gas_info.gas_used", "simulate "}, {"tx_response.gas_used", ""}, {"gas_used", ""},
	} {
		recorded := valueAt(one.Response.Body, part.path)
		// A transaction that is not in a block yet has used nothing.
		if recorded != "" && recorded != "0" {
			r.gas.add(part.kind+r.kindOf(one), recorded, valueAt(body, part.path))
		}
	}
}

func (g *gasTable) add(kind, recorded, ours string) {
	row := fmt.Sprintf("| %s | %s | %s |", kind, recorded, ours)
	if !slices.Contains(g.rows, row) {
		g.rows = append(g.rows, row)
	}
}

func (g *gasTable) String() string {
	return "| | minimove | vipnode |\n| --- | --- | --- |\n" + strings.Join(g.rows, "\n")
}

// kindOf names what an exchange runs.
func (r *replayer) kindOf(one exchange) string {
	if content := one.transaction(r.t); content != nil {
		tx, err := r.node.Encoding().Tx.TxDecoder()(content)
		if err != nil {
			r.t.Fatalf("recorded transaction: %v", err)
		}
		return describe(tx.GetMsgs()[0])
	}
	if hash, found := strings.CutPrefix(one.route(), lookupRoute); found {
		return r.kinds[hash]
	}
	if function := valueAt(one.Request.Body, "function_name"); function != "" {
		return "view " + function
	}
	return "view " + one.Request.Path[strings.LastIndex(one.Request.Path, "/")+1:]
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
	return sdk.MsgTypeURL(message)
}

func valueAt(document any, path string) string {
	for _, name := range strings.Split(path, ".") {
		fields, ok := document.(map[string]any)
		if !ok || fields[name] == nil {
			return ""
		}
		document = fields[name]
	}
	return text(document)
}
