package fidelity_test

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

// exchange is one recorded request with its answer.
type exchange struct {
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

// loadRecording reads the exchanges of one file of testdata. Numbers keep their digits.
func loadRecording(t *testing.T, file string) []exchange {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var exchanges []exchange
	if err := decodeJSON(content, &exchanges); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return exchanges
}

// decodeJSON reads a document and leaves its numbers as they are written.
func decodeJSON(content []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	return decoder.Decode(into)
}

// route names the kind of an exchange: a method and a path without the query, or an RPC method.
func (e exchange) route() string {
	if method := e.rpcMethod(); method != "" {
		return "rpc " + method
	}
	path, _, _ := strings.Cut(e.Request.Path, "?")
	return e.Request.Method + " " + path
}

// rpcMethod is the method of an RPC request, or nothing.
func (e exchange) rpcMethod() string {
	if e.Request.Path == "/abci_info" {
		return "abci_info"
	}
	body, _ := e.Request.Body.(map[string]any)
	if body["jsonrpc"] == nil {
		return ""
	}
	return fmt.Sprint(body["method"])
}

const (
	broadcastRoute = "POST /cosmos/tx/v1beta1/txs"
	simulateRoute  = "POST /cosmos/tx/v1beta1/simulate"
	lookupRoute    = "GET /cosmos/tx/v1beta1/txs/"
)

// transaction is what a broadcast or a simulation sends, or nothing.
func (e exchange) transaction(t *testing.T) []byte {
	t.Helper()
	if route := e.route(); route != broadcastRoute && route != simulateRoute {
		return nil
	}
	text, _ := e.Request.Body.(map[string]any)["tx_bytes"].(string)
	content, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatalf("recorded transaction: %v", err)
	}
	return content
}

// asksFor tells whether an exchange looks up the transaction with this hash.
func (e exchange) asksFor(hash string) bool { return e.route() == lookupRoute+hash }

// transactionHash is a transaction's name.
func transactionHash(tx []byte) string { return fmt.Sprintf("%X", sha256.Sum256(tx)) }
