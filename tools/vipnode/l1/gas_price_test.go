package l1

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cosmos/cosmos-sdk/crypto/keys/secp256k1"
	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
	movetypes "github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

func TestBasePriceMovesWithLoad(t *testing.T) {
	for _, moved := range []struct{ before, least, load, after uint64 }{
		{20_000, 15_000, targetGas, 20_000},
		{20_000, 15_000, blockGas, 22_000},
		{20_000, 15_000, 10 * blockGas, 22_000},
		{20_000, 15_000, targetGas / 2, 19_000},
		{20_000, 15_000, 0, 18_000},
		{16_000, 15_000, 0, 15_000},
		{9_500_000, 15_000, blockGas, highestPrice},
	} {
		after := gasPrice{moved.before, moved.least, moved.load}.afterBlock()
		if want := (gasPrice{moved.after, moved.least, 0}); after != want {
			t.Errorf("%+v: %+v; want %+v", moved, after, want)
		}
	}

	node, client := chaintest.Start(t, chain.Options{VM: New()})
	from := agent()
	number, sequence := client.Account(from.Address)
	sent := client.Wait(client.Broadcast(client.Sign(chaintest.Signed{
		ChainID: node.ChainID(), Key: from.Key, AccountNumber: number, Sequence: sequence,
		Gas: blockGas, Fee: coins(2 * feePaid), Messages: []sdk.Msg{&movetypes.MsgExecute{
			Sender: from.Address.String(), ModuleAddress: Address(), ModuleName: "vip", FunctionName: "advance_stage",
		}},
	})).Hash)
	priceAt := func(height int64) string {
		t.Helper()
		tag := Address() + "::" + priceModule + "::" + priceName
		_, body, err := client.TryGet("/initia/move/v1/accounts/"+Address()+"/resources/by_struct_tag?struct_tag="+tag, height)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(body), `\"millionths\":\"`)
		amount, _, _ := strings.Cut(rest, `\"`)
		return amount
	}
	if before, after := priceAt(sent.Height-1), priceAt(sent.Height); before != "15000" || after != "16500" {
		t.Errorf("the base price moved from %s to %s", before, after)
	}
}

// A block that changes the state is followed by the next one immediately.
func TestIdleBlocksChangeNothing(t *testing.T) {
	client := startL1(t)
	var hashes [2]string
	for end := time.Now().Add(chaintest.HangBound); hashes[1] == "" && time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		for i := range hashes {
			_, body := client.Get(fmt.Sprintf("/cosmos/base/tendermint/v1beta1/blocks/%d", 3+i))
			_, rest, _ := strings.Cut(string(body), `"app_hash":"`)
			hashes[i], _, _ = strings.Cut(rest, `"`)
		}
	}
	if hashes[1] == "" || hashes[0] != hashes[1] {
		t.Errorf("the state changes without transactions: %q", hashes)
	}
}

func TestBasePriceOfGas(t *testing.T) {
	client := startL1(t)
	send := func() chaintest.Result {
		return client.Broadcast(client.Transaction(chain.Operator(chain.EthCoinType), proposal(t, nil, advance())))
	}
	wantPrice := func(amount string) {
		t.Helper()
		status, body := client.Get("/initia/tx/v1/gas_prices")
		want := `{"gas_prices":[{"denom":"umin","amount":"` + amount + `"}]}`
		if status != http.StatusOK || strings.TrimSpace(string(body)) != want {
			t.Errorf("%d %s; want %s", status, body, want)
		}
	}
	// L1 names the token that its accounts pay with.
	if _, body := client.Get("/initia/move/v1/params"); !strings.Contains(string(body), `"base_denom":"umin"`) {
		t.Errorf("%s", body)
	}
	wantPrice("0.015000000000000000")
	client.Fee = coins(feePaid - 1)
	if refused := send(); refused.Code != 13 || !strings.Contains(refused.Log, "base gas price required: 0.015") {
		t.Errorf("%+v", refused)
	}
	client.Fee = coins(feePaid)
	expect(t, "raise", client.call(agent(), "set_base_gas_price", u64(150_000)), "")
	wantPrice("0.150000000000000000")
	if refused := send(); refused.Code != 13 || refused.Codespace != "sdk" {
		t.Errorf("%+v", refused)
	}
	client.Fee = coins(10 * feePaid)
	expect(t, "lower", client.call(agent(), "set_base_gas_price", u64(15_000)), "")
	wantPrice("0.015000000000000000")
}

// The mempool does not look at balances: a transaction whose sender cannot pay is accepted, and then nothing shows it.
func TestTransactionThatCannotPayItsFee(t *testing.T) {
	client := startL1(t)
	key := secp256k1.GenPrivKey()
	poor := chain.TestAccount{Key: key, Address: sdk.AccAddress(key.PubKey().Address())}
	message := func() sdk.Msg {
		return &movetypes.MsgExecute{
			Sender: poor.Address.String(), ModuleAddress: Address(), ModuleName: "vip", FunctionName: "advance_stage",
		}
	}
	client.send(poor.Address, 1000)
	sent := client.Broadcast(client.Transaction(poor, message()))
	if sent.Code != 0 {
		t.Fatalf("%+v", sent)
	}
	expect(t, "another block", client.call(agent(), "set_base_gas_price", u64(15_000)), "")
	expect(t, "another block", client.call(agent(), "set_base_gas_price", u64(15_000)), "")
	if status, body := client.Get("/cosmos/tx/v1beta1/txs/" + sent.Hash); status != http.StatusNotFound {
		t.Errorf("%d %s", status, body)
	}
	client.send(poor.Address, feePaid)
	// The first one is gone: its sequence is free.
	expect(t, "with coins", client.Send(poor, message()).Log, "")
	if balance := client.Balance(poor.Address); balance != 1000 {
		t.Errorf("balance %d", balance)
	}
}
