// Package badinput sends invalid input to a running chain and checks that it refuses it and keeps running.
package badinput

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
)

const ChainID = "vipnode-test-1"

// Gas is a limit that is enough for any transaction here: each byte of a transaction costs 10.
const Gas = 15_000_000

// Chain is a chain that gets invalid input.
type Chain struct {
	*testing.T
	Node   *chain.Node
	Client *chaintest.Client
	Sender chain.TestAccount
	// StillWorks asserts that a valid transaction still changes the state.
	StillWorks func()
}

// Start starts a chain of a VM, which ends with the test.
func Start(t *testing.T, vm chain.VM, sender chain.TestAccount) *Chain {
	t.Helper()
	node, client := chaintest.Start(t, chain.Options{VM: vm, ChainID: ChainID})
	return &Chain{T: t, Node: node, Client: client, Sender: sender}
}

// Succeed sends a message that must succeed.
func (c *Chain) Succeed(message sdk.Msg) {
	c.Helper()
	if result := c.Client.Send(c.Sender, message); result.Code != 0 {
		c.Fatalf("%d %s", result.Code, result.Log)
	}
}

// Sign signs a message with the sender's next sequence.
func (c *Chain) Sign(message sdk.Msg) []byte {
	c.Helper()
	number, sequence := c.Client.Account(c.Sender.Address)
	return c.Client.Sign(chaintest.Signed{
		ChainID: ChainID, Key: c.Sender.Key, AccountNumber: number, Sequence: sequence, Gas: Gas, Messages: []sdk.Msg{message},
	})
}

// Fails asserts that a message fails in the same way in a simulation and in a block, with these parts in the answer, that it
// pays for its gas, and that the chain keeps running.
func (c *Chain) Fails(name string, message sdk.Msg, parts ...string) {
	c.Run(name, func(t *testing.T) {
		tx := c.Sign(message)
		c.Simulate(t, tx).Refused(t, http.StatusInternalServerError, append(parts, " with gas used: '")...)
		checked := c.Client.Broadcast(tx)
		if checked.Code != 0 {
			t.Fatalf("the mempool: %s %d %s", checked.Codespace, checked.Code, checked.Log)
		}
		result := c.Client.Wait(checked.Hash)
		if result.Code == 0 || result.GasUsed == 0 || result.GasUsed > 2*Gas {
			t.Fatalf("in a block: code %d, %d gas, %s", result.Code, result.GasUsed, result.Log)
		}
		contains(t, "in a block: "+result.Log, parts)
		c.StillWorks()
	})
}

// Refuses asserts that the mempool and a simulation refuse a message, with these parts in the mempool's answer.
func (c *Chain) Refuses(name string, message sdk.Msg, parts ...string) {
	c.Run(name, func(t *testing.T) {
		tx := c.Sign(message)
		if c.Simulate(t, tx).Status == http.StatusOK {
			t.Errorf("a simulation passes")
		}
		checked := c.Client.Broadcast(tx)
		if checked.Code == 0 {
			t.Fatalf("the mempool accepts it")
		}
		contains(t, checked.Log, parts)
		c.StillWorks()
	})
}

func contains(t *testing.T, text string, parts []string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%.500q does not contain %q", text, part)
		}
	}
}

// Answer is the node's answer over REST.
type Answer struct {
	Status  int `json:"-"`
	Code    int
	Message string
	Data    json.RawMessage
	Body    []byte `json:"-"`
}

// Refused asserts the status and parts of the text.
func (a Answer) Refused(t *testing.T, status int, parts ...string) {
	t.Helper()
	if a.Status != status || a.Code == 0 {
		t.Fatalf("status %d, want %d: %.500s", a.Status, status, a.Body)
	}
	contains(t, a.Message, parts)
}

// Simulate simulates a transaction.
func (c *Chain) Simulate(t testing.TB, tx []byte) Answer {
	t.Helper()
	return c.Post(t, "/cosmos/tx/v1beta1/simulate", map[string]any{"tx_bytes": tx})
}

// Post sends a document to a path.
func (c *Chain) Post(t testing.TB, path string, document any) Answer {
	t.Helper()
	content, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	return c.Request(t, http.MethodPost, path, string(content))
}

// Request sends any body to any path.
func (c *Chain) Request(t testing.TB, method, path, body string) Answer {
	t.Helper()
	request, err := http.NewRequest(method, c.Node.RestURL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	defer response.Body.Close()
	answer := Answer{Status: response.StatusCode}
	if answer.Body, err = io.ReadAll(response.Body); err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	if err := json.Unmarshal(answer.Body, &answer); err != nil {
		t.Fatalf("%s %s: %d %.300s: %v", method, path, answer.Status, answer.Body, err)
	}
	return answer
}
