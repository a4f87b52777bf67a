package l1

import (
	"net/http"
	"strings"
	"testing"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
)

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
