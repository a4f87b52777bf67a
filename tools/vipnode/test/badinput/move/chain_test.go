// Package move_test sends invalid input to a running vipnode-move.
package move_test

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"net/http"
	"testing"

	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/test/badinput"
	"github.com/vipscore/vipscore/tools/vipnode/x/move"
	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

// tested is a chain on which the module pitfalls is published.
type tested struct {
	*badinput.Chain
	calls uint64
}

func start(t *testing.T) *tested {
	t.Helper()
	tt := &tested{Chain: badinput.Start(t, move.New(), chain.Deployer(chain.EthCoinType))}
	tt.StillWorks = tt.stillWorks
	tt.Succeed(tt.publishMessage(pitfalls(t)))
	t.Cleanup(tt.stillWorks)
	return tt
}

// stillWorks asserts that a valid transaction still changes what a view returns.
func (t *tested) stillWorks() {
	t.Helper()
	t.calls++
	t.Succeed(t.call("set", number(1000+t.calls)))
	answer := t.view(t, "value")
	if answer.Status != http.StatusOK || string(answer.Data) != fmt.Sprintf(`"\"%d\""`, 1000+t.calls) {
		t.Fatalf("after a good transaction: %s", answer.Body)
	}
}

func (t *tested) publishMessage(code ...[]byte) sdk.Msg {
	return &types.MsgPublish{Sender: t.Sender.Address.String(), CodeBytes: code, UpgradePolicy: types.UpgradePolicyCompatible}
}

func (t *tested) call(function string, arguments ...[]byte) *types.MsgExecute {
	sender := t.Sender.Address.String()
	return &types.MsgExecute{Sender: sender, ModuleAddress: sender, ModuleName: "pitfalls", FunctionName: function, Args: arguments}
}

func (t *tested) callJSON(function string, arguments ...string) *types.MsgExecuteJSON {
	sender := t.Sender.Address.String()
	return &types.MsgExecuteJSON{Sender: sender, ModuleAddress: sender, ModuleName: "pitfalls", FunctionName: function, Args: arguments}
}

// view calls a view of the module with arguments in BCS.
func (t *tested) view(inner testing.TB, function string, arguments ...[]byte) badinput.Answer {
	inner.Helper()
	return t.viewIn(inner, "pitfalls", function, nil, arguments...)
}

func (t *tested) viewIn(inner testing.TB, module, function string, typeArguments []string, arguments ...[]byte) badinput.Answer {
	inner.Helper()
	texts := []string{}
	for _, one := range arguments {
		texts = append(texts, base64.StdEncoding.EncodeToString(one))
	}
	return t.Post(inner, "/initia/move/v1/view", map[string]any{
		"address": t.Sender.Address.String(), "module_name": module, "function_name": function, "type_args": typeArguments, "args": texts,
	})
}

func number(value uint64) []byte { return binary.LittleEndian.AppendUint64(nil, value) }
