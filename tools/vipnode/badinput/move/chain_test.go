// Package move_test sends invalid input to a running vipnode-move and checks that it refuses it and keeps running.
package move_test

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
	"github.com/vipscore/vipscore/tools/vipnode/x/move"
	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

const chainID = "vipnode-test-1"

// tested is a chain on which the module pitfalls is published.
type tested struct {
	*testing.T
	node      *chain.Node
	client    *chaintest.Client
	publisher chain.TestAccount
	calls     uint64
}

func start(t *testing.T) *tested {
	t.Helper()
	node, client := chaintest.Start(t, chain.Options{VM: move.New(), ChainID: chainID})
	tt := &tested{T: t, node: node, client: client, publisher: chain.Deployer(chain.EthCoinType)}
	tt.succeed(tt.publishMessage(pitfalls(t)))
	t.Cleanup(tt.stillWorks)
	return tt
}

// stillWorks asserts that a valid transaction still changes what a view returns.
func (t *tested) stillWorks() {
	t.Helper()
	t.calls++
	t.succeed(t.call("set", number(1000+t.calls)))
	answer := t.view(t, "value")
	if answer.status != http.StatusOK || answer.Data != `"`+decimal(1000+t.calls)+`"` {
		t.Fatalf("after a good transaction: %d %+v", answer.status, answer)
	}
}

func (t *tested) publishMessage(code ...[]byte) sdk.Msg {
	return &types.MsgPublish{Sender: t.publisher.Address.String(), CodeBytes: code, UpgradePolicy: types.UpgradePolicyCompatible}
}

func (t *tested) call(function string, arguments ...[]byte) *types.MsgExecute {
	sender := t.publisher.Address.String()
	return &types.MsgExecute{Sender: sender, ModuleAddress: sender, ModuleName: "pitfalls", FunctionName: function, Args: arguments}
}

func (t *tested) callJSON(function string, arguments ...string) *types.MsgExecuteJSON {
	sender := t.publisher.Address.String()
	return &types.MsgExecuteJSON{Sender: sender, ModuleAddress: sender, ModuleName: "pitfalls", FunctionName: function, Args: arguments}
}

func (t *tested) succeed(message sdk.Msg) {
	t.Helper()
	if result := t.client.Send(t.publisher, message); result.Code != 0 {
		t.Fatalf("%d %s", result.Code, result.Log)
	}
}

// fail asserts that a message fails in the same way in a simulation and in a block, with these parts in the answer, that it
// pays for its gas, and that the chain keeps running.
func (t *tested) fail(name string, message sdk.Msg, parts ...string) {
	t.Run(name, func(inner *testing.T) {
		// Each byte of a transaction costs 10 gas.
		const gas = 12_000_000
		number, sequence := t.client.Account(t.publisher.Address)
		tx := t.client.Sign(chaintest.Signed{
			ChainID: chainID, Key: t.publisher.Key, AccountNumber: number, Sequence: sequence, Gas: gas, Messages: []sdk.Msg{message},
		})
		answer := t.post(inner, "/cosmos/tx/v1beta1/simulate", map[string]any{"tx_bytes": tx})
		answer.refused(inner, http.StatusInternalServerError, append(parts, " with gas used: '")...)

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
				inner.Errorf("in a block: %s, which does not contain %q", result.Log, part)
			}
		}
		t.stillWorks()
	})
}

// answer is the node's answer over REST.
type answer struct {
	status  int
	Code    int
	Message string
	Data    string
	GasUsed string `json:"gas_used"`
	body    []byte
}

// refused asserts the status and parts of the text.
func (a answer) refused(t *testing.T, status int, parts ...string) {
	t.Helper()
	if a.status != status || a.Code == 0 {
		t.Fatalf("status %d, want %d: %.500s", a.status, status, a.body)
	}
	for _, part := range parts {
		if !strings.Contains(a.Message, part) {
			t.Errorf("%.500q does not contain %q", a.Message, part)
		}
	}
}

// view calls a view of the module with arguments in BCS.
func (t *tested) view(inner testing.TB, function string, arguments ...[]byte) answer {
	inner.Helper()
	return t.viewIn(inner, "pitfalls", function, nil, arguments...)
}

func (t *tested) viewIn(inner testing.TB, module, function string, typeArguments []string, arguments ...[]byte) answer {
	inner.Helper()
	texts := []string{}
	for _, one := range arguments {
		texts = append(texts, base64.StdEncoding.EncodeToString(one))
	}
	return t.post(inner, "/initia/move/v1/view", map[string]any{
		"address": t.publisher.Address.String(), "module_name": module, "function_name": function, "type_args": typeArguments, "args": texts,
	})
}

func (t *tested) post(inner testing.TB, path string, document any) answer {
	inner.Helper()
	content, err := json.Marshal(document)
	if err != nil {
		inner.Fatal(err)
	}
	return t.send(inner, http.MethodPost, path, string(content))
}

// send sends any body to any path.
func (t *tested) send(inner testing.TB, method, path, body string) answer {
	inner.Helper()
	request, err := http.NewRequest(method, t.node.RestURL()+path, strings.NewReader(body))
	if err != nil {
		inner.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		inner.Fatalf("%s %s: %v", method, path, err)
	}
	defer response.Body.Close()
	one := answer{status: response.StatusCode}
	if one.body, err = io.ReadAll(response.Body); err != nil {
		inner.Fatalf("%s %s: %v", method, path, err)
	}
	if err := json.Unmarshal(one.body, &one); err != nil {
		inner.Fatalf("%s %s: %d %.300s: %v", method, path, one.status, one.body, err)
	}
	return one
}

func number(value uint64) []byte { return binary.LittleEndian.AppendUint64(nil, value) }

func decimal(value uint64) string { return string(mustJSON(value)) }

func mustJSON(value any) []byte {
	content, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return content
}
