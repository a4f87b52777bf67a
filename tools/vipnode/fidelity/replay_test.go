// Package fidelity_test asks a running vipnode-move everything that a real minimove was once asked, in the same order,
// and compares the answers.
package fidelity_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
	"github.com/vipscore/vipscore/tools/vipnode/x/move"
	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

// recordedChainID is the recorded chain's name. With it, with the same accounts and with the same sequences, the recorded
// transactions are valid here byte for byte.
const recordedChainID = "local-move-1"

// program is what vipnode-move calls itself.
const program = "vipnode-move"

// replayer asks the node and keeps what it has seen.
type replayer struct {
	t         *testing.T
	node      *chain.Node
	client    *chaintest.Client
	aliases   *aliases
	gas       gasTable
	exchanges int
	equal     int
	seen      map[*knownDifference]map[int]bool
	// kinds says what the transaction with a hash does.
	kinds map[string]string
}

func TestFidelity(t *testing.T) {
	node, client := chaintest.Start(t, chain.Options{Program: program, VM: move.New(), ChainID: recordedChainID})
	r := &replayer{
		t: t, node: node, client: client, aliases: newAliases(),
		seen: map[*knownDifference]map[int]bool{}, kinds: map[string]string{},
	}

	first := loadRecording(t, restFile)
	prepare(t, client, r.publishedModule(first), &r.gas)
	r.replay(restFile, first)
	r.replay(rpcFile, loadRecording(t, rpcFile))

	advance(t, client, chain.Deployer(chain.EthCoinType), deployerSequenceLater)
	advance(t, client, chain.Operator(chain.EthCoinType), operatorSequenceLater)
	r.replay(nftTablesFile, loadRecording(t, nftTablesFile))
	r.replay(secondRPCFile, loadRecording(t, secondRPCFile))

	r.refuseStale()
	t.Logf("%d recorded exchanges, %d equal, %d with known differences", r.exchanges, r.equal, r.exchanges-r.equal)
	t.Logf("gas:\n%s", r.gas.String())
}

// publishedModule is the first message of the first recorded transaction.
func (r *replayer) publishedModule(exchanges []exchange) *types.MsgPublish {
	r.t.Helper()
	for _, one := range exchanges {
		if content := one.transaction(r.t); content != nil {
			tx, err := r.node.Encoding().Tx.TxDecoder()(content)
			if err != nil {
				r.t.Fatalf("recorded transaction: %v", err)
			}
			return tx.GetMsgs()[0].(*types.MsgPublish)
		}
	}
	r.t.Fatal("no transaction is recorded")
	return nil
}

// replay asks what was recorded in one file, one after another.
func (r *replayer) replay(file string, exchanges []exchange) {
	r.t.Helper()
	asked := map[int]bool{}
	for i, one := range exchanges {
		if asked[i] {
			continue
		}
		if one.route() != broadcastRoute {
			r.ask(file, i, one)
			continue
		}
		// A block comes every 125 ms there and at once here: what was asked, in vain, right after the broadcast is asked
		// before it.
		hash := transactionHash(one.transaction(r.t))
		r.kinds[hash] = r.kindOf(one)
		for next := i + 1; next < len(exchanges) && exchanges[next].asksFor(hash); next++ {
			if exchanges[next].Response.Status == http.StatusNotFound {
				r.ask(file, next, exchanges[next])
				asked[next] = true
			}
		}
		body := r.ask(file, i, one)
		if accepted(body) {
			r.client.Wait(hash)
		}
	}
}

// accepted reads whether the mempool has taken a transaction.
func accepted(body any) bool {
	response, _ := body.(map[string]any)["tx_response"].(map[string]any)
	return text(response["code"]) == "0"
}

// idleBound is how long the chain may take to have nothing to do.
const idleBound = 10 * time.Second

// waitUntilIdle waits for a block without transactions after another one. On the recorded chain, which makes blocks all
// the time, the newest block was such a one.
func (r *replayer) waitUntilIdle() {
	r.t.Helper()
	for end := time.Now().Add(idleBound); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		_, content := r.client.Get("/cosmos/base/tendermint/v1beta1/blocks/latest")
		var body any
		if err := decodeJSON(content, &body); err != nil {
			r.t.Fatal(err)
		}
		if valueAt(body, "block.header.data_hash") == emptyHash && valueAt(body, "block.header.last_results_hash") == emptyHash {
			return
		}
	}
	r.t.Fatalf("the chain is busy after %s", idleBound)
}

// emptyHash is the SHA-256 of nothing.
const emptyHash = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

// ask sends one request, compares the answer with the recorded one and returns its body.
func (r *replayer) ask(file string, index int, one exchange) any {
	r.t.Helper()
	if strings.HasSuffix(one.Request.Path, "/blocks/latest") {
		r.waitUntilIdle()
	}
	status, contentType, body := r.send(file, index, one)
	c := &comparison{route: one.route(), aliases: r.aliases}
	if status != one.Response.Status {
		c.add("status", one.Response.Status, status)
	}
	if contentType != one.Response.ContentType {
		c.add("contentType", one.Response.ContentType, contentType)
	}
	c.compare("", one.Response.Body, body)

	r.exchanges++
	if len(c.found) == 0 {
		r.equal++
	}
	for _, found := range c.found {
		known := findKnown(file, index, found)
		if known == nil {
			r.t.Errorf("%s exchange %d, %s: %s", file, index, one.route(), found)
			continue
		}
		if r.seen[known] == nil {
			r.seen[known] = map[int]bool{}
		}
		r.seen[known][index] = true
	}
	r.noteGas(one, body)
	return body
}

var blockPath = regexp.MustCompile(`^(/cosmos/tx/v1beta1/txs/block/)(\d+)$`)

// send sends one request as it was recorded, with our names for handles and heights.
func (r *replayer) send(file string, index int, one exchange) (status int, contentType string, body any) {
	r.t.Helper()
	address := r.node.RestURL()
	if one.rpcMethod() != "" {
		address = r.node.RPCURL()
	}
	path := r.aliases.translate(one.Request.Path)
	if parts := blockPath.FindStringSubmatch(path); parts != nil {
		path = parts[1] + r.aliases.heights[parts[2]]
	}
	var content io.Reader
	if one.Request.Body != nil {
		if parameters, ok := one.Request.Body.(map[string]any)["params"].(map[string]any); ok && parameters["height"] != nil {
			parameters["height"] = r.aliases.heights[text(parameters["height"])]
		}
		document, err := json.Marshal(one.Request.Body)
		if err != nil {
			r.t.Fatal(err)
		}
		content = bytes.NewReader(document)
	}
	request, err := http.NewRequest(one.Request.Method, address+path, content)
	if err != nil {
		r.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if height := unrecordedHeight(file, index); height != "" {
		request.Header.Set("x-cosmos-block-height", height)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		r.t.Fatalf("%s exchange %d: %v", file, index, err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		r.t.Fatalf("%s exchange %d: %v", file, index, err)
	}
	contentType, _, _ = strings.Cut(response.Header.Get("Content-Type"), ";")
	if err := decodeJSON(answer, &body); err != nil {
		body = string(answer)
	}
	return response.StatusCode, contentType, body
}

// unrecordedHeight is the height that a request asked for in a header; recordings hold no headers.
func unrecordedHeight(file string, index int) string {
	if file == nftTablesFile && index == 50 {
		return "1000000"
	}
	return ""
}

// refuseStale fails for masks and known differences that hide nothing any more.
func (r *replayer) refuseStale() {
	r.t.Helper()
	for _, one := range masks {
		for _, path := range one.paths {
			if !one.used[path] {
				r.t.Errorf("the mask of %s at %s hides nothing", one.routes, path)
			}
		}
	}
	for i := range knownDifferences {
		known := &knownDifferences[i]
		for _, index := range known.exchanges {
			if !r.seen[known][index] {
				r.t.Errorf("%s exchange %d does not differ any more at %s", known.file, index, known.path)
			}
		}
	}
}
