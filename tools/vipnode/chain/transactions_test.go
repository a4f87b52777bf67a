package chain_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	sdk "github.com/cosmos/cosmos-sdk/types"
	txtypes "github.com/cosmos/cosmos-sdk/types/tx"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
)

// recipient is an address that is not a test account's.
var recipient = sdk.AccAddress(bytes.Repeat([]byte{0x11}, 20))

func TestBothKeyTypesSend(t *testing.T) {
	_, client := chaintest.Start(t, chain.Options{})
	for number, sender := range chain.TestAccounts() {
		for sequence := range 2 {
			gotNumber, gotSequence := client.Account(sender.Address)
			if gotNumber != uint64(number) || gotSequence != uint64(sequence) {
				t.Fatalf("%s: account %d sequence %d, want %d %d", sender.Address, gotNumber, gotSequence, number, sequence)
			}
			result := client.Send(sender, chaintest.Payment(sender.Address, recipient, 7))
			if result.Code != 0 || result.GasUsed < 10_000 || result.GasUsed > 200_000 {
				t.Fatalf("%s: code %d %s, gas %d", sender.Key.Type(), result.Code, result.Log, result.GasUsed)
			}
		}
	}
	if balance := client.Balance(recipient); balance != 4*2*7 {
		t.Fatalf("balance %d", balance)
	}
}

func TestLongAddressesAreAccounts(t *testing.T) {
	_, client := chaintest.Start(t, chain.Options{})
	sender := chain.Deployer(chain.EthCoinType)
	object := sdk.AccAddress(bytes.Repeat([]byte{0x22}, 32))
	client.Send(sender, chaintest.Payment(sender.Address, object, 3))
	if balance := client.Balance(object); balance != 3 {
		t.Fatalf("balance %d", balance)
	}
	other := sdk.AccAddress(bytes.Repeat([]byte{0x22}, 21))
	if status, body := client.Get("/cosmos/auth/v1beta1/account_info/" + other.String()); status != http.StatusInternalServerError {
		t.Fatalf("%d %s", status, body)
	}
}

// A chain without an interval makes a block as soon as there is a transaction, without waiting for the next tick.
func TestTransactionGetsItsOwnBlock(t *testing.T) {
	_, client := chaintest.Start(t, chain.Options{})
	sender := chain.Deployer(chain.EthCoinType)
	var times []time.Duration
	heights := map[int64]bool{}
	for range 10 {
		tx := client.Transaction(sender, chaintest.Payment(sender.Address, recipient, 1))
		begin := time.Now()
		heights[client.Wait(client.Broadcast(tx).Hash).Height] = true
		times = append(times, time.Since(begin))
	}
	t.Logf("from broadcast to answer by hash: %v", times)
	if len(heights) != len(times) {
		t.Fatalf("%d consecutive transactions are in %d blocks", len(times), len(heights))
	}
}

func TestManyInFlightArriveInOrder(t *testing.T) {
	for _, pool := range []chain.Mempool{chain.MempoolInitia, chain.MempoolClassic} {
		t.Run(string(pool), func(t *testing.T) { manyInFlightArriveInOrder(t, pool) })
	}
}

func manyInFlightArriveInOrder(t *testing.T, pool chain.Mempool) {
	const count = 200
	_, client := chaintest.Start(t, chain.Options{Mempool: pool})
	sender := chain.Operator(chain.EthCoinType)
	number, first := client.Account(sender.Address)
	hashes := make([]string, 0, count)
	for i := range uint64(count) {
		checked := client.Broadcast(client.Sign(chaintest.Signed{
			ChainID: "vipnode-test-1", Key: sender.Key, AccountNumber: number, Sequence: first + i, Gas: chaintest.Gas,
			Messages: []sdk.Msg{chaintest.Payment(sender.Address, recipient, 1)}, Queued: pool == chain.MempoolInitia,
		}))
		if checked.Code != 0 {
			t.Fatalf("sequence %d: %s %d %s", first+i, checked.Codespace, checked.Code, checked.Log)
		}
		hashes = append(hashes, checked.Hash)
	}
	height := int64(0)
	for i, hash := range hashes {
		result := client.Wait(hash)
		if result.Code != 0 || result.Height < height {
			t.Fatalf("transaction %d: code %d at height %d after %d", i, result.Code, result.Height, height)
		}
		height = result.Height
	}
	if balance := client.Balance(recipient); balance != count {
		t.Fatalf("balance %d", balance)
	}
}

func TestRefusedByTheMempool(t *testing.T) {
	_, client := chaintest.Start(t, chain.Options{})
	sender := chain.Deployer(chain.EthCoinType)
	client.Send(sender, chaintest.Payment(sender.Address, recipient, 1))
	good := chaintest.Signed{
		ChainID: "vipnode-test-1", Key: sender.Key, AccountNumber: 0, Sequence: 1, Gas: chaintest.Gas,
		Messages: []sdk.Msg{chaintest.Payment(sender.Address, recipient, 1)},
	}
	refused := func(name string, tx []byte, code uint32, text string) {
		t.Helper()
		result := client.Broadcast(tx)
		if result.Codespace != "sdk" || result.Code != code || !strings.Contains(result.Log, text) {
			t.Errorf("%s: %s %d %s", name, result.Codespace, result.Code, result.Log)
		}
	}

	used := good
	used.Sequence = 0
	used.Messages = []sdk.Msg{chaintest.Payment(sender.Address, recipient, 2)}
	// The text recorded from minimove, with other numbers.
	refused("used sequence", client.Sign(used), 32,
		"tx nonce 0 is stale for sender "+sender.Address.String()+" (expected >= 1): incorrect account sequence")
	ahead := good
	ahead.Sequence = 3
	refused("sequence ahead", client.Sign(ahead), 32, "account sequence mismatch, expected 1, got 3; "+
		"use extension option /initia.tx.v1.ExtensionOptionQueuedTx for queued tx: incorrect account sequence")
	other := good
	other.ChainID = "another-chain-1"
	refused("other chain", client.Sign(other), 4, "signature verification failed")
	stranger := good
	stranger.Key = chain.Operator(chain.EthCoinType).Key
	refused("other signer", client.Sign(stranger), 8, "pubKey does not match signer address")
	low := good
	low.Gas = 1
	refused("no gas", client.Sign(low), 11, "out of gas in location: ")
	damaged := client.Sign(good)
	damaged[len(damaged)-1] ^= 1
	refused("damaged signature", damaged, 4, "signature verification failed")
	cut := client.Sign(good)
	refused("cut transaction", cut[:len(cut)-3], 2, "tx parse error")
	refused("3 MB transaction", bytes.Repeat([]byte{1}, 3<<20), 21, "")

	if result := client.Broadcast(client.Sign(good)); result.Code != 0 {
		t.Errorf("valid transaction afterwards: %s", result.Log)
	}
}

func TestSimulation(t *testing.T) {
	_, client := chaintest.Start(t, chain.Options{})
	sender := chain.Deployer(chain.EthCoinType)
	simulate := func(amount int64) (int, string) {
		t.Helper()
		tx := client.Transaction(sender, chaintest.Payment(sender.Address, recipient, amount))
		status, body := client.Post("/cosmos/tx/v1beta1/simulate", map[string]any{"tx_bytes": tx})
		return status, string(body)
	}
	// Twice, with a transaction between: the account has its key from the second simulation on.
	for range 2 {
		status, body := simulate(1)
		if status != http.StatusOK || !strings.Contains(body, `"gas_wanted":"18446744073709551615"`) {
			t.Fatalf("%d %s", status, body)
		}
		client.Send(sender, chaintest.Payment(sender.Address, recipient, 1))
	}
	status, body := simulate(1_000_000_000_000_001)
	code, message := failure(t, []byte(body))
	if status != http.StatusInternalServerError || code != 2 ||
		!strings.HasPrefix(message, "failed to execute message; message index: 0: ") ||
		!strings.Contains(message, " [cosmos/cosmos-sdk@v0.50.15/") || !strings.Contains(message, " with gas used: '") {
		t.Fatalf("%d %s", status, body)
	}
}

// A simulation may come as a query of the state, as cosmjs sends it.
func TestSimulationAsAQuery(t *testing.T) {
	node, client := chaintest.Start(t, chain.Options{})
	sender := chain.Deployer(chain.CosmosCoinType)
	content, err := (&txtypes.SimulateRequest{
		TxBytes: client.Transaction(sender, chaintest.Payment(sender.Address, recipient, 1)),
	}).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	caller := http.Client{Timeout: chaintest.HangBound}
	response, err := caller.Get(node.RPCURL() + `/abci_query?path="/cosmos.tx.v1beta1.Service/Simulate"&data=0x` + hex.EncodeToString(content))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || !bytes.Contains(body, []byte(`"code":0`)) || bytes.Contains(body, []byte(`"value":null`)) {
		t.Fatalf("%s %v", body, err)
	}
	client.Send(sender, chaintest.Payment(sender.Address, recipient, 1))
}

func TestReadsAtAHeight(t *testing.T) {
	_, client := chaintest.Start(t, chain.Options{})
	sender := chain.Deployer(chain.CosmosCoinType)
	path := fmt.Sprintf("/cosmos/bank/v1beta1/balances/%s/by_denom?denom=umin", recipient)
	for i := int64(1); i <= 5; i++ {
		height := client.Send(sender, chaintest.Payment(sender.Address, recipient, 1)).Height
		for at, want := range map[int64]int64{height: i, height - 1: i - 1} {
			status, body, err := client.TryGet(path, at)
			if err != nil || status != http.StatusOK || !strings.Contains(string(body), fmt.Sprintf(`"amount":"%d"`, want)) {
				t.Fatalf("height %d: %d %s %v, want %d", at, status, body, err, want)
			}
		}
	}
	status, body, err := client.TryGet(path, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	code, message := failure(t, body)
	// Recorded from minimove.
	want := "codespace sdk code 26: invalid height: cannot query with height in the future; please provide a valid height"
	if status != http.StatusInternalServerError || code != 2 || message != want {
		t.Fatalf("%d %s", status, body)
	}
}

// failure reads the body of an error.
func failure(t *testing.T, body []byte) (code int, message string) {
	t.Helper()
	var answer struct {
		Code    int
		Message string
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return answer.Code, answer.Message
}
