package fidelity

import (
	"fmt"
	"slices"
	"strings"

	sdk "github.com/cosmos/cosmos-sdk/types"
)

// GasTable holds recorded gas beside ours, one row for each kind of request.
type GasTable struct {
	// Node is the name of the recorded node.
	Node string
	rows []string
}

// Baseline adds a figure that was measured as gas per unit, rounded.
func (g *GasTable) Baseline(kind string, recorded, units, used int64) {
	g.add(kind, fmt.Sprint(recorded), fmt.Sprint((used+units/2)/units))
}

// gasPaths are the fields of answers that contain gas, with a label for each.
var gasPaths = []struct{ path, kind string }{
	{"gas_info.gas_used", "simulate "}, {"tx_response.gas_used", ""}, {"gas_used", ""},
	{"result.response.value.gas_info.gas_used", "simulate "}, {"result.txs[0].tx_result.gas_used", ""},
}

// noteGas adds the gas in an answer.
func (r *Replayer) noteGas(one Exchange, recordedBody, body any) {
	for _, part := range gasPaths {
		recorded := ValueAt(recordedBody, part.path)
		// A transaction that is not in a block yet has used no gas.
		if recorded != "" && recorded != "0" {
			r.Gas.add(part.kind+r.kindOf(one, recordedBody), recorded, ValueAt(body, part.path))
		}
	}
}

func (g *GasTable) add(kind, recorded, ours string) {
	row := fmt.Sprintf("| %s | %s | %s |", kind, recorded, ours)
	if !slices.Contains(g.rows, row) {
		g.rows = append(g.rows, row)
	}
}

func (g *GasTable) String() string {
	return "| | " + g.Node + " | vipnode |\n| --- | --- | --- |\n" + strings.Join(g.rows, "\n")
}

// kindOf names what an exchange runs.
func (r *Replayer) kindOf(one Exchange, recordedBody any) string {
	if hash, found := strings.CutPrefix(one.Route(), lookupRoute); found {
		return r.kinds[hash]
	}
	if one.Route() == searchRPCRoute {
		return r.kinds[ValueAt(recordedBody, "result.txs[0].hash")]
	}
	if content, err := one.Transaction(); err == nil && len(content) > 0 {
		return r.kindOfTransaction(content)
	}
	return r.DescribeRead(one)
}

func (r *Replayer) kindOfTransaction(content []byte) string {
	tx, err := r.Node.Encoding().Tx.TxDecoder()(content)
	if err != nil {
		return "no transaction"
	}
	if kind := r.Describe(tx.GetMsgs()[0]); kind != "" {
		return kind
	}
	return sdk.MsgTypeURL(tx.GetMsgs()[0])
}
