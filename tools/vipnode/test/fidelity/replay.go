// Package fidelity replays the requests recorded from a real node on a running chain, in the same order, and compares the
// answers. Every field of every answer counts, except where a mask or a known difference applies; one that no longer
// hides anything fails.
package fidelity

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
)

// Replayer sends requests to the node and keeps what it has seen.
type Replayer struct {
	T           *testing.T
	Node        *chain.Node
	Client      *chaintest.Client
	Masks       []Mask
	Differences []KnownDifference
	Gas         GasTable
	Aliases     *Aliases

	// Describe names a message in the gas table, or returns ""; DescribeRead names a request without a transaction.
	Describe     func(sdk.Msg) string
	DescribeRead func(Exchange) string
	// Rewrite, if set, changes the body of a request that cannot be sent as recorded.
	Rewrite func(file string, index int, one Exchange) any
	// Decode, if set, converts the answer to a request to the form in which it is compared.
	Decode func(one Exchange, body any) any
	// Height, if set, is the height that a request named in a header, or ""; recordings contain no headers.
	Height func(file string, index int) string

	exchanges int
	equal     int
	seen      map[*KnownDifference]map[int]bool
	// kinds describes the transaction with a recorded hash.
	kinds map[string]string
}

// Start prepares a replayer.
func (r *Replayer) Start() *Replayer {
	r.Aliases, r.seen, r.kinds = newAliases(), map[*KnownDifference]map[int]bool{}, map[string]string{}
	return r
}

// Replay replays the requests recorded in one file.
func (r *Replayer) Replay(file string, exchanges []Exchange) {
	r.T.Helper()
	r.ReplayFrom(file, exchanges, 0)
}

// ReplayFrom replays the requests recorded in one file from an exchange on.
func (r *Replayer) ReplayFrom(file string, exchanges []Exchange, from int) {
	r.T.Helper()
	asked := map[int]bool{}
	for i, one := range exchanges {
		if i < from || asked[i] {
			continue
		}
		if !one.isBroadcast() {
			r.ask(file, i, one)
			continue
		}
		recordedHash, hash := r.nameTransaction(file, i, one)
		// There a block comes every 125 ms, here immediately: lookups that came too early there, right after the broadcast, are
		// sent before it here.
		for next := i + 1; next < len(exchanges) && exchanges[next].asksTooEarlyFor(recordedHash); next++ {
			r.ask(file, next, exchanges[next])
			asked[next] = true
		}
		body := r.ask(file, i, one)
		if ValueAt(body, "tx_response.code") == "0" || ValueAt(body, "result.code") == "0" {
			r.Client.Wait(hash)
		}
	}
}

// nameTransaction pairs the hash of a recorded transaction with ours, which differs if the transaction had to be changed.
func (r *Replayer) nameTransaction(file string, index int, one Exchange) (recorded, ours string) {
	r.T.Helper()
	one.Request.Body = r.body(file, index, one)
	content, err := one.Transaction()
	if err != nil {
		r.T.Fatalf("%s exchange %d: %v", file, index, err)
	}
	recorded, ours = one.recordedHash(), TransactionHash(content)
	r.kinds[recorded] = r.kindOfTransaction(content)
	if recorded != ours {
		if err := r.Aliases.Learn(recorded, ours); err != nil {
			r.T.Fatalf("%s exchange %d: %v", file, index, err)
		}
	}
	return recorded, ours
}

func (r *Replayer) body(file string, index int, one Exchange) any {
	if r.Rewrite == nil {
		return one.Request.Body
	}
	return r.Rewrite(file, index, one)
}

// waitUntilIdle waits for a second block without transactions in a row. On the recorded chain, which makes blocks all
// the time, the newest block was such a block.
func (r *Replayer) waitUntilIdle() {
	r.T.Helper()
	for end := time.Now().Add(chaintest.HangBound); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		_, content := r.Client.Get("/cosmos/base/tendermint/v1beta1/blocks/latest")
		var body any
		if err := decodeJSON(content, &body); err != nil {
			r.T.Fatal(err)
		}
		if ValueAt(body, "block.header.data_hash") == emptyHash && ValueAt(body, "block.header.last_results_hash") == emptyHash {
			return
		}
	}
	r.T.Fatalf("the chain is busy after %s", chaintest.HangBound)
}

// emptyHash is the SHA-256 of an empty input.
const emptyHash = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

// asksNewestBlock reports whether an exchange requests the newest block.
func (e Exchange) asksNewestBlock() bool {
	return strings.HasSuffix(e.Request.Path, "/blocks/latest") || e.rpcMethod() == "block" && e.Parameter("height") == ""
}

// ask sends one request, compares the answer with the recording and returns its body.
func (r *Replayer) ask(file string, index int, one Exchange) any {
	r.T.Helper()
	if one.asksNewestBlock() {
		r.waitUntilIdle()
	}
	status, contentType, body := r.send(file, index, one)
	c := &comparison{route: one.Route(), aliases: r.Aliases, masks: r.Masks}
	if status != one.Response.Status {
		c.add("status", one.Response.Status, status)
	}
	if contentType != one.Response.ContentType {
		c.add("contentType", one.Response.ContentType, contentType)
	}
	recorded := one.Response.Body
	if r.Decode != nil {
		recorded, body = r.Decode(one, recorded), r.Decode(one, body)
	}
	c.compare("", recorded, body)

	r.exchanges++
	if len(c.found) == 0 {
		r.equal++
	}
	for _, found := range c.found {
		known := r.findKnown(file, index, found)
		if known == nil {
			r.T.Errorf("%s exchange %d, %s: %s", file, index, one.Route(), found)
			continue
		}
		if r.seen[known] == nil {
			r.seen[known] = map[int]bool{}
		}
		r.seen[known][index] = true
	}
	r.noteGas(one, recorded, body)
	return body
}

var blockPath = regexp.MustCompile(`^(/cosmos/tx/v1beta1/txs/block/)(\d+)$`)

// send sends one recorded request, with our names.
func (r *Replayer) send(file string, index int, one Exchange) (status int, contentType string, body any) {
	r.T.Helper()
	address := r.Node.RestURL()
	if one.rpcMethod() != "" {
		address = r.Node.RPCURL()
	}
	path := r.Aliases.Translate(one.Request.Path)
	if parts := blockPath.FindStringSubmatch(path); parts != nil {
		path = parts[1] + r.Aliases.heights[parts[2]]
	}
	var content io.Reader
	if sent := r.body(file, index, one); sent != nil {
		if parameters, ok := sent.(map[string]any)["params"].(map[string]any); ok {
			if parameters["height"] != nil {
				parameters["height"] = r.Aliases.heights[text(parameters["height"])]
			}
			if query, ok := parameters["query"].(string); ok {
				parameters["query"] = r.Aliases.Translate(query)
			}
		}
		document, err := json.Marshal(sent)
		if err != nil {
			r.T.Fatal(err)
		}
		content = bytes.NewReader(document)
	}
	request, err := http.NewRequest(one.Request.Method, address+path, content)
	if err != nil {
		r.T.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if r.Height != nil {
		if height := r.Height(file, index); height != "" {
			request.Header.Set("x-cosmos-block-height", height)
		}
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		r.T.Fatalf("%s exchange %d: %v", file, index, err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		r.T.Fatalf("%s exchange %d: %v", file, index, err)
	}
	contentType, _, _ = strings.Cut(response.Header.Get("Content-Type"), ";")
	if err := decodeJSON(answer, &body); err != nil {
		body = string(answer)
	}
	return response.StatusCode, contentType, body
}

// Finish fails for masks and known differences that no longer hide anything, and logs what was compared.
func (r *Replayer) Finish() {
	r.T.Helper()
	for _, one := range r.Masks {
		for _, path := range one.Paths {
			if !one.used[path] {
				r.T.Errorf("the mask of %s at %s hides nothing", one.Routes, path)
			}
		}
	}
	for i := range r.Differences {
		known := &r.Differences[i]
		for _, index := range known.Exchanges {
			if !r.seen[known][index] {
				r.T.Errorf("%s exchange %d no longer differs at %s", known.File, index, known.Path)
			}
		}
	}
	r.T.Logf("%d recorded exchanges, %d equal, %d with known differences", r.exchanges, r.equal, r.exchanges-r.equal)
	r.T.Logf("gas:\n%s", r.Gas.String())
}
