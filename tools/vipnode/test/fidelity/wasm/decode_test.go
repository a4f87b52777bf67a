package wasm_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"

	wasmtypes "github.com/CosmWasm/wasmd/x/wasm/types"
	txtypes "github.com/cosmos/cosmos-sdk/types/tx"
	authtypes "github.com/cosmos/cosmos-sdk/x/auth/types"
	banktypes "github.com/cosmos/cosmos-sdk/x/bank/types"
	"github.com/cosmos/gogoproto/proto"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/test/fidelity"
)

// decoder decodes the protobuf in RPC answers, so that it is compared field by field.
type decoder struct{ node *chain.Node }

// answers are the response messages of state queries.
var answers = map[string]func() proto.Message{
	"/cosmos.bank.v1beta1.Query/Balance":             func() proto.Message { return &banktypes.QueryBalanceResponse{} },
	"/cosmos.auth.v1beta1.Query/Account":             func() proto.Message { return &authtypes.QueryAccountResponse{} },
	"/cosmos.tx.v1beta1.Service/Simulate":            func() proto.Message { return &txtypes.SimulateResponse{} },
	"/cosmwasm.wasm.v1.Query/SmartContractState":     func() proto.Message { return &wasmtypes.QuerySmartContractStateResponse{} },
	"/cosmwasm.wasm.v1.Query/ContractInfo":           func() proto.Message { return &wasmtypes.QueryContractInfoResponse{} },
	"/cosmwasm.wasm.v1.Query/Codes":                  func() proto.Message { return &wasmtypes.QueryCodesResponse{} },
	"/cosmwasm.wasm.v1.Query/Code (its first field)": func() proto.Message { return &wasmtypes.CodeInfoResponse{} },
}

func (d decoder) decode(one fidelity.Exchange, body any) any {
	document, ok := body.(map[string]any)
	if !ok {
		return body
	}
	result, ok := document["result"].(map[string]any)
	if !ok {
		return body
	}
	switch route := one.Route(); {
	case strings.HasPrefix(route, "rpc abci_query "):
		response := result["response"].(map[string]any)
		response["value"] = d.decodeValue(strings.TrimPrefix(route, "rpc abci_query "), response["value"])
	case route == "rpc tx_search":
		for _, one := range result["txs"].([]any) {
			found := one.(map[string]any)
			found["tx"] = d.decodeTransaction(found["tx"])
		}
	}
	return body
}

// decodeValue decodes the answer to a query. The recorded code is cut: only the fields before it are decoded.
func (d decoder) decodeValue(path string, value any) any {
	text, ok := value.(string)
	if !ok {
		return value
	}
	text, _, _ = strings.Cut(text, "...<")
	content, err := base64.StdEncoding.DecodeString(text[:len(text)/4*4])
	if err != nil {
		return value
	}
	if path == "/cosmwasm.wasm.v1.Query/Code" {
		_, _, tag := protowire.ConsumeTag(content)
		first, size := protowire.ConsumeBytes(content[tag:])
		if size < 0 {
			return value
		}
		path, content = path+" (its first field)", first
	}
	newAnswer := answers[path]
	if newAnswer == nil {
		return value
	}
	answer := newAnswer()
	if err := proto.Unmarshal(content, answer); err != nil {
		return value
	}
	return d.document(answer, value)
}

// decodeTransaction decodes a transaction that is not cut.
func (d decoder) decodeTransaction(value any) any {
	content, err := base64.StdEncoding.DecodeString(value.(string))
	if err != nil {
		return value
	}
	tx, err := d.node.Encoding().Tx.TxDecoder()(content)
	if err != nil {
		return value
	}
	text, err := d.node.Encoding().Tx.TxJSONEncoder()(tx)
	if err != nil {
		return value
	}
	return parse(text, value)
}

func (d decoder) document(message proto.Message, otherwise any) any {
	text, err := d.node.Encoding().Codec.MarshalJSON(message)
	if err != nil {
		return otherwise
	}
	return parse(text, otherwise)
}

func parse(text []byte, otherwise any) any {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var document any
	if err := decoder.Decode(&document); err != nil {
		return otherwise
	}
	return document
}
