package chaintest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
)

// Client talks to one chain over REST. A failure ends the test, except in the Try methods.
type Client struct {
	// Fee is what Send and Transaction pay. Default: nothing.
	Fee      sdk.Coins
	t        testing.TB
	rest     string
	chainID  string
	encoding chain.Encoding
}

// NewClient returns a client of any running chain.
func NewClient(t testing.TB, rest, chainID string, encoding chain.Encoding) *Client {
	return &Client{t: t, rest: rest, chainID: chainID, encoding: encoding}
}

// Result is the chain's result of a transaction.
type Result struct {
	Height    int64  `json:"height,string"`
	Hash      string `json:"txhash"`
	Codespace string `json:"codespace"`
	Code      uint32 `json:"code"`
	Log       string `json:"raw_log"`
	GasWanted int64  `json:"gas_wanted,string"`
	GasUsed   int64  `json:"gas_used,string"`
}

// Get reads a path and returns the status and the body.
func (c *Client) Get(path string) (int, []byte) {
	c.t.Helper()
	status, body, err := c.TryGet(path, 0)
	if err != nil {
		c.t.Fatalf("GET %s: %v", path, err)
	}
	return status, body
}

// TryGet reads a path at a height, or at the newest with 0, from a node that may have stopped.
func (c *Client) TryGet(path string, height int64) (int, []byte, error) {
	request, err := http.NewRequest(http.MethodGet, c.rest+path, nil)
	if err != nil {
		return 0, nil, err
	}
	if height > 0 {
		request.Header.Set("x-cosmos-block-height", fmt.Sprint(height))
	}
	return c.do(request)
}

// Post sends a document to a path and returns the status and the body.
func (c *Client) Post(path string, document any) (int, []byte) {
	c.t.Helper()
	status, body, err := c.tryPost(path, document)
	if err != nil {
		c.t.Fatalf("POST %s: %v", path, err)
	}
	return status, body
}

func (c *Client) tryPost(path string, document any) (int, []byte, error) {
	content, err := json.Marshal(document)
	if err != nil {
		return 0, nil, err
	}
	request, err := http.NewRequest(http.MethodPost, c.rest+path, bytes.NewReader(content))
	if err != nil {
		return 0, nil, err
	}
	return c.do(request)
}

func (c *Client) do(request *http.Request) (int, []byte, error) {
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, body, err
}

// Account returns the number and the sequence of an existing account.
func (c *Client) Account(address sdk.AccAddress) (number, sequence uint64) {
	c.t.Helper()
	number, sequence, err := c.TryAccount(address)
	if err != nil {
		c.t.Fatalf("account %s: %v", address, err)
	}
	return number, sequence
}

// TryAccount is Account for a node that may have stopped.
func (c *Client) TryAccount(address sdk.AccAddress) (number, sequence uint64, _ error) {
	var answer struct {
		Info struct {
			Number   uint64 `json:"account_number,string"`
			Sequence uint64 `json:"sequence,string"`
		} `json:"info"`
	}
	status, body, err := c.TryGet("/cosmos/auth/v1beta1/account_info/"+address.String(), 0)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("status %d: %s", status, body)
	}
	if err == nil {
		err = json.Unmarshal(body, &answer)
	}
	return answer.Info.Number, answer.Info.Sequence, err
}

// Balance returns how much chain.FeeDenom an account holds.
func (c *Client) Balance(address sdk.AccAddress) int64 {
	c.t.Helper()
	status, body := c.Get("/cosmos/bank/v1beta1/balances/" + address.String() + "/by_denom?denom=" + chain.FeeDenom)
	var answer struct {
		Balance struct {
			Amount int64 `json:"amount,string"`
		} `json:"balance"`
	}
	c.decode(status, body, &answer)
	return answer.Balance.Amount
}

// Broadcast sends a transaction to the mempool and returns the result of its check.
func (c *Client) Broadcast(tx []byte) Result {
	c.t.Helper()
	result, err := c.TryBroadcast(tx)
	if err != nil {
		c.t.Fatalf("broadcast: %v", err)
	}
	return result
}

// TryBroadcast is Broadcast for a node that may have stopped.
func (c *Client) TryBroadcast(tx []byte) (Result, error) {
	status, body, err := c.tryPost("/cosmos/tx/v1beta1/txs", map[string]any{"tx_bytes": tx, "mode": "BROADCAST_MODE_SYNC"})
	if err != nil {
		return Result{}, err
	}
	if status != http.StatusOK {
		return Result{}, fmt.Errorf("status %d: %s", status, body)
	}
	var answer struct {
		Result Result `json:"tx_response"`
	}
	err = json.Unmarshal(body, &answer)
	return answer.Result, err
}

// Find looks a transaction up by its hash.
func (c *Client) Find(hash string) (_ Result, found bool, _ error) {
	status, body, err := c.TryGet("/cosmos/tx/v1beta1/txs/"+hash, 0)
	if err != nil || status == http.StatusNotFound {
		return Result{}, false, err
	}
	var answer struct {
		Result Result `json:"tx_response"`
	}
	if status != http.StatusOK {
		return Result{}, false, fmt.Errorf("status %d: %s", status, body)
	}
	err = json.Unmarshal(body, &answer)
	return answer.Result, err == nil, err
}

// Wait waits until a transaction is in a block.
func (c *Client) Wait(hash string) Result {
	c.t.Helper()
	for end := time.Now().Add(HangBound); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		result, found, err := c.Find(hash)
		if err != nil {
			c.t.Fatalf("look up %s: %v", hash, err)
		}
		if found {
			return result
		}
	}
	c.t.Fatalf("%s is not in a block after %s", hash, HangBound)
	return Result{}
}

func (c *Client) decode(status int, body []byte, into any) {
	c.t.Helper()
	if status != http.StatusOK {
		c.t.Fatalf("status %d: %s", status, body)
	}
	if err := json.Unmarshal(body, into); err != nil {
		c.t.Fatalf("%s: %v", body, err)
	}
}
