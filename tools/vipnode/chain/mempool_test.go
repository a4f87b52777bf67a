package chain_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
)

// sequences signs payments of 1 from one account with sequences that the tests choose.
type sequences struct {
	t      *testing.T
	node   *chain.Node
	client *chaintest.Client
	sender chain.TestAccount
	number uint64
}

// startSequences starts a chain whose mempool keeps gaps however long a test takes.
func startSequences(t *testing.T, options chain.Options) sequences {
	t.Helper()
	now := time.Now()
	return startSequencesAt(t, options, func() time.Time { return now })
}

// startSequencesAt starts a chain with this clock for the age of gaps.
func startSequencesAt(t *testing.T, options chain.Options, now func() time.Time) sequences {
	t.Helper()
	node, client := chaintest.Start(t, chain.WithClock(options, now))
	sender := chain.Operator(chain.EthCoinType)
	number, _ := client.Account(sender.Address)
	return sequences{t, node, client, sender, number}
}

func (s sequences) sign(sequence uint64, change ...func(*chaintest.Signed)) []byte {
	s.t.Helper()
	signed := chaintest.Signed{
		ChainID: s.node.ChainID(), Key: s.sender.Key, AccountNumber: s.number, Sequence: sequence, Gas: 200_000,
		Messages: []sdk.Msg{chaintest.Payment(s.sender.Address, recipient, 1)},
	}
	for _, change := range change {
		change(&signed)
	}
	return s.client.Sign(signed)
}

func queued(signed *chaintest.Signed) { signed.Queued = true }

// paying changes the amount, which gives another transaction with the same sequence.
func paying(amount int64) func(*chaintest.Signed) {
	return func(signed *chaintest.Signed) {
		signed.Messages = []sdk.Msg{chaintest.Payment(sdk.AccAddress(signed.Key.PubKey().Address()), recipient, amount)}
	}
}

// take broadcasts a transaction that must be accepted.
func (s sequences) take(tx []byte) string {
	s.t.Helper()
	result := s.client.Broadcast(tx)
	if result.Code != 0 {
		s.t.Fatalf("refused: %s %d %s", result.Codespace, result.Code, result.Log)
	}
	return result.Hash
}

func (s sequences) refuse(tx []byte, code uint32, log string) {
	s.t.Helper()
	if result := s.client.Broadcast(tx); result.Codespace != "sdk" || result.Code != code || result.Log != log {
		s.t.Errorf("%s %d %s, want %d %s", result.Codespace, result.Code, result.Log, code, log)
	}
}

func (s sequences) expectUnknown(hash string) {
	s.t.Helper()
	if status, body := s.client.Get("/cosmos/tx/v1beta1/txs/" + hash); status != http.StatusNotFound {
		s.t.Errorf("%d %s", status, body)
	}
}

// expectInOneBlock waits for transactions that must be in one block in this order.
func (s sequences) expectInOneBlock(hashes ...string) {
	s.t.Helper()
	height := s.client.Wait(hashes[0]).Height
	for _, hash := range hashes {
		if result := s.client.Wait(hash); result.Height != height || result.Code != 0 {
			s.t.Errorf("%s: code %d %s in block %d, want block %d", hash, result.Code, result.Log, result.Height, height)
		}
	}
}

// rpc calls the RPC and returns the answer to a single request.
func (s sequences) rpc(method, parameters string) (status int, body string) {
	s.t.Helper()
	response, err := http.Post(s.node.RPCURL(), "application/json",
		strings.NewReader(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, parameters)))
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	var document json.RawMessage
	if err := json.NewDecoder(response.Body).Decode(&document); err != nil {
		s.t.Fatal(err)
	}
	return response.StatusCode, string(document)
}

func (s sequences) broadcastRPC(tx []byte) (status int, body string) {
	s.t.Helper()
	return s.rpc("broadcast_tx_sync", fmt.Sprintf(`{"tx":%q}`, base64.StdEncoding.EncodeToString(tx)))
}

const useExtension = "; use extension option /initia.tx.v1.ExtensionOptionQueuedTx for queued tx: incorrect account sequence"

func TestMempoolExpectsCommittedSequence(t *testing.T) {
	s := startSequences(t, chain.Options{})
	release := s.node.HoldTransactions()
	hashes := []string{s.take(s.sign(0))}
	s.refuse(s.sign(1), 32, "account sequence mismatch, expected 0, got 1"+useExtension)
	for sequence := range uint64(3) {
		hashes = append(hashes, s.take(s.sign(sequence+1, queued)))
	}
	s.refuse(s.sign(4), 32, "account sequence mismatch, expected 0, got 4"+useExtension)
	release()
	s.expectInOneBlock(hashes...)
	s.refuse(s.sign(5), 32, "account sequence mismatch, expected 4, got 5"+useExtension)
	s.take(s.sign(4))
}

func TestMempoolKeepsWhatIsBehindAGap(t *testing.T) {
	s := startSequences(t, chain.Options{})
	behind := s.sign(1, queued)
	hashes := []string{"", s.take(behind), s.take(s.sign(2, queued)), s.take(s.sign(3, queued))}
	s.expectUnknown(hashes[1])
	s.refuse(behind, 19, "")
	if _, body := s.broadcastRPC(behind); !strings.Contains(body, `"code":-32603`) || !strings.Contains(body, `"data":"tx already exists in cache"`) {
		t.Errorf("%s", body)
	}
	s.refuse(s.sign(1, queued, paying(2)), 19, "queued tx with nonce 1 for sender "+s.sender.Address.String()+
		" has priority 1 >= replacement priority 1: tx already in mempool")
	damaged := s.sign(5, queued)
	damaged[len(damaged)-1] ^= 1
	if result := s.client.Broadcast(damaged); result.Code != 4 {
		t.Errorf("damaged signature: %d %s", result.Code, result.Log)
	}
	hashes[0] = s.take(s.sign(0))
	s.expectInOneBlock(hashes...)
	s.refuse(behind, 19, "")
}

// However soon CometBFT proposes, the block contains everything that a transaction unblocks.
func TestMempoolFillsGapsInOneBlock(t *testing.T) {
	s := startSequences(t, chain.Options{})
	for first := uint64(0); first < 200; first += 10 {
		hashes := make([]string, 10)
		for behind := 9; behind >= 0; behind-- {
			hashes[behind] = s.take(s.sign(first+uint64(behind), queued))
		}
		s.expectInOneBlock(hashes...)
	}
}

func TestMempoolRefusesATakenSequence(t *testing.T) {
	s := startSequences(t, chain.Options{})
	release := s.node.HoldTransactions()
	first, second := s.take(s.sign(0)), s.take(s.sign(1, queued))
	for sequence := range uint64(2) {
		s.refuse(s.sign(sequence, queued, paying(2)), 19, fmt.Sprintf(
			"active tx with nonce %d for sender %s has priority 1 >= replacement priority 1: tx already in mempool",
			sequence, s.sender.Address))
	}
	release()
	s.expectInOneBlock(first, second)
	s.refuse(s.sign(1, queued, paying(3)), 32, fmt.Sprintf(
		"tx nonce 1 is stale for sender %s (expected >= 2): incorrect account sequence", s.sender.Address))
	if balance := s.client.Balance(recipient); balance != 2 {
		t.Errorf("balance %d", balance)
	}
}

func TestMempoolBoundsWaitingTransactionsOfAnAccount(t *testing.T) {
	s := startSequences(t, chain.Options{})
	hashes := []string{""}
	for sequence := range uint64(63) {
		hashes = append(hashes, s.take(s.sign(sequence+1, queued)))
	}
	far := s.sign(120, queued)
	s.take(far)
	s.refuse(s.sign(121, queued), 20, fmt.Sprintf("sender %s has 64 queued txs, the limit: mempool is full", s.sender.Address))
	// A nearer transaction replaces the farthest.
	hashes = append(hashes, s.take(s.sign(64, queued)))
	s.refuse(far, 20, fmt.Sprintf("sender %s has 64 queued txs, the limit: mempool is full", s.sender.Address))
	hashes[0] = s.take(s.sign(0))
	s.expectInOneBlock(hashes...)
}

func TestMempoolForgetsOldGaps(t *testing.T) {
	var passed atomic.Int64
	begin := time.Now()
	now := func() time.Time { return begin.Add(time.Duration(passed.Load())) }
	s := startSequencesAt(t, chain.Options{}, now)
	young, old := s.sign(1, queued), s.sign(2, queued)
	forgotten := []string{s.take(young), s.take(old)}
	passed.Store(int64(60*time.Second - time.Nanosecond))
	s.refuse(young, 19, "")
	passed.Store(int64(60 * time.Second))
	s.client.Wait(s.take(s.sign(0)))
	for _, hash := range forgotten {
		s.expectUnknown(hash)
	}
	// They are accepted again.
	again := s.take(old)
	s.expectInOneBlock(s.take(young), again)
}

// A chain with blocks on demand makes none for transactions that it cannot include.
func TestWaitingTransactionsMakeNoBlocks(t *testing.T) {
	s := startSequences(t, chain.Options{})
	s.take(s.sign(1, queued))
	begin := blockAfter(t, s.client, latestBlock(t, s.client), 1)
	end := blockAfter(t, s.client, begin, 3)
	if passed := end.time.Sub(begin.time); passed < 2*time.Second {
		t.Errorf("three blocks took %s by the chain's clock", passed)
	}
}

// A transaction that becomes invalid after a block is dropped with all that follow it and does not get into a block.
func TestMempoolDropsTransactionsThatBecameInvalid(t *testing.T) {
	expiry := &expiry{}
	s := startSequences(t, chain.Options{VM: expiry})
	release := s.node.HoldTransactions()
	late := s.sign(0, func(signed *chaintest.Signed) { signed.TimeoutHeight = math.MaxInt64 })
	follower := s.sign(1, queued)
	dropped := []string{s.take(late), s.take(follower), s.take(s.sign(2, queued))}
	expiry.isOver.Store(true)
	// The next block but one is made after the mempool has checked its transactions again.
	blockAfter(t, s.client, latestBlock(t, s.client), 2)
	release()
	first := s.take(s.sign(0, paying(5)))
	s.client.Wait(first)
	for _, hash := range dropped {
		s.expectUnknown(hash)
	}
	s.client.Wait(s.take(follower))
	if balance := s.client.Balance(recipient); balance != 6 {
		t.Errorf("balance %d", balance)
	}
}

// Waiting transactions are not kept; the chain continues with the sequence of its state.
func TestMempoolAfterARestart(t *testing.T) {
	options := chain.Options{Home: filepath.Join(t.TempDir(), "home")}
	first := startSequences(t, options)
	first.client.Wait(first.take(first.sign(0)))
	waiting := first.sign(2, queued)
	first.take(waiting)
	if err := first.node.Stop(); err != nil {
		t.Fatal(err)
	}
	second := startSequences(t, options)
	second.refuse(second.sign(2), 32, "account sequence mismatch, expected 1, got 2"+useExtension)
	behind := second.take(waiting)
	second.expectInOneBlock(second.take(second.sign(1)), behind)
}

func TestClassicMempoolPanicsAtQueuedTransactions(t *testing.T) {
	s := startSequences(t, chain.Options{Mempool: chain.MempoolClassic})
	const answer = `{"jsonrpc":"2.0","id":-1,"error":{"code":-32603,"message":"Internal error",` +
		`"data":"runtime error: index out of range [0] with length 0"}}`
	status, rest := s.client.Post("/cosmos/tx/v1beta1/txs", map[string]any{"tx_bytes": s.sign(0, queued), "mode": "BROADCAST_MODE_SYNC"})
	if status != http.StatusInternalServerError || string(rest) != answer {
		t.Errorf("REST: %d %s", status, rest)
	}
	status, rpc := s.broadcastRPC(s.sign(1, queued))
	if status != http.StatusInternalServerError || rpc != answer {
		t.Errorf("RPC: %d %s", status, rpc)
	}
	// The chain keeps running, even with sequences ahead.
	first := s.take(s.sign(0))
	s.client.Wait(s.take(s.sign(1)))
	s.client.Wait(first)
	s.refuse(s.sign(3), 32, "account sequence mismatch, expected 2, got 3: incorrect account sequence")
}
