package fidelity

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Exchange is one recorded request with its answer.
type Exchange struct {
	Request struct {
		Method string
		Path   string
		Body   any
	}
	Response struct {
		Status      int
		ContentType string
		Body        any
	}
}

// LoadRecording reads the exchanges of one file of testdata. Numbers keep their digits.
func LoadRecording(t *testing.T, file string) []Exchange {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var exchanges []Exchange
	if err := decodeJSON(content, &exchanges); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return exchanges
}

// decodeJSON parses a document and keeps its numbers as text.
func decodeJSON(content []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	return decoder.Decode(into)
}

// Route returns the kind of an exchange: a method and a path without the query, or an RPC method, with the path of a state
// query.
func (e Exchange) Route() string {
	if method := e.rpcMethod(); method != "" {
		if path := e.Parameter("path"); method == "abci_query" && path != "" {
			return "rpc abci_query " + path
		}
		return "rpc " + method
	}
	path, _, _ := strings.Cut(e.Request.Path, "?")
	return e.Request.Method + " " + path
}

// rpcMethod returns the method of an RPC request, or "".
func (e Exchange) rpcMethod() string {
	switch e.Request.Path {
	case "/abci_info", "/status":
		return e.Request.Path[1:]
	}
	body, _ := e.Request.Body.(map[string]any)
	if body["jsonrpc"] == nil {
		return ""
	}
	return fmt.Sprint(body["method"])
}

// Parameter returns a parameter of an RPC request as text, or "".
func (e Exchange) Parameter(name string) string { return ValueAt(e.Request.Body, "params."+name) }

// The kinds of exchange that carry or look up transactions.
const (
	BroadcastRoute    = "POST /cosmos/tx/v1beta1/txs"
	BroadcastRPCRoute = "rpc broadcast_tx_sync"
	SimulateRoute     = "POST /cosmos/tx/v1beta1/simulate"
	SimulateRPCRoute  = "rpc abci_query /cosmos.tx.v1beta1.Service/Simulate"
	lookupRoute       = "GET /cosmos/tx/v1beta1/txs/"
	searchRPCRoute    = "rpc tx_search"
)

func (e Exchange) isBroadcast() bool {
	return e.Route() == BroadcastRoute || e.Route() == BroadcastRPCRoute
}

// Transaction returns the transaction that an exchange broadcasts, or simulates over REST. It fails if the recording is cut.
func (e Exchange) Transaction() ([]byte, error) {
	text := ValueAt(e.Request.Body, "tx_bytes")
	if e.Route() == BroadcastRPCRoute {
		text = e.Parameter("tx")
	}
	return base64.StdEncoding.DecodeString(text)
}

// recordedHash returns the hash of the transaction that an exchange broadcasts, as recorded.
func (e Exchange) recordedHash() string {
	if e.Route() == BroadcastRPCRoute {
		return ValueAt(e.Response.Body, "result.hash")
	}
	return ValueAt(e.Response.Body, "tx_response.txhash")
}

// asksTooEarlyFor reports whether an exchange looks up the transaction with this hash before it is in a block.
func (e Exchange) asksTooEarlyFor(hash string) bool {
	switch e.Route() {
	case lookupRoute + hash:
		return e.Response.Status == 404
	case searchRPCRoute:
		return e.Parameter("query") == "tx.hash='"+hash+"'" && ValueAt(e.Response.Body, "result.total_count") == "0"
	}
	return false
}

// TransactionHash returns a transaction's hash.
func TransactionHash(tx []byte) string { return fmt.Sprintf("%X", sha256.Sum256(tx)) }
