package chain_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	rpchttp "github.com/cometbft/cometbft/rpc/client/http"
	cmttypes "github.com/cometbft/cometbft/types"

	"github.com/vipscore/vipscore/tools/vipnode"
	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
)

// Statuses and texts as recorded from minimove.
func TestRestErrors(t *testing.T) {
	_, client := chaintest.Start(t, chain.Options{})
	zero := strings.Repeat("0", 64)
	for _, one := range []struct {
		path    string
		status  int
		code    int
		message string
	}{
		{"/minievm/evm/v1/params", 501, 12, "Not Implemented"},
		{"/opinit/opchild/v1/params", 501, 12, "Not Implemented"},
		{"/cosmos/tx/v1beta1/txs/" + zero, 404, 5, "tx not found: " + zero},
		{"/cosmos/auth/v1beta1/accounts/notanaddress", 500, 2, "decoding bech32 failed: invalid separator index -1"},
		{
			"/cosmos/auth/v1beta1/accounts/init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpr5e3d", 500, 2,
			"decoding bech32 failed: invalid checksum (expected jm3fht got pr5e3d)",
		},
	} {
		status, body := client.Get(one.path)
		code, message := failure(t, body)
		if status != one.status || code != one.code || message != one.message {
			t.Errorf("%s: %d %s", one.path, status, body)
		}
	}
}

func TestRestRoutes(t *testing.T) {
	node, client := chaintest.Start(t, chain.Options{})
	sender := chain.Deployer(chain.EthCoinType)
	sent := client.Send(sender, chaintest.Payment(sender.Address, recipient, 1))
	query := url.QueryEscape("message.sender='" + sender.Address.String() + "'")
	for path, text := range map[string]string{
		"/cosmos/base/tendermint/v1beta1/node_info":                            `"version":"` + vipnode.Version() + `"`,
		"/cosmos/base/tendermint/v1beta1/blocks/1":                             `"height":"1"`,
		"/cosmos/base/tendermint/v1beta1/syncing":                              `"syncing":false`,
		"/cosmos/base/node/v1beta1/config":                                     `"minimum_gas_price":""`,
		"/cosmos/auth/v1beta1/accounts/" + sender.Address.String():             `"@type":"/initia.crypto.v1beta1.ethsecp256k1.PubKey"`,
		"/cosmos/auth/v1beta1/params":                                          `"tx_size_cost_per_byte":"10"`,
		"/cosmos/bank/v1beta1/balances/" + sender.Address.String():             `"amount":"999999999999999"`,
		"/cosmos/bank/v1beta1/supply/by_denom?denom=" + chain.FeeDenom:         `"amount":"4000000000000000"`,
		"/cosmos/consensus/v1/params":                                          `"max_bytes":"22020096"`,
		"/cosmos/tx/v1beta1/txs?query=" + query + "&order_by=2&limit=1":        `"txhash":"` + sent.Hash + `"`,
		"/cosmos/tx/v1beta1/txs/block/" + jsonNumber(t, sent.Height):           `"@type":"/cosmos.bank.v1beta1.MsgSend"`,
		"/cosmos/tx/v1beta1/txs/" + sent.Hash:                                  `"mode":"SIGN_MODE_DIRECT"`,
		"/cosmos/base/tendermint/v1beta1/validatorsets/latest":                 `"voting_power":"1"`,
		"/cosmos/auth/v1beta1/account_info/" + sender.Address.String():         `"sequence":"1"`,
		"/cosmos/auth/v1beta1/module_accounts/fee_collector":                   `"name":"fee_collector"`,
		"/cosmos/base/tendermint/v1beta1/blocks/" + jsonNumber(t, sent.Height): `"chain_id":"` + node.ChainID() + `"`,
	} {
		status, body := client.Get(path)
		// Spaces vary: protobuf's JSON randomizes them on purpose.
		if status != http.StatusOK || !strings.Contains(strings.ReplaceAll(string(body), ": ", ":"), text) {
			t.Errorf("%s: %d, no %s in %s", path, status, text, body)
		}
	}
}

func jsonNumber(t *testing.T, value int64) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestRestRefusesLargeBodies(t *testing.T) {
	node, _ := chaintest.Start(t, chain.Options{})
	// The second body is a few bytes too large. A node may close the connection before it has read much more than that.
	for size, refused := range map[int]bool{8 << 20: false, 16 << 20: true} {
		body := io.MultiReader(strings.NewReader(`{"tx_bytes":"`), bytes.NewReader(bytes.Repeat([]byte("A"), size)), strings.NewReader(`"}`))
		response, err := http.Post(node.RestURL()+"/cosmos/tx/v1beta1/txs", "application/json", body)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || strings.Contains(string(answer), "request body too large") != refused {
			t.Errorf("%d bytes: %d %s %v", size, response.StatusCode, answer, err)
		}
	}
}

// Its keys are public, so a page may do what any program on the machine may do.
func TestAnyOriginMayRead(t *testing.T) {
	node, _ := chaintest.Start(t, chain.Options{})
	for _, address := range []string{node.RestURL() + "/cosmos/base/node/v1beta1/config", node.RPCURL() + "/status"} {
		request, err := http.NewRequest(http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Origin", "https://example.org")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if allowed := response.Header.Get("Access-Control-Allow-Origin"); allowed != "*" {
			t.Errorf("%s: %s", address, allowed)
		}
	}
}

func TestRPC(t *testing.T) {
	node, client := chaintest.Start(t, chain.Options{})
	rpc, err := rpchttp.New(node.RPCURL(), "/websocket")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), chaintest.HangBound)
	defer cancel()

	info, err := rpc.ABCIInfo(ctx)
	if err != nil || info.Response.Data != "vipnode-test" || info.Response.Version != vipnode.Version() {
		t.Errorf("abci_info: %+v %v", info, err)
	}
	status, err := rpc.Status(ctx)
	if err != nil || status.NodeInfo.Network != node.ChainID() || status.SyncInfo.CatchingUp ||
		"tcp://"+strings.TrimPrefix(node.RPCURL(), "http://") != status.NodeInfo.Other.RPCAddress {
		t.Errorf("status: %+v %v", status, err)
	}

	if err := rpc.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rpc.Stop() }()
	events, err := rpc.Subscribe(ctx, "test", cmttypes.EventQueryTx.String())
	if err != nil {
		t.Fatal(err)
	}
	sender := chain.Deployer(chain.CosmosCoinType)
	tx := cmttypes.Tx(client.Transaction(sender, chaintest.Payment(sender.Address, recipient, 1)))
	checked, err := rpc.BroadcastTxSync(ctx, tx)
	if err != nil || checked.Code != 0 {
		t.Fatalf("broadcast_tx_sync: %+v %v", checked, err)
	}
	select {
	case event := <-events:
		if got := event.Data.(cmttypes.EventDataTx); !bytes.Equal(got.Tx, tx) || got.Result.Code != 0 {
			t.Errorf("event: %+v", got)
		}
	case <-ctx.Done():
		t.Fatal("no event of the transaction")
	}
	client.Wait(checked.Hash.String())
	found, err := rpc.Tx(ctx, tx.Hash(), false)
	if err != nil || found.TxResult.Code != 0 {
		t.Errorf("tx: %+v %v", found, err)
	}
	results, err := rpc.BlockResults(ctx, &found.Height)
	if err != nil || len(results.TxsResults) != 1 {
		t.Errorf("block_results: %+v %v", results, err)
	}
}

func TestSeveralChainsInOneProcess(t *testing.T) {
	first, _ := chaintest.Start(t, chain.Options{})
	second, client := chaintest.Start(t, chain.Options{ChainID: "second-1"})
	if first.RestURL() == second.RestURL() {
		t.Fatal("one port for two chains")
	}
	sender := chain.Deployer(chain.EthCoinType)
	if result := client.Send(sender, chaintest.Payment(sender.Address, recipient, 1)); result.Code != 0 {
		t.Fatal(result.Log)
	}
}
