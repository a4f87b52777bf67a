package l1

import (
	"encoding/binary"
	"encoding/json"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"testing"

	sdkmath "cosmossdk.io/math"
	sdk "github.com/cosmos/cosmos-sdk/types"
	banktypes "github.com/cosmos/cosmos-sdk/x/bank/types"
	govv1 "github.com/cosmos/cosmos-sdk/x/gov/types/v1"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
	movetypes "github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

const bridgeID = 7

// The arguments of an entry function, in BCS.

func u64(value uint64) []byte { return binary.LittleEndian.AppendUint64(nil, value) }

// percent is a BigDecimal: the length and the bytes, in little-endian order, of the number times 10^18.
func percent(value int64) []byte {
	scaled := new(big.Int).Mul(big.NewInt(value), big.NewInt(10_000_000_000_000_000)).Bytes()
	slices.Reverse(scaled)
	return append([]byte{byte(len(scaled))}, scaled...)
}

func account(address []byte) []byte { return append(make([]byte, 32-len(address)), address...) }

// list is a vector of values, or a text or bytes; it has fewer than 128 elements.
func list(values ...[]byte) []byte {
	return append([]byte{byte(len(values))}, slices.Concat(values...)...)
}

func text(value string) []byte { return append([]byte{byte(len(value))}, value...) }

func some(value []byte) []byte { return append([]byte{1}, value...) }

var none = []byte{0}

// l1Client calls the modules of one chain.
type l1Client struct {
	*chaintest.Client
	t *testing.T
}

func startL1(t *testing.T) l1Client {
	t.Helper()
	_, client := chaintest.Start(t, chain.Options{VM: New()})
	client.Fee = coins(feePaid)
	return l1Client{client, t}
}

// feePaid is the fee of a transaction with chaintest.Gas at the base price of a new chain.
const feePaid = chaintest.Gas * 15 / 1000

func coins(amount int64) sdk.Coins {
	return sdk.NewCoins(sdk.NewCoin(chain.FeeDenom, sdkmath.NewInt(amount)))
}

// call sends one call of the module vip and returns the chain's error, or "".
func (c l1Client) call(from chain.TestAccount, function string, arguments ...[]byte) string {
	return c.Send(from, &movetypes.MsgExecute{
		Sender: from.Address.String(), ModuleAddress: Address(), ModuleName: "vip", FunctionName: function, Args: arguments,
	}).Log
}

// send sends the operator's coins.
func (c l1Client) send(to sdk.AccAddress, amount int64) {
	c.t.Helper()
	operator := chain.Operator(chain.EthCoinType)
	coins := sdk.NewCoins(sdk.NewCoin(chain.FeeDenom, sdkmath.NewInt(amount)))
	sent := c.Send(operator, &banktypes.MsgSend{
		FromAddress: operator.Address.String(), ToAddress: to.String(), Amount: coins,
	})
	expect(c.t, "send coins", sent.Log, "")
}

// govern has governance call the module vip and returns why the proposal failed, or "".
func (c l1Client) govern(function string, arguments ...[]byte) string {
	c.t.Helper()
	message := advance()
	message.FunctionName, message.Args = function, arguments
	if sent := c.Send(chain.Operator(chain.EthCoinType), proposal(c.t, nil, message)); sent.Code != 0 {
		c.t.Fatalf("%+v", sent)
	}
	found := outcomeOf(c.t, c.Client, c.proposals())
	if (found.Proposal.Status == govv1.StatusPassed.String()) != (found.Proposal.FailedReason == "") {
		c.t.Fatalf("%+v", found)
	}
	return found.Proposal.FailedReason
}

// proposals returns how many proposals there have been.
func (c l1Client) proposals() int {
	var answer struct {
		Proposals []struct {
			ID int `json:"id,string"`
		} `json:"proposals"`
	}
	c.get("/cosmos/gov/v1/proposals?pagination.reverse=true&pagination.limit=1", &answer)
	return answer.Proposals[0].ID
}

func (c l1Client) get(path string, into any) {
	c.t.Helper()
	status, body := c.Get(path)
	if status != http.StatusOK {
		c.t.Fatalf("%s: %d %s", path, status, body)
	}
	if err := json.Unmarshal(body, into); err != nil {
		c.t.Fatalf("%s: %v", body, err)
	}
}

// view calls a view function of a module and decodes its result; arguments are JSON texts.
func (c l1Client) view(into any, module, function string, arguments ...string) {
	c.t.Helper()
	status, body := c.Post("/initia/move/v1/view/json", map[string]any{
		"address": Address(), "module_name": module, "function_name": function, "type_args": []string{}, "args": arguments,
	})
	var answer struct {
		Data string `json:"data"`
	}
	if err := json.Unmarshal(body, &answer); err != nil || status != http.StatusOK {
		c.t.Fatalf("%d %s %v", status, body, err)
	}
	if err := json.Unmarshal([]byte(answer.Data), into); err != nil {
		c.t.Fatalf("%s: %v", answer.Data, err)
	}
}

// bridge is a part of what get_bridge_infos returns.
type bridge struct {
	ID        uint64 `json:"bridge_id,string"`
	Version   uint64 `json:"version,string"`
	InitStage uint64 `json:"init_stage,string"`
	Operator  string `json:"operator_addr"`
	Contract  string `json:"vip_l2_score_contract"`
}

func (c l1Client) bridges() (found []bridge) {
	c.t.Helper()
	c.view(&found, "vip", "get_bridge_infos")
	return found
}

// entry is one of a table.
type entry struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

func (e entry) decode(t *testing.T, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(e.Value), into); err != nil {
		t.Fatalf("%s: %v", e.Value, err)
	}
}

// table returns the entries of a table in ModuleStore.
func (c l1Client) table(name string) []entry {
	c.t.Helper()
	var store struct {
		Resource struct {
			Text string `json:"move_resource"`
		} `json:"resource"`
	}
	c.get("/initia/move/v1/accounts/"+Address()+"/resources/by_struct_tag?struct_tag="+Address()+"::vip::ModuleStore", &store)
	var content struct {
		Data map[string]any `json:"data"`
	}
	if err := json.Unmarshal([]byte(store.Resource.Text), &content); err != nil {
		c.t.Fatal(err)
	}
	return c.entries(content.Data[name].(map[string]any)["handle"].(string))
}

func (c l1Client) entries(handle string) []entry {
	c.t.Helper()
	var page struct {
		Entries []entry `json:"table_entries"`
	}
	c.get("/initia/move/v1/tables/"+handle+"/entries", &page)
	return page.Entries
}

// setStage makes a stage the current one.
func (c l1Client) setStage(number uint64) {
	c.t.Helper()
	expect(c.t, "set the stage", c.call(agent(), "set_stage", u64(number), u64(0), u64(0)), "")
}

// register registers a bridge of the agent's account, which becomes the operator.
func (c l1Client) register(bridge uint64) string {
	c.t.Helper()
	return c.govern("register", registration(agent(), bridge, 50, 10, 5)...)
}

func registration(operator chain.TestAccount, bridge uint64, max, change, rate int64) [][]byte {
	return [][]byte{
		account(operator.Address), u64(bridge), account(operator.Address), text("0x1"),
		percent(max), percent(change), percent(rate), u64(2),
	}
}

func expect(t *testing.T, what, log, want string) {
	t.Helper()
	if want == "" && log != "" || !strings.Contains(log, want) {
		t.Errorf("%s: %q; want %q", what, log, want)
	}
}
